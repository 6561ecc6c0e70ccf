/**
 * Amounts that say of which things, or under which load, something is demanded: conditions, and nothing to be
 * measured.
 *
 * @module
 */
import { findMeasure, type Quantity, type Scan } from '@assay/kernel/intent';
import { quantitiesIn, type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import { isNextTo, isOutside } from './pairs.js';
import { spansWithin, type Span } from './spans.js';
import { HANDLING, MAKING, REMOVING, RESULTING } from './acts.js';
import { isPlural } from './predicates.js';
import { isBase, isParticiple, lemmaOf } from './verbs.js';
import { isIn, wordAt } from './words.js';

/** The amount behind which the rest stands: a load, or the bounds by which the subject is picked out. */
export function premiseOf(scan: Scan, clause: Clause, demand: Demand): Span | null {
  const inside = quantitiesIn(scan, clause);
  const load = inside.find((quantity) => isLoad(scan, clause, quantity));
  if (load !== undefined) return { first: load.first - 1, next: load.next };
  const picking = inside.filter(
    (quantity) => isPicking(scan, clause, demand, quantity) || isChoosing(scan, clause, demand, quantity),
  );
  const [front, back] = [picking[0], picking.at(-1)];
  if (front === undefined || back === undefined) return null;
  const relative = relativeBefore(scan, demand.verb, front.first);
  if (relative !== null && relative > demand.verb) return { first: relative, next: back.next };
  const before = wordAt(scan.tokens, front.first - 1);
  const words = ['with', 'of', 'having'].includes(before) ? 1 : front.op === '=' && SINCE.has(before) ? 1 : 0;
  return { first: front.first - words, next: back.next };
}

/**
 * `below 200 ms at 1,000 req/s`, `for up to 200k rows`, `with 900 parents signed in`: the load at which
 * another amount holds.
 */
export function isLoad(scan: Scan, clause: Clause, { first, op, unit }: Quantity): boolean {
  const before = wordAt(scan.tokens, first - 1);
  const isAt = before === 'at' && op === '=';
  const isFor =
    (before === 'for' || before === 'with' || before === 'under') &&
    findMeasure(unit).dimension.startsWith('unit:');
  if (!isAt && !isFor) return false;
  return quantitiesIn(scan, clause).some((other) => other.first < first && other.op !== '=');
}

/**
 * `Readings older than 24 hours must be marked grey`: the bound picks the things out, and what is demanded of
 * them is something else: as a test it would hold although nothing was marked. A prohibition keeps its bound,
 * since no thing to which the act was done may lie within it (`flights under 600 km are not refunded`). So
 * does a measure that is itself wanted: `a gap of more than 3 cm must be left`.
 */
export function isPicking(
  scan: Scan,
  { core, finite }: Clause,
  { isNoSubject, isNegatedWish, modality, subject, verb }: Demand,
  { first, next, at, op, unit, isNegated }: Quantity,
): boolean {
  const { tokens } = scan;
  // `Only files smaller than 5 MB may be uploaded` bounds them.
  if (
    isPickedBehind(
      scan,
      { core, finite },
      { isNoSubject, isNegatedWish, modality, verb },
      { first, at, op, isNegated },
    )
  )
    return true;
  // `For orders under 20 EUR charge 3 EUR`.
  if (
    finite === null &&
    wordAt(tokens, core.first) === 'for' &&
    first <= core.first + NOUN_TOKENS_MAX &&
    first < at &&
    isPlural(wordAt(tokens, first - 1)) &&
    next < core.next &&
    modality !== 'must_not'
  )
    return true;
  // `Whoever drives faster than 130 km/h pays 200 EUR`.
  if (wordAt(tokens, core.first) === 'whoever' && op !== '=' && modality !== 'must_not') return true;
  // `…, those under 50 EUR at once`.
  if (
    finite === null &&
    ANYONES.has(wordAt(tokens, core.first)) &&
    first === core.first + 1 &&
    first < at &&
    next < core.next &&
    modality !== 'must_not'
  )
    return true;
  if (
    finite === null ||
    next > finite.at ||
    first <= core.first ||
    first < subject.first ||
    isNoSubject ||
    isNegatedWish ||
    wordAt(tokens, core.first) === 'only'
  )
    return false;
  // `A delay of more than 2 hours must not be left unexplained`: what is denied is a lack, and the bound
  // picks out.
  if (modality === 'must_not') return isLackDenied(tokens, finite.at, core.next);
  // `Cards unused for 12 months must be blocked`, `Food stored for 2 days …`: how long they have been so.
  if (
    op === '=' &&
    !tokens
      .slice(Math.max(core.first, first - LOOKED_TOKENS_MAX), first)
      .some(({ lower }) => ['who', 'which', 'that', 'whose'].includes(lower)) &&
    SINCE.has(wordAt(tokens, first - 1)) &&
    findMeasure(unit).dimension === 'time' &&
    isState(wordAt(tokens, first - 2))
  )
    return true;
  // `less than 5 kg` compares; `at least 5 kg` sets a bound, and `500 EUR or more` compares behind the
  // amount.
  if (op !== '<' && op !== '>' && !(first === at && (op === '<=' || op === '>='))) return false;
  const head = wordAt(tokens, ['of', 'with'].includes(wordAt(tokens, first - 1)) ? first - 2 : first - 1);
  for (let place = finite.at; place < Math.min(core.next, finite.at + PREDICATE_TOKENS_MAX); place += 1) {
    if (HELD.has(wordAt(tokens, place)) && !isPlural(head)) return false;
  }
  return true;
}

const SINCE: ReadonlySet<string> = new Set(['for', 'after', 'since', 'during', 'over']);

/** `unused`, `stored`, `inactive`: how the things are that are picked out. */
function isState(word: string): boolean {
  return isParticiple(word) || STATES.has(word);
}

const STATES: ReadonlySet<string> = new Set([
  'inactive',
  'idle',
  'absent',
  'dormant',
  'open',
  'late',
  'empty',
  'vacant',
  'overdue',
  'offline',
  'unpaid',
  'unread',
  'away',
  'out',
  'silent',
  'ill',
  'sick',
  'alone',
  'missing',
  'pending',
  'stale',
  'dry',
  'old',
  'unanswered',
]);

/** `must not be left unexplained`: two negations, one of them in the participle. */
function isLackDenied(tokens: Scan['tokens'], from: number, next: number): boolean {
  return tokens
    .slice(from, Math.min(next, from + PREDICATE_TOKENS_MAX + 2))
    .some(({ lower }) => lower.startsWith('un') && lower.length > 6 && isParticiple(lower));
}

/**
 * `A deposit is due for stays longer than 3 nights`, `must respond to requests of more than 5 MB within 2 s`:
 * the bound behind a plural noun says of which of them. What is limited or suited to it, or a measure of it,
 * is demanded (`limited to files under 5 MB`).
 */
function isPickedBehind(
  { tokens }: Scan,
  { core, finite }: Pick<Clause, 'core' | 'finite'>,
  {
    isNoSubject,
    isNegatedWish,
    modality,
    verb,
  }: Pick<Demand, 'isNoSubject' | 'isNegatedWish' | 'modality' | 'verb'>,
  { first, at, op, isNegated }: Pick<Quantity, 'first' | 'at' | 'op' | 'isNegated'>,
): boolean {
  // An order has its verb in front.
  const main = finite === null ? verb : Math.min(verb, finite.at);
  if (
    first <= main ||
    main >= core.next ||
    first - main > LOOKED_TOKENS_MAX ||
    first >= at ||
    isNoSubject ||
    isNegatedWish ||
    isNegated ||
    modality === 'must_not'
  )
    return false;
  // `A permit is needed to carry more than 10,000 EUR`.
  if (
    op !== '=' &&
    ['a', 'an', 'no'].includes(wordAt(tokens, core.first)) &&
    tokens
      .slice(main, first)
      .some(({ lower }, index) => NEEDED.has(lower) && wordAt(tokens, main + index + 1) === 'to')
  )
    return true;
  const isWith = ['of', 'with', 'having'].includes(wordAt(tokens, first - 1));
  if (op === '=' || !(op === '<' || op === '>' || isWith)) return false;
  const head = (isWith ? first - 1 : first) - 1;
  const noun = wordAt(tokens, head);
  if (
    !(isPlural(noun) || ANYONES.has(noun)) ||
    MEASURES.has(noun) ||
    tokens
      .slice(core.first, Math.min(core.next, core.first + LOOKED_TOKENS_MAX))
      .some(({ lower }) => lower === 'only')
  )
    return false;
  // The preposition that opens the noun's phrase, and what stands before it.
  let opening = head - 1;
  while (
    opening > main &&
    opening > head - NOUN_TOKENS_MAX &&
    tokens[opening]?.kind === 'word' &&
    !isIn('preposition', wordAt(tokens, opening))
  )
    opening -= 1;
  if (!DIRECTING.has(wordAt(tokens, opening)) || opening <= main) return false;
  return !tokens.slice(main, opening).some(({ lower }) => SUITED.has(lower) || ENDING.has(lemmaOf(lower)));
}

const NEEDED: ReadonlySet<string> = new Set([
  'needed',
  'required',
  'necessary',
  'mandatory',
  'due',
  'charged',
]);
const NOUN_TOKENS_MAX = 4;
const ANYONES: ReadonlySet<string> = new Set([
  'anyone',
  'anybody',
  'everyone',
  'everybody',
  'someone',
  'those',
  'anything',
  'everything',
]);
const DIRECTING: ReadonlySet<string> = new Set(['for', 'to', 'on', 'from']);
const MEASURES: ReadonlySet<string> = new Set([
  'levels',
  'values',
  'temperatures',
  'loads',
  'sizes',
  'prices',
  'amounts',
  'speeds',
  'depths',
  'heights',
  'lengths',
  'pressures',
  'weights',
  'widths',
  'ages',
  'times',
  'rates',
  'volumes',
  'distances',
  'periods',
  'hours',
  'days',
  'minutes',
  'weeks',
  'months',
  'years',
]);
const ENDING: ReadonlySet<string> = new Set(
  (
    'raise increase reduce lower change extend shorten cut decrease expand shrink grow heat ' +
    'cool warm chill freeze fill widen lengthen limit restrict cap'
  ).split(' '),
);
const SUITED: ReadonlySet<string> = new Set(
  (
    'suitable designed rated safe stable usable proof fit ready built made sized limited ' +
    'restricted confined capped reserved set kept held scale grow rise extend adapt suited ' +
    'intended licensed approved tested certified dimensioned able enough up'
  ).split(' '),
);

/**
 * `Delete logs older than 30 days`, `Flag transactions above 10,000 EUR`: the bound says which of them the
 * act is done to. An age is never what an act brings about; of another measure the verb tells
 * (`Heat milk above 60 °C` does).
 */
export function isChoosing(scan: Scan, clause: Clause, demand: Demand, quantity: Quantity): boolean {
  return filterOf(scan, clause, demand, quantity) === 'chosen';
}

/**
 * `Paint walls higher than 2 m`: which walls, or how high to paint. The words that leave it open, or null.
 */
export function unsureFilter(scan: Scan, clause: Clause, demand: Demand): Span | null {
  const open = quantitiesIn(scan, clause).find(
    (quantity) =>
      filterOf(scan, clause, demand, quantity) === 'open' && !isPicking(scan, clause, demand, quantity),
  );
  return open === undefined ? null : { first: open.first - 1, next: open.next };
}

function filterOf(scan: Scan, clause: Clause, demand: Demand, quantity: Quantity): 'chosen' | 'open' | null {
  const before = spansWithin(scan.quantities, {
    first: Math.max(clause.core.first, quantity.first - PAIR_TOKENS_MAX),
    next: quantity.first,
  }).at(-1);
  // `below 1 EUR and above 1,000 EUR`: both say which of them, or neither does.
  const isSecond = before !== undefined && isOutside(scan.tokens, before, quantity);
  // `with more than 10 attachments or above 25 MB`: of another measure.
  if (
    before !== undefined &&
    !isSecond &&
    isNextTo(scan.tokens, before, quantity) &&
    oneFilterOf(scan, clause, demand, before) === 'chosen'
  )
    return 'chosen';
  return isSecond
    ? (oneFilterOf(scan, clause, demand, before) ??
        (demand.modality === 'must_not' || before.first <= demand.verb ? null : 'open'))
    : oneFilterOf(scan, clause, demand, quantity);
}

function oneFilterOf(
  scan: Scan,
  { core }: Clause,
  { modality, isNegatedWish, isNoSubject, verb }: Demand,
  { first, at, next, op, unit, isNegated }: Quantity,
): 'chosen' | 'open' | null {
  const { tokens } = scan;
  const act = lemmaOf(wordAt(tokens, verb));
  const isRemoving = isRemovingAt(tokens, verb);
  if (
    (modality === 'must_not' && !isRemoving) ||
    isNegatedWish ||
    isNoSubject ||
    verb < core.first ||
    first <= verb + 1 ||
    first > verb + LOOKED_TOKENS_MAX ||
    !isBase(act)
  )
    return null;
  // `Protect the screen from voltages above 24 V`: what is kept away.
  if (isWardedOff(tokens, verb, first)) return 'chosen';
  // `Warn users whose password is older than 90 days`.
  if (HANDLING.has(act) && relativeBefore(scan, verb, first) !== null) return 'chosen';
  const isWith = ['of', 'with', 'having'].includes(wordAt(tokens, first - 1));
  const head = (isWith ? first - 1 : first) - 1;
  // `Reject files of at least 5 MB`; `within 30 days` is when it is to be done.
  const isComparing =
    op === '<' || op === '>'
      ? !isNegated
      : op !== '=' &&
        isRemoving &&
        (isWith || (wordAt(tokens, first) === 'up' && findMeasure(unit).dimension !== 'time'));
  if (
    !isComparing ||
    first >= at ||
    head <= verb ||
    tokens[head]?.kind !== 'word' ||
    isIn('preposition', wordAt(tokens, head))
  )
    return null;
  // `Send reminders for invoices older than 30 days`, `Sort out apples smaller than 6 cm`; else what a
  // preposition opens is no object.
  if (
    tokens
      .slice(verb + 2, head + 1)
      .some(
        ({ lower }) =>
          isIn('preposition', lower) &&
          !['for', 'of', 'about'].includes(lower) &&
          !(lower === 'to' && isRemoving) &&
          !PARTICLES.has(lower),
      )
  )
    return null;
  // `orders over 5 days late`: how late they are is no bound between thing and thing.
  if (LATENESS.has(wordAt(tokens, next))) return null;
  // `Serve guests older than 60 years first`: which guests, though the verb may set what is served.
  if (AGES.has(wordAt(tokens, first)))
    return MAKING.has(act) && !HANDLING.has(act) && !isRemoving ? 'open' : 'chosen';
  if (HANDLING.has(act) || isRemoving) return 'chosen';
  // `Ship invoices under 5 MB`: the most a file may have.
  const isSize = op === '<' && findMeasure(unit).dimension === 'bytes';
  return isSize || MAKING.has(act) || RESULTING.has(act) || !isPlural(wordAt(tokens, head)) ? null : 'open';
}

/** The relative pronoun of what an order acts on, or null. */
function relativeBefore({ tokens }: Scan, verb: number, first: number): number | null {
  for (let place = verb + 2; place < first; place += 1) {
    if (wordAt(tokens, place) === ',') return null;
    if (['who', 'which', 'that', 'whose'].includes(wordAt(tokens, place))) return place;
  }
  return null;
}

/** `Leave out photos`, `Throw away apples`: the particle makes a verb one that takes things away. */
function isRemovingAt(tokens: Scan['tokens'], verb: number): boolean {
  const act = lemmaOf(wordAt(tokens, verb));
  return REMOVING.has(act) || (PARTING.has(act) && PARTICLES.has(wordAt(tokens, verb + 1)));
}

const PARTING: ReadonlySet<string> = new Set([
  'leave',
  'throw',
  'sort',
  'weed',
  'kick',
  'filter',
  'turn',
  'cut',
  'screen',
  'take',
  'send',
  'cast',
  'strip',
  'put',
]);
const PARTICLES: ReadonlySet<string> = new Set(['out', 'away', 'aside', 'off']);

/** `Protect … from`, `guard … against`: what stands behind is kept away. */
function isWardedOff(tokens: Scan['tokens'], verb: number, bound: number): boolean {
  return (
    WARDING.has(lemmaOf(wordAt(tokens, verb))) &&
    tokens
      .slice(verb + 1, Math.min(bound, verb + LOOKED_TOKENS_MAX))
      .some(
        ({ lower }, index) =>
          (lower === 'from' || lower === 'against') && !wordAt(tokens, verb + 2 + index).endsWith('ing'),
      )
  );
}

const WARDING: ReadonlySet<string> = new Set([
  'protect',
  'guard',
  'shield',
  'insulate',
  'secure',
  'defend',
  'safeguard',
  'save',
  'spare',
  'shelter',
  'screen',
  'keep',
  'block',
  'seal',
  'harden',
  'insure',
]);
const PAIR_TOKENS_MAX = 16;
/** How far a clause is looked through for one of its amounts. */
const LOOKED_TOKENS_MAX = 40;

const LATENESS: ReadonlySet<string> = new Set(['late', 'early', 'overdue', 'behind', 'ahead']);
const AGES: ReadonlySet<string> = new Set(['older', 'younger']);

const PREDICATE_TOKENS_MAX = 5;
/** Of one measure: `a pressure above 5 bar must be kept`. */
const HELD: ReadonlySet<string> = new Set([
  'kept',
  'maintained',
  'held',
  'ensured',
  'guaranteed',
  'achieved',
  'reached',
  'provided',
  'left',
  'observed',
  'present',
  'available',
  'needed',
  'required',
]);
