/**
 * A session: the last turns of a conversation with the controller, kept in a folder, given to the perceiver as recorded input.
 * Source: 003 §R1 "rolling session history".
 *
 * @module
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseShape, utf8Bytes, type Json } from '@assay/kernel';
import { closed, integer, nullable, text } from '@assay/kernel/shape';
import { SESSION, SESSION_MAX, SUMMARY_MAX, USER_TEXT_MAX, type SessionTurn } from '@assay/controller';
import { writeAll } from '../files/write.js';
import { readJson } from '../inputs/json-file.js';
import { misuse } from '../problem.js';

const FILE = 'session.json';

/** The last turns, oldest first. `count`: of all, also of those that are gone. `begun`: the stored run of the turn that is next, null for none. */
export type Session = { readonly count: number; readonly begun: string | null; readonly turns: readonly SessionTurn[] };

const KEPT = closed({ count: integer(0), begun: nullable(text(() => true)), turns: SESSION });
const NONE: Session = { count: 0, begun: null, turns: [] };

/** The session in a folder; an empty one where there is none yet. A list of turns alone, as it may be written by hand, is one too. Raises `Stop`: `session`. */
export async function readSession(folder: string | undefined): Promise<Session> {
  if (folder === undefined) return NONE;
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw misuse('session', 'a session is kept in a folder, and this is a file', folder, 'name a folder; it is made where there is none');
  if (!existsSync(join(folder, FILE))) return NONE;
  const given = await readJson(join(folder, FILE));
  const found = Array.isArray(given) ? byHand(given) : parseShape<Session>(KEPT, given);
  if (found._tag === 'Left') throw misuse('session', `this is no session: the fault is at ${found.left.path === '' ? 'its root' : found.left.path}`, join(folder, FILE), `a session has at most ${SESSION_MAX} turns {"input", "summary"}; begin another in an empty folder`);
  return found.right;
}

function byHand(given: Json): ReturnType<typeof parseShape<Session>> {
  const turns = parseShape<readonly SessionTurn[]>(SESSION, given);
  return turns._tag === 'Left' ? turns : { _tag: 'Right', right: { ...NONE, count: turns.right.length, turns: turns.right } };
}

/** Notes which run is driven for the turn that is next: should the call not come to adding it, the same call knows the run by that. */
export async function beginTurn(folder: string, session: Session, runId: string): Promise<void> {
  if (session.begun !== runId) await write(folder, { ...session, begun: runId });
}

/** Adds a turn to a session: the oldest goes where there are too many. */
export async function addTurn(folder: string, before: Session, { input, summary }: SessionTurn): Promise<void> {
  const added = { input: input.slice(0, USER_TEXT_MAX), summary: summary.slice(0, SUMMARY_MAX) };
  await write(folder, { count: before.count + 1, begun: null, turns: [...before.turns, added].slice(-SESSION_MAX) });
}

async function write(folder: string, { count, begun, turns }: Session): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await writeAll([{ path: join(folder, FILE), bytes: utf8Bytes(`${JSON.stringify({ count, begun, turns }, null, 2)}\n`) }]);
}
