/**
 * From clauses to claims: quote, atom, scope.
 *
 * @module
 */
import {
  findMeasure,
  OPPOSITE,
  QUOTE_POINTS_MAX,
  findSingular,
  type Atom,
  type Claim,
  type InterpretationsBody,
  type Moment,
  type Quote,
  type Scan,
  type Scope,
  type SeedText,
} from '@assay/kernel/intent';
import { amountsOf, momentOf, type Demanded } from './amounts.js';
import { clausesOf, type Clause } from './clauses.js';
import { quantitiesIn, type Around, type Demand } from './binding.js';
import { demandOf } from './demand.js';
import { keyOf, pinFor } from './keys.js';
import { findFinite } from './predicates.js';
import { namedValue } from './named.js';
import { premiseOf } from './premise.js';
import { isTold } from './present.js';
import { datesIn, isVagueAlone, isVagueOfThing, question, questionsIn, wishesIn } from './questions.js';
import type { Sentence } from './sentences.js';
import { partial, shareOf, trailingShare } from './shares.js';
import { isDenial, quoteOf, spansWithin, type Span } from './spans.js';
import type { Tone } from './tone.js';
import { findPhrase, isIn, phraseAt, wordAt } from './words.js';

/** What the claims of a text are read from. `isRuled`: the text states rules by its verbs of demand. */
export type Reading = {
  readonly scan: Scan;
  readonly seed: SeedText;
  readonly pin: InterpretationsBody['pin'];
  readonly isRuled: boolean;
};

/** A claim with the clause it is read from. `isVague`: all that is said of a named thing is vague. */
export type Read = { readonly claim: Claim; readonly clause: Clause | null; readonly isVague?: true };

/** All claims of a sentence: demands first, then the questions raised in it. */
export function claimsOf(reading: Reading, sentence: Sentence, tone: Tone): readonly Read[] {
  const found: Read[] = [];
  let previous: Demand | null = null;
  const clauses = clausesOf(reading.scan, sentence);
  const around: Around = { isRuled: reading.isRuled, tone };
  let isTelling = false;
  for (const [index, clause] of clauses.entries()) {
    // `The table has grown and a backup takes 11 hours`: what follows what is told is told as well.
    const demand = demandOf(
      reading.scan,
      sentence,
      clause,
      previous,
      isTelling ? { ...around, tone: 'story' } : around,
    );
    if (demand === null) {
      isTelling ||= isTold(reading.scan, clause);
      for (const claim of wishesIn(reading, sentence, clause)) found.push({ claim, clause: null });
      if (clause.opens === 'main') previous = null;
      continue;
    }
    const part = partial(reading.scan, clause);
    if (part !== null) {
      found.push({ claim: question(reading, clause.core, 'scope', demand.modality), clause: null });
      previous = null;
      continue;
    }
    if (!isVagueAlone(reading.scan, clause, demand) && !isEmpty(reading.scan, clause, demand))
      found.push(
        ...demandsIn(
          reading,
          sentence,
          clause,
          demand,
          index === 0 ? (clauses.length === 1 ? 'alone' : 'first') : 'later',
        ).map((claim) =>
          isVagueOfThing(reading.scan, clause, demand)
            ? { claim, clause, isVague: true as const }
            : { claim, clause },
        ),
      );
    for (const claim of questionsIn(reading, clause, demand, sentence.label))
      found.push({ claim, clause: null });
    previous = demand;
  }
  return sentence.isBackground
    ? found
    : [...found, ...datesIn(reading, sentence).map((claim) => ({ claim, clause: null }))];
}

/** `The app must ((`, `must not not`: a verb of demand, and nothing that it demands. */
function isEmpty({ tokens }: Scan, { core, condition, exception }: Clause, { phrase }: Demand): boolean {
  if (!BARE.has(wordAt(tokens, phrase.first)) || condition !== null || exception !== null) return false;
  return tokens
    .slice(phrase.first, core.next)
    .every(({ kind, lower }) => kind === 'symbol' || BARE.has(lower) || lower === 'not');
}

const BARE: ReadonlySet<string> = new Set(['must', 'shall', 'should', 'may']);

/** Where a clause stands in its sentence. */
type Place = 'alone' | 'first' | 'later';

