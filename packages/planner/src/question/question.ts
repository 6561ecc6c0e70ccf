/**
 * The one kind of question about a plan: choose an approach for each task so that rows hold; and the checker of
 * certificates, exact and without a line of the search. Source: dec-K77, law-F17.
 *
 * @module
 */

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
 * taken, and no chain of tasks takes longer than the deadline. All numbers are integers of at least 0, caps of
 * at least -1.
 */
export type Question = {
  readonly tasks: readonly Chooser[];
  readonly rows: readonly { readonly id: string; readonly cap: number }[];
  readonly pairs: readonly StruckPairs[];
  readonly deadline: number | null;
};

/**
 * What a certificate proves: no choice fits (`unsat`); each choice that fits has an objective of at least
 * `value` (`at_least`); the caps must grow by at least `value` in all (`raise`).
 */
export type Claim =
  | { readonly kind: 'unsat' }
  | { readonly kind: 'at_least'; readonly value: number }
  | { readonly kind: 'raise'; readonly value: number };

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

/** The name of a chain of tasks as a row. */
export function chainName(ids: readonly string[]): string {
  return `deadline:${ids.join('>')}`;
}

/** What is still allowed of each task. */
type Allowed = (readonly Option[])[];

/**
 * True where a certificate proves a claim about a question. At a leaf, with integers n of at least 0: the sum
 * over tasks of the least (unit · objective + Σ n · amount) among what is allowed, less Σ n · cap, is above
 * unit · (value − 1), and above 0 where the unit is 0, as for `unsat`. For `raise` the objective counts
 * nothing, and no cap (all chains share one) is weighed by more than the unit. Linear in the certificate times
 * the question.
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
  const isRaise = claim.kind === 'raise';
  const terms = weights.map(([name, n]) => ({ n, row: findRow(question, name) }));
  if (![unit, ...terms.map(({ n }) => n)].every((n) => Number.isSafeInteger(n) && n >= 0)) return false;
  if ((claim.kind === 'unsat' && unit !== 0) || allowed.some((options) => options.length === 0)) return false;
  const onCap = new Map<string, number>();
  for (const { n, row } of terms) onCap.set(row?.capId ?? '', (onCap.get(row?.capId ?? '') ?? 0) + n);
  if (onCap.has('') || (isRaise && [...onCap.values()].some((n) => n > unit))) return false;
  let sum = 0n;
  for (const { n, row } of terms) sum -= BigInt(n) * BigInt(row?.cap ?? 0);
  for (const [task, options] of allowed.entries()) {
    const values = options.map((option) => {
      const start = isRaise ? 0n : BigInt(unit) * BigInt(option.objective);
      return terms.reduce(
        (all, { n, row }) => all + BigInt(n) * BigInt(row?.amount(task, option) ?? 0),
        start,
      );
    });
    sum += values.reduce((least, value) => (value < least ? value : least));
  }
  return sum > BigInt(unit) * BigInt('value' in claim ? claim.value - 1 : 0);
}

/** A row by its id, or the chain of tasks that a name lists, each waiting for the one before it. */
function findRow(
  { rows, tasks, deadline }: Question,
  name: string,
): {
  readonly capId: string;
  readonly cap: number;
  readonly amount: (task: number, option: Option) => number;
} | null {
  const row = rows.findIndex(({ id }) => id === name);
  if (row >= 0)
    return { capId: name, cap: rows[row]?.cap ?? 0, amount: (_, { amounts }) => amounts[row] ?? 0 };
  if (deadline === null || !name.startsWith('deadline:')) return null;
  const chain = name
    .slice('deadline:'.length)
    .split('>')
    .map((id) => tasks.findIndex((task) => task.id === id));
  const isPath = chain.every((at, i) => i === 0 || tasks[at]?.after.includes(chain[i - 1] ?? -1));
  if (chain.includes(-1) || !isPath) return null;
  return {
    capId: 'deadline:',
    cap: deadline,
    amount: (task, { minutes }) => (chain.includes(task) ? minutes : 0),
  };
}
