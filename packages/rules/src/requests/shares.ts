/**
 * Shares: a bound on how many of some things do what the clause says
 * (`No more than 5 % of requests may take longer than 2 s`). The share is what is measured; the bound inside
 * says of which things, and stays as a condition.
 *
 * @module
 */
import { findMeasure, type Op, type Quantity, type Scan } from '@assay/kernel/intent';
import { quantitiesIn, type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import { isPart, spansWithin, type Span } from './spans.js';
import { findPhrase, joined, phraseAt, wordAt } from './words.js';

/** A share with its operator. `inner`: what those that are counted do. */
export type Share = { readonly amount: Quantity; readonly op: Op; readonly inner: Span };

/**
 * The share or bounded count that the subject of a clause states; null elsewhere. Of what some of them must
 * not do nothing is said here.
 */
export function shareOf(scan: Scan, clause: Clause, { modality, isNegatedWish }: Demand): Share | null {
  const { core, finite } = clause;
  const amount = subjectShare(scan, clause);
  if (amount === null || finite === null || isNegatedWish || finite.at + 1 >= core.next) return null;
  // `More than 3 errors must never occur within 10 minutes` forbids so many; of `at least 95 % must not fail`
  // nobody knows what is denied.
  if (modality === 'must_not' && amount.op !== '<' && amount.op !== '>') return null;
  return {
    amount,
    op: wordAt(scan.tokens, core.first) === 'only' && amount.op === '=' ? '<=' : amount.op,
    inner: { first: finite.at + 1, next: core.next },
  };
}

/**
 * `At least 95 % of requests`, `at most 5 requests per day` as the subject of what has a bound of its own.
 */
export function subjectShare(scan: Scan, clause: Clause): Quantity | null {
  const { tokens } = scan;
  const { core, finite } = clause;
  const [amount] = quantitiesIn(scan, clause);
  const isOnly = wordAt(tokens, core.first) === 'only';
  if (
    amount === undefined ||
    finite === null ||
    amount.first > core.first + (isOnly ? 1 : 0) ||
    amount.next > finite.at
  )
    return null;
  if (amount.unit === '%') return wordAt(tokens, amount.next) === 'of' ? amount : null;
  const isCounted = findMeasure(amount.unit?.split('/')[0] ?? null).dimension.startsWith('unit:');
  return isCounted && (amount.op !== '=' || isOnly) && hasBound(scan, { first: finite.at, next: core.next })
    ? amount
    : null;
}

/** `within 2 s for 95 % of requests`: the share of which the bound holds, where nothing else limits it. */
export function trailingShare(scan: Scan, clause: Clause): Span | null {
  const { tokens } = scan;
  const share = quantitiesIn(scan, clause).find(
    ({ first, next, unit }, index) =>
      index > 0 &&
      unit === '%' &&
      ['for', 'in'].includes(wordAt(tokens, first - 1)) &&
      wordAt(tokens, next) === 'of',
  );
  return share === undefined ? null : { first: share.first - 1, next: clause.core.next };
}

/**
 * `Not all requests must finish within 2 s`: how many must, nobody says; as words for a release they are too
 * weak to state one. The words, or null.
 */
export function partial({ tokens }: Scan, { core, finite }: Clause): Span | null {
  const size = phraseAt('partial', tokens, core.first, core.next);
  if (size > 0) return { first: core.first, next: core.first + size };
  // `must not always finish within 2 s`.
  const behind = finite === null ? 0 : phraseAt('partial', tokens, finite.at + 1, core.next);
  return finite === null || finite.kind !== 'modal' || behind === 0
    ? null
    : { first: finite.at, next: finite.at + 1 + behind };
}

/**
 * `One in ten trains may …`, `most requests must …`: a share without a number to compare. The words, or null.
 * A bound must follow, or nothing would be lost.
 */
export function openShare(scan: Scan, clause: Clause): Span | null {
  const { tokens } = scan;
  const { core, finite } = clause;
  const part = portion(scan, core);
  if (part !== null) return part;
  if (finite === null || !hasBound(scan, { first: finite.at, next: core.next })) return null;
  // `On no more than 2 days per month may …`: on how many it holds.
  const [front] = quantitiesIn(scan, clause);
  if (
    front !== undefined &&
    ['on', 'in', 'during'].includes(wordAt(tokens, core.first)) &&
    front.first === core.first + 1 &&
    front.op !== '=' &&
    front.next <= finite.at
  )
    return { first: core.first, next: front.next };
  const from = core.first + phraseAt('shareBound', tokens, core.first, finite.at);
  const size = phraseAt('share', tokens, from, finite.at);
  if (size > 0) return { first: core.first, next: from + size };
  // `one in ten`, `9 out of 10`.
  const out = isCount(scan, from)
    ? ['in', 'of'].includes(wordAt(tokens, from + 1))
      ? 2
      : joined(tokens, from + 1, from + 3) === 'out of'
        ? 3
        : 0
    : 0;
  return out > 0 && isCount(scan, from + out) && from + out < finite.at
    ? { first: core.first, next: from + out + 1 }
    : null;
}

/**
 * `1 in 1,000 parcels`, `at most 2 out of 100`, `one in twenty`: a count of a count, which no one number
 * states. Null where there is none.
 */
function portion(scan: Scan, { first, next }: Span): Span | null {
  const { tokens } = scan;
  for (let at = first; at + 2 < next; at += 1) {
    const out = isCount(scan, at)
      ? ['in', 'of'].includes(wordAt(tokens, at + 1))
        ? 2
        : joined(tokens, at + 1, at + 3) === 'out of'
          ? 3
          : 0
      : 0;
    if (out === 0 || !isCount(scan, at + out)) continue;
    // `5 in 10 minutes`, `1 in 2026`, `one of two doors`: a time is no count.
    const whole = spansWithin(scan.quantities, { first: at + out, next }).find(
      (quantity) => quantity.at === at + out,
    );
    const isCounted =
      whole === undefined
        ? tokens[at + out]?.lower.length !== 4 || wordAt(tokens, at + 1) !== 'in'
        : findMeasure(whole.unit).dimension.startsWith('unit:') || whole.unit === null;
    if (
      isCounted &&
      !['the', 'these', 'those', 'our', 'your', 'their', 'its', 'all'].includes(wordAt(tokens, at - 1))
    )
      return { first: at, next: at + out + 1 };
  }
  return null;
}

/** Words of a seldom act: how often it may happen is not said. Null where there are none. */
export function seldomIn({ tokens }: Scan, { core }: Clause): Span | null {
  const found = findPhrase('seldom', tokens, core.first, core.next);
  return found === null ? null : { first: found.at, next: found.at + found.size };
}

/**
 * `within 1 month and 10 days`, `2 days and 4 hours before`: two parts of one span of time that no one number
 * states, or two spans. Null where there is none.
 */
export function openSpan(scan: Scan, clause: Clause): Span | null {
  const inside = quantitiesIn(scan, clause);
  const place = inside.findIndex(
    (quantity, index) =>
      isPart(inside[index - 1], quantity, quantity.first - 1) ||
      isPart(inside[index - 1], quantity, quantity.first),
  );
  const [whole, part] = [inside[place - 1], inside[place]];
  return place < 1 || whole === undefined || part === undefined
    ? null
    : { first: whole.first, next: part.next };
}

function isCount({ tokens }: Scan, at: number): boolean {
  return tokens[at]?.kind === 'number' || phraseAt('cardinal', tokens, at, at + 1) > 0;
}

function hasBound(scan: Scan, span: Span): boolean {
  return (
    spansWithin(scan.quantities, span).length > 0 ||
    spansWithin(scan.moments, span).some(({ value }) => value !== null)
  );
}
