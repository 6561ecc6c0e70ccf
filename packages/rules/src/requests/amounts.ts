/**
 * Which amount or moment of a clause is what it demands: one claim states one measure.
 *
 * @module
 */
import {
  findMeasure,
  toleranceAt,
  type Moment,
  type Op,
  type Quantity,
  type Scan,
} from '@assay/kernel/intent';
import type { Clause } from './clauses.js';
import { quantitiesIn, type Demand } from './binding.js';
import { isAbolished, isReplaced, isVoid, passedBy } from './limits.js';
import { isOfBound, unplacedTurn } from './turns.js';
import { isJoined, isOutside } from './pairs.js';
import { paceOf } from './pace.js';
import { isChoosing, isLoad, isPicking, unsureFilter } from './premise.js';
import { openShare, openSpan, seldomIn, shareOf, subjectShare, trailingShare } from './shares.js';
import { isDenial, spansWithin, type Span } from './spans.js';
import { isBase, isParticiple, lemmaOf } from './verbs.js';
import { findPhrase, isIn, joined, wordAt } from './words.js';

/**
 * An amount that is demanded. `part`: the first or only one, the upper end of a range, the other side of a
 * pair, or the tolerance of the one before.
 */
export type Demanded = {
  readonly amount: Quantity;
  readonly op: Op;
  readonly isFolded: boolean;
  readonly part: 'value' | 'end' | 'side' | 'tolerance';
};

/**
 * The amounts of a clause that its demand states: none, one, or the two of a range, a pair or a tolerance.
 * None where words that turn a bound round are not accounted for.
 */
export function amountsOf(
  scan: Scan,
  clause: Clause,
  demand: Demand,
  label: Span | null = null,
): readonly Demanded[] {
  return unplacedIn(scan, clause, demand, label) === null ? readAmounts(scan, clause, demand, label) : [];
}

/** The words by which it is not sure which way an amount or a moment of a clause is meant, or null. */
export function unplacedIn(scan: Scan, clause: Clause, demand: Demand, label: Span | null): Span | null {
  const unread = quantitiesIn(scan, clause).find(
    (quantity) => isUnread(scan, quantity) || paceOf(scan, quantity) === 'open',
  );
  if (unread !== undefined)
    return { first: Math.max(clause.core.first, unread.first - 2), next: unread.next };
  const found = readAmounts(scan, clause, demand, label);
  for (const { amount, op, isFolded } of found) {
    if (passedBy(scan, demand, amount) !== null || (amount.op === '=' && demand.modality !== 'must_not'))
      continue;
    const read = {
      first: amount.first,
      next: amount.next,
      said: amount.op,
      op: TURNED[amount.op] === op ? op : amount.op,
      modality: isFolded && demand.modality === 'must_not' ? ('must' as const) : demand.modality,
    };
    const span = unplacedTurn(scan, clause, demand, read);
    if (span !== null) return span;
  }
  return null;
}

/** A bound of a clause that none of its checks and no condition states, or null. */
export function lostBound(scan: Scan, clause: Clause, demand: Demand, label: Span | null): Span | null {
  if (
    demand.modality === 'may' ||
    shareOf(scan, clause, demand) !== null ||
    trailingShare(scan, clause) !== null ||
    openShare(scan, clause) !== null ||
    seldomIn(scan, clause) !== null
  )
    return null;
  const found = readAmounts(scan, clause, demand, label);
  const stated = (quantity: Quantity): boolean =>
    found.some(({ amount }) => amount.first === quantity.first) ||
    isPicking(scan, clause, demand, quantity) ||
    isChoosing(scan, clause, demand, quantity) ||
    isLoad(scan, clause, quantity);
  const lost = quantitiesIn(scan, clause).find(
    (quantity) =>
      TURNED[quantity.op] !== undefined &&
      !stated(quantity) &&
      !isReplaced(scan, clause, demand, quantity) &&
      (isVoid(scan.tokens, clause.core, quantity.at) || !isAbolished(scan, clause, demand, quantity)) &&
      !isInRelative(scan, clause, quantity.first),
  );
  return lost === undefined ? null : { first: lost.first, next: lost.next };
}

