/** A question as a model in the LP format, and what came of it as a choice and weights. */
import { listLinks, type Question } from '@assay/planner/schedule';

/** What a solver says of a model: `status`, values by column, and what a unit of each row is worth. */
export type Solved = {
  readonly status: string;
  readonly objective: number;
  readonly columns: Readonly<Record<string, number>>;
  readonly duals: Readonly<Record<string, number>>;
};

/** The model of a question; `isRelaxed`: shares of options are allowed, which gives weights. */
export function renderModel(question: Question, isRelaxed: boolean): string {
  const { tasks, rows, pairs, deadline } = question;
  const terms = (
    of: (option: Question['tasks'][number]['options'][number]) => number,
    task: number,
  ): string =>
    (tasks[task]?.options ?? [])
      .map((option, at) => ({ n: of(option), name: column(task, at) }))
      .filter(({ n }) => n !== 0)
      .map(({ n, name }) => `+ ${n} ${name}`)
      .join(' ');
  const all = (of: Parameters<typeof terms>[0]): string => {
    const lines = tasks.map((_, task) => terms(of, task)).filter((line) => line !== '');
    // A row without an amount still needs a term.
    return lines.length === 0 ? `+ 0 ${column(0, 0)}` : lines.join('\n  ');
  };
  const timed = deadline === null ? [] : [...tasks.keys()];
  return [
    'Minimize',
    ` obj: ${all(({ objective }) => objective)}`,
    'Subject To',
    ...rows.map(({ cap }, row) => ` r${row}: ${all(({ amounts }) => amounts[row] ?? 0)} <= ${cap}`),
    ...tasks.map(
      ({ options }, task) => ` t${task}: ${options.map((_, at) => `+ 1 ${column(task, at)}`).join(' ')} = 1`,
    ),
    ...pairs.flatMap(({ tasks: [a, b], struck }, pair) =>
      struck.flatMap(([first, second], at) => {
        const [x, y] = [place(question, a, first), place(question, b, second)];
        return x < 0 || y < 0 ? [] : [` p${pair}_${at}: + 1 ${column(a, x)} + 1 ${column(b, y)} <= 1`];
      }),
    ),
    ...timed.flatMap((task) => {
      const minus = (of: number): string => terms(({ minutes }) => -minutes, of).replaceAll('+ -', '- ');
      const waits = listLinks(tasks[task] ?? { after: [] }).map(({ task: before, link, lag }) => {
        const kind = link === 'FS' ? '' : link.toLowerCase();
        const leaves = link === 'FS' || link === 'FF' ? ` ${minus(before)}` : '';
        const enters = link === 'FF' || link === 'SF' ? ` ${terms(({ minutes }) => minutes, task)}` : '';
        return ` w${task}_${before}${kind}: s${task} - s${before}${leaves}${enters} >= ${lag}`;
      });
      return [...waits, ` d${task}: s${task} ${terms(({ minutes }) => minutes, task)} <= ${deadline ?? 0}`];
    }),
    ...(isRelaxed
      ? []
      : [
          'Binary',
          ...tasks.map(({ options }, task) => ` ${options.map((_, at) => column(task, at)).join(' ')}`),
        ]),
    'End',
  ].join('\n');
}

function column(task: number, option: number): string {
  return `x${task}_${option}`;
}

function place({ tasks }: Question, task: number, option: string): number {
  return tasks[task]?.options.findIndex(({ id }) => id === option) ?? -1;
}

/** The option that is taken of each task, by names; null where a task has none. */
export function readChoice(
  { tasks }: Question,
  { columns }: Solved,
): readonly (readonly [string, string])[] | null {
  const choice = tasks.flatMap(({ id, options }, task) => {
    const taken = options.find((_, at) => Math.round(columns[column(task, at)] ?? 0) === 1);
    return taken === undefined ? [] : [[id, taken.id] as const];
  });
  return choice.length === tasks.length ? choice : null;
}

const ROOM = 2 ** 50;
const UNIT_MAX = 2 ** 30;

/** Weights of rows in integers, for a unit of the objective that leaves room for exact sums. */
export function readWeights(
  { tasks, rows }: Question,
  { duals }: Solved,
): { readonly weights: readonly (readonly [row: string, weight: number])[]; readonly unit: number } {
  const most = tasks.reduce(
    (sum, { options }) => sum + Math.max(0, ...options.map(({ objective }) => objective)),
    1,
  );
  const unit = Math.max(1, Math.min(UNIT_MAX, Math.floor(ROOM / most)));
  const weights = rows.flatMap(({ id }, row) => {
    const weight = Math.round(-(duals[`r${row}`] ?? 0) * unit);
    return weight > 0 && weight < ROOM ? [[id, weight] as const] : [];
  });
  return { weights, unit };
}
