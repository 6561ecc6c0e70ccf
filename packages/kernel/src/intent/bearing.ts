/**
 * What the sentence of a claim bears out: which of its units the claim holds, and whether it says what the
 * claim says of it. A demand needs no word of its own, since a request demands by its imperatives and plain
 * presents. To forbid, to leave or to wish needs one. Source: intent I4, I10 (coverage, grounding).
 *
 * Words inside a quote are *covered*: they do not disappear, and the blueprint shows them. To *account* for a
 * unit a claim must also hold it: the number in its atom, the prohibition in its modality. Only that scores,
 * so that quoting sentences back gains nothing.
 */
import { countBefore, groupBy } from '../collections/look-up.js';
import { listAnchors } from './anchors.js';
import { findSide, renderAtom } from './atom.js';
import type { Claim, Scope } from './claim.js';
import { listStems } from './said.js';
import { type SalientUnit, DEMANDS, DUTIES, LEAVES, WANTS, WISHES } from './salient.js';
import { BESIDE, BRANCH, NEXT, type Scoring } from './scoring.js';
import type { Quote } from './seed.js';
import { OPPOSITE } from './solutions.js';
import { locateQuote } from './stretches.js';

/**
 * What a claim holds of the sentence of its quote: its number, and words. `isBorneOut`: that sentence holds its scopes
 * as well, each in a stretch that can be one.
 */
export type Held = {
  readonly sentence: number;
  readonly needs: readonly string[];
  readonly isBorneOut: boolean;
};

/**
 * What a claim holds of the sentence of its quote, or null if that does not say what the claim says: it has a word
 * that forbids, leaves or wishes where the claim does, and shares a stem with the claim's key or text value; and where
 * it is banned, the claim forbids or holds the number that is left. A number stands in the quote (else the reading is
 * vetoed). Words alone, without an atom, say nothing that could be checked.
 */
export function findHeld(claim: Claim, scoring: Scoring): Held | null {
  const { quote, modality, atom } = claim;
  const { sentences, sorts, said } = scoring;
  const sentence = quote === null ? -1 : locateQuote(sentences, quote);
  const own = said[sentence];
  if (own === undefined || atom === null) return null;
  const isHere = (needed: string): boolean => sorts.has(`${sentence} ${needed}`);
  // A forbidden comparison is the demand of its opposite. A bound holds a number that the words bound on its side
  // or on none, `=` one that they do not bound, `!=` one beside a negation. There a demand may say either side, since
  // the negator may stand for something else; a prohibition keeps the side of the words. In an item that is banned
  // the unit says the side that is left, and of a number without a bound only the prohibition holds it.
  const isForbidden = modality === 'must_not';
  const demanded = isForbidden ? OPPOSITE[atom.op] : atom.op;
  const [side, meant] = [findSide(atom.op), findSide(demanded)];
  const plain = meant === '' ? [''].slice(demanded === '!=' ? 1 : 0) : ['', '^', meant];
  const beside = own.isBanned
    ? [''].slice(demanded === '!=' ? 0 : 1)
    : side === ''
      ? ['']
      : ['', '^', ...(isForbidden ? [side] : ['<', '>'])];
  const [anchor = null] = listAnchors(atom);
  const holds = (bound: string): boolean => anchor !== null && isHere(anchor + bound);
  const numbers = [...plain, ...beside.map((bound) => BESIDE + bound)]
    .filter(holds)
    .map((bound) => `${anchor ?? ''}${bound}`);
  // A demand of what is not forbids, unless the words bound its number on the side it leaves.
  const isNot = (atom.op === '!=' || atom.op === 'not_in') !== (atom.value === false);
  const denies = isForbidden !== isNot && !(meant !== '' && holds(meant));
  const isUnsaid =
    (denies && !own.forbids) ||
    (modality === 'may' && !own.leaves) ||
    (modality === 'should' && !own.wishes) ||
    (own.isBanned && !denies && numbers.length === 0);
  const isFlag = typeof atom.value !== 'object' && atom.unit === null;
  if (isUnsaid || (isFlag && !listStems(`${atom.key} ${atom.value}`).some((stem) => own.stems.has(stem))))
    return null;
  const isTurned = !isForbidden && side !== '' && holds(BESIDE + findSide(OPPOSITE[atom.op]));
  const words = listModals(
    modality,
    denies,
    side !== '' || own.stems.has('only'),
    isTurned || (modality === 'should' && (typeof atom.value !== 'boolean' || denies)),
  ).filter(isHere);
  // A negation is in what is forbidden, in a flag that is not set, in a bound turned round, and in the modal
  // word it stands next to.
  const isNegated = denies || isTurned || words.some((word) => word.startsWith(NEXT));
  const [isBorneOut, isOther] = judgeScopes(claim, sentence, scoring);
  const needs = [...numbers, ...words, ...(isNegated ? ['not'] : []), ...(isOther ? [BRANCH] : [])];
  return { sentence, needs, isBorneOut };
}

/**
 * The modal words a claim may hold. Behind a negator a duty is left (`need not`), anything else forbidden.
 */