function readAmounts(scan: Scan, clause: Clause, demand: Demand, label: Span | null): readonly Demanded[] {
  const inside = quantitiesIn(scan, clause);
  if (
    isHindered(scan, clause, demand) ||
    seldomIn(scan, clause) !== null ||
    openShare(scan, clause) !== null ||
    openSpan(scan, clause) !== null ||
    unsureFilter(scan, clause, demand) !== null
  )
    return [];
  const share = shareOf(scan, clause, demand);
  if (share !== null) return [{ amount: share.amount, op: share.op, isFolded: false, part: 'value' }];
  if (demand.modality === 'must_not' && subjectShare(scan, clause) !== null && inside.length > 1) return [];
  const stated = inside.filter(
    (quantity) =>
      !isAside(scan, clause, demand, quantity) &&
      !isAbolished(scan, clause, demand, quantity) &&
      !isReplaced(scan, clause, demand, quantity),
  );
  // What is wished not to be: only a comparison can be turned round, no plain number.
  const passed =
    demand.modality === 'must_not'
      ? stated.find((quantity) => passedBy(scan, demand, quantity) !== null)
      : undefined;
  const chosen =
    passed ??
    best(
      scan,
      clause,
      demand,
      demand.isNegatedWish ? stated.filter(({ op }) => TURNED[op] !== undefined) : stated,
    );
  if (chosen === null) return [];
  // `no staler than 2 days`: which way a comparison goes that the scanner does not know, and how often
  // `twice every` is, nobody says.
  if (isUnread(scan, chosen) || paceOf(scan, chosen) === 'open') return [];
  const sides = eitherSide(scan, demand, stated, chosen);
  if (sides !== null) return sides;
  const place = inside.indexOf(chosen);
  const [before, after] = [inside[place - 1], inside[place + 1]];
  const isSecond = before !== undefined && (before.first === chosen.first || isTolerance(scan, chosen));
  const [first, second] = isSecond ? [before, chosen] : [chosen, after];
  const value = withstood(
    scan,
    clause,
    demand,
    limited(scan, demand, label, folded(scan, clause, demand, first)),
  );
  // `At least 95 % of requests must not fail`: a share of which something is denied is no share that is
  // denied.
  if (
    demand.modality === 'must_not' &&
    !value.isFolded &&
    first.first === clause.core.first &&
    first.unit === '%' &&
    wordAt(scan.tokens, first.next) === 'of'
  )
    return [];
  const beside =
    second === undefined || second.first !== first.first
      ? stated.find((other) => isBeside(scan, demand, value, other))
      : undefined;
  if (beside !== undefined)
    return [value, { amount: beside, op: beside.op, isFolded: beside.isNegated, part: 'side' }];
  if (second === undefined) return [value];
  // `must not be between 2 and 8`, `must stay outside 2 to 8`: either side is right, which no atom states.
  const isRange = second.first === first.first && first.op === '>=' && second.op === '<=';
  // `raise the limit from 5 MB to 10 MB`, `of 5 MB to 10 MB`: only where it ends is demanded.
  if (
    isRange &&
    (wordAt(scan.tokens, first.first) === 'from' || wordAt(scan.tokens, first.first - 1) === 'of') &&
    isChanged(scan, clause, first.first)
  )
    return [{ ...value, amount: second, op: '=' }];
  if (
    isRange &&
    (demand.modality === 'must_not' ||
      demand.isNegatedWish ||
      wordAt(scan.tokens, first.first - 1) === 'outside' ||
      joined(scan.tokens, first.first - 2, first.first) === 'outside of')
  )
    return [];
  if (second.first === first.first)
    return [
      value,
      {
        amount: second,
        op: second.op,
        isFolded: false,
        part: first.op === '>=' && second.op === '<=' ? 'end' : 'side',
      },
    ];
  if (isTolerance(scan, second))
    return [value, { amount: second, op: '<=', isFolded: false, part: 'tolerance' }];
  return [value];
}

