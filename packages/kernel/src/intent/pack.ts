/** The verification pack: one check for each claim. Source: intent I18, in its simple form; 001 §3. */
import { groupBy } from '../collections/look-up.js';
import type { Atom } from './atom.js';
import type { Modality } from './claim.js';
import type { Commitment } from './commitment.js';
import type { Quote, SeedText } from './seed.js';

/** Version of the pack's shape. */
export const PACK_FORMAT = 'assay-verification-pack/1';

/** How a claim is checked. `analysis` cannot pass while one of the questions it waits for is open. */
export const METHODS = ['test', 'negative_test', 'inspection', 'demonstration', 'analysis'] as const;
/** One of {@link METHODS}. */
export type Method = (typeof METHODS)[number];

/**
 * One check. `text`: the words of the claim, and under what they hold. `threshold`: what the observed value is
 * compared with; for a negative test, what must not be observed.
 */
export type Check = {
  readonly id: string;
  readonly claim: string;
  readonly modality: Modality;
  readonly method: Method;
  readonly text: string;
  readonly threshold: Atom | null;
  readonly waits_for: readonly string[];
};

/** The artifact `verification_pack`. `blueprint_hash`: hash of the blueprint it belongs to. */
export type VerificationPack = {
  readonly format: typeof PACK_FORMAT;
  readonly seed_hash: string;
  readonly blueprint_hash: string;
  readonly checks: readonly Check[];
};

/** Builds the pack: checks in the order of the claims, `check-1` and so on. */
export function makePack(
  commitments: readonly Commitment[],
  seed: SeedText,
  seedHash: string,
  blueprintHash: string,
): VerificationPack {
  // A claim waits for what is asked inside its words.
  const asked = groupBy(
    commitments.filter(({ claim }) => claim.kind === 'question'),
    ({ refines }) => refines,
  );
  const checks = commitments.map((commitment, index): Check => {
    const { id, claim } = commitment;
    const waitsFor = claim.kind === 'question' ? [id] : (asked.get(id) ?? []).map((question) => question.id);
    const method = chooseMethod(commitment, waitsFor);
    return {
      id: `check-${index + 1}`,
      claim: id,
      modality: claim.modality,
      method,
      text: renderText(commitment, seed),
      threshold: method === 'test' || method === 'negative_test' ? claim.atom : null,
      waits_for: waitsFor,
    };
  });
  return { format: PACK_FORMAT, seed_hash: seedHash, blueprint_hash: blueprintHash, checks };
}

/** The words of a claim, then its condition and its exception where they stand outside its quote. */
function renderText({ claim: { quote, scope }, text }: Commitment, seed: SeedText): string {
  const render = (word: string, one: Quote | null): string =>
    one === null || (quote !== null && one.start >= quote.start && one.end <= quote.end)
      ? ''
      : ` (${word}: ${seed.slice(one)})`;
  return text + render('if', scope.condition) + render('except', scope.exception);
}

/**
 * Measurable: a test with threshold. Forbidden: a negative test, or an inspection where a person is forbidden
 * something. What is allowed, and what a named actor does: a demonstration. A date, a document, the rest: an
 * inspection. What waits for an answer, or is only assumed: analysis.
 */
function chooseMethod({ claim, provenance }: Commitment, waitsFor: readonly string[]): Method {
  const { kind, modality, atom, scope } = claim;
  if (kind === 'question' || kind === 'assumption' || waitsFor.length > 0) return 'analysis';
  const isMeasurable = atom !== null && typeof atom.value === 'object';
  if (modality === 'must_not') return isMeasurable || scope.actor === null ? 'negative_test' : 'inspection';
  if (modality === 'may') return 'demonstration';
  if (isMeasurable) return 'test';
  return scope.actor !== null && provenance === 'seed' && atom === null ? 'demonstration' : 'inspection';
}
