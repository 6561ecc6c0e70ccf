/**
 * Words that refer to an earlier turn: `do it again`, `that file`, `wrong`. Source: 003 §R1 "Resolve pronouns
 * and references", "Detect follow-up corrections".
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import type { SessionTurn } from '@assay/controller';
import { correctionOf } from './correction.js';
import { filesMeantBy, type FileMeant, type Goal } from './goal.js';
import { answeredAs } from './answered.js';
import { beginsWith, goalOf, parseGoal, withoutCourtesies, type Misunderstood } from './parse.js';
import { inQuotes, tokensOf, type Token } from './tokens.js';

/**
 * Why no task is proposed. `no_such_turn`: the words refer to a turn that is not there, or to none that is
 * understood. `too_long`: restated it is longer than an intent may be. `either`: of what is `ambiguous`
 * because words can mean one of several files, these.
 */
export type NotPerceived = {
  readonly code: Misunderstood['code'] | 'no_such_turn' | 'too_long';
  readonly either?: readonly string[];
};

/** What was referred to: the goal, and the turn it comes from. */
export type Referred = { readonly goal: Goal; readonly refers_to: number };

const AGAIN: readonly (readonly string[])[] = phrases(
  'do it again',
  'do that again',
  'again',
  'once more',
  'one more time',
  'repeat that',
  'repeat it',
  'repeat',
  'redo it',
  'run it again',
  'the same again',
  'same again',
);
const WRONG: readonly (readonly string[])[] = phrases(
  'no that is wrong',
  "no that's wrong",
  'that is wrong',
  "that's wrong",
  'this is wrong',
  'that was wrong',
  'no wrong',
  'wrong',
  'not right',
  'that is not right',
  "that's not right",
  'incorrect',
);
const WRITTEN_FILE: readonly (readonly string[])[] = phrases(
  'the file that was written',
  'the file that you wrote',
  'the file you wrote',
  'the written file',
);
const THAT_FILE: readonly (readonly string[])[] = phrases(
  'that file',
  'this file',
  'the same file',
  'that one',
  'it',
);
/** Each with whether it says that the file is the one that was written. */
const FILES: readonly (readonly [phrase: readonly string[], isWritten: boolean])[] = [
  ...WRITTEN_FILE.map((phrase) => [phrase, true] as const),
  ...THAT_FILE.map((phrase) => [phrase, false] as const),
];

/**
 * Resolves a reference to the session; null where the words refer to nothing. The last turn whose words are
 * understood is meant. `that file` is the one file that the goal of that turn read, found or wrote, and left;
 * where these are two, as of a copy or of the largest file, it is `ambiguous`, with both.
 * `the file that was written` is one of them. `wrong` alone is the same goal once more; with words behind it,
 * what {@link correctionOf} makes of them.
 */
export function followUp(
  text: string,
  session: readonly SessionTurn[],
): Result<NotPerceived, Referred | null> {
  const tokens = text.isWellFormed() ? tokensOf(text) : null;
  if (tokens === null) return ok(null);
  const said = withoutCourtesies(tokens);
  if (AGAIN.some((phrase) => isAll(said, phrase))) return lastGoal(session);
  const wrong = WRONG.find((phrase) => beginsWith(said, phrase));
  if (wrong !== undefined) return corrected(said.slice(wrong.length), session);
  return withFile(said, session);
}

function corrected(
  rest: readonly Token[],
  session: readonly SessionTurn[],
): Result<NotPerceived, Referred | null> {
  const before = lastGoal(session);
  if (before._tag === 'Left' || rest.length === 0) return before;
  const { goal, refers_to } = before.right;
  const next = correctionOf(rest, goal);
  return next._tag === 'Left' ? next : ok({ goal: next.right, refers_to });
}

/** Words with `that file` in the place of a path. */
function withFile(
  said: readonly Token[],
  session: readonly SessionTurn[],
): Result<NotPerceived, Referred | null> {
  for (const [phrase, isWritten] of FILES) {
    const at = said.findIndex((_, index) => beginsWith(said.slice(index), phrase));
    if (at < 0) continue;
    const plain = goalOf(said);
    // `write it to x` says what is written, and needs no earlier turn.
    if (plain._tag === 'Right') return ok(null);
    // Words that are no request with any file in that place refer to nothing either.
    const goalWith = (name: string): ReturnType<typeof goalOf> =>
      goalOf([
        ...said.slice(0, at),
        { text: name, lower: '', isQuoted: true },
        ...said.slice(at + phrase.length),
      ]);
    const withAny = goalWith('a file');
    if (withAny._tag === 'Left' || !isOn(withAny.right, 'a file')) continue;
    const before = lastGoal(session);
    if (before._tag === 'Left') return before;
    const { goal: of, refers_to } = before.right;
    const meant = filesMeantBy(of).filter(({ as }) => !isWritten || as === 'written');
    const [file, other] = meant;
    if (file === undefined) return err({ code: 'no_such_turn' });
    if (other !== undefined || file.path === null)
      return err({
        code: 'ambiguous',
        either: meant.map((one) => inWords(one, of, session[refers_to]?.summary ?? '')),
      });
    const goal = goalWith(file.path);
    return goal._tag === 'Left' ? goal : ok({ goal: goal.right, refers_to });
  }
  return ok(null);
}

/**
 * A file that may be meant, for a question. Of one that was found the name is what the turn said, where it
 * said so in the words of these rules: it is shown, and nothing is done with it.
 */
function inWords({ path, as }: FileMeant, goal: Goal, summary: string): string {
  if (path !== null) return `${inQuotes(path)}, which was ${as}`;
  const [before, behind] = answeredAs(goal);
  const isSaid =
    summary.startsWith(before) && summary.endsWith(behind) && summary.length > before.length + behind.length;
  return isSaid
    ? `${summary.slice(before.length, -behind.length)}, which was found`
    : `the ${as} file, which was found`;
}

/**
 * The goal of the last turn whose words are understood; a turn that itself referred to one is read with the
 * turns before it.
 */
function lastGoal(session: readonly SessionTurn[]): Result<NotPerceived, Referred> {
  for (let index = session.length - 1; index >= 0; index -= 1) {
    const input = session[index]?.input ?? '';
    const referred = followUp(input, session.slice(0, index));
    if (referred._tag === 'Right' && referred.right !== null)
      return ok({ goal: referred.right.goal, refers_to: index });
    const goal = parseGoal(input);
    if (goal._tag === 'Right') return ok({ goal: goal.right, refers_to: index });
  }
  return err({ code: 'no_such_turn' });
}

/** True where a goal reads or writes a file, and does not only say its name in a text. */
function isOn(goal: Goal, path: string): boolean {
  return ('of' in goal && goal.of === path) || ('to' in goal && goal.to === path);
}

function isAll(tokens: readonly Token[], phrase: readonly string[]): boolean {
  return tokens.length === phrase.length && beginsWith(tokens, phrase);
}

function phrases(...texts: readonly string[]): readonly (readonly string[])[] {
  return texts.map((text) => text.split(' '));
}