function listModals(
  modality: Claim['modality'],
  denies: boolean,
  isLimit: boolean,
  isNegated: boolean,
): readonly string[] {
  const next = (words: readonly string[]): readonly string[] => words.map((word) => NEXT + word);
  if (modality === 'may') return [...LEAVES, ...next(DUTIES)];
  // A leave with a limit is a demand: `may take at most 5 s`, `only admins may export`.
  const own =
    modality === 'should'
      ? [...WISHES, ...DUTIES, ...WANTS]
      : [...DEMANDS, ...DUTIES, ...WANTS, ...(denies || isLimit ? LEAVES : [])];
  if (isNegated) return [...own, ...next(own)];
  return denies ? [...own, ...next([...DEMANDS, ...WANTS, ...LEAVES])] : own;
}

/**
 * Whether the scopes of a claim hold, and whether one of them stands before the `otherwise` that the claim stands
 * behind: there, in the sentence before as well, it is the other way round (`if C, X, otherwise Y`: Y except C). Behind
 * `in that case` an exception is the condition.
 */
function judgeScopes(
  { quote: own, scope }: Claim,
  sentence: number,
  { sentences, condition, exception, elses, thens }: Scoring,
): readonly [isBorneOut: boolean, isOther: boolean] {
  const isElse = own !== null && locateQuote(elses, own) >= 0;
  const isBranch = isElse || (own !== null && locateQuote(thens, own) >= 0);
  const holds = (part: keyof Scope): boolean => {
    const quote = scope[part];
    if (quote === null) return true;
    const isBefore = isBranch && quote.end <= (own?.start ?? 0);
    const back = sentence - locateQuote(sentences, quote);
    if (back !== 0 && !(isBefore && back === 1)) return false;
    const isCondition = locateQuote(condition, quote) >= 0;
    const isException = locateQuote(exception, quote) >= 0;
    if (part === 'exception') return isBefore ? isElse && isCondition : isException;
    return (
      part === 'actor' ||
      (isBefore && isElse ? isException && !isCondition : isCondition || (isBefore && isException))
    );
  };
  const isBorneOut = holds('actor') && holds('condition') && holds('exception');
  return [isBorneOut, isBorneOut && isElse && (scope.condition ?? scope.exception) !== null];
}

/** Most units one quote covers. Source: intent I4. */
export const COVERED_MAX = 6;

/**
 * Which units the quotes cover: each quote the first six inside it. By index into `units`. O((q + u) log u).
 */
export function coveredBy(units: readonly SalientUnit[], quotes: readonly Quote[]): ReadonlySet<number> {
  const covered = new Set<number>();
  for (const { start, end } of quotes) {
    let taken = 0;
    for (
      let index = countBefore(units.length, (at) => (units[at]?.quote.start ?? 0) < start);
      index < units.length && taken < COVERED_MAX;
      index += 1
    ) {
      const unit = units[index];
      if (unit === undefined || unit.quote.start >= end) break;
      if (unit.quote.end > end) continue;
      covered.add(index);
      taken += 1;
    }
  }
  return covered;
}

/**
 * How many units some demand accounts for. A claim stands in the one sentence that holds its quote: of equal
 * units there, as many are accounted for as claims of other atoms or modalities hold them. Its scopes account
 * for the units of the asides they stand in. Where in the sentence a quote begins and ends decides nothing,
 * and over its end it accounts for nothing: so no longer quote gains. A question asks, an assumption only
 * assumes, and both account for nothing; so does a claim that its sentence does not say. Numbers count each; the
 * words of a sentence only where all of it is held, or where the reading asks about it.
 */
export function accountedBy(scoring: Scoring, claims: readonly Claim[]): number {
  const { sentences, asides, sorts, inAsides, inSentences } = scoring;
  const [inAside, asked] = [new Set<number>(), new Set<number>()];
  const held = claims.flatMap((claim) => {
    const { kind, quote, scope } = claim;
    if (kind === 'question' && quote !== null) asked.add(locateQuote(sentences, quote));
    const own = kind === 'question' || kind === 'assumption' ? null : findHeld(claim, scoring);
    if (own === null) return [];
    for (const part of [scope.actor, scope.condition, scope.exception])
      if (part !== null) inAside.add(locateQuote(asides, part));
    const holder: number | string = renderStatement(claim);
    return own.needs.map((needed) => ({ sort: `${own.sentence} ${needed}`, holder }));
  });
  const all = [...held, ...[...inAside].flatMap((aside) => inAsides.get(aside) ?? [])];
  const counts = [...groupBy(all, ({ sort }) => sort)].flatMap(([sort, by]) => {
    const [unit, ...more] = sorts.get(sort) ?? [];
    const holders = new Set(by.map(({ holder }) => holder)).size;
    return unit === undefined ? [] : [{ ...unit, count: Math.min(holders, more.length + 1) }];
  });
  return [...groupBy(counts, ({ sentence }) => sentence)].reduce((sum, [sentence, own]) => {
    const whole = addCounts(own);
    const isWhole = whole === inSentences.get(sentence)?.length || asked.has(sentence);
    return sum + (isWhole ? whole : addCounts(own.filter(({ isNumber }) => isNumber)));
  }, 0);
}

function addCounts(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/**
 * What a claim says, wherever and in whichever way it says it: modality and atom, a forbidden bound as the
 * demand of its opposite. Saying it again adds nothing.
 */
export function renderStatement({ modality, atom }: Pick<Claim, 'modality' | 'atom'>): string {
  if (modality === 'must_not' && atom !== null && findSide(atom.op) !== '')
    return renderStatement({ modality: 'must', atom: { ...atom, op: OPPOSITE[atom.op] } });
  return `${modality} ${atom === null ? '' : renderAtom(atom)}`;
}