/**
 * `neither exceed 30 °C nor fall below 10 °C`, `less than 5 kg or more than 10 kg`: two bounds that one joint
 * holds together are both denied, or nothing that one of them alone could state. Null where there is no
 * second one.
 */
function eitherSide(
  { tokens }: Scan,
  { modality, isNegatedWish, verb }: Demand,
  stated: readonly Quantity[],
  chosen: Quantity,
): readonly Demanded[] | null {
  const place = stated.indexOf(chosen);
  const pair = [
    [stated[place - 1], chosen],
    [chosen, stated[place + 1]],
  ].find(([a, b]) => a !== undefined && b !== undefined && isJoined(tokens, a, b));
  const [low, high] = pair ?? [];
  if (low === undefined || high === undefined) return null;
  const isDenied =
    (low.first >= verb - 1 || isOutside(tokens, low, high)) &&
    (modality === 'must_not' || isNegatedWish || low.isNegated);
  if (!isDenied) return [];
  const isOne = findMeasure(low.unit).dimension === findMeasure(high.unit).dimension;
  return [low, high].map((amount, index) => ({
    amount,
    op: amount.isNegated ? amount.op : (TURNED[amount.op] ?? amount.op),
    isFolded: true,
    part: index === 0 ? 'value' : isOne ? 'end' : 'side',
  }));
}

/**
 * `at most 4 GPUs for no longer than 12 h`, `at most 3 people at no more than 20 km/h`: a further bound right
 * behind the first, of another measure.
 */
function isBeside(
  { tokens }: Scan,
  { modality, isNegatedWish, isNoSubject }: Demand,
  { amount, op, isFolded }: Demanded,
  other: Quantity,
): boolean {
  if (
    modality === 'must_not' ||
    isNegatedWish ||
    isNoSubject ||
    isFolded ||
    op !== amount.op ||
    TURNED[op] === undefined ||
    TURNED[other.op] === undefined ||
    other.first <= amount.next
  )
    return false;
  // `never above 4 °C for longer than 2 minutes`: the negation of the first reaches the second.
  if (amount.isNegated && (other.op === '<' || other.op === '>')) return false;
  const isOther = findMeasure(other.unit).dimension !== findMeasure(amount.unit).dimension;
  return (
    isOther &&
    other.first - amount.next <= BESIDE_TOKENS_MAX &&
    ['for', 'at', 'in', 'over', 'with'].includes(wordAt(tokens, other.first - 1)) &&
    !tokens.slice(amount.next, other.first).some(({ lower }) => lower === 'of' || lower === '%')
  );
}

const BESIDE_TOKENS_MAX = 4;

/** A verb that changes an amount stands before it. */
function isChanged({ tokens }: Scan, { core }: Clause, at: number): boolean {
  return tokens.slice(core.first, at).some(({ lower }) => CHANGING.has(lemmaOf(lower)));
}

const CHANGING: ReadonlySet<string> = new Set([
  'raise',
  'increase',
  'reduce',
  'lower',
  'change',
  'extend',
  'shorten',
  'cut',
  'decrease',
  'expand',
  'shrink',
  'bump',
  'grow',
  'drop',
]);

/**
 * `must not be prevented from uploading up to 3 files`: what must not be hindered is wanted, and its amount
 * is no bound of what is forbidden.
 */
function isHindered({ tokens }: Scan, { core }: Clause, { modality, verb }: Demand): boolean {
  if (modality !== 'must_not') return false;
  const at = [verb, verb + 1, verb + 2].find(
    (place) => place < core.next && HINDERING.has(lemmaOf(wordAt(tokens, place))),
  );
  return (
    at !== undefined &&
    tokens.slice(at + 1, Math.min(core.next, at + HINDERED_TOKENS_MAX)).some(({ lower }) => lower === 'from')
  );
}

const HINDERED_TOKENS_MAX = 6;
const HINDERING: ReadonlySet<string> = new Set([
  'prevent',
  'hinder',
  'stop',
  'forbid',
  'prohibit',
  'preclude',
  'block',
]);

function isTolerance({ tokens }: Scan, { first }: Quantity): boolean {
  return toleranceAt(tokens, first) > 0 || wordAt(tokens, first - 1) === '±';
}

