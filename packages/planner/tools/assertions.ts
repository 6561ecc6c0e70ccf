/**
 * The assertions of the document about a plan, over the artifacts of any run: constraints, tasks, arithmetic,
 * surveys, the repair and the critical path, calculated again without the planner's own functions. Source: 000
 * v1 "Assertion Framework"; dec-K55, dec-K58, dec-K59, dec-K61.
 *
 * @module
 */

type Estimate = number | readonly [number, number, number];
type Way = {
  readonly id?: string;
  readonly method?: string | null;
  readonly minutes: Estimate;
  readonly confidence: number;
  readonly amounts?: Readonly<Record<string, Estimate>>;
};
type Task = Way & {
  readonly id: string;
  readonly kind?: string;
  readonly after?: readonly string[];
  readonly approach?: string;
  readonly alternatives?: readonly Way[];
};
type Line = {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly op: string;
  readonly bound: number;
  readonly hard: boolean;
  readonly total: readonly number[] | null;
};

/** What a run says: its artifacts `report` and `plan`. */
export type Claimed = {
  readonly report: {
    readonly constraints: readonly {
      readonly id: string;
      readonly removal: string | null;
      readonly payload: { readonly t: string };
    }[];
    readonly judged: {
      readonly before: readonly Line[];
      readonly after: readonly Line[] | null;
      readonly length: number;
      readonly survey: readonly string[];
      readonly exits: readonly string[];
      readonly cores: readonly { readonly tasks: readonly string[] }[];
    };
  };
  readonly plan: {
    readonly file: {
      readonly rows?: readonly { readonly id: string; readonly default?: number }[];
      readonly tasks: readonly Task[];
    };
    readonly length: number;
    readonly critical: readonly string[];
    readonly tasks: readonly { readonly id: string; readonly approach: string }[];
  };
};

/** What was stated beforehand: ids of bounds; whether somebody was asked what the goal implies. */
export type Stated = { readonly bounds: readonly string[]; readonly isAsked: boolean };

const mid = (value: Estimate | undefined, other: number = 0): number =>
  value === undefined ? other : typeof value === 'number' ? value : value[1];
const low = (value: Estimate): number => (typeof value === 'number' ? value : value[0]);

/** What does not hold, in words; empty where all of it does. */
export function faultsIn({ report, plan }: Claimed, stated: Stated): readonly string[] {
  const faults: string[] = [];
  const expect = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what);
  };
  const { judged } = report;
  const { tasks } = plan.file;
  const byId = new Map(tasks.map((task) => [task.id, task] as const));
  const wayOf = (id: string, approach: string): Way | undefined => {
    const task = byId.get(id);
    return task === undefined || (task.approach ?? 'base') === approach
      ? task
      : task.alternatives?.find((way) => way.id === approach);
  };

  for (const id of stated.bounds)
    expect(
      judged.before.some((line) => line.id === id && line.status !== ''),
      `${id} has no status`,
    );
  if (stated.isAsked)
    expect(
      report.constraints.some(({ removal }) => removal !== null),
      'nothing implied has a consequence',
    );

  const order: string[] = [];
  const open = new Set(byId.keys());
  for (let found = true; found; ) {
    const ready = [...open].filter((id) => (byId.get(id)?.after ?? []).every((on) => !open.has(on)));
    found = ready.length > 0;
    for (const id of ready) open.delete(id);
    order.push(...ready);
  }
  expect(open.size === 0, 'tasks wait for each other');
  expect(
    tasks.every(({ after = [] }) => after.every((on) => byId.has(on))),
    'a task waits for no task',
  );
  expect(
    tasks.some(({ after = [] }) => after.length === 0),
    'no task can begin',
  );
  const waited = new Set(tasks.flatMap(({ after = [] }) => after));
  const last = tasks.filter(({ id }) => !waited.has(id));
  expect(last.length === 1 || judged.exits.length === last.length, 'several last tasks, and nothing says so');

  const rows = plan.file.rows ?? [];
  const sum = (row: (typeof rows)[number], of: (task: Task) => Way | undefined): number =>
    tasks.reduce((total, task) => total + mid(of(task)?.amounts?.[row.id], row.default ?? 0), 0);
  const isHeld = ({ op, bound, total }: Line): boolean =>
    total !== null && (op === '<' ? (total[1] ?? 0) < bound : op === '<=' ? (total[1] ?? 0) <= bound : true);
  for (const row of rows) {
    const line = judged.before.find(({ id }) => id === row.id);
    const now = sum(row, (task) => task);
    expect(line?.total?.[1] === now, `${row.id} does not add up to ${now}`);
    let spent = 0;
    for (const task of tasks) {
      const amount = mid(task.amounts?.[row.id], row.default ?? 0);
      expect(amount >= 0, `${task.id} costs less than nothing`);
      expect(spent + amount >= spent, `the waterfall of ${row.id} falls at ${task.id}`);
      spent += amount;
    }
  }
  for (const line of [...judged.before, ...(judged.after ?? [])])
    if (line.kind === 'row' || line.kind === 'deadline')
      expect(isHeld(line) === (line.status !== 'UNSAT'), `${line.id} is ${line.status} against its bound`);

  const inCore = new Set(judged.cores.flatMap((core) => core.tasks));
  for (const id of judged.survey)
    expect(inCore.has(id) || (byId.get(id)?.confidence ?? 1) < 300_000, `${id} was surveyed for nothing`);

  const taken = new Map(plan.tasks.map(({ id, approach }) => [id, wayOf(id, approach)] as const));
  const lines = judged.after ?? judged.before;
  expect(
    lines.every(({ hard, status }) => !hard || status === 'SAT' || status === 'TIGHT'),
    'the plan does not fit',
  );
  for (const row of rows) {
    const now = sum(row, ({ id }) => taken.get(id));
    expect(lines.find(({ id }) => id === row.id)?.total?.[1] === now, `${row.id} comes to ${now}`);
  }
  for (const task of tasks)
    expect(
      task.kind !== 'build' || low(taken.get(task.id)?.minutes ?? 0) > 0,
      `${task.id} is built in no time`,
    );

  const end = new Map<string, number>();
  for (const id of order) {
    const from = Math.max(0, ...(byId.get(id)?.after ?? []).map((on) => end.get(on) ?? 0));
    end.set(id, from + mid(taken.get(id)?.minutes));
  }
  const longest = Math.max(0, ...end.values());
  expect(plan.length === longest, `the longest path takes ${longest}, not ${plan.length}`);
  const along = plan.critical.reduce((total, id) => total + mid(taken.get(id)?.minutes), 0);
  expect(along === longest, `the critical path takes ${along}`);
  expect(
    plan.critical.every(
      (id, at) => at === 0 || (byId.get(id)?.after ?? []).includes(plan.critical[at - 1] ?? ''),
    ),
    'the critical path has a gap',
  );
  return faults;
}
