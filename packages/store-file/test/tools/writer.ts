/** The child process of `processes.test.ts`: one writer at a store, driven by messages of its parent. */
import { Ledger, logicalTime, type EvidenceRecord, type Head } from '@assay/kernel';
import { chainOf } from '@assay/store-contract';
import { fileStore } from '@assay/store-file';

const [folder = '', runId = '', name = ''] = process.argv.slice(2);
const store = fileStore(folder);

process.on('message', (message) => {
  if (message === 'race') void race();
  if (message === 'loop') void loop();
  if (message === 'claim') void claim();
  if (message === 'stop') void store.close().then(() => process.exit(0));
});
process.send?.('ready');

/** Tries to be the first, then to go on, record by record. */
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

/** Goes on where the ledger ends, three records at a time, for ever; says so after each append. */
async function loop(): Promise<void> {
  const head = await store.head(runId);
  if (head._tag === 'Left') throw new Error(head.left.code);
  const ledger = new Ledger();
  for await (const line of head.right === null ? [] : store.read(runId)) {
    const record = JSON.parse(new TextDecoder().decode(line)) as EvidenceRecord;
    const again = ledger.append(record.ts, record.kind, record.payload);
    if (again._tag === 'Left' || again.right.record_hash !== record.record_hash) throw new Error('the ledger does not read back');
  }
  let expected: Head | null = head.right;
  for (;;) {
    const from = ledger.count;
    if (from === 0) ledger.append(logicalTime('t0', 0), 'genesis', { run_id: runId });
    while (ledger.count % 3 !== 0 || ledger.count === from) ledger.append(logicalTime('t0', ledger.count), 'proposal', { text: 'é'.repeat(ledger.count % 500) });
    const result = await store.append(runId, expected, ledger.records.slice(from));
    if (result._tag === 'Left') throw new Error(result.left.code);
    expected = result.right;
    process.send?.({ count: expected.count });
  }
}

/** Claims a run that exists and keeps it. */
async function claim(): Promise<void> {
  const head = await store.head(runId);
  if (head._tag === 'Left' || head.right === null) throw new Error('no run to claim');
  const result = await store.append(runId, head.right, []);
  process.send?.({ code: result._tag === 'Left' ? result.left.code : null });
}