/**
 * The moment of a clause that its demand states, where no words turn it round unread. Two clock times are a
 * window, which one atom cannot state.
 */
export function momentOf(scan: Scan, clause: Clause, demand: Demand): Moment | null {
  return unplacedMoment(scan, clause, demand) === null ? readMoment(scan, clause, demand) : null;
}

/** The words by which it is not sure which way a date or hour is meant, or null. */
export function unplacedMoment(scan: Scan, clause: Clause, demand: Demand): Span | null {
  const read = readMoment(scan, clause, demand);
  const written = read === null ? undefined : scan.moments.find(({ first }) => first === read.first);
  if (read === null || written === undefined || (written.op === '=' && demand.modality !== 'must_not'))
    return null;
  // `Reject bids after 1 May 2027`: which bids, and not when to reject.
  if (REFUSING.has(lemmaOf(wordAt(scan.tokens, demand.verb))) && (written.op === '<' || written.op === '>'))
    return read;
  return unplacedTurn(scan, clause, demand, {
    first: read.first,
    next: read.next,
    said: written.op,
    op: read.op,
    modality: demand.modality,
  });
}

const REFUSING: ReadonlySet<string> = new Set([
  'reject',
  'refuse',
  'decline',
  'deny',
  'ignore',
  'exclude',
  'skip',
  'turn',
]);

function readMoment(scan: Scan, clause: Clause, demand: Demand): Moment | null {
  const moments = spansWithin(scan.moments, clause.core).filter(
    ({ first, value }) =>
      value !== null &&
      !(
        first > demand.subject.first &&
        first < demand.subject.next &&
        clause.finite !== null &&
        demand.modality !== 'should'
      ),
  );
  const clocks = moments.filter(({ unit }) => unit === 'clock');
  if (clocks.length > 1 || seldomIn(scan, clause) !== null || openShare(scan, clause) !== null) return null;
  const found =
    moments.find(({ unit }) => unit !== 'clock') ??
    clocks.find(({ op }) => op !== '>' || demand.modality === 'must_not') ??
    null;
  // The negation is in the modality, so the comparison stands as it is written.
  if (found !== null && demand.isNegatedWish && !isDenial(scan, found))
    return TURNED[found.op] === undefined ? null : { ...found, op: TURNED[found.op] ?? found.op };
  return found !== null && demand.modality === 'must_not' && isDenial(scan, found)
    ? { ...found, op: TURNED[found.op] ?? found.op }
    : found;
}

/** Bounds behind the verb first, then what the verb acts on, then what stands in the subject. */
function best(
  scan: Scan,
  clause: Clause,
  { subject: front, modality }: Demand,
  stated: readonly Quantity[],
): Quantity | null {
  const { tokens } = scan;
  const verb = clause.finite?.at ?? front.next;
  // A permission that counts things (`may visit two regions`) bounds nothing.
  const counts = stated.filter(
    ({ op, unit }) =>
      modality !== 'may' ||
      op !== '=' ||
      unit?.includes('/') === true ||
      !findMeasure(unit).dimension.startsWith('unit:'),
  );
  const behind = counts.filter(({ first, next }) => first >= verb || clause.finite === null || next > verb);
  const isFor = ({ first }: Quantity): boolean =>
    ['for', 'over', 'after', 'every', 'during', 'in'].includes(wordAt(tokens, first - 1)) ||
    wordAt(tokens, first) === 'over';
  const subject = stated.filter(({ next }) => next <= verb);
  return (
    behind.find(({ op, approx }) => op !== '=' && !approx) ??
    behind.find((quantity) => !isFor(quantity) && !quantity.approx) ??
    behind[0] ??
    subject.find(
      ({ op, first }) =>
        op !== '=' && (first > clause.core.first || clause.opens === 'amount' || isShare(scan, first)),
    ) ??
    subject.find(
      ({ unit, first }) =>
        first > clause.core.first &&
        unit !== null &&
        (unit.includes('/') || !findMeasure(unit).dimension.startsWith('unit:')),
    ) ??
    null
  );
}

