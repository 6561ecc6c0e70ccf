/**
 * The one kind of question about a plan: choose an approach for each task so that rows hold; and the checker
 * of certificates, exact and without a line of the search. The questions that a plan asks. Source: dec-K77;
 * law-F17.
 */
import { computeCap, passes, withWork } from '../rollup/rollup.js';
import {
  makeChoice,
  type Approach,
  type Choice,
  type Estimate,
  type Held,
  type Plan,
  type Task,
} from '../plan/plan.js';
import { listLinks, type Chain, type Link, type LinkKind } from '../network/schedule.js';

/** One way to do a task: what it adds to each row, by place of the row, and to the objective. */
export type Option = {
  readonly id: string;
  readonly amounts: readonly number[];
  readonly objective: number;
  readonly minutes: number;
};

/** A task and the options that are left for it. */
export type Chooser = {
  readonly id: string;
  readonly after: readonly number[];
  readonly links?: readonly Link[];
  readonly options: readonly Option[];
};

/** Two tasks, by place, and the pairs of their options, by id, that may not be taken together. */
type StruckPairs = {
  readonly id: string;
  readonly tasks: readonly [number, number];
  readonly struck: readonly (readonly [string, string])[];
};

/**
 * Choose one option for each task so that each row's amounts add up to at most its cap, no struck pair is
 * taken, and no chain of tasks takes longer than the deadline. All numbers are integers, of at least 0 but for lags;
 * caps are at least -1.
 */
export type Question = {
  readonly tasks: readonly Chooser[];
  readonly rows: readonly { readonly id: string; readonly cap: number }[];
  readonly pairs: readonly StruckPairs[];
  readonly deadline: number | null;
};

/**
 * What a certificate proves: no choice fits (`unsat`); each choice that fits has an objective of at least
 * `value` (`at_least`).
 */
export type Claim = { readonly kind: 'unsat' } | { readonly kind: 'at_least'; readonly value: number };

/**
 * A proof that a question has no better answer. A leaf weighs rows (by id, or a chain of tasks as
 * `deadline:t1>t3`) and the objective, or names a coupling by which all pairs are struck; a branch covers
 * what is still allowed of one task.
 */
export type Certificate =
  | { readonly weights: readonly (readonly [row: string, weight: number])[]; readonly unit: number }
  | { readonly coupling: string; readonly tasks: readonly [string, string] }
  | {
      readonly task: string;
      readonly parts: readonly (readonly [options: readonly string[], certificate: Certificate])[];
    };

/** Branches above each other in a certificate: its JSON then fits a ledger line's nesting. */
export const CERTIFICATE_DEPTH_MAX = 80;

/** A chain of tasks as a row: `factor`, 1, 0 or -1, is how often the minutes of a task count, `lag` lowers the cap. */
export type ChainRow = {
  readonly name: string;
  readonly factor: ReadonlyMap<number, number>;
  readonly lag: number;
};

/** The row of a chain: a task counts if the chain leaves it by its finish, less if it came in by its finish. */
export function makeChainRow(tasks: readonly { readonly id: string }[], chain: Chain): ChainRow {
  const { links } = chain;
  const kinds = links.map(({ link }) => link);
  const names = chain.tasks.map((task, at) => {
    const kind = kinds[at - 1] ?? 'FS';
    return `${tasks[task]?.id ?? ''}${kind === 'FS' ? '' : `~${kind.toLowerCase()}`}`; // ascii
  });
  const factor = chain.tasks.map((task, at) => {
    const [into, out] = [kinds[at - 1] ?? 'FS', kinds[at] ?? 'FS'];
    return [task, (out.startsWith('F') ? 1 : 0) - (into.endsWith('F') ? 1 : 0)] as const;
  });
  return {
    name: `deadline:${names.join('>')}`,
    factor: new Map(factor),
    lag: links.reduce((sum, { lag }) => sum + lag, 0),
  };
}

/** What is still allowed of each task. */
type Allowed = (readonly Option[])[];

/**
 * True where a certificate proves a claim about a question. At a leaf, with integers n of at least 0: the sum
 * over tasks of the least (unit · objective + Σ n · amount) among what is allowed, less Σ n · cap, is above
 * unit · (value − 1), and above 0 where the unit is 0, as for `unsat`. Linear in the certificate times the question.
 */
