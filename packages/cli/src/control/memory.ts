/**
 * The memory of a controller run: asked before the first plan, told what R7 learned once the run is over. Nothing in the run waits for the telling.
 * Source: 002 "Memory Calibration Protocol", §R7 "fire-and-forget".
 *
 * @module
 */
import type { Port } from '@assay/host';
import { handOn, recallPort, writesIn, type HandedOn } from '../memory/hand-on.js';
import { createMemory, isStoreUrl, MEMORY_RUN } from '../memory/stored-memory.js';
import { openStore } from '../inputs/store.js';
import { misuse } from '../problem.js';
import type { Ended } from '../running/run-request.js';

/** A memory that a run is driven with. `tell` hands over everything the run's records say to it; what was told before is recognised there. */
export type ControlMemory = { readonly port: Port; readonly tell: (ended: Ended) => Promise<HandedOn> };

/** The memory at a store's address, `URL` or `URL#RUN`; made where there is none. Null where none is named. Raises `Stop`: `memory`, and those of stores. */
export async function memoryOf(given: string | undefined): Promise<ControlMemory | null> {
  if (given === undefined) return null;
  const [url = '', run = MEMORY_RUN] = given.split('#', 2);
  if (!isStoreUrl(url)) throw misuse('memory', 'a memory lies in a store', `--memory ${given}`, 'give a store, such as file:./memory, with #RUN for another run than memory');
  await inStore(url, (store) => createMemory(store, run, url));
  return {
    port: recallPort(url, run),
    tell: ({ head, records }) => inStore(url, (store) => handOn(store, run, url, writesIn(head.run_id, records))),
  };
}

async function inStore<T>(url: string, work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