/**
 * `At least 30 % of the ingredients shall …`, `No more than 20 players may …`: the bound opens the clause.
 */
function isShare({ quantities }: Scan, first: number): boolean {
  return spansWithin(quantities, { first, next: first + 12 }).some((quantity) => quantity.first === first);
}

/** Amounts that say of what, when or under which load something else is demanded. */
function isAside(scan: Scan, clause: Clause, demand: Demand, quantity: Quantity): boolean {
  const { tokens } = scan;
  const { first, op, at } = quantity;
  const before = wordAt(tokens, first - 1);
  if (
    before === 'per' ||
    before === 'once' ||
    before === 'twice' ||
    (before === 'in' && ['once', 'twice', 'times'].includes(wordAt(tokens, first - 2)))
  )
    return true;
  // `for 90 days rather than 30`, `without at least 2 windows`: what is said not to be.
  if (
    before === 'without' ||
    (before === 'not' && op === '=') ||
    [before, wordAt(tokens, at - 1)].some(
      (word, index) => word === 'than' && wordAt(tokens, (index === 0 ? first : at) - 2) === 'rather',
    ) ||
    joined(tokens, Math.max(0, first - 2), first) === 'instead of'
  )
    return true;
  // `the nine kitchens` are known; `the first 24 months` are a span.
  if (
    op === '=' &&
    ['the', 'these', 'those', 'our', 'your', 'their', 'its', 'all', 'both'].includes(wordAt(tokens, at - 1))
  )
    return true;
  if (
    (before === 'last' || before === 'past' || before === 'previous') &&
    isIn('determiner', wordAt(tokens, first - 2))
  )
    return true;
  if (
    op === '=' &&
    first > clause.core.first &&
    quantity.unit !== null &&
    wordAt(tokens, quantity.next) === 'ago'
  )
    return true;
  if (before === 'for' && wordAt(tokens, at + 1) === '%' && wordAt(tokens, at + 2) === 'of') return true;
  // `two of the schools`: some of what there is.
  if (
    op === '=' &&
    wordAt(tokens, at + 1) === 'of' &&
    findMeasure(quantity.unit).dimension.startsWith('unit:')
  )
    return true;
  // `shall not leave without checking at least 2 exits`: what is denied twice is no bound of what is
  // forbidden.
  if (
    demand.modality === 'must_not' &&
    (before === 'without' || wordAt(tokens, first) === 'without' || withoutActing(scan, demand, quantity))
  )
    return true;
  return (
    isInRelative(scan, clause, first) ||
    isInMeans(scan, clause, demand, first) ||
    isLoad(scan, clause, quantity) ||
    isPicking(scan, clause, demand, quantity) ||
    isChoosing(scan, clause, demand, quantity) ||
    isDetail(scan, clause, quantity)
  );
}

/** Behind `who`, `which` or `that` of the subject, before the main verb. */
function isInRelative({ tokens }: Scan, { core, finite }: Clause, at: number): boolean {
  for (let index = at - 1; index > core.first && index > at - 12; index -= 1) {
    const word = wordAt(tokens, index);
    if (word === ',') return false;
    // `, which has 30 seats,` tells of what is named just before.
    if ((word === 'which' || word === 'who') && wordAt(tokens, index - 1) === ',') return true;
    if (
      word === 'who' ||
      word === 'which' ||
      (word === 'that' && !isIn('preposition', wordAt(tokens, index - 1)))
    )
      return finite !== null && finite.at > at;
  }
  return false;
}

/** `don't solve this by raising the timeout to 10 minutes`: the means, not the demand. */
function isInMeans({ tokens }: Scan, { core }: Clause, { modality }: Demand, at: number): boolean {
  if (modality !== 'must_not') return false;
  for (let index = core.first; index < at; index += 1)
    if (wordAt(tokens, index) === 'by' && wordAt(tokens, index + 1).endsWith('ing')) return true;
  return false;
}

/**
 * A count that only names how many take part in what the bound behind it limits: `training for 25 staff`,
 * `a trip of two days`.
 */
