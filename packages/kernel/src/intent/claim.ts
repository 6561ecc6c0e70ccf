/** The claim: what a reading commits to, tied to the words it rests on. Source: intent I2, I3, I5, I16. */
import { compareText, type Json } from '../json.js';
import { closed, nullable, oneOf, type Shape } from '../ledger/shape.js';
import { ATOM, normalizeAtom, renderAtom, type Atom } from './atom.js';
import { QUOTE, type Quote, type SeedText } from './seed.js';

/** What a claim is. */
export const CLAIM_KINDS = ['requirement', 'constraint', 'acceptance', 'assumption', 'question'] as const;
/** A kind of claim. */
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** How binding a claim is. */
export const MODALITIES = ['must', 'must_not', 'should', 'may'] as const;
/** One of {@link MODALITIES}. */
export type Modality = (typeof MODALITIES)[number];

/** Who, when and except when; each the words of the seed, or null. */
export type Scope = {
  readonly actor: Quote | null;
  readonly condition: Quote | null;
  readonly exception: Quote | null;
};

/**
 * One commitment. Its text is its quote; without one, its atom in fixed words. A `question` names what it
 * asks in its atom: `{key: "question", op: "=", value: <class>, unit: null}`, classes in
 * {@link QUESTION_CLASSES}.
 */
export type Claim = {
  readonly kind: ClaimKind;
  readonly modality: Modality;
  readonly quote: Quote | null;
  readonly atom: Atom | null;
  readonly scope: Scope;
};

/** What a question may ask. Source: intent I6. */
export const QUESTION_CLASSES = [
  'vague',
  'relative_date',
  'referent',
  'and_or',
  'bound',
  'language',
  'attachment',
  'scope',
  'conflict',
  'unread',
] as const;
/** One of {@link QUESTION_CLASSES}. */
export type QuestionClass = (typeof QUESTION_CLASSES)[number];

/** Key of the atom by which a question names its class. */
export const QUESTION_KEY = 'question';

/** A scope that says nothing. */
export const NO_SCOPE: Scope = Object.freeze({ actor: null, condition: null, exception: null });

/** Shape of a scope. */
export const SCOPE: Shape<Scope> = closed({
  actor: nullable(QUOTE),
  condition: nullable(QUOTE),
  exception: nullable(QUOTE),
});

/** Shape of a claim; that its quotes lie in the seed is judged apart. */
export const CLAIM: Shape<Claim> = closed({
  kind: oneOf(CLAIM_KINDS),
  modality: oneOf(MODALITIES),
  quote: nullable(QUOTE),
  atom: nullable(ATOM),
  scope: SCOPE,
});

/** Every quote of a claim with the last part of its path. */
export function listQuotes({ quote, scope }: Claim): readonly (readonly [path: string, quote: Quote])[] {
  const all: readonly (readonly [string, Quote | null])[] = [
    ['quote', quote],
    ['scope/actor', scope.actor],
    ['scope/condition', scope.condition],
    ['scope/exception', scope.exception],
  ];
  return all.filter((entry): entry is readonly [string, Quote] => entry[1] !== null);
}

/**
 * A claim as the machine counts it: decimals in the smallest scale; a demand without a quote is an
 * assumption, whatever it calls itself.
 */
export function normalizeClaim(claim: Claim): Claim {
  const atom = claim.atom === null ? null : normalizeAtom(claim.atom);
  const isUnfounded = claim.quote === null && claim.kind !== 'question';
  return { ...claim, atom, kind: isUnfounded ? 'assumption' : claim.kind };
}

/** True for a demand that rests on words of the seed. */
export function isActionable({ kind, quote }: Claim): boolean {
  return quote !== null && kind !== 'question' && kind !== 'assumption';
}

/** The words of a claim: its quote, else its atom in fixed words, else nothing. */
export function readClaimText({ quote, atom }: Claim, seed: SeedText): string {
  if (quote !== null) return seed.slice(quote);
  return atom === null ? '' : renderAtom(atom);
}

/**
 * What the stable id of a claim is the hash of: kind, modality, atom, words and the words of its scope, not
 * their place. Source: intent I16.
 */
export function describeIdentity(claim: Claim, seed: SeedText): Json {
  const { actor, condition, exception } = claim.scope;
  const readWords = (quote: Quote | null): string | null => (quote === null ? null : seed.slice(quote));
  return {
    t: 'claim',
    kind: claim.kind,
    modality: claim.modality,
    atom: claim.atom,
    text: readWords(claim.quote),
    scope: { actor: readWords(actor), condition: readWords(condition), exception: readWords(exception) },
  };
}

/** The class a question names, or null. */
export function findQuestionClass({ kind, atom }: Claim): QuestionClass | null {
  if (kind !== 'question' || atom === null || atom.key !== QUESTION_KEY) return null;
  return QUESTION_CLASSES.find((known) => known === atom.value) ?? null;
}

/**
 * What a claim commits to, whatever its place: modality, atom, the words of its scope, and its own words
 * where it has no atom. Readings differ exactly where these differ. Source: intent I5.
 */
export function renderCommitment(claim: Claim, seed: SeedText): string {
  const { modality, atom, quote } = claim;
  const words = atom !== null || quote === null ? '' : seed.folded(quote);
  // A question or an assumption never commits to what a demand does.
  const force = claim.kind === 'question' || claim.kind === 'assumption' ? claim.kind : '';
  return [force, modality, atom === null ? '' : renderAtom(atom), scopeKey(claim, seed), words].join(
    '\u0000',
  );
}

/** The words of a scope, folded: equal scopes have equal keys. */
export function scopeKey({ scope }: Claim, seed: SeedText): string {
  return [scope.actor, scope.condition, scope.exception]
    .map((quote) => (quote === null ? '' : seed.folded(quote)))
    .join('\u0001');
}

/** Order of claims by place: first start, then the longer, then by identity of words. */
export function compareByPlace(a: Claim, b: Claim): number {
  const [left, right] = [a.quote ?? NOWHERE, b.quote ?? NOWHERE];
  return (
    left.start - right.start ||
    right.end - left.end ||
    compareText(a.kind, b.kind) ||
    compareText(a.modality, b.modality) ||
    compareText(key(a), key(b))
  );
}

const NOWHERE: Quote = { start: Number.MAX_SAFE_INTEGER, end: 0 };

function key({ atom }: Claim): string {
  return atom === null ? '' : renderAtom(atom);
}
