/**
 * The checker of certificates: exact, and without a line of the search. Source: dec-K77, law-F17.
 *
 * @module
 */
import {
  CERTIFICATE_DEPTH_MAX,
  type Certificate,
  type Claim,
  type Option,
  type Question,
} from './question.js';

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
  const terms = weights.map(([name, n]) => ({ n, row: rowOf(question, name) }));
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
function rowOf(
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
