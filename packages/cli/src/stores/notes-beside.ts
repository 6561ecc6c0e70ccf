/**
 * Notes of calls beside a store, and what becomes of them when a run is copied.
 *
 * @module
 */
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, unreachable } from '../problem.js';
import { placeBeside } from './place-beside.js';

/** The folder of a store's notes, of its own: the same run in two databases has the same keys. Null for a server. */
export async function notesFolder(url: string): Promise<string | null> {
  const place = await placeBeside(url);
  return place === null ? null : join(place.folder, place.database === null ? 'calls' : `${place.database}.calls`);
}

/**
 * Has a store know the calls that are noted beside another: what a run that is taken up there has lost would else be charged to nobody. Every line of
 * the source stands in the target at least as often as there; what the target has of its own stays. `lost`: there are notes, and the target is a server,
 * which keeps none. Raises `Stop`, `notes_unavailable`, where they cannot be read or written.
 */
export async function copyNotes(from: string, to: string, runId: string): Promise<'none' | 'copied' | 'lost'> {
  const [source, target] = [await notesFolder(from), await notesFolder(to)];
  const noted = source === null ? [] : linesOf(await textAt(join(source, `${runId}.calls`)));
  if (noted.length === 0) return 'none';
  if (target === null) return 'lost';
  const path = join(target, `${runId}.calls`);
  const own = linesOf(await textAt(path));
  const lacking = beyond(noted, own);
  if (lacking.length > 0) await reachable(path, () => replace(target, path, [...own, ...lacking]));
  return 'copied';
}

/** Whole lines: one that a crash cut is of a call that was never begun. */
function linesOf(text: string): readonly string[] {
  return text.slice(0, text.lastIndexOf('\n') + 1).split('\n').slice(0, -1);
}

/** Lines that stand here more often than there: two lost calls may have the same line. */
function beyond(lines: readonly string[], there: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of there) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

async function textAt(path: string): Promise<string> {
  return reachable(path, () => readFile(path, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return '';
    throw error;
  }));
}

/** Whole or not at all: a crash leaves what was there. */
async function replace(folder: string, path: string, lines: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const beside = `${path}.new`;
  const file = await open(beside, 'w');
  try {
    await file.writeFile(lines.map((line) => `${line}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
}

async function reachable<A>(path: string, work: () => Promise<A>): Promise<A> {
  try {
    return await work();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw unreachable('notes_unavailable', `the notes of calls cannot be read or written (${errno})`, path, 'make room, or allow reading and writing there, and copy again');
  }
}
