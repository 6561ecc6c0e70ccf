/**
 * Minimal cores: constraints and tasks that cannot be had together, none of which can be left out; and the
 * core of one constraint that the plan breaks as it stands. The core of a plan that no choice of approaches
 * makes fit: every task at its best alternatives. Source: dec-K63 `core_now`; law-F8; law-F9; dec-K63
 * `core_best`.
 */
import { compareText, Meter } from '@assay/kernel';
import { type Certificate, type Question, makeChainRow, makeQuestion } from '../question/question.js';
import { listMinutes, type Held, type Plan, type Task, MILLION } from '../plan/plan.js';
import { Lengths, schedule } from '../network/schedule.js';
import { computeCap, rollup, type Rollup, withWork } from '../rollup/rollup.js';
import type { Found } from '../search/incumbent.js';
import { search } from '../search/search.js';

/** Witnesses grow by the square: those of a core with more elements would not fit a record. */
export const WITNESSED_MAX = 295;

/**
 * A core. `certificate` proves that its question (`coreQuestion`) has no answer; for each element of a core of at most
 * `WITNESSED_MAX`, `witnesses` has a choice for the core's other tasks that holds under its other constraints.
 * `isMinimal` is false where a search did not end, so that an element may be needless.
 */
export type Core = {
  readonly constraints: readonly string[];
  readonly tasks: readonly string[];
  readonly certificate: Certificate;
  readonly witnesses: readonly (readonly [element: string, choice: readonly (readonly [string, string])[]])[];
  readonly isMinimal: boolean;
};

/**
 * What is asked about a core: its constraints and its tasks, with every alternative, or with the current
 * approaches only.
 */
export function coreQuestion(
  plan: Plan,
  { constraints, tasks }: Pick<Core, 'constraints' | 'tasks'>,
  isCurrent: boolean,
): Question {
  const asked = new Set(tasks);
  const holds = ({ id }: Held): boolean => constraints.includes(id);
  const keeps = ({ id }: Task): boolean => asked.has(id);
  return makeQuestion(plan, null, {}, { holds, keeps, isCurrent });
}

/** Every constraint of a plan. */
export function listConstraints(plan: Plan): readonly Held[] {
  return [
    ...plan.rows,
    ...plan.metrics,
    ...plan.couplings,
    ...(plan.deadline === null ? [] : [plan.deadline]),
  ];
}

/** A choice of a question by names, of some tasks only. */
export function witness(
  question: Question,
  choice: readonly number[],
  tasks: readonly string[],
): readonly (readonly [string, string])[] {
  const asked = new Set(tasks);
  return question.tasks.flatMap(({ id, options }, task) => {
    const option = options[choice[task] ?? 0];
    return option !== undefined && asked.has(id) ? [[id, option.id] as const] : [];
  });
}

/** A core with what each of its tasks adds, largest first, and in all `its lags`: what a person reads. */
export type CoreNow = Core & { readonly amounts: readonly (readonly [task: string, amount: number])[] };

/** One core for each constraint that is UNSAT by its sums or links, hard or not, in the order of the roll-up. */
export function coresNow(given: Plan, { lines }: Pick<Rollup, 'lines'> = rollup(given)): readonly CoreNow[] {
  const plan = withWork(given);
  return lines.flatMap(({ status, kind, held }) =>
    status === 'UNSAT' && (kind !== 'deadline' || isLate(plan, held)) ? [coreNow(plan, held)] : [],
  );
}

/** True where the plan passes its deadline by its links alone: what is late only as levelled has no core. */
function isLate({ tasks }: Plan, held: Held): boolean {
  return new Lengths(tasks).measure(listMinutes(tasks)) > computeCap(held);
}

function coreNow(plan: Plan, held: Held): CoreNow {
  const isLinked = held.id === plan.deadline?.id && plan.tasks.some(({ links }) => links !== undefined);
  const { adds, certificate, isSum, lag = 0 } = (isLinked ? listLate : listParts)(plan, held);
  const kept = isSum ? least(adds, computeCap(held)) : adds;
  const tasks = kept.map(([task]) => task).toSorted(compareText);
  const isIn = new Set(tasks);
  const current = plan.tasks.flatMap(({ id, approaches }) =>
    isIn.has(id) ? [[id, approaches[0]?.id ?? ''] as const] : [],
  );
  return {
    constraints: [held.id],
    tasks,
    certificate,
    witnesses:
      tasks.length < WITNESSED_MAX
        ? [held.id, ...tasks].map(
            (element) => [element, current.filter(([task]) => task !== element)] as const,
          )
        : [],
    isMinimal: true,
    amounts: [
      ...kept.toSorted(([a, x], [b, y]) => y - x || compareText(a, b)),
      ...(lag === 0 ? [] : [['its lags', lag] as const]),
    ],
  };
}

