/**
 * The memory of a controller run: asked before the first plan, told what R7 learned once the run is over. Nothing in the run waits for the telling.
 * Source: 002 "Memory Calibration Protocol", §R7 "fire-and-forget"; planner-controller, "How this maps onto machine.md".
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Head, type Json } from '@assay/kernel';
import type { RecallBody } from '@assay/controller';
import type { Port } from '@assay/host';
import { createMemory, isStoreUrl, MEMORY_RUN, tell } from '../memory/stored-memory.js';
import { openStore } from '../inputs/store.js';
import { misuse } from '../problem.js';
import type { Ended } from '../running/run-request.js';

/** A memory that a run is driven with. `tell` hands over everything the run's records say to it; what was told before is recognised there. */
export type ControlMemory = { readonly port: Port; readonly tell: (ended: Ended) => Promise<number> };

/** What a run brings along. `head`: where its ledger ends now, which every question cites. */
export type Asking = { readonly now: () => number; readonly head: () => Head | null };

/**
 * The memory at a store's address, `URL` or `URL#RUN`; made where there is none. Null where none is named. Raises `Stop`: `memory`, and those of
 * stores.
 */
export async function memoryOf(given: string | undefined, { now, head }: Asking): Promise<ControlMemory | null> {
  if (given === undefined) return null;
  const [url = '', run = MEMORY_RUN] = given.split('#', 2);
  if (!isStoreUrl(url)) throw misuse('memory', 'a memory lies in a store', `--memory ${given}`, 'give a store, such as file:./memory, with #RUN for another run than memory');
  await inStore(url, (store) => createMemory(store, run, url));
  return {
    port: { source: 'run', proposer: `memory/${run}`, perform: ({ body }) => recalled(url, run, body as unknown as RecallBody, { at_us: now(), asker: head() }) },
    tell: (ended) => inStore(url, (store) => tellAll(store, run, url, ended, now())),
  };
}

type OpenedStore = Awaited<ReturnType<typeof openStore>>;

async function inStore<T>(url: string, work: (store: OpenedStore) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Asks the memory: that it was asked, and what it said, is an event of its own, and the answer cites the head it stands under. */
async function recalled(url: string, run: string, { intent, tools }: RecallBody, { at_us, asker }: { readonly at_us: number; readonly asker: Head | null }): Promise<{ readonly value: Json; readonly at_us: number; readonly cites: readonly Head[] }> {
  const { events, head, rejection } = await inStore(url, (store) => tell(store, run, url, () => ({ kind: 'recall', source: 'run', proposer: 'controller', value: { from: 'R2', intent, tools, at_us }, cites: asker === null ? [] : [asker] })));
  const found = events.find((event) => event.t === 'recalled');
  if (found === undefined || found.t !== 'recalled') throw new Error(`the memory took no question: ${rejection?.code ?? 'it is over'}`);
  return { value: found.reply as unknown as Json, at_us, cites: [head] };
}

/** Writes what each decision said to memory, citing the run's ledger up to it. Returns how many decisions had anything to say. */
async function tellAll(store: OpenedStore, run: string, url: string, { records, head }: Ended, at_us: number): Promise<number> {
  let told = 0;
  for (const [index, record] of records.entries()) {
    for (const { task, megrams } of megramsIn(record)) {
      const cites = [{ run_id: head.run_id, count: index + 1, hash: record.record_hash }];
      await tell(store, run, url, () => ({ kind: 'write', source: 'run', proposer: 'controller', value: { from: 'R7', task, megrams, at_us }, cites }));
      told += 1;
    }
  }
  return told;
}

function megramsIn({ kind, payload }: EvidenceRecord): readonly { readonly task: Json; readonly megrams: Json }[] {
  const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
  return (isArray(events) ? events : []).flatMap((event) => {
    const body = isObject(event) && field(event, 'kind') === 'Megram' ? (field(event, 'body') ?? null) : null;
    return isObject(body) ? [{ task: field(body, 'task') ?? null, megrams: field(body, 'megrams') ?? null }] : [];
  });
}
