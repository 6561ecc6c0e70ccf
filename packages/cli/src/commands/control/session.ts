/**
 * A session: the last turns of a conversation with the controller, kept in a folder, given to the perceiver
 * as recorded input. Source: 003 §R1 "rolling session history".
 *
 * @module
 */
import { existsSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { field, isObject, parseShape, utf8Bytes, type Json } from '@assay/kernel';
import { closed, flag, integer, list, nullable, text } from '@assay/kernel/shape';
import { SESSION, SESSION_MAX, SUMMARY_MAX, USER_TEXT_MAX, type SessionTurn } from '@assay/controller';
import { notRead } from '../../files/read.js';
import { writeAll } from '../../files/write.js';
import { readJson } from '../../files/json-file.js';
import { misuse } from '../../problems/problem.js';

const FILE = 'session.json';

/** What the words of a turn meant, where they refer to an earlier one: `back` turns before it. */
type Reference = { readonly back: number; readonly intent: string };
type KeptTurn = SessionTurn & { readonly refers: Reference | null };

/**
 * A run that was begun and is no turn yet. `owner`: the call that drives it, in the words of a lock's file
 * (`tokenOf`); null once that call has ended without adding it. `stored`: whether it is in a store, where it
 * can be gone on with.
 */
export type BegunTurn = { readonly run_id: string; readonly owner: string | null; readonly stored: boolean };

/**
 * The last turns, oldest first. `count`: of all, also of those that are gone. `begun`: one for each call that
 * is under way or did not come to adding its turn.
 */
export type Session = {
  readonly count: number;
  readonly begun: readonly BegunTurn[];
  readonly turns: readonly KeptTurn[];
};

const TURN = closed({
  input: text((value) => value.length <= USER_TEXT_MAX),
  summary: text((value) => value.length <= SUMMARY_MAX),
  refers: nullable(
    closed({ back: integer(1, SESSION_MAX), intent: text((value) => value.length <= USER_TEXT_MAX) }),
  ),
});
/** More turns than anybody takes: a number beyond the safe integers would stand still. */
export const COUNT_MAX = 1_000_000_000;
const BEGUN = list(closed({ run_id: text(() => true), owner: nullable(text(() => true)), stored: flag }));
const KEPT = closed({
  count: integer(0, COUNT_MAX),
  begun: BEGUN,
  turns: list(TURN, (turns) => turns.length <= SESSION_MAX),
});
/** As it was written when one call at a time was thought of: the run that is driven, or null. */
const KEPT_ONE = closed({
  count: integer(0, COUNT_MAX),
  begun: nullable(text(() => true)),
  turns: list(TURN, (turns) => turns.length <= SESSION_MAX),
});

/** A session without turns. */
export const NO_SESSION: Session = { count: 0, begun: [], turns: [] };

/**
 * The session in a folder; an empty one where there is none yet. A list of turns alone, as it may be written
 * by hand, is one too. Raises `Stop`: `session`.
 */
export async function readSession(folder: string | undefined): Promise<Session> {
  if (folder === undefined) return NO_SESSION;
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw misuse(
      'session',
      'a session is kept in a folder, and this is a file',
      folder,
      'name a folder; it is made where there is none',
    );
  const found = lookAt(join(folder, FILE));
  if (found === undefined) return NO_SESSION;
  // A pipe or a device is asked for nothing: it may never answer, or never end.
  if (!found.isFile())
    throw misuse(
      'session',
      'this is a folder, a pipe or a device, and no file: a session is kept in one',
      join(folder, FILE),
      'take it away, or name another folder',
    );
  const given = await readJson(join(folder, FILE));
  const session = Array.isArray(given)
    ? byHand(given)
    : isOfOne(given)
      ? ofOne(given)
      : parseShape<Session>(KEPT, given);
  if (session._tag === 'Left')
    throw misuse(
      'session',
      `this is no session: the fault is at ${session.left.path === '' ? 'its root' : session.left.path}`,
      join(folder, FILE),
      `a session has at most ${SESSION_MAX} turns {"input", "summary"}; begin another in an empty folder`,
    );
  return session.right;
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw notRead(path, error);
  }
}

function byHand(given: Json): ReturnType<typeof parseShape<Session>> {
  const turns = parseShape<readonly SessionTurn[]>(SESSION, given);
  return turns._tag === 'Left'
    ? turns
    : {
        _tag: 'Right',
        right: {
          ...NO_SESSION,
          count: turns.right.length,
          turns: turns.right.map((turn) => ({ ...turn, refers: null })),
        },
      };
}

function isOfOne(given: Json): boolean {
  const begun = isObject(given) ? field(given, 'begun') : undefined;
  return begun === null || typeof begun === 'string';
}

function ofOne(given: Json): ReturnType<typeof parseShape<Session>> {
  const found = parseShape<Omit<Session, 'begun'> & { readonly begun: string | null }>(KEPT_ONE, given);
  if (found._tag === 'Left') return found;
  const { begun } = found.right;
  return {
    _tag: 'Right',
    right: { ...found.right, begun: begun === null ? [] : [{ run_id: begun, owner: null, stored: true }] },
  };
}

/**
 * The turns as a perceiver is given them. Where the turn that another refers to is gone, what the words of
 * that one meant stands in its place.
 */
export function turnsIn({ turns }: Session): readonly SessionTurn[] {
  return turns.map(({ input, summary, refers }, index) => ({
    input: refers !== null && refers.back > index ? refers.intent : input,
    summary,
  }));
}

/**
 * Writes a session whole, so that a call which is killed meanwhile leaves the one before. Only within
 * `withSession`, else what another call added meanwhile is lost. Raises `Stop`: `unwritable`.
 */
export async function writeSession(folder: string, { count, begun, turns }: Session): Promise<void> {
  await writeAll([
    { path: join(folder, FILE), bytes: utf8Bytes(`${JSON.stringify({ count, begun, turns }, null, 2)}\n`) },
  ]);
}