type Adds = readonly (readonly [task: string, amount: number])[];

type Parts = {
  readonly adds: Adds;
  readonly certificate: Certificate;
  readonly isSum: boolean;
  readonly lag?: number;
};

/** The parts of a broken deadline where links have kinds and lags: each task is left out that need not take time. */
function listLate({ tasks }: Plan, held: Held): Parts {
  const minutes = listMinutes(tasks);
  const lengths = new Lengths(tasks);
  const isLateWithout = (task: number): boolean => {
    const own = minutes[task] ?? 0;
    minutes[task] = 0;
    const isLate = lengths.measure(minutes) > computeCap(held);
    minutes[task] = own;
    return isLate;
  };
  const open = [...tasks.keys()].toSorted((a, b) => (minutes[a] ?? 0) - (minutes[b] ?? 0));
  const findIdle = (): number | undefined => open.find((task) => minutes[task] !== 0 && isLateWithout(task));
  for (let task = findIdle(); task !== undefined; task = findIdle()) minutes[task] = 0;
  const chain = lengths.longest(minutes, lengths.measure(minutes));
  const { name, factor, lag } = makeChainRow(tasks, chain);
  const adds = tasks.flatMap(({ id }, task) => {
    const own = minutes[task] ?? 0;
    return own === 0 ? [] : [[id, own * (factor.get(task) ?? 0)] as const];
  });
  return { adds, certificate: { weights: [[name, 1]], unit: 0 }, isSum: false, lag };
}

/** What each task adds to a broken constraint, and why that breaks it. */
function listParts(plan: Plan, held: Held): Parts {
  const named = (tasks: readonly number[], amount: (task: number) => number): Adds =>
    tasks.map((task) => [plan.tasks[task]?.id ?? '', amount(task)] as const);
  const weigh = (row: string): Certificate => ({ weights: [[row, 1]], unit: 0 });
  const row = plan.rows.findIndex(({ id }) => id === held.id);
  if (row >= 0) {
    const amount = (task: number): number => plan.tasks[task]?.approaches[0]?.amounts[row]?.[1] ?? 0;
    return { adds: named([...plan.tasks.keys()], amount), certificate: weigh(held.id), isSum: true };
  }
  if (held.id === plan.deadline?.id) {
    const minutes = listMinutes(plan.tasks);
    const { critical } = schedule(plan.tasks, minutes, null);
    const adds = named(critical, (task) => minutes[task] ?? 0);
    const { name } = makeChainRow(plan.tasks, { tasks: critical, links: [] });
    return { adds, certificate: weigh(name), isSum: true };
  }
  const coupling = plan.couplings.find(({ id }) => id === held.id);
  if (coupling !== undefined) {
    const figure = coupling.values[0]?.[0] ?? 0;
    const adds = named(coupling.tasks, () => figure);
    return {
      adds,
      certificate: { coupling: held.id, tasks: [adds[0]?.[0] ?? '', adds[1]?.[0] ?? ''] },
      isSum: false,
    };
  }
  const at = plan.metrics.findIndex(({ id }) => id === held.id);
  const task = plan.metrics[at]?.task ?? 0;
  const adds = named([task], () => plan.tasks[task]?.approaches[0]?.metrics[at]?.[1] ?? 0);
  return { adds, certificate: { task: adds[0]?.[0] ?? '', parts: [] }, isSum: false };
}

/** Leaves out the smallest amounts, ties by id, while what is left still passes the cap. */
function least(adds: Adds, cap: number): Adds {
  let total = adds.reduce((sum, [, amount]) => sum + amount, 0);
  return adds
    .toSorted(([a, x], [b, y]) => x - y || compareText(a, b))
    .filter(([, amount]) => {
      if (total - amount <= cap) return true;
      total -= amount;
      return false;
    });
}

