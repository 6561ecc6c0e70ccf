/**
 * Words that refer to an earlier turn: `do it again`, `that file`, `wrong`. Source: 003 §R1 "Resolve pronouns and references", "Detect follow-up
 * corrections".
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import type { SessionTurn } from '@assay/controller';
import { EXTREMES, filesLeftBy, insidePath, type Goal } from './goal.js';
import { beginsWith, goalOf, parseGoal, withoutCourtesies } from './grammar/parse.js';
import { tokensOf, type Token } from './grammar/tokens.js';
import { UNITS } from './steps/measure.js';
import type { NotPerceived } from './perceive.js';

/** What was referred to: the goal, and the turn it comes from. */
export type Referred = { readonly goal: Goal; readonly refers_to: number };

const AGAIN: readonly (readonly string[])[] = phrases('do it again', 'do that again', 'again', 'once more', 'one more time', 'repeat that', 'repeat it', 'repeat', 'redo it', 'run it again', 'the same again', 'same again');
const WRONG: readonly (readonly string[])[] = phrases('no that is wrong', "no that's wrong", 'that is wrong', "that's wrong", 'this is wrong', 'that was wrong', 'no wrong', 'wrong', 'not right', 'that is not right', "that's not right", 'incorrect');
const MEANT: readonly (readonly string[])[] = phrases('i meant', 'i mean', 'i want', 'i wanted', 'it should be', 'make it', 'use', 'take', 'not');
const THAT_FILE: readonly (readonly string[])[] = phrases('that file', 'this file', 'the same file', 'that one', 'it');

/**
 * Resolves a reference to the session; null where the words refer to nothing. The last turn whose words are understood is meant. `that file` is the one file that the goal of that turn
 * leaves at the path its words name; where it leaves two, as a copy does, it is `ambiguous`. `wrong` alone is the same goal once more; with words behind it, that goal with what they change.
 */
export function followUp(text: string, session: readonly SessionTurn[]): Result<NotPerceived, Referred | null> {
  const tokens = tokensOf(text);
  if (tokens === null) return ok(null);
  const said = withoutCourtesies(tokens);
  if (AGAIN.some((phrase) => isAll(said, phrase))) return lastGoal(session);
  const wrong = WRONG.find((phrase) => beginsWith(said, phrase));
  if (wrong !== undefined) return corrected(said.slice(wrong.length), session);
  return withFile(said, session);
}

function corrected(rest: readonly Token[], session: readonly SessionTurn[]): Result<NotPerceived, Referred | null> {
  const before = lastGoal(session);
  if (before._tag === 'Left' || rest.length === 0) return before;
  const { goal, refers_to } = before.right;
  const meant = MEANT.find((phrase) => beginsWith(rest, phrase));
  const changed = rest.slice(meant?.length ?? 0).filter(({ lower }) => lower !== 'the' && lower !== 'file' && lower !== 'to' && lower !== 'into');
  const whole = goalOf(rest);
  if (whole._tag === 'Right') return ok({ goal: whole.right, refers_to });
  const [first, second] = changed;
  const next = first === undefined || second !== undefined ? null : changedBy(goal, first);
  return next === null ? err({ code: 'not_understood' }) : ok({ goal: next, refers_to });
}

/** A goal with one word changed: which file, which unit, or the path that is written. */
function changedBy(goal: Goal, { text, lower, isQuoted }: Token): Goal | null {
  const which = EXTREMES.find((word) => word === lower);
  if (goal.family === 'extreme' && which !== undefined) return { ...goal, which };
  const unit = UNITS.find((word) => word === lower);
  if (goal.family === 'measure' && unit !== undefined) return { ...goal, unit };
  const path = isQuoted || /[./]/.test(text) ? insidePath(text) : null;
  return path === null || !('to' in goal) ? null : { ...goal, to: path };
}

/** Words with `that file` in the place of a path. */
function withFile(said: readonly Token[], session: readonly SessionTurn[]): Result<NotPerceived, Referred | null> {
  for (const phrase of THAT_FILE) {
    const at = said.findIndex((_, index) => beginsWith(said.slice(index), phrase));
    if (at < 0) continue;
    const plain = goalOf(said);
    // `write it to x` says what is written, and needs no earlier turn.
    if (plain._tag === 'Right') return ok(null);
    // Words that are no request with any file in that place refer to nothing either.
    const goalWith = (name: string): ReturnType<typeof goalOf> => goalOf([...said.slice(0, at), { text: name, lower: '', isQuoted: true }, ...said.slice(at + phrase.length)]);
    if (goalWith('a file')._tag === 'Left') continue;
    const before = lastGoal(session);
    if (before._tag === 'Left') return before;
    const [path, other] = filesLeftBy(before.right.goal);
    if (path === undefined) return err({ code: 'no_such_turn' });
    if (other !== undefined) return err({ code: 'ambiguous' });
    const goal = goalWith(path);
    if (goal._tag === 'Right') return ok({ goal: goal.right, refers_to: before.right.refers_to });
  }
  return ok(null);
}

/** The goal of the last turn whose words are understood; a turn that itself referred to one is read with the turns before it. */
function lastGoal(session: readonly SessionTurn[]): Result<NotPerceived, Referred> {
  for (let index = session.length - 1; index >= 0; index -= 1) {
    const input = session[index]?.input ?? '';
    const referred = followUp(input, session.slice(0, index));
    if (referred._tag === 'Right' && referred.right !== null) return ok({ goal: referred.right.goal, refers_to: index });
    const goal = parseGoal(input);
    if (goal._tag === 'Right') return ok({ goal: goal.right, refers_to: index });
  }
  return err({ code: 'no_such_turn' });
}

function isAll(tokens: readonly Token[], phrase: readonly string[]): boolean {
  return tokens.length === phrase.length && beginsWith(tokens, phrase);
}

function phrases(...texts: readonly string[]): readonly (readonly string[])[] {
  return texts.map((text) => text.split(' '));
}
