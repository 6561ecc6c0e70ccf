/**
 * Plans the slow and obvious way: every choice, every chain. Shares no calculation with the package.
 *
 * @module
 */
import type { Choice, Held, Plan } from '../src/schedule/index.js';

/** Every choice of a plan. */
export function everyChoice(plan: Plan): readonly Choice[] {
  return plan.tasks.reduce<readonly Choice[]>(
    (choices, { approaches }) =>
      choices.flatMap((choice) => approaches.map((_, place) => [...choice, place])),
    [[]],
  );
}

/** The minutes of a choice. */
export function minutesOf(plan: Plan, choice: Choice): readonly number[] {
  return plan.tasks.map(({ approaches }, task) => approaches[choice[task] ?? 0]?.minutes[1] ?? 0);
}

/**
 * When each task starts and ends, each as late as any path over these events asks: tasks by turns, as often as there
 * are events.
 */
export function eventTimes(
  tasks: Plan['tasks'],
  minutes: readonly number[],
): readonly { S: number; F: number }[] {
  const times = tasks.map(() => ({ S: 0, F: 0 }));
  for (let round = 0; round < 2 * tasks.length; round += 1)
    for (const [task, { after, links }] of tasks.entries()) {
      const own = times[task] ?? { S: 0, F: 0 };
      for (const { task: before, link, lag } of links ??
        after.map((each) => ({ task: each, link: 'FS' as const, lag: 0 }))) {
        const from = (times[before] ?? own)[link.startsWith('S') ? 'S' : 'F'] + lag;
        if (link.endsWith('S')) own.S = Math.max(own.S, from);
        else own.F = Math.max(own.F, from);
      }
      own.F = Math.max(own.F, own.S + (minutes[task] ?? 0));
      own.S = own.F - (minutes[task] ?? 0);
    }
  return times;
}

/** The end of a choice. */
export function lengthOf(plan: Plan, choice: Choice): number {
  return Math.max(0, ...eventTimes(plan.tasks, minutesOf(plan, choice)).map(({ F }) => F));
}

/** What a choice adds up to in a row. */
export function sumOf(plan: Plan, choice: Choice, row: number): number {
  return plan.tasks.reduce(
    (sum, { approaches }, task) => sum + (approaches[choice[task] ?? 0]?.amounts[row]?.[1] ?? 0),
    0,
  );
}

/** A figure against a bound. */
export function isWithin({ op, bound }: Held, figure: number | null): boolean {
  if (figure === null) return false;
  const order = figure < bound ? '<' : figure > bound ? '>' : '=';
  return op.includes(order);
}

/** True where a choice holds under the constraints asked about, counting only some tasks. */
export function holds(
  plan: Plan,
  choice: Choice,
  isAsked: (held: Held) => boolean = ({ isHard }) => isHard,
  counts: (task: number) => boolean = () => true,
): boolean {
  const some: Plan = {
    ...plan,
    tasks: plan.tasks.map((task, at) =>
      counts(at)
        ? task
        : {
            ...task,
            approaches: task.approaches.map((approach) => ({
              ...approach,
              minutes: [0, 0, 0] as const,
              amounts: approach.amounts.map(() => [0, 0, 0] as const),
            })),
          },
    ),
  };
  const rows = plan.rows.every(
    (row, at) => !isAsked(row) || sumOf(some, choice, at) <= row.bound - (row.op === '<' ? 1 : 0),
  );
  const metrics = plan.metrics.every(
    (metric, at) =>
      !isAsked(metric) ||
      !counts(metric.task) ||
      isWithin(
        metric,
        plan.tasks[metric.task]?.approaches[choice[metric.task] ?? 0]?.metrics[at]?.[1] ?? null,
      ),
  );
  const couplings = plan.couplings.every(
    (coupling) =>
      !isAsked(coupling) ||
      !coupling.tasks.every(counts) ||
      isWithin(
        coupling,
        coupling.values[choice[coupling.tasks[0]] ?? 0]?.[choice[coupling.tasks[1]] ?? 0] ?? null,
      ),
  );
  const { deadline } = plan;
  const isTimely = deadline === null || !isAsked(deadline) || isWithin(deadline, lengthOf(some, choice));
  return rows && metrics && couplings && isTimely;
}

/** Every choice that fits, in the order of dec-K64. */
export function everyRepair(plan: Plan): readonly Choice[] {
  return everyChoice(plan)
    .filter((choice) => holds(plan, choice))
    .toSorted((a, b) => {
      const [x, y] = [keyOf(plan, a), keyOf(plan, b)];
      for (const [at, one] of x.entries()) {
        const other = y[at] ?? 0;
        if (one !== other) return one < other ? -1 : 1;
      }
      return 0;
    });
}

function keyOf(plan: Plan, choice: Choice): readonly (number | string)[] {
  const taken = plan.tasks.map(({ id, approaches }, task) => ({
    id,
    approach: approaches[choice[task] ?? 0],
  }));
  const changed = taken.filter((_, task) => choice[task] !== 0);
  return [
    changed.length,
    -Math.min(1_000_000, ...changed.map(({ approach }) => approach?.confidence ?? 0)),
    plan.cost === null ? 0 : sumOf(plan, choice, plan.cost),
    minutesOf(plan, choice).reduce((sum, each) => sum + each, 0),
    ...changed.flatMap(({ id, approach }) => [id, approach?.id ?? '']),
  ];
}
