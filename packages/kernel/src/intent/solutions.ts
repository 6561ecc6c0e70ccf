/** What an atom admits, as a set that can be compared exactly. Source: intent I9. */
import { compareText } from '../json.js';
import type { Atom, Op } from './atom.js';
import type { Modality } from './claim.js';
import { compareRational, type Rational } from './decimal.js';
import { makeAmount } from './units.js';

type Point = string | Rational;
type Bound = { readonly value: Point; readonly closed: boolean };

/**
 * The values that satisfy an atom: an interval, or all but one value. Sets of different domains are never
 * compared.
 */
export type Solutions =
  | {
      readonly t: 'interval';
      readonly domain: string;
      readonly low: Bound | null;
      readonly high: Bound | null;
    }
  | { readonly t: 'all_but'; readonly domain: string; readonly value: Point };

/** The comparison that holds exactly where the other does not. */
export const OPPOSITE: Readonly<Record<Op, Op>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  in: 'not_in',
  not_in: 'in',
};

/** What a claim leaves open: the atom's values, or for `must_not` all the others. */
export function admittedBy(modality: Modality, atom: Atom): Solutions {
  return findSolutions(modality === 'must_not' ? { ...atom, op: OPPOSITE[atom.op] } : atom);
}

/** The values that satisfy an atom. Amounts are in base units; months and years count at their loosest. */
export function findSolutions({ op, value, unit }: Atom): Solutions {
  if (typeof value === 'boolean') return point('flag', String(op === '=' ? value : !value));
  if (typeof value === 'string') return solutionsOfText(op, value, unit);
  const { dimension, low, high } = makeAmount(value, unit);
  return range(`amount:${dimension}`, op, low, high);
}

/** True if no value satisfies both: derived from the atoms alone, exactly. */
export function isDisjoint(a: Solutions, b: Solutions): boolean {
  if (a.domain !== b.domain) return false;
  if (a.t === 'all_but') return b.t === 'interval' && isPoint(b, a.value);
  if (b.t === 'all_but') return isPoint(a, b.value);
  return isBelow(a.high, b.low) || isBelow(b.high, a.low);
}

/** True if every value that satisfies a satisfies b. */
export function isWithin(a: Solutions, b: Solutions): boolean {
  if (a.domain !== b.domain) return false;
  if (b.t === 'all_but')
    return a.t === 'all_but' ? compare(a.value, b.value) === 0 : isDisjoint(a, point(b.domain, b.value));
  if (a.t === 'all_but') return b.low === null && b.high === null;
  return isInner(a.low, b.low, 1) && isInner(a.high, b.high, -1);
}

function solutionsOfText(op: Op, value: string, unit: string | null): Solutions {
  // Membership of one named set says nothing about another: each set is a domain of its own.
  if (op === 'in' || op === 'not_in') return point(`in:${value}`, String(op === 'in'));
  return range(`text:${unit ?? ''}`, op, value, value);
}

/** All but an inexact amount excludes nothing for certain. */
function range(domain: string, op: Op, low: Point, high: Point): Solutions {
  if (op === '!=' && compare(low, high) === 0) return { t: 'all_but', domain, value: low };
  const isOpen = (side: '<' | '>'): boolean => op === '!=' || op.startsWith(side);
  return {
    t: 'interval',
    domain,
    low: isOpen('<') ? null : { value: low, closed: op !== '>' },
    high: isOpen('>') ? null : { value: high, closed: op !== '<' },
  };
}

function point(domain: string, value: Point): Solutions {
  return range(domain, '=', value, value);
}

function isPoint(
  { low, high }: { readonly low: Bound | null; readonly high: Bound | null },
  value: Point,
): boolean {
  return low !== null && high !== null && compare(low.value, value) === 0 && compare(high.value, value) === 0;
}

/** True if everything up to `high` lies below everything from `low` on. */
function isBelow(high: Bound | null, low: Bound | null): boolean {
  if (high === null || low === null) return false;
  const order = compare(high.value, low.value);
  return order < 0 || (order === 0 && !(high.closed && low.closed));
}

/** True if bound a is at least as tight as b; direction 1 for lower bounds, −1 for upper ones. */
function isInner(a: Bound | null, b: Bound | null, direction: 1 | -1): boolean {
  if (b === null) return true;
  if (a === null) return false;
  const order = compare(a.value, b.value) * direction;
  return order > 0 || (order === 0 && (b.closed || !a.closed));
}

function compare(a: Point, b: Point): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return typeof a === 'object' && typeof b === 'object'
    ? compareRational(a, b)
    : typeof a === 'string'
      ? -1
      : 1;
}
