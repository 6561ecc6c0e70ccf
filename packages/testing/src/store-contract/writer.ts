/**
 * A writer in a process of its own, driven by messages of its parent: what each kind of store starts for its
 * tests.
 *
 * ```text
 * race   begins the run and goes on, record by record, until somebody else does   → { appended, code }
 * loop   goes on where the run ends, three records at a time, for ever            → { count, hash } after each
 * share  the same, leaving others time to come between
 * claim  claims a run that exists, and keeps it                                   → { code }
 * stop   closes the store and ends
 * ```
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeLine, Ledger, logicalTime, type EvidenceRecord, type Head } from '@assay/kernel';
import type { Store } from '@assay/host';
import { makeChain } from './bench.js';

/** How a race ended: the records appended, and why it went no further, null where it is done. */
export type Raced = { readonly appended: number; readonly code: string | null };
/** Where a run ends, told after each append. */
export type Acknowledged = { readonly count: number; readonly hash: string };

/** Records of a race, its genesis among them. */
export const RACE_RECORDS = 21;
/**
 * How long a writer that shares leaves others, in milliseconds at most: else who reads back never catches up.
 */
const PAUSE_MAX_MS = 40;

/**
 * Serves the parent's messages with a store, for one run; `name` tells the writers' records apart. Says
 * `ready` first.
 */
export function serveWriter(store: Store, runId: string, name: string): void {
  const does: { readonly [message: string]: () => Promise<unknown> } = {
    race: async () => process.send?.(await race(store, runId, name)),
    loop: () => goOn(store, runId, name, 0),
    share: () => goOn(store, runId, name, PAUSE_MAX_MS),
    claim: async () => process.send?.(await claim(store, runId)),
    stop: () => store.close().then(() => process.exit(0)),
  };
  process.on('message', (message) => void does[String(message)]?.());
  process.send?.('ready');
}

async function race(store: Store, runId: string, name: string): Promise<Raced> {
  const chain = makeChain(
    runId,
    Array.from({ length: RACE_RECORDS - 1 }, (_, index) => `${name} ${index}`),
  );
  let expected: Head | null = null;
  for (let at = 0; at < chain.length; at += 1) {
    const result = await store.append(runId, expected, chain.slice(at, at + 1));
    if (result._tag === 'Left') return { appended: at, code: result.left.code };
    expected = result.right;
  }
  return { appended: chain.length, code: null };
}

async function claim(store: Store, runId: string): Promise<{ readonly code: string | null }> {
  const head = await store.head(runId);
  if (head._tag === 'Left' || head.right === null) throw new Error('no run to claim');
  const result = await store.append(runId, head.right, []);
  return { code: result._tag === 'Left' ? result.left.code : null };
}

/** A stale head is looked up again; any other refusal ends the process. */
async function goOn(store: Store, runId: string, name: string, pauseMs: number): Promise<never> {
  for (;;) {
    const { ledger, head } = await readBack(store, runId);
    let expected = head;
    for (let isMine = true; isMine; ) {
      const from = ledger.count;
      if (from === 0) ledger.append(logicalTime('t0', 0), 'genesis', { run_id: runId });
      while (ledger.count % 3 !== 0 || ledger.count === from)
        ledger.append(logicalTime('t0', ledger.count), 'proposal', {
          name,
          text: 'é'.repeat(ledger.count % 500),
        });
      const result = await store.append(runId, expected, ledger.records.slice(from));
      isMine = result._tag === 'Right';
      if (result._tag === 'Right') {
        expected = result.right;
        process.send?.({ count: expected.count, hash: expected.hash });
      } else if (result.left.code !== 'stale_head') throw new Error(JSON.stringify(result.left));
      if (isMine && pauseMs > 0) await sleep(pauseMs * Math.random());
    }
  }
}

/** The stored ledger, made again from its own payloads: any difference ends the process. */
async function readBack(
  store: Store,
  runId: string,
): Promise<{ readonly ledger: Ledger; readonly head: Head | null }> {
  const head = await store.head(runId);
  if (head._tag === 'Left') throw new Error(JSON.stringify(head.left));
  const ledger = new Ledger();
  if (head.right === null) return { ledger, head: null };
  for await (const line of store.read(runId)) {
    if (ledger.count === head.right.count) break;
    const text = new TextDecoder().decode(line);
    const record = JSON.parse(text) as EvidenceRecord;
    const again = ledger.append(record.ts, record.kind, record.payload);
    if (again._tag === 'Left' || encodeLine(again.right) !== text)
      throw new Error('the ledger does not read back');
  }
  return { ledger, head: head.right };
}