function isDetail(scan: Scan, clause: Clause, { first, next, op }: Quantity): boolean {
  if (op !== '=' || clause.finite === null || next > clause.finite.at) return false;
  return first === clause.core.first || isIn('determiner', wordAt(scan.tokens, first - 1));
}

/** A negated subject turns the comparison round: `no upload may take longer than 5 s` demands at most 5 s. */
function folded(scan: Scan, clause: Clause, demand: Demand, amount: Quantity): Demanded {
  const turned = TURNED[amount.op];
  const isTurned =
    turned !== undefined &&
    demand.isNoSubject &&
    demand.verb <= amount.first &&
    isComplement(scan, demand, amount);
  // `Nothing heavier than 20 kg should be stored there` wishes at most 20 kg: there is no modality "should
  // not".
  if (demand.isNegatedWish && turned !== undefined)
    return { amount, op: turned, isFolded: true, part: 'value' };
  const pace = paceOf(scan, amount);
  if (pace !== null && pace !== 'open') return { amount, op: pace, isFolded: true, part: 'value' };
  const shared = amount.op === '=' ? sharedBound(scan, amount) : null;
  if (shared !== null) return { amount, op: shared, isFolded: false, part: 'value' };
  const passed = demand.modality === 'must_not' ? passedBy(scan, demand, amount) : null;
  if (passed !== null) return { amount, op: passed, isFolded: true, part: 'value' };
  // `with no class below 80 %`: of what there is to be none.
  if (turned !== undefined && deniedNoun(scan, clause, demand, amount) !== null)
    return { amount, op: turned, isFolded: true, part: 'value' };
  const without = withoutActing(scan, demand, amount);
  if (without && turned !== undefined && !amount.isNegated)
    return { amount, op: turned, isFolded: true, part: 'value' };
  // `must not stay open for more than 30 s`: how long the act may last.
  const isLasting =
    demand.modality === 'must_not' &&
    !demand.isNoSubject &&
    amount.op === '>' &&
    findMeasure(amount.unit).dimension === 'time' &&
    demand.verb <= amount.first &&
    (wordAt(scan.tokens, amount.first - 1) === 'for' || wordAt(scan.tokens, amount.first) === 'for');
  if (isLasting) return { amount, op: '<=', isFolded: true, part: 'value' };
  // `must not drain more than 5 %` allows at most 5 %; `none over 2 s`.
  const isObject =
    demand.modality === 'must_not' &&
    !demand.isNoSubject &&
    turned !== undefined &&
    amount.first === demand.verb + 1 &&
    ['more', 'less', 'fewer'].includes(wordAt(scan.tokens, amount.first));
  // `must not be mown shorter than 4 cm`: the comparison stands right behind the verb.
  const isAdverbial =
    demand.modality === 'must_not' &&
    !demand.isNoSubject &&
    turned !== undefined &&
    amount.first > demand.verb &&
    amount.first - demand.verb <= 3 &&
    wordAt(scan.tokens, amount.first).endsWith('er') &&
    scan.tokens
      .slice(demand.verb, amount.first)
      .every(({ lower }) => lower === 'be' || isParticiple(lower) || isBase(lower));
  const isNone =
    demand.modality === 'must_not' &&
    turned !== undefined &&
    wordAt(scan.tokens, demand.phrase.first) === 'none' &&
    amount.first - demand.phrase.first <= 3;
  if (turned !== undefined && (isObject || isAdverbial || isNone))
    return { amount, op: turned, isFolded: true, part: 'value' };
  return {
    amount,
    op: isTurned ? turned : amount.op,
    isFolded: isTurned || (amount.isNegated && demand.modality === 'must_not'),
    part: 'value',
  };
}

/**
 * `with no class below 80 %`, `by nobody under 18`: the negation before the noun that a bound belongs to,
 * where the clause itself demands; or null.
 */
