/**
 * The `rules` proposer: readings of a request by our own grammar, without any model. Source: intent I5, I6,
 * I20.
 *
 * Synchronous and pure: the same text gives the same readings on every engine. Linear in the text.
 *
 * @module
 */
import type { Failure, Json, JsonObject } from '@assay/kernel';
import {
  READING_LIMITS,
  scanSaid,
  scanText,
  SeedText,
  type Claim,
  type InterpretationProposer,
  type InterpretationsBody,
} from '@assay/kernel/intent';
import { choicesOf } from './choices.js';
import { claimsOf, type Read } from './claims.js';
import { GRAMMAR_VERSION } from './lexicon.js';
import { question } from './questions.js';
import { readingsOf } from './readings.js';
import { strangeness, type Strangeness } from './refusal.js';
import { sentencesOf, type Sentence } from './sentences.js';
import { tonesOf } from './tone.js';
import { conflictsOf, settled } from './whole-text.js';
import { LEXICON_HASH } from './words.js';

/** Name under which the proposals of the rules are recorded. */
export const RULES_PROPOSER = 'rules';

/** Why the rules propose no demand. */
export type RulesRefusal = Strangeness | 'too_long' | 'too_vague' | 'nothing_found';

/** What the rules answer: readings, or a failure. Confidence is null: a grammar has none. */
export type RulesAnswer = {
  readonly source: 'rule';
  readonly value: Json;
  readonly confidence: null;
  readonly failure: Failure | null;
  readonly provenance: JsonObject;
};

/**
 * Longest text the rules read, in UTF-16 units, and most claims of a reading. Stated limits of this grammar.
 */
export const RULES_LIMITS: { readonly textUnits: number; readonly claims: number } = Object.freeze({
  textUnits: 262_144,
  claims: 800,
});

/**
 * Proposes readings of a request: `literal` (every grounded claim), then, where they commit to something
 * else, `keep-first` and `keep-second`, `essential`, `strict` and `alt-<kind>`. At most `n`.
 *
 * Refuses with the final failure `denied` and {code}: `too_short` (under three words), `too_long` (with
 * {limit, value, needed}: `text_units` or `claims`, what is allowed, what this text has), `not_language`
 * (hardly any words, or program code), `nothing_found`. Where a text is `not_english` (hardly any English
 * words) or `too_vague` (only wishes without measure) the one reading holds nothing but questions, and the
 * provenance records the code as `refused`: the machine then refuses, and says what it would have to know.
 */
export function proposeByRules(body: InterpretationsBody): RulesAnswer {
  const text = body.seed_text;
  if (text.length > RULES_LIMITS.textUnits) return tooLong('text_units', RULES_LIMITS.textUnits, text.length);
  const whole = scanText(text);
  const strange = strangeness(whole);
  const scan = scanSaid(whole);
  const seed = new SeedText(text);
  if (strange === 'not_english')
    return questionsOnly(
      strange,
      [question({ scan, seed }, firstSentence(sentencesOf(scan), scan.tokens.length), 'language', 'must')],
      seed,
    );
  if (strange !== null) return denied(strange);
  const sentences = sentencesOf(scan);
  const reading = {
    scan,
    seed,
    pin: body.pin,
    isRuled: scan.tokens.some(({ lower }) => lower === 'must' || lower === 'shall'),
  };
  const tones = tonesOf(scan, sentences);
  const reads: (readonly Read[])[] = [];
  let count = 0;
  for (const [index, sentence] of sentences.entries()) {
    const found = claimsOf(reading, sentence, tones[index] ?? 'plain');
    count += found.length;
    if (found.length > 0) reads.push(found);
  }
  if (count > RULES_LIMITS.claims) return tooLong('claims', RULES_LIMITS.claims, count);
  const claims = settled(scan, seed, sentences, reads.flat());
  if (claims.length === 0) return denied('nothing_found');
  // `The app must be fast`, and nothing else: what would settle it is asked, and no blueprint holds it.
  const asked = claims.filter(({ kind }) => kind === 'question');
  if (
    asked.length > 0 &&
    reads
      .flat()
      .every(
        ({ claim, isVague }) => claim.kind === 'question' || (isVague === true && claim.atom === null),
      ) &&
    claims.every(({ kind, atom }) => kind === 'question' || atom === null)
  )
    return questionsOnly('too_vague', asked, seed);
  // Each contradiction is derived by the machine anyway; what is asked about it may take no more room than a
  // reading has.
  const all = [
    ...claims,
    ...conflictsOf(scan, seed, claims).slice(0, Math.max(0, READING_LIMITS.commits - claims.length)),
  ];
  return answer(
    readingsOf(all, choicesOf(scan, seed, all, reads), seed).slice(0, Math.max(1, body.n)),
    null,
    null,
  );
}

/** The rules as a synchronous proposer, for `runEngine`. */
export const rulesProposer: InterpretationProposer = {
  proposer: RULES_PROPOSER,
  proposeInterpretations: (_seedHash, _n, body) => proposeByRules(body),
};

/** The words of a foreign text that show its language: its first sentence, as far as a quote may reach. */
function firstSentence(
  [first]: readonly Sentence[],
  tokens: number,
): { readonly first: number; readonly next: number } {
  return first === undefined
    ? { first: 0, next: Math.min(tokens, 8) }
    : { first: first.first, next: Math.min(first.next, first.first + 40) };
}

function questionsOnly(code: RulesRefusal, claims: readonly Claim[], seed: SeedText): RulesAnswer {
  return answer(readingsOf(claims, [], seed), null, code);
}

function denied(code: RulesRefusal): RulesAnswer {
  return answer(null, { code: 'denied', final: true, detail: { code } }, null);
}

/** The whole text is read first, so that the number measured is that of the text. */
function tooLong(limit: 'text_units' | 'claims', value: number, needed: number): RulesAnswer {
  return answer(
    null,
    { code: 'denied', final: true, detail: { code: 'too_long', limit, value, needed } },
    null,
  );
}

function answer(value: Json, failure: Failure | null, refused: RulesRefusal | null): RulesAnswer {
  const provenance = { grammar_version: GRAMMAR_VERSION, lexicon_hash: LEXICON_HASH };
  return {
    source: 'rule',
    value,
    confidence: null,
    failure,
    provenance: refused === null ? provenance : { ...provenance, refused },
  };
}