/** The claims of a clause: one, or the two of a range, a pair or a tolerance. */
function demandsIn(
  reading: Reading,
  sentence: Sentence,
  clause: Clause,
  demand: Demand,
  place: Place,
): readonly Claim[] {
  const quote = wordsOf(reading, sentence, clause, place);
  if (quote === null) return [];
  const claim: Claim = {
    kind: 'requirement',
    modality: demand.modality,
    quote,
    atom: null,
    scope: scopeOf(reading, clause, demand),
  };
  const stated = amountsOf(reading.scan, clause, demand, sentence.label).filter(({ amount }) =>
    lies(reading, amount, quote),
  );
  if (stated.length > 0) {
    const key = keyOfAmount(reading, clause, demand, stated[0]);
    return stated.map((one) => {
      // Under `We do not:` the negation is not in the words of the item, so it stays in the modality.
      const isHeaded =
        sentence.mood === 'must_not' &&
        one.isFolded &&
        !one.amount.isNegated &&
        demand.modality === 'must_not';
      return {
        ...claim,
        modality: isHeaded ? 'must_not' : modalityOf(demand, one),
        atom: {
          key: keyOfPart(key, one),
          op: isHeaded ? OPPOSITE[one.op] : one.op,
          value: one.amount.value,
          unit: one.amount.unit,
        },
      };
    });
  }
  const moment = momentOf(reading.scan, clause, demand);
  if (moment !== null && moment.value !== null && lies(reading, moment, quote))
    return [
      {
        ...claim,
        atom: momentAtom(moment, moment.value, keyOf(reading.scan, clause, demand, moment.unit, moment)),
      },
    ];
  return [
    { ...claim, atom: flagOf(reading, clause, demand) ?? namedValue(reading.scan, sentence, clause, demand) },
  ];
}

/** `must not exceed 4 mm` demands at most 4 mm: the negation of a comparison is in its operator. */
function modalityOf({ modality }: Demand, { isFolded }: Demanded): Claim['modality'] {
  return isFolded && modality === 'must_not' ? 'must' : modality;
}

function keyOfAmount(
  { scan, pin }: Reading,
  clause: Clause,
  demand: Demand,
  first: Demanded | undefined,
): string {
  if (first === undefined) return 'it.amount';
  const { amount } = first;
  return (
    pinFor(pin, scan, clause, findMeasure(amount.unit).dimension)?.atom.key ??
    keyOf(scan, clause, demand, amount.unit, amount)
  );
}

function keyOfPart(key: string, { part }: Demanded): string {
  if (part === 'tolerance') return `${key}_tolerance`;
  return part === 'side' ? `${key}_2` : key;
}

function momentAtom({ op, unit }: Moment, value: string, key: string): Atom {
  return { key, op, value, unit };
}

/** The flag a clause sets where a pin names all its words. */
function flagOf({ scan, pin }: Reading, clause: Clause, demand: Demand): Atom | null {
  const pinned = demand.isNegatedWish ? null : pinFor(pin, scan, clause, null);
  return pinned === null ||
    typeof pinned.atom.value !== 'boolean' ||
    isOnlyNamed(scan, clause, demand, pinned.atom.key)
    ? null
    : { key: pinned.atom.key, op: '=', value: true, unit: null };
}

/**
 * `The page must not track visitors` says nothing of a pin `page`: it names what does something else.
 * `The map must be supported` does say something of `map`.
 */
function isOnlyNamed(
  { tokens }: Scan,
  { core, finite }: Clause,
  { verb, subject }: Demand,
  key: string,
): boolean {
  if (finite === null || verb >= core.next || subject.next <= subject.first) return false;
  const words = tokens.slice(verb, core.next).map(({ lower }) => lower);
  const isPresence =
    ['be', 'is', 'are'].includes(wordAt(tokens, finite.at + 1)) ||
    finite.kind === 'be' ||
    words.some((word) => PRESENT.has(word));
  return (
    !isPresence &&
    !key.split(/[._]/).some((part) => words.some((word) => findSingular(word) === findSingular(part)))
  );
}

const PRESENT: ReadonlySet<string> = new Set([
  'be',
  'exist',
  'exists',
  'remain',
  'stay',
  'work',
  'happen',
  'occur',
]);