function deniedNoun(
  scan: Scan,
  { core }: Clause,
  { modality, isNegatedWish, isNoSubject }: Demand,
  { first, isNegated }: Quantity,
): number | null {
  const { tokens } = scan;
  if ((modality !== 'must' && modality !== 'should') || isNegatedWish || isNoSubject || isNegated)
    return null;
  for (let at = first - 1; at >= Math.max(core.first, first - 5); at -= 1) {
    const isNone =
      ['no', 'nobody', 'none', 'nothing'].includes(wordAt(tokens, at)) ||
      joined(tokens, at, at + 2) === 'no one';
    if (isNone)
      return (at === core.first || isIn('preposition', wordAt(tokens, at - 1))) && isOfBound(scan, at, first)
        ? at
        : null;
  }
  return null;
}

/** `staler than 2 days`: a comparison that no list of comparisons holds. */
function isUnread({ tokens }: Pick<Scan, 'tokens'>, { first, op }: Quantity): boolean {
  return (
    op === '=' &&
    wordAt(tokens, first - 1) === 'than' &&
    !['rather', 'other'].includes(wordAt(tokens, first - 2))
  );
}

/** `at most 60 cars and 300 passengers`: the bound of two counts that a joint holds together. */
function sharedBound({ tokens, quantities }: Scan, { first, unit }: Quantity): Op | null {
  const before =
    wordAt(tokens, first - 1) === 'and'
      ? spansWithin(quantities, { first: first - SHARED_TOKENS_MAX, next: first - 1 }).find(
          ({ next }) => next === first - 1,
        )
      : undefined;
  const isCount = (one: string | null): boolean => findMeasure(one).dimension.startsWith('unit:');
  return before !== undefined &&
    before.first < before.at &&
    before.op !== '=' &&
    !before.isNegated &&
    isCount(before.unit) &&
    isCount(unit)
    ? before.op
    : null;
}

const SHARED_TOKENS_MAX = 12;

/** `without letting the fee rise above 5 EUR`: what is not to happen meanwhile. */
function withoutActing({ tokens }: Scan, { verb }: Demand, { first }: Quantity): boolean {
  for (let at = Math.max(verb, first - ACTING_TOKENS_MAX); at < first; at += 1)
    if (
      wordAt(tokens, at) === 'without' &&
      [1, 2, 3, 4].some((ahead) => at + ahead < first && wordAt(tokens, at + ahead).endsWith('ing'))
    )
      return true;
  return false;
}

const ACTING_TOKENS_MAX = 10;

/**
 * `Minimum length: 2 characters`, `The maximum weight is 5 kg`: the bound stands in the name of the measure.
 */
function limited(
  { tokens }: Pick<Scan, 'tokens'>,
  demand: Demand,
  label: Span | null,
  value: Demanded,
): Demanded {
  if (value.op !== '=' || value.isFolded) return value;
  if (isCappedBy({ tokens }, demand, value.amount)) return { ...value, op: '<=' };
  const { subject } = demand;
  const named = [subject, ...(label === null ? [] : [label])]
    .flatMap(({ first, next }) =>
      tokens.slice(first, Math.min(next, first + NAME_TOKENS_MAX)).map(({ lower }) => LIMITS.get(lower)),
    )
    .find((op) => op !== undefined);
  return named === undefined ? value : { ...value, op: named };
}

/** `Limit requests to 100/min`, `cap the log at 500 MB`: the verb makes a plain number the most. */
function isCappedBy({ tokens }: Pick<Scan, 'tokens'>, { verb }: Demand, { first, at }: Quantity): boolean {
  if (!['to', 'at'].includes(wordAt(tokens, first - 1)) || first !== at) return false;
  for (let place = Math.max(0, verb - 1); place < Math.min(first, verb + 3); place += 1)
    if (CAPPING.has(wordAt(tokens, place)) && (place <= verb || isHelper(wordAt(tokens, place - 1))))
      return first - place <= CAP_TOKENS_MAX;
  return false;
}

/** `The limit`, `the idle limit` are nouns: the verb stands first, or behind an auxiliary. */
function isHelper(word: string): boolean {
  return ['be', 'is', 'are', 'to', 'we', 'you', 'it', 'also', 'please', 'must', 'shall', 'should'].includes(
    word,
  );
}

