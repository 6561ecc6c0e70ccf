/** What becomes of the journal beside a store when a run is copied. */
import { err, ok, type Digest, type Result } from '@assay/kernel';
import type { Journal } from '../journal.js';
import { CallNotesError, type CallNotesFault } from '../note.js';
import type { Store } from '../store.js';

/** How much was copied: notes of calls begun, of what tools had done, and bytes that the run cites. */
export type JournalCopied = { readonly [kind in 'calls' | 'done' | 'blobs']: number };

/**
 * Has one journal know what another knows of a run. What was begun and not recorded would else be charged to nobody,
 * what tools had done be done again, and what the ledger cites be missing. Of a run that is over nobody asks what was
 * done. What the target has of its own stays. `store` holds the run, so many records long. A Left where notes cannot be
 * read or written.
 */
export async function copyBeside(
  source: Journal,
  target: Journal,
  { store, runId, count }: { readonly store: Store; readonly runId: string; readonly count: number },
): Promise<Result<CallNotesFault, JournalCopied>> {
  const [first, last] = [await recordAt(store, runId, 0), await recordAt(store, runId, count - 1)];
  if (first?.kind !== 'genesis') return ok({ calls: 0, done: 0, blobs: 0 });
  const run = { runId, genesis: first.record_hash };
  try {
    const noted = await source.lines(run);
    const lines = { calls: noted.calls, done: last?.kind === 'close' ? [] : noted.done };
    await target.add(run, lines);
    const blobs = await copyBlobs(source, target, store, runId);
    return ok({ calls: lines.calls.length, done: lines.done.length, blobs });
  } catch (error) {
    if (!(error instanceof CallNotesError)) throw error;
    return err(error.fault);
  }
}

/** Copies the bytes that a run cites, as far as the source has them; how many times. */
async function copyBlobs(source: Journal, target: Journal, store: Store, runId: string): Promise<number> {
  let copied = 0;
  for await (const line of store.read(runId)) {
    // Few records cite bytes: the others are not searched.
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    if (!text.includes('"$blob"')) continue;
    for (const [, digest] of text.toString('utf8').matchAll(/"sha256":"([0-9a-f]{64})"/g)) {
      const bytes = await source.blobs.find(digest as Digest);
      if (bytes === null) continue;
      await target.blobs.put(bytes);
      copied += 1;
    }
  }
  return copied;
}

/** A record of a ledger that was read and judged before; null where there is none any more. */
async function recordAt(store: Store, runId: string, at: number): Promise<Recorded | null> {
  for await (const line of store.read(runId, at))
    return JSON.parse(new TextDecoder().decode(line)) as Recorded;
  return null;
}

type Recorded = { readonly kind: string; readonly record_hash: string };