/**
 * The words of a clause: without a leading condition, with the label of a bare value, cut at a word where
 * they are too long.
 */
function wordsOf(
  { scan, seed }: Reading,
  { label, mood }: Sentence,
  clause: Clause,
  place: Place,
): Quote | null {
  const { core, next } = clause;
  const first =
    label !== null &&
    mood === null &&
    place !== 'later' &&
    clause.finite === null &&
    isBareValue(scan, clause, place === 'alone') &&
    (label.next - label.first <= 4 ||
      (label.next - label.first <= 6 && findFinite(scan, label.first, label.next) === null))
      ? label.first
      : core.first + phraseAt('preface', scan.tokens, core.first, core.next);
  for (let end = next; end > core.first; end -= 1) {
    const quote = quoteOf(scan, seed, { first: clause.front ?? first, next: end });
    if (quote.end - quote.start <= QUOTE_POINTS_MAX) return quote;
  }
  return null;
}

/** `Weight: max. 1.4 kg`, `Material: steel`: without the label the value says nothing. */
function isBareValue(scan: Scan, clause: Clause, isAlone: boolean): boolean {
  const [amount] = quantitiesIn(scan, clause);
  if (amount === undefined) return clause.core.next - clause.core.first <= 6;
  return (
    amount.first <= clause.core.first + 1 &&
    ((isAlone && amount.next === clause.core.next) || !findMeasure(amount.unit).dimension.startsWith('unit:'))
  );
}

function scopeOf({ scan, seed }: Reading, clause: Clause, demand: Demand): Scope {
  const { condition, exception } = clause;
  const part = (span: Span | null): Quote | null =>
    span === null || span.next <= span.first ? null : quoteOf(scan, seed, span);
  const share = shareOf(scan, clause, demand);
  const limits =
    share !== null
      ? counted(clause, share.inner)
      : (condition ??
        premiseOf(scan, clause, demand) ??
        trailingShare(scan, clause) ??
        relativeOf(scan, clause) ??
        hoursOf(scan, clause, demand));
  return {
    actor: part(actorOf(scan, clause, demand) ?? clause.actor),
    condition: part(limits),
    exception: part(exception),
  };
}

/** What those that a share counts do, with the condition right behind it. */
function counted({ condition, leads }: Clause, inner: Span): Span {
  return condition !== null && !leads && condition.first === inner.next
    ? { first: inner.first, next: condition.next }
    : inner;
}

/** Who acts: the subject of an active clause, where a person, an office or a firm is its head. */
function actorOf({ tokens }: Scan, { finite }: Clause, { who, isNoSubject }: Demand): Span | null {
  const next = finite !== null && finite.at > who.first ? Math.min(who.next, finite.at) : who.next;
  if (next <= who.first || isNoSubject || isIn('firstPerson', wordAt(tokens, who.first))) return null;
  return findPhrase('actor', tokens, who.first, next) === null ? null : { first: who.first, next };
}

/** `Runners who need more than 6 h`: of whom it is demanded. */
function relativeOf({ tokens, quantities }: Scan, { core, finite }: Clause): Span | null {
  if (finite === null) return null;
  for (let at = core.first + 1; at < finite.at; at += 1) {
    const word = wordAt(tokens, at);
    if (
      (word === 'who' || word === 'which' || word === 'that') &&
      spansWithin(quantities, { first: at, next: finite.at }).length > 0
    )
      return { first: at, next: finite.at };
  }
  return null;
}

/** Times of day that limit a prohibition: `is not permitted between 20:00 and 7:00`. */
function hoursOf(scan: Scan, { core }: Clause, { modality }: Demand): Span | null {
  const clocks = spansWithin(scan.moments, core).filter(({ unit }) => unit === 'clock');
  const [first, last] = [clocks[0], clocks.at(-1)];
  if (modality !== 'must_not' || first === undefined || last === undefined) return null;
  const opens = wordAt(scan.tokens, first.first - 1);
  const start = isDenial(scan, first) ? first.first + 2 : first.first;
  return { first: ['between', 'from'].includes(opens) ? first.first - 1 : start, next: last.next };
}

function lies({ scan, seed }: Reading, span: Span, quote: Quote): boolean {
  const inner = quoteOf(scan, seed, span);
  return inner.start >= quote.start && inner.end <= quote.end;
}