/**
 * The canonical core: hard constraints by id, then tasks, smallest contribution first; an element stays out if
 * what is left still has no answer. Null if the plan has a repair, or the first search does not end. At most
 * `nodes` nodes an element; once the meter is spent every element stays in.
 */
export function coreBest(given: Plan, nodes: number, meter: Meter = new Meter()): Core | null {
  const plan = withWork(given);
  const hard = listConstraints(plan).filter(({ isHard }) => isHard);
  let constraints: readonly string[] = hard.map(({ id }) => id).toSorted(compareText);
  let tasks: readonly string[] = plan.tasks.map(({ id }) => id);
  const ask = (asked: readonly string[], about: readonly string[], before: Found | null): Found => {
    const start = before === null ? null : { choices: [], weights: before.weights, unit: before.unit };
    const question = coreQuestion(plan, { constraints: asked, tasks: about }, false);
    return search(question, 'feasible', nodes, start, meter);
  };
  let proof = ask(constraints, tasks, null);
  if (proof.status !== 'none') return null;
  const kept: (readonly [element: string, choice: readonly (readonly [string, string])[]])[] = [];
  let isMinimal = true;
  const leaveOut = (element: string, left: readonly string[], done: readonly string[]): boolean => {
    const found = meter.isSpent ? null : ask(left, done, proof);
    if (found?.status === 'none') {
      proof = found;
      return true;
    }
    if (found === null || found.choice === null) isMinimal = false;
    else if (kept.length < WITNESSED_MAX) {
      const question = coreQuestion(plan, { constraints: left, tasks: done }, false);
      kept.push([element, witness(question, found.choice, done)]);
    }
    return false;
  };
  const passOnce = (): void => {
    kept.length = 0;
    for (const id of constraints) {
      const left = constraints.filter((each) => each !== id);
      if (leaveOut(id, left, tasks)) constraints = left;
    }
    const rank = contributions(plan, constraints);
    const ranked = plan.tasks
      .filter(({ id }) => tasks.includes(id))
      .map((task) => ({ id: task.id, least: rank(task) }));
    for (const { id } of ranked.toSorted((a, b) => a.least - b.least || compareText(a.id, b.id))) {
      const left = tasks.filter((each) => each !== id);
      if (leaveOut(id, constraints, left)) tasks = left;
    }
  };
  passOnce();
  // A task that ends by a link starts earlier the longer it takes: what was needed may be so no more.
  if (plan.tasks.some(({ links }) => links !== undefined))
    for (let before = -1; before !== tasks.length + constraints.length; ) {
      before = tasks.length + constraints.length;
      passOnce();
    }
  const inCore = new Set(tasks);
  return {
    constraints,
    tasks,
    certificate: proof.proof ?? { weights: [], unit: 0 },
    witnesses:
      constraints.length + tasks.length <= WITNESSED_MAX
        ? kept.map(
            ([element, choice]) =>
              [element, choice.filter(([task]) => inCore.has(task) && task !== element)] as const,
          )
        : [],
    isMinimal,
  };
}

/**
 * What a task adds at least: in the one constraint there is, or in parts per million of each of several,
 * rounded down.
 */
function contributions(plan: Plan, constraints: readonly string[]): (task: Task) => number {
  const rows = plan.rows.flatMap(({ id, bound }, index) =>
    constraints.includes(id) ? [{ bound, index }] : [],
  );
  const { deadline } = plan;
  const isTimed = deadline !== null && constraints.includes(deadline.id);
  const isOne = rows.length + (isTimed ? 1 : 0) === 1;
  const part = (amount: number, bound: number): number => {
    if (isOne) return amount;
    if (bound === 0) return amount === 0 ? 0 : MILLION;
    return Number((BigInt(amount) * BigInt(MILLION)) / BigInt(bound));
  };
  const least = ({ approaches }: Task, of: (approach: Task['approaches'][number]) => number): number =>
    approaches.reduce((low, approach) => Math.min(low, of(approach)), Number.MAX_SAFE_INTEGER);
  return (task) => {
    let sum = isTimed
      ? part(
          least(task, ({ minutes }) => minutes[1]),
          deadline.bound,
        )
      : 0;
    for (const { bound, index } of rows)
      sum += part(
        least(task, ({ amounts }) => amounts[index]?.[1] ?? 0),
        bound,
      );
    return sum;
  };
}
