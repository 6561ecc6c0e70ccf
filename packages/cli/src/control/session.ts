/**
 * A session: the last turns of a conversation with the controller, kept in a folder, given to the perceiver as recorded input.
 * Source: 003 §R1 "rolling session history".
 *
 * @module
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseShape, utf8Bytes, type Json } from '@assay/kernel';
import { closed, integer, list, nullable, text } from '@assay/kernel/shape';
import { SESSION, SESSION_MAX, SUMMARY_MAX, USER_TEXT_MAX, type SessionTurn, type TaskSpec } from '@assay/controller';
import { writeAll } from '../files/write.js';
import { readJson } from '../inputs/json-file.js';
import { misuse } from '../problem.js';

const FILE = 'session.json';

/** What the words of a turn meant, where they refer to an earlier one: `back` turns before it. */
type Reference = { readonly back: number; readonly intent: string };
type KeptTurn = SessionTurn & { readonly refers: Reference | null };

/** The last turns, oldest first. `count`: of all, also of those that are gone. `begun`: the stored run of the turn that is next, null for none. */
export type Session = { readonly count: number; readonly begun: string | null; readonly turns: readonly KeptTurn[] };

const TURN = closed({ input: text((value) => value.length <= USER_TEXT_MAX), summary: text((value) => value.length <= SUMMARY_MAX), refers: nullable(closed({ back: integer(1, SESSION_MAX), intent: text((value) => value.length <= USER_TEXT_MAX) })) });
/** More turns than anybody takes: a number beyond the safe integers would stand still. */
const COUNT_MAX = 1_000_000_000;
const KEPT = closed({ count: integer(0, COUNT_MAX), begun: nullable(text(() => true)), turns: list(TURN, (turns) => turns.length <= SESSION_MAX) });
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
  return turns._tag === 'Left' ? turns : { _tag: 'Right', right: { ...NONE, count: turns.right.length, turns: turns.right.map((turn) => ({ ...turn, refers: null })) } };
}

/** The turns as a perceiver is given them. Where the turn that another refers to is gone, what the words of that one meant stands in their place. */
export function turnsIn({ turns }: Session): readonly SessionTurn[] {
  return turns.map(({ input, summary, refers }, index) => ({ input: refers !== null && refers.back > index ? refers.intent : input, summary }));
}

/** Notes which run is driven for the turn that is next: should the call not come to adding it, the same call knows the run by that. */
export async function beginTurn(folder: string, session: Session, runId: string): Promise<void> {
  if (session.begun !== runId) await write(folder, { ...session, begun: runId });
}

/**
 * Adds a turn to a session: the oldest goes where there are too many. `task`: what was understood, null for nothing. `heard`: the turns that the run was given; a
 * session may have gone on while it was interrupted, and the turn that it refers to then counts as gone.
 */
export async function addTurn(folder: string, before: Session, { input, summary, task, heard }: SessionTurn & { readonly task: Pick<TaskSpec, 'intent' | 'refers_to'> | null; readonly heard: Json }): Promise<void> {
  const isNext = JSON.stringify(heard) === JSON.stringify(turnsIn(before));
  const back = (refers_to: number): number => (isNext ? before.turns.length - refers_to : SESSION_MAX);
  const refers = task === null || task.refers_to === null ? null : { back: back(task.refers_to), intent: task.intent };
  const added = { input: input.slice(0, USER_TEXT_MAX), summary: summary.slice(0, SUMMARY_MAX), refers };
  await write(folder, { count: Math.min(before.count + 1, COUNT_MAX), begun: null, turns: [...before.turns, added].slice(-SESSION_MAX) });
}

async function write(folder: string, { count, begun, turns }: Session): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await writeAll([{ path: join(folder, FILE), bytes: utf8Bytes(`${JSON.stringify({ count, begun, turns }, null, 2)}\n`) }]);
}
