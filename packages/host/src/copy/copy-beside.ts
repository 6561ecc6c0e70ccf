/**
 * What becomes of the notes of calls beside a store when a run is copied.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import { copyDoneCalls, copyNotes, type NotesCopied } from '../copied-notes.js';
import { CallNotesError, type CallNotesFault } from '../note.js';
import type { Store } from '../store.js';

/** What became of the notes of a run: of the calls that were begun, and of what its tools had done. */
export type NotesBeside = { readonly calls: NotesCopied; readonly done: NotesCopied };

/**
 * Has one folder of notes know what is noted of a run in another; null for a server, which keeps none.
 * `lost`: there are notes that somebody who goes on with the run would use, and the target keeps none; of a
 * run that is over nobody does. `store` holds the run, so many records long. A Left where notes cannot be
 * read or written.
 */
export async function copyBeside(
  source: string | null,
  target: string | null,
  { store, runId, count }: { readonly store: Store; readonly runId: string; readonly count: number },
): Promise<Result<CallNotesFault, NotesBeside>> {
  if (source === null) return NONE;
  const [first, last] = [await recordAt(store, runId, 0), await recordAt(store, runId, count - 1)];
  const isOver = last?.kind === 'close';
  if (isOver && target === null) return NONE;
  try {
    const calls = await copyNotes(source, target, runId);
    const done =
      isOver || first?.kind !== 'genesis' ? 'none' : await copyDoneCalls(source, target, first.record_hash);
    return ok({ calls, done });
  } catch (error) {
    if (!(error instanceof CallNotesError)) throw error;
    return err(error.fault);
  }
}

const NONE: Result<never, NotesBeside> = ok({ calls: 'none', done: 'none' });

/** A record of a ledger that was read and judged before; null where there is none any more. */
async function recordAt(store: Store, runId: string, at: number): Promise<Recorded | null> {
  for await (const line of store.read(runId, at))
    return JSON.parse(new TextDecoder().decode(line)) as Recorded;
  return null;
}

type Recorded = { readonly kind: string; readonly record_hash: string };
