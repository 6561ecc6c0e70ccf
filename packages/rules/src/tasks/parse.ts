/**
 * From words to a goal. What is not understood is refused, never guessed. Source: 003 §R1; 002 §R1 "Does
 * NOT".
 *
 * @module
 */
import { compareText, err, ok, type Result } from '@assay/kernel';
import type { Goal, Outside } from './goal.js';
import { canonicalText } from '@assay/controller/steps';
import { doubtIn, type Refusal } from './doubts.js';
import { ANSWERS, OUTSIDE_BEGINNINGS, RULES, type Rule } from './families.js';
import { isPacked } from './names.js';
import { matches } from './patterns.js';
import { COURTESIES, KINDS, TABLE } from './phrases.js';
import { inQuotes, tokensOf, type Token } from './tokens.js';

/**
 * Why a request is not understood. `not_understood`: no family fits, or the text has a lone surrogate, which
 * no record can hold. `ambiguous`: two goals fit, or words could say either of two things.
 * `outside_workspace`: a path leads out, names nothing, or names a folder where a file is to be read or
 * written. `same_file`: what is read would be written over. `open_quote`: a quote is not closed, or words are
 * too many.
 */
export type Misunderstood = {
  readonly code: 'not_understood' | 'ambiguous' | 'outside_workspace' | 'same_file' | 'open_quote';
};

/** The goal of a request. Time is linear in the text, but for a bounded factor. */
export function parseGoal(text: string): Result<Misunderstood, Goal> {
  if (!text.isWellFormed()) return err({ code: 'not_understood' });
  const tokens = tokensOf(text);
  return tokens === null ? err({ code: 'open_quote' }) : goalOf(withoutCourtesies(tokens));
}

/** The goal of tokens. */
export function goalOf(tokens: readonly Token[]): Result<Misunderstood, Goal> {
  const outside = outsideOf(tokens);
  if (outside !== null) return ok({ family: 'outside', needs: outside, words: wordsOf(tokens) });
  const written = readBy(RULES, tokens);
  // Only what was no sentence at all may be one without the file that the answer goes to.
  const isNone = written._tag === 'Left' && written.left.code === 'not_understood';
  return isNone ? readBy(ANSWERS, tokens) : written;
}

function readBy(rules: readonly Rule[], tokens: readonly Token[]): Result<Misunderstood, Goal> {
  const goals = new Map<string, Goal>();
  const refusals = new Set<Refusal>();
  for (const { pattern, goal } of rules) {
    for (const kept of matches(pattern, tokens, TABLE, KINDS)) {
      const found = doubtIn(kept) ?? goal(kept);
      if (typeof found === 'string') refusals.add(found);
      else goals.set(canonicalText({ ...found }), found);
    }
  }
  const [first, second] = [...goals.keys()].toSorted(compareText).flatMap((key) => goals.get(key) ?? []);
  if (first === undefined)
    return err({
      code: refusals.has('ambiguous')
        ? 'ambiguous'
        : refusals.has('outside_workspace')
          ? 'outside_workspace'
          : 'not_understood',
    });
  return second === undefined ? checked(first) : err({ code: 'ambiguous' });
}

/**
 * A goal that reads and writes one file is none, and a copy under the name of an archive may be meant to be
 * put into it.
 */
export function checked(goal: Goal): Result<Misunderstood, Goal> {
  if (goal.family === 'copy' && isPacked(goal.of, goal.to)) return err({ code: 'ambiguous' });
  return 'of' in goal && 'to' in goal && goal.of === goal.to ? err({ code: 'same_file' }) : ok(goal);
}

/** Tokens as text, quotes included. */
export function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(({ text, isQuoted }) => (isQuoted ? inQuotes(text) : text)).join(' ');
}

/** Tokens without what is only polite. */
export function withoutCourtesies(tokens: readonly Token[]): readonly Token[] {
  const before = COURTESIES.before.find((phrase) => beginsWith(tokens, phrase));
  if (before !== undefined && tokens.length > before.length)
    return withoutCourtesies(tokens.slice(before.length));
  const behind = COURTESIES.behind.find(
    (phrase) => tokens.length > phrase.length && beginsWith(tokens.slice(-phrase.length), phrase),
  );
  return behind === undefined ? tokens : withoutCourtesies(tokens.slice(0, -behind.length));
}

/** True where the first words are these. */
export function beginsWith(tokens: readonly Token[], phrase: readonly string[]): boolean {
  return phrase.every((word, index) => tokens[index]?.lower === word);
}

function outsideOf(tokens: readonly Token[]): Outside | null {
  return (
    OUTSIDE_BEGINNINGS.find(([, beginnings]) =>
      beginnings.some((phrase) => beginsWith(tokens, phrase)),
    )?.[0] ?? null
  );
}