export function checkCertificate(question: Question, claim: Claim, certificate: Certificate): boolean {
  const { tasks, pairs } = question;
  const allowed: Allowed = tasks.map(({ options }) => options);
  const holds = (node: Certificate, depth: number): boolean => {
    if ('unit' in node) return isAbove(question, claim, node, allowed);
    if ('coupling' in node) {
      const isNamed = (task: number, side: number) => tasks[task]?.id === node.tasks[side];
      const pair = pairs.find((each) => each.id === node.coupling && each.tasks.every(isNamed));
      const [left, right] = (pair?.tasks ?? []).map((task) => allowed[task] ?? []);
      const isStruck = (a: Option, b: Option) => pair?.struck.some(([x, y]) => x === a.id && y === b.id);
      return left?.every((a) => right?.every((b) => isStruck(a, b))) ?? false;
    }
    const at = tasks.findIndex(({ id }) => id === node.task);
    const before = allowed[at];
    if (before === undefined || depth >= CERTIFICATE_DEPTH_MAX) return false;
    const isProven = node.parts.every(([part, inner]) => {
      const rest = before.filter(({ id }) => part.includes(id));
      allowed[at] = rest;
      return rest.length === 0 || holds(inner, depth + 1);
    });
    allowed[at] = before;
    return isProven && before.every(({ id }) => node.parts.some(([part]) => part.includes(id)));
  };
  return holds(certificate, 0);
}

/** The inequality of a leaf. */
function isAbove(
  question: Question,
  claim: Claim,
  { weights, unit }: Extract<Certificate, { readonly unit: number }>,
  allowed: Allowed,
): boolean {
  const terms = weights.map(([name, n]) => ({ n, row: findRow(question, name) }));
  if (![unit, ...terms.map(({ n }) => n)].every((n) => Number.isSafeInteger(n) && n >= 0)) return false;
  if ((claim.kind === 'unsat' && unit !== 0) || allowed.some((options) => options.length === 0)) return false;
  if (terms.some(({ row }) => row === null)) return false;
  let sum = 0n;
  for (const { n, row } of terms) sum -= BigInt(n) * BigInt(row?.cap ?? 0);
  for (const [task, options] of allowed.entries()) {
    const values = options.map((option) => {
      const start = BigInt(unit) * BigInt(option.objective);
      return terms.reduce(
        (all, { n, row }) => all + BigInt(n) * BigInt(row?.amount(task, option) ?? 0),
        start,
      );
    });
    sum += values.reduce((least, value) => (value < least ? value : least));
  }
  return sum > BigInt(unit) * BigInt('value' in claim ? claim.value - 1 : 0);
}

const SUFFIXES: Readonly<Record<string, LinkKind>> = { '': 'FS', '~ss': 'SS', '~ff': 'FF', '~sf': 'SF' };

/** A row by its id, or the chain of tasks that a name lists, each waiting for the one before it by such a link. */
function findRow(
  { rows, tasks, deadline }: Question,
  name: string,
): {
  readonly cap: number;
  readonly amount: (task: number, option: Option) => number;
} | null {
  const row = rows.findIndex(({ id }) => id === name);
  if (row >= 0) return { cap: rows[row]?.cap ?? 0, amount: (_, { amounts }) => amounts[row] ?? 0 };
  if (deadline === null || !name.startsWith('deadline:')) return null;
  let cap = deadline;
  const counts = new Map<number, number>();
  for (const [index, part] of name.slice('deadline:'.length).split('>').entries()) {
    const [id = '', suffix = ''] = part.split(/(?=~)/);
    const before = [...counts.keys()].at(-1);
    const at = tasks.findIndex((task) => task.id === id);
    const kind = SUFFIXES[suffix];
    const task = tasks[at];
    if (task === undefined || kind === undefined) return null;
    if (before === undefined) {
      if (index > 0 || kind !== 'FS') return null;
      counts.set(at, 1);
      continue;
    }
    const link = listLinks(task).find((each) => each.task === before && each.link === kind);
    if (link === undefined) return null;
    cap -= link.lag;
    if (kind === 'SS' || kind === 'SF') counts.set(before, (counts.get(before) ?? 0) - 1);
    counts.set(at, kind === 'FF' || kind === 'SF' ? 0 : 1);
  }
  return { cap, amount: (task, { minutes }) => minutes * (counts.get(task) ?? 0) };
}

/** What is to be low: the number of substitutions, the mids of the cost row, the sum of minutes; or nothing. */
export type Objective = 'substitutions' | 'cost' | 'effort' | null;

/**
 * Bounds beside the plan's own. `confidence`: the least of an alternative, ppm; the others become rows
 * `repair:substitutions`, `repair:cost` and `repair:effort`.
 */
export type Bounds = {
  readonly substitutions?: number;
  readonly confidence?: number;
  readonly cost?: number;
  readonly effort?: number;
};

/** What of a plan is asked about: all of it, or some constraints and some tasks; other tasks add nothing. */
export type Part = {
  readonly holds: (held: Held) => boolean;
  readonly keeps: (task: Task) => boolean;
  /** Only the current approaches, as if there were no alternatives. */
  readonly isCurrent: boolean;
};

