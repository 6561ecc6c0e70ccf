/**
 * Where a run is kept while it goes on, and what is done with its folder of results before and after.
 *
 * @module
 */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { maskedAddress, memoryStore, type Store } from '@assay/host';
import { claimFolder, LEDGER_NAME, type Claim } from '../files/claim.js';
import { notesFolder } from '../files/notes-folder.js';
import { openStore, type Opening } from '../files/store.js';
import { NOTES_NAME, outputsIn } from './outputs.js';

/** What a call names: a store, a folder of results, both or neither. */
export type Where = { readonly store?: string; readonly output?: string };

/** A run's store. `notes`: the folder of its journals, null for none; `place`: how messages name it, "" for memory. */
export type Kept = { readonly store: Store; readonly notes: string | null; readonly place: string };

/**
 * Does a run's work while its folder is claimed and its store is open. The run lies in the store that is named, else
 * in its folder, else in memory. The folder is free again if the work fails before the first record. Raises `Stop`:
 * those of claims, of stores, and of the work.
 */
export async function keepRun<T>(
  where: Where,
  claim: Claim,
  work: (kept: Kept) => Promise<T>,
  opening: Opening = {},
): Promise<T> {
  const { store: url, output } = where;
  const held = output === undefined ? null : await claimFolder(output, claim, outputsIn(output));
  let kept: Kept | null = null;
  try {
    kept = await openKept(where, claim.run_id, opening);
    const done = await work(kept);
    // The run is over: its journals would be read by nobody.
    if (url === undefined && kept.notes !== null) rmSync(kept.notes, { recursive: true, force: true });
    return done;
  } catch (error) {
    if (kept === null || !(await hasBegun(kept.store, claim.run_id))) held?.release();
    throw error;
  } finally {
    await kept?.store.close();
  }
}

async function openKept({ store: url, output }: Where, runId: string, opening: Opening): Promise<Kept> {
  if (url !== undefined)
    return {
      store: await openStore(url, opening),
      notes: await notesFolder(url),
      place: maskedAddress(url),
    };
  if (output === undefined) return { store: memoryStore(), notes: null, place: '' };
  const { fileStore } = await import('@assay/host/store-file');
  const folder = resolve(output);
  return {
    store: fileStore(folder, { named: { run_id: runId, as: LEDGER_NAME } }),
    notes: join(folder, NOTES_NAME),
    place: output,
  };
}

async function hasBegun(store: Store, runId: string): Promise<boolean> {
  const head = await store.head(runId);
  return head._tag === 'Right' ? head.right !== null : false;
}
