/**
 * Shares: a bound on how many of some things do what the clause says (`No more than 5 % of requests may take longer
 * than 2 s`). The share is what is measured; the bound inside says of which things, and stays as a condition.
 *
 * @module
 */
import type { Op, Quantity, Scan } from '@assay/kernel/intent';
import { quantitiesIn, type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import { spansWithin, type Span } from './spans.js';
import { joined, phraseAt, wordAt } from './words.js';

/** A share with its operator. `inner`: what those that are counted do. */
export type Share = { readonly amount: Quantity; readonly op: Op; readonly inner: Span };

/** The share that the subject of a clause states; null elsewhere. Of what a share must not do nothing is said here. */
export function shareOf(scan: Scan, clause: Clause, { modality, isNegatedWish }: Demand): Share | null {
  const { tokens } = scan;
  const { core, finite } = clause;
  const [amount] = quantitiesIn(scan, clause);
  const isOnly = wordAt(tokens, core.first) === 'only';
  if (amount === undefined || finite === null || amount.unit !== '%' || amount.first > core.first + (isOnly ? 1 : 0) || amount.next > finite.at || wordAt(tokens, amount.next) !== 'of') return null;
  if (modality === 'must_not' || isNegatedWish || finite.at + 1 >= core.next) return null;
  return { amount, op: isOnly && amount.op === '=' ? '<=' : amount.op, inner: { first: finite.at + 1, next: core.next } };
}

/** `within 2 s for 95 % of requests`: the share of which the bound holds, where nothing else limits it. */
export function trailingShare(scan: Scan, clause: Clause): Span | null {
  const { tokens } = scan;
  const share = quantitiesIn(scan, clause).find(({ first, next, unit }, index) => index > 0 && unit === '%' && ['for', 'in'].includes(wordAt(tokens, first - 1)) && wordAt(tokens, next) === 'of');
  return share === undefined ? null : { first: share.first - 1, next: clause.core.next };
}

/**
 * `Not all requests must finish within 2 s`: how many must, nobody says; as words for a release they are too weak to
 * state one. The words, or null.
 */
export function partial({ tokens }: Scan, { core }: Clause): Span | null {
  const size = phraseAt('partial', tokens, core.first, core.next);
  return size === 0 ? null : { first: core.first, next: core.first + size };
}

/** `One in ten trains may …`, `most requests must …`: a share without a number to compare. The words, or null. A bound must follow, or nothing would be lost. */
export function openShare(scan: Scan, clause: Clause): Span | null {
  const { tokens } = scan;
  const { core, finite } = clause;
  if (finite === null || !hasBound(scan, { first: finite.at, next: core.next })) return null;
  const from = core.first + phraseAt('shareBound', tokens, core.first, finite.at);
  const size = phraseAt('share', tokens, from, finite.at);
  if (size > 0) return { first: core.first, next: from + size };
  // `one in ten`, `9 out of 10`.
  const out = isCount(scan, from) ? (wordAt(tokens, from + 1) === 'in' ? 2 : joined(tokens, from + 1, from + 3) === 'out of' ? 3 : 0) : 0;
  return out > 0 && isCount(scan, from + out) && from + out < finite.at ? { first: core.first, next: from + out + 1 } : null;
}

/** A seldom act: how often it may happen is not said. */
export function isUnsettled(scan: Scan, { core }: Clause): boolean {
  for (let at = core.first; at < core.next; at += 1) if (phraseAt('seldom', scan.tokens, at, core.next) > 0) return true;
  return false;
}

function isCount({ tokens }: Scan, at: number): boolean {
  return tokens[at]?.kind === 'number' || phraseAt('cardinal', tokens, at, at + 1) > 0;
}

function hasBound(scan: Scan, span: Span): boolean {
  return spansWithin(scan.quantities, span).length > 0 || spansWithin(scan.moments, span).some(({ value }) => value !== null);
}