const CAP_TOKENS_MAX = 12;
const CAPPING: ReadonlySet<string> = new Set([
  'limit',
  'limits',
  'limited',
  'restrict',
  'restricts',
  'restricted',
  'cap',
  'caps',
  'capped',
  'throttle',
  'throttles',
  'throttled',
  'confine',
  'confined',
]);

/**
 * `must survive wind up to 12 m/s`: what a thing withstands up to a load, it withstands at least. What a
 * person may take is a limit.
 */
function withstood(
  { tokens }: Scan,
  { core, finite }: Clause,
  { modality, subject, verb }: Demand,
  value: Demanded,
): Demanded {
  const { first, at } = value.amount;
  if (
    value.op !== '<=' ||
    value.isFolded ||
    (modality !== 'must' && modality !== 'should') ||
    joined(tokens, first, Math.min(at, first + 2)) !== 'up to'
  )
    return value;
  const from = Math.max(core.first, Math.min(verb, finite?.at ?? verb));
  const isPerson =
    findPhrase('actor', tokens, subject.first, Math.min(subject.next, first)) !== null ||
    isIn('firstPerson', wordAt(tokens, core.first));
  const isBound = !isPerson && finite?.kind === 'modal';
  for (let place = from; place < first; place += 1) {
    const word = wordAt(tokens, place);
    const lemma = lemmaOf(word);
    if (
      ENDURING.has(lemma) ||
      (isBound && (BEARING.has(lemma) || (RUNNING.has(lemma) && wordAt(tokens, place + 1) === 'in'))) ||
      RATED.has(word)
    )
      return { ...value, op: '>=' };
    if (isIn('relative', word)) return value;
  }
  return value;
}

const ENDURING: ReadonlySet<string> = new Set([
  'survive',
  'withstand',
  'resist',
  'endure',
  'sustain',
  'tolerate',
  'cope',
  'handle',
  'support',
  'bear',
  'scale',
  'stand',
]);
const BEARING: ReadonlySet<string> = new Set([
  'carry',
  'lift',
  'hold',
  'accommodate',
  'seat',
  'serve',
  'manage',
  'process',
]);
const RUNNING: ReadonlySet<string> = new Set(['operate', 'work', 'run', 'function']);
const RATED: ReadonlySet<string> = new Set([
  'rated',
  'designed',
  'proof',
  'stable',
  'safe',
  'resistant',
  'waterproof',
  'watertight',
  'usable',
  'suitable',
]);

const NAME_TOKENS_MAX = 6;
const LIMITS: ReadonlyMap<string, Op> = new Map<string, Op>([
  ['minimum', '>='],
  ['min', '>='],
  ['minimal', '>='],
  ['maximum', '<='],
  ['max', '<='],
  ['maximal', '<='],
  ['ceiling', '<='],
]);

const TURNED: Readonly<Partial<Record<Op, Op>>> = { '<': '>=', '>': '<=', '<=': '>', '>=': '<' };

/** The comparison is what the verb says, not a detail further on. */
function isComplement({ tokens }: Scan, { verb }: Demand, { first }: Quantity): boolean {
  // `No edge shall have a radius of less than 3 mm`.
  if (
    wordAt(tokens, first - 1) === 'of' &&
    first - verb <= 6 &&
    ['have', 'has'].includes(wordAt(tokens, verb))
  )
    return true;
  // `Nobody should have to stand in line for more than 15 minutes`: how long it lasts.
  if (
    wordAt(tokens, first - 1) === 'for' &&
    ['more', 'longer'].includes(wordAt(tokens, first)) &&
    findPhrase('relative', tokens, verb, first) === null
  )
    return true;
  for (let at = verb; at < first; at += 1) {
    const word = wordAt(tokens, at);
    if (
      !isBase(word) &&
      ![
        'be',
        'able',
        'to',
        'for',
        'than',
        'ever',
        'have',
        'a',
        'an',
        'is',
        'are',
        'takes',
        'lasts',
        'costs',
        'weighs',
        'been',
        'it',
        'longer',
      ].includes(word) &&
      !word.endsWith('ed')
    )
      return false;
  }
  return first - verb <= 6 && findPhrase('relative', tokens, verb, first) === null;
}
