/**
 * What the sentence of a claim bears out: which of its units the claim holds, and whether it says what the
 * claim says of it. A demand needs no word of its own, since a request demands by its imperatives and plain
 * presents. To forbid, to leave or to wish needs one. Source: intent I10 (coverage, grounding).
 *
 * @module
 */
import { listAnchors } from './anchors.js';
import { findSide } from './atom.js';
import { listQuotes, type Claim } from './claim.js';
import { BESIDE, NEXT, type Scoring } from './scoring.js';
import { DEMANDS, DUTIES, LEAVES, WANTS, WISHES } from './modal-words.js';
import { listStems, type Said } from './said.js';
import { OPPOSITE } from './solutions.js';
import { placeIn } from './stretches.js';

/**
 * What a claim holds of a sentence: its number, and words. `denies`: it forbids, where the words do not bound
 * its number on the side it leaves.
 */
export type Held = {
  readonly numbers: readonly string[];
  readonly words: readonly string[];
  readonly denies: boolean;
};

/**
 * What a claim holds of a sentence. A forbidden comparison is the demand of its opposite. A bound holds a
 * number that the words bound on its side or on none, `=` one that they do not bound, `!=` one beside a
 * negation. There a demand may say either side, since the negator may stand for something else; a prohibition
 * keeps the side of the words. In an item that is banned the unit says the side that is left, and of a number
 * without a bound only the prohibition holds it.
 */
export function heldIn({ sorts, said }: Scoring, sentence: number, { modality, atom }: Claim): Held {
  const isHere = (needed: string): boolean => sorts.has(`${sentence} ${needed}`);
  const isForbidden = modality === 'must_not';
  const op = atom?.op ?? '=';
  const demanded = isForbidden ? OPPOSITE[op] : op;
  const [side, meant] = [findSide(op), findSide(demanded)];
  const plain = meant === '' ? [''].slice(demanded === '!=' ? 1 : 0) : ['', '^', meant];
  const isBanned = said[sentence]?.isBanned === true;
  const beside = isBanned
    ? [''].slice(demanded === '!=' ? 0 : 1)
    : side === ''
      ? ['']
      : ['', '^', ...(isForbidden ? [side] : ['<', '>'])];
  const [anchor = null] = atom === null ? [] : listAnchors(atom);
  const holds = (own: string): boolean => anchor !== null && isHere(anchor + own);
  const numbers = [...plain, ...beside.map((own) => BESIDE + own)]
    .filter(holds)
    .map((own) => `${anchor ?? ''}${own}`);
  const denies = isDenial(modality, atom) && !(meant !== '' && holds(meant));
  const isTurned = !isForbidden && side !== '' && holds(BESIDE + findSide(OPPOSITE[op]));
  const isSet = atom !== null && typeof atom.value === 'boolean' && !denies;
  const words = listModals(
    modality,
    denies,
    side !== '' || said[sentence]?.stems.has('only') === true,
    isTurned || (modality === 'should' && !isSet),
  ).filter(isHere);
  // A negation is in what is forbidden, in a flag that is not set, in a bound turned round, and in the modal
  // word it stands next to.
  return {
    numbers,
    words: denies || isTurned || words.some((word) => word.startsWith(NEXT)) ? [...words, 'not'] : words,
    denies,
  };
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

/** True for a prohibition: `must_not`, or a demand of what is not; not both at once. */
function isDenial(modality: Claim['modality'], atom: Claim['atom']): boolean {
  const isNot = atom !== null && (atom.op === '!=' || atom.op === 'not_in') !== (atom.value === false);
  return (modality === 'must_not') !== isNot;
}

/**
 * True where a sentence says what a claim says of it: it has a word that forbids, leaves or wishes where the
 * claim does, and shares a stem with the claim's key or text value; and where it is banned, the claim forbids
 * or holds the number that is left. A number stands in the quote (else the reading is vetoed), and a claim
 * without an atom names nothing.
 */
export function isSaid({ modality, atom }: Claim, said: Said, { denies, numbers }: Held): boolean {
  const hasForce =
    (!denies || said.forbids) &&
    (modality !== 'may' || said.leaves) &&
    (modality !== 'should' || said.wishes) &&
    (!said.isBanned || denies || numbers.length > 0);
  if (!hasForce || atom === null || typeof atom.value === 'object' || atom.unit !== null) return hasForce;
  return listStems(`${atom.key} ${atom.value}`).some((stem) => said.stems.has(stem));
}

/**
 * True where the sentence of a quote bears a claim out: it says it, and holds its scopes, each in a stretch
 * that can be one. A quote over several sentences has none to bear it out.
 */
export function isBorneOut(claim: Claim, scoring: Scoring): boolean {
  const { sentences, said } = scoring;
  const sentence = claim.quote === null ? -1 : placeIn(sentences, claim.quote);
  const own = said[sentence];
  if (own === undefined || !isSaid(claim, own, heldIn(scoring, sentence, claim))) return false;
  return listQuotes(claim).every(
    ([path, quote]) =>
      placeIn(sentences, quote) === sentence &&
      (path === 'scope/condition'
        ? placeIn(scoring.condition, quote) >= 0
        : path !== 'scope/exception' || placeIn(scoring.exception, quote) >= 0),
  );
}
