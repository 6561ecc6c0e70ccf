/**
 * A session: the last turns of a conversation with the controller, kept in a folder, given to the perceiver as recorded input.
 * Source: 003 §R1 "rolling session history".
 *
 * @module
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseShape, utf8Bytes, type Json } from '@assay/kernel';
import { SESSION, SESSION_MAX, SUMMARY_MAX, USER_TEXT_MAX, type SessionTurn } from '@assay/controller';
import { writeAll } from '../files/write.js';
import { readJson } from '../inputs/json-file.js';
import { misuse } from '../problem.js';

const FILE = 'session.json';

/** Turns, oldest first. */
export type Session = readonly SessionTurn[];

/** The last turns in a session's folder, oldest first; none where there is none yet. Raises `Stop`: `session`. */
export async function readSession(folder: string | undefined): Promise<Session> {
  if (folder === undefined) return [];
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw misuse('session', 'a session is kept in a folder, and this is a file', folder, 'name a folder; it is made where there is none');
  if (!existsSync(join(folder, FILE))) return [];
  const given = await readJson(join(folder, FILE));
  const turns = parseShape<Session>(SESSION, given);
  if (turns._tag === 'Left') throw misuse('session', `this is no session: the fault is at ${turns.left.path === '' ? 'its root' : turns.left.path}`, join(folder, FILE), `a session is a list of at most ${SESSION_MAX} turns {"input", "summary"}; begin another in an empty folder`);
  return turns.right;
}

/** Adds a turn to a session: the oldest goes where there are too many. */
export async function addTurn(folder: string, before: Session, turn: SessionTurn): Promise<void> {
  const added = { input: turn.input.slice(0, USER_TEXT_MAX), summary: turn.summary.slice(0, SUMMARY_MAX) };
  const turns: Json = [...before, added].slice(-SESSION_MAX);
  mkdirSync(folder, { recursive: true });
  await writeAll([{ path: join(folder, FILE), bytes: utf8Bytes(`${JSON.stringify(turns, null, 2)}\n`) }]);
}
