/**
 * Two bounds that one joint holds together: the ends of a range, or what lies outside of it.
 *
 * @module
 */
import {
  compareRational,
  findMeasure,
  toRational,
  type Op,
  type Quantity,
  type Scan,
} from '@assay/kernel/intent';
import { isBase } from './verbs.js';
import { wordAt } from './words.js';

const OR_TOKENS_MAX = 3;
const OUTSIDE_TOKENS_MAX = 5;
const COMPARING: ReadonlySet<Op> = new Set<Op>(['<', '<=', '>', '>=']);

/**
 * Two bounds with `or` or `nor` between them, and no more than a verb; `nor fall below` is read with the
 * second. Two that no one thing can meet may also be joined by `and`.
 */
export function isJoined(tokens: Scan['tokens'], a: Quantity, b: Quantity): boolean {
  if (
    !COMPARING.has(a.op) ||
    !COMPARING.has(b.op) ||
    b.first < a.next ||
    b.first - a.next > OUTSIDE_TOKENS_MAX
  )
    return false;
  if (isOutside(tokens, a, b)) return true;
  return (
    b.first - a.next <= OR_TOKENS_MAX &&
    ['or', 'nor'].includes(wordAt(tokens, a.next)) &&
    tokens.slice(a.next + 1, b.first).every(({ lower }) => isBase(lower) || lower === 'be')
  );
}

/**
 * `below 1 EUR and above 1,000 EUR`: no one thing is both, so the two pick out what lies outside. Between
 * them stand joints, and at most the noun of the first again.
 */
export function isOutside(tokens: Scan['tokens'], a: Quantity, b: Quantity): boolean {
  // A unit that nobody knows stands behind its number like a word.
  const isUnitless =
    tokens[a.next]?.kind === 'word' &&
    !JOINING.has(wordAt(tokens, a.next)) &&
    wordAt(tokens, a.next) === wordAt(tokens, b.next);
  const between = tokens.slice(isUnitless ? a.next + 1 : a.next, b.first);
  if (
    b.first <= a.next ||
    between.length > OUTSIDE_TOKENS_MAX ||
    !between.every(({ lower }) => JOINING.has(lower) || lower === wordAt(tokens, a.first - 1))
  )
    return false;
  const [low, high] =
    a.op.startsWith('<') && b.op.startsWith('>')
      ? [a, b]
      : a.op.startsWith('>') && b.op.startsWith('<')
        ? [b, a]
        : [null, null];
  if (
    low === null ||
    high === null ||
    (!isUnitless &&
      a.unit !== null &&
      a.unit !== b.unit &&
      findMeasure(a.unit).dimension !== findMeasure(b.unit).dimension)
  )
    return false;
  // `below 900 g and above 2 kg`: of two units the order tells.
  return isUnitless || a.unit === null || a.unit === b.unit
    ? compareRational(toRational(low.value), toRational(high.value)) <= 0
    : low === a;
}

/** Two comparisons with nothing but joints between them. */
export function isNextTo(tokens: Scan['tokens'], a: Quantity, b: Quantity): boolean {
  const between = tokens.slice(a.next, b.first);
  return (
    COMPARING.has(a.op) &&
    COMPARING.has(b.op) &&
    between.length > 0 &&
    between.length <= OR_TOKENS_MAX &&
    between.every(({ lower }) => JOINING.has(lower))
  );
}

const JOINING: ReadonlySet<string> = new Set(['and', 'or', 'nor', ',', '/', '&', 'as', 'well', 'of', 'with']);