/** Every hard constraint, every task, every approach. */
export const WHOLE: Part = Object.freeze({
  holds: ({ isHard }: Held) => isHard,
  keeps: () => true,
  isCurrent: false,
});

/** The id of the one option of a task that is left out. */
const ABSENT = 'none';

/**
 * A plan as a question about mids: which approach for each task? Approaches whose metric fails or is not
 * stated are left out, as are alternatives below the confidence; pairs whose figure fails or is not stated are
 * struck. `<` is one less. Source: dec-K77, dec-K69.
 */
export function makeQuestion(
  given: Plan,
  objective: Objective,
  bounds: Bounds = {},
  part: Part = WHOLE,
): Question {
  const plan = withWork(given);
  const rows = plan.rows.flatMap((row, index) => (part.holds(row) ? [{ row, index }] : []));
  const extra: (readonly [id: string, cap: number | undefined, of: Exclude<Objective, null>])[] = [
    ['repair:substitutions', bounds.substitutions, 'substitutions'],
    ['repair:cost', bounds.cost, 'cost'],
    ['repair:effort', bounds.effort, 'effort'],
  ];
  const more = extra.filter(([, cap]) => cap !== undefined);
  const option = (approach: Approach, place: number): Option => ({
    id: approach.id,
    amounts: [
      ...rows.map(({ index }) => approach.amounts[index]?.[1] ?? 0),
      ...more.map(([, , of]) => measure(plan, of, approach, place)),
    ],
    objective: objective === null ? 0 : measure(plan, objective, approach, place),
    minutes: approach.minutes[1],
  });
  const none: Option = { id: ABSENT, amounts: [...rows, ...more].map(() => 0), objective: 0, minutes: 0 };
  const tasks = plan.tasks.map((task, place): Chooser => {
    const { title: _title, kind: _kind, approaches: _approaches, ...waits } = task;
    if (!part.keeps(task)) return { ...waits, options: [none] };
    const approaches = part.isCurrent ? task.approaches.slice(0, 1) : task.approaches;
    const options = approaches.flatMap((approach, index) =>
      isAllowed(plan, place, approach, part) &&
      (index === 0 || approach.confidence >= (bounds.confidence ?? 0))
        ? [option(approach, index)]
        : [],
    );
    return { ...waits, options };
  });
  const { deadline } = plan;
  return {
    tasks,
    rows: [
      ...rows.map(({ row }) => ({ id: row.id, cap: computeCap(row) })),
      ...more.map(([id, cap]) => ({ id, cap: cap ?? 0 })),
    ],
    pairs: plan.couplings.flatMap((coupling) => {
      const [first, second] = coupling.tasks.map((task) => plan.tasks[task]);
      if (first === undefined || second === undefined || !part.holds(coupling)) return [];
      if (!part.keeps(first) || !part.keeps(second)) return [];
      const struck = first.approaches.flatMap((a, row) =>
        second.approaches.flatMap((b, column) => {
          const figure = coupling.values[row]?.[column] ?? null;
          const isFit = figure !== null && passes(coupling.op, figure, coupling.bound);
          return isFit ? [] : [[a.id, b.id] as const];
        }),
      );
      return [{ id: coupling.id, tasks: coupling.tasks, struck }];
    }),
    deadline: deadline !== null && part.holds(deadline) ? computeCap(deadline) : null,
  };
}

function isAllowed(plan: Plan, task: number, { metrics }: Approach, { holds }: Part): boolean {
  return plan.metrics.every((metric, index) => {
    if (metric.task !== task || !holds(metric)) return true;
    const figure: Estimate | null = metrics[index] ?? null;
    return figure !== null && passes(metric.op, figure[1], metric.bound);
  });
}

/** What an approach adds to an objective. */
function measure(plan: Plan, of: Exclude<Objective, null>, approach: Approach, place: number): number {
  if (of === 'substitutions') return place === 0 ? 0 : 1;
  if (of === 'effort') return approach.minutes[1];
  return plan.cost === null ? 0 : (approach.amounts[plan.cost]?.[1] ?? 0);
}

/** A choice of a question's options as a choice of the plan's approaches; absent tasks stay as they are. */
export function planChoice(plan: Plan, question: Question, choice: readonly number[]): Choice {
  return makeChoice(
    plan,
    question.tasks.map(({ id, options }, task) => [id, options[choice[task] ?? 0]?.id ?? ''] as const),
  );
}

/** A choice of the plan's approaches as one of a question's options; null where an approach is left out. */
export function optionChoice(plan: Plan, question: Question, choice: Choice): readonly number[] | null {
  const places = question.tasks.map(({ options }, task) => {
    const id = plan.tasks[task]?.approaches[choice[task] ?? -1]?.id;
    return options.findIndex((option) => option.id === id);
  });
  return places.includes(-1) ? null : places;
}
