/**
 * Notes of calls beside a store, and what becomes of them when a run is copied.
 *
 * @module
 */
import { join } from 'node:path';
import { CallNotesError, copyDoneCalls, copyNotes, type NotesCopied, type Store } from '@assay/host';
import { notesProblem } from './notes-problem.js';
import { placeBeside } from './place-beside.js';

/**
 * The folder of a store's notes, of its own: the same run in two databases has the same keys. Null for a
 * server.
 */
export async function notesFolder(url: string): Promise<string | null> {
  const place = await placeBeside(url);
  return place === null
    ? null
    : join(place.folder, place.database === null ? 'calls' : `${place.database}.calls`);
}

/** What became of the notes of a run: of the calls that were begun, and of what its tools had done. */
export type NotesBeside = { readonly calls: NotesCopied; readonly done: NotesCopied };

/**
 * Has a store know what is noted of a run beside another. `lost`: there are notes that somebody who goes on
 * with the run would use, and the target is a server, which keeps none; of a run that is over nobody does.
 * `store` holds the run, so many records long. Raises `Stop`, `notes_unavailable`, where they cannot be read
 * or written.
 */
export async function copyBeside(
  from: string,
  to: string,
  { store, runId, count }: { readonly store: Store; readonly runId: string; readonly count: number },
): Promise<NotesBeside> {
  const [source, target] = [await notesFolder(from), await notesFolder(to)];
  if (source === null) return NONE;
  const [first, last] = [await recordAt(store, runId, 0), await recordAt(store, runId, count - 1)];
  const isOver = last?.kind === 'close';
  if (isOver && target === null) return NONE;
  try {
    const calls = await copyNotes(source, target, runId);
    const done =
      isOver || first?.kind !== 'genesis' ? 'none' : await copyDoneCalls(source, target, first.record_hash);
    return { calls, done };
  } catch (error) {
    throw error instanceof CallNotesError ? notesProblem(error.fault, 'copy again') : error;
  }
}

const NONE: NotesBeside = { calls: 'none', done: 'none' };

/** A record of a ledger that was read and judged before; null where there is none any more. */
async function recordAt(store: Store, runId: string, at: number): Promise<Recorded | null> {
  for await (const line of store.read(runId, at))
    return JSON.parse(new TextDecoder().decode(line)) as Recorded;
  return null;
}

type Recorded = { readonly kind: string; readonly record_hash: string };
