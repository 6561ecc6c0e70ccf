/**
 * The `rules` proposer: readings of a request by our own grammar, without any model. Source: intent I5, I6, I20.
 *
 * Synchronous and pure: the same text gives the same readings on every engine. Linear in the text.
 *
 * @module
 */
import { hashCanonical, orThrow, type Failure, type Json, type JsonObject } from '@assay/kernel';
import { commitmentsOf, contradictionsOf, scanText, SeedText, type Claim, type Interpretation, type InterpretationProposer, type InterpretationsBody, type Scan } from '@assay/kernel/intent';
import { claimsOf } from './claims.js';
import { GRAMMAR_VERSION } from './lexicon.js';
import { sentencesOf } from './sentences.js';
import { isIn, LEXICON_HASH } from './words.js';

/** Name under which the proposals of the rules are recorded. */
export const RULES_PROPOSER = 'rules';

/** Why the rules propose nothing; the code in the detail of their failure `denied`. */
export type RulesRefusal = 'too_short' | 'too_long' | 'not_language' | 'not_english' | 'nothing_found';

/** What the rules answer: readings, or a failure. Confidence is null: a grammar has none. */
export type RulesAnswer = { readonly source: 'rule'; readonly value: Json; readonly confidence: null; readonly failure: Failure | null; readonly provenance: JsonObject };

/** Longest text the rules read, in UTF-16 units, and most claims of a reading. Stated limits of this grammar. */
export const RULES_LIMITS: { readonly textUnits: number; readonly claims: number } = Object.freeze({ textUnits: 262_144, claims: 800 });

/**
 * Proposes readings of a request: `literal` (every grounded claim), then, where they commit to something
 * else, `essential` (only must and must_not), `measured` (only what has a measure), and, where two demands
 * contradict each other, `keep-first` and `keep-second`. At most `n`.
 *
 * Refuses with the final failure `denied` and {code}: `too_short` (under three words), `too_long`,
 * `not_language` (hardly any words), `not_english` (hardly any English ones), `nothing_found`.
 */
export function proposeByRules(body: InterpretationsBody): RulesAnswer {
  const text = body.seed_text;
  if (text.length > RULES_LIMITS.textUnits) return denied('too_long');
  const scan = scanText(text);
  const strange = strangeness(scan);
  if (strange !== null) return denied(strange);
  const seed = new SeedText(text);
  const reading = { scan, seed, pin: body.pin };
  const claims: Claim[] = [];
  for (const sentence of sentencesOf(scan)) {
    claims.push(...claimsOf(reading, sentence));
    if (claims.length > RULES_LIMITS.claims) return denied('too_long');
  }
  if (claims.length === 0) return denied('nothing_found');
  return answer(readingsOf(claims, seed).slice(0, Math.max(1, body.n)), null);
}

/** The rules as a synchronous proposer, for `runEngine`. */
export const rulesProposer: InterpretationProposer = { proposer: RULES_PROPOSER, proposeInterpretations: (_seedHash, _n, body) => proposeByRules(body) };

function readingsOf(claims: readonly Claim[], seed: SeedText): readonly Interpretation[] {
  const binding = claims.filter(({ modality }) => modality === 'must' || modality === 'must_not');
  const measured = claims.filter(({ atom }) => atom !== null);
  const contrary = contradictionsOf(claims, seed);
  const without = (side: 'a' | 'b'): readonly Claim[] => claims.filter((_, place) => !contrary.some((found) => found[side] === place));
  const drafts: readonly (readonly [name: string, claims: readonly Claim[], assumptions: readonly string[]])[] = [
    ['literal', claims, []],
    ...(contrary.length === 0 ? [] : ([['keep-first', without('b'), ['Of two demands that contradict each other the first stands.']], ['keep-second', without('a'), ['Of two demands that contradict each other the second stands.']]] as const)),
    ['essential', binding, ['What should or may be is left out.']],
    ['measured', measured, ['What has no measure is left out.']],
  ];
  const known = new Set<string>();
  return drafts.flatMap(([name, kept, assumptions]) => {
    const key = orThrow(hashCanonical(commitmentsOf(kept, seed)));
    if (kept.length === 0 || known.has(key)) return [];
    known.add(key);
    return [{ name, assumptions, intent_summary: summaryOf(kept), commits: kept, contradictions: [], aliases: [] }];
  });
}

/** Counts in fixed words: the rules write no prose of their own. */
function summaryOf(claims: readonly Claim[]): string {
  const count = (modality: Claim['modality']): number => claims.filter((claim) => claim.kind !== 'question' && claim.modality === modality).length;
  const asked = claims.filter(({ kind }) => kind === 'question').length;
  return `must ${count('must')}, must_not ${count('must_not')}, should ${count('should')}, may ${count('may')}, open questions ${asked}`;
}

const WORDS_MIN = 3;
const ENGLISH_WORDS_MIN = 6;
/** One word in so many must be a common English one. */
const ENGLISH_SHARE = 12;

/** Why a text is nothing this grammar can read, or null. */
function strangeness({ tokens }: Scan): RulesRefusal | null {
  const words = tokens.filter(({ kind }) => kind === 'word');
  if (words.length < WORDS_MIN) return 'too_short';
  const plain = words.filter(({ lower }) => isPlainWord(lower));
  if (plain.length * 2 < words.length) return 'not_english';
  if (words.length * 2 < tokens.length - countMarks(tokens) * 2 && words.length * 4 < tokens.length) return 'not_language';
  const english = plain.filter(({ lower }) => isIn('english', lower)).map(({ lower }) => lower);
  if (english.length > 0 || words.length < ENGLISH_WORDS_MIN) {
    const isForeign = words.length >= ENGLISH_WORDS_MIN && (english.length * ENGLISH_SHARE < words.length || new Set(english).size < 2);
    return isForeign ? 'not_english' : null;
  }
  return vowelless(plain.map(({ lower }) => lower)) ? 'not_language' : 'not_english';
}

function countMarks(tokens: Scan['tokens']): number {
  return tokens.filter(({ lower }) => lower === '.' || lower === ',').length;
}

/** Only ASCII letters, digits and apostrophes. */
function isPlainWord(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) if (word.charCodeAt(index) > 0x7f && word.charAt(index) !== '’') return false;
  return true;
}

/** Most words without a vowel, or without a consonant: keys hit at random. */
function vowelless(words: readonly string[]): boolean {
  const odd = words.filter((word) => {
    const vowels = [...word].filter((letter) => 'aeiouy'.includes(letter)).length;
    return vowels === 0 || vowels * 6 < word.length;
  });
  return odd.length * 2 > words.length;
}

function denied(code: RulesRefusal): RulesAnswer {
  return answer(null, { code: 'denied', final: true, detail: { code } });
}

function answer(value: readonly Interpretation[] | null, failure: Failure | null): RulesAnswer {
  return { source: 'rule', value, confidence: null, failure, provenance: { grammar_version: GRAMMAR_VERSION, lexicon_hash: LEXICON_HASH } };
}
