/** Memories as their stores have them. */
import {
  readMemory,
  tell,
  type MemoryRun,
  type ReadMemory,
  type Telling,
  type Told,
} from '@assay/controller/memory-shell';
import type { Store } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { openStore } from '../../src/files/store.ts';

/** A store that is open. */
export type Opened = { readonly store: Store };

/** Opens a store for as long as `work` takes. */
export async function inStore<T>(url: string, work: (opened: Opened) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await work({ store });
  } finally {
    await store.close();
  }
}

/** Reads a memory from the address of its store. */
export function memoryAt(url: string, runId: string): Promise<ReadMemory> {
  return inStore(url, async ({ store }) => orThrow(await readMemory(store, runId)));
}

/** Gives a memory something to decide on. */
export async function memoryTold(
  { store }: Opened,
  runId: string,
  telling: (run: MemoryRun) => Telling,
): Promise<Told> {
  return orThrow(await tell(store, runId, telling));
}
