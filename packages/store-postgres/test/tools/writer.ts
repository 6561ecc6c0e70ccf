/** The child process of `processes.test.ts`: one writer at a store, driven by messages of its parent. */
import { encodeLine, Ledger, logicalTime, type EvidenceRecord, type Head } from '@assay/kernel';
import { chainOf } from '@assay/store-contract';
import { openUrl } from '@assay/store-postgres';

const [url = '', runId = '', name = ''] = process.argv.slice(2);
const opened = openUrl(url);
if (opened._tag === 'Left') throw new Error(opened.left.code);
const store = opened.right;

process.on('message', (message) => {
  if (message === 'race') void race();
  if (message === 'loop') void loop(0);
  if (message === 'share') void loop(40);
});
process.send?.('ready');

/** Tries to be the first, then to go on, record by record, as long as nobody else does. */
async function race(): Promise<void> {
  const chain = chainOf(runId, Array.from({ length: 20 }, (_, index) => `${name} ${index}`));
  let expected: Head | null = null;
  for (let at = 0; at < chain.length; at += 1) {
    const result = await store.append(runId, expected, chain.slice(at, at + 1));
    if (result._tag === 'Left') {
      process.send?.({ appended: at, code: result.left.code });
      return;
    }
    expected = result.right;
  }
  process.send?.({ appended: chain.length, code: null });
}

/**
 * Goes on where the ledger ends, three records at a time, for ever; says so after each append. A stale head is
 * looked up again. `pauseMs`: leaves others so long to come between, else who reads back never catches up.
 */
async function loop(pauseMs: number): Promise<void> {
  for (;;) {
    const ledger = await readBack();
    let expected: Head | null = ledger.head;
    for (let isMine = true; isMine; ) {
      const from = ledger.count;
      if (from === 0) ledger.append(logicalTime('t0', 0), 'genesis', { run_id: runId });
      while (ledger.count % 3 !== 0 || ledger.count === from) ledger.append(logicalTime('t0', ledger.count), 'proposal', { name, text: 'é'.repeat(ledger.count % 500) });
      const result = await store.append(runId, expected, ledger.records.slice(from));
      isMine = result._tag === 'Right';
      if (result._tag === 'Right') process.send?.({ count: result.right.count, hash: result.right.hash });
      else if (result.left.code !== 'stale_head') throw new Error(result.left.code);
      expected = result._tag === 'Right' ? result.right : null;
      if (isMine && pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs * Math.random()));
    }
  }
}

/** The stored ledger, made again from its own payloads: any difference ends the process. */
async function readBack(): Promise<Ledger & { readonly head: Head | null }> {
  const head = await store.head(runId);
  if (head._tag === 'Left') throw new Error(head.left.code);
  const ledger = new Ledger();
  const { right } = head;
  if (right === null) return Object.assign(ledger, { head: null });
  for await (const line of store.read(runId)) {
    if (ledger.count === right.count) break;
    const text = new TextDecoder().decode(line);
    const record = JSON.parse(text) as EvidenceRecord;
    const again = ledger.append(record.ts, record.kind, record.payload);
    if (again._tag === 'Left' || encodeLine(again.right) !== text) throw new Error('the ledger does not read back');
  }
  return Object.assign(ledger, { head: right });
}
