/** The child process of `processes.test.ts` and `sync.test.ts`: one writer at a store, driven by messages of its parent or by its arguments. */
import { Ledger, logicalTime, type EvidenceRecord, type Head } from '@assay/kernel';
import { chainOf } from '@assay/store-contract';
import { libsqlDriver, nodeDriver, sqliteStore } from '@assay/store-sqlite';

const [path = '', driverName = '', runId = '', name = '', order = ''] = process.argv.slice(2);
const driver = driverName === 'libsql' ? await libsqlDriver() : nodeDriver();
if (driver === null) throw new Error(`no driver ${driverName}`);
// Writers of all runs take turns, and on a busy machine a turn may take long.
const store = sqliteStore(path, driver, { patienceMs: 30_000, survives: order === 'weak' ? 'process_death' : 'power_loss' });

process.on('message', (message) => {
  if (message === 'race') void race();
  if (message === 'loop') void loop();
  if (message === 'stop') void store.close().then(() => process.exit(0));
});
process.send?.('ready');
if (order !== '') await traced();

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
  if (head._tag === 'Left') throw new Error(JSON.stringify(head.left));
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
    if (result._tag === 'Left') throw new Error(JSON.stringify(result.left));
    expected = result.right;
    process.send?.({ count: expected.count });
  }
}

/** Six times appends the next record of a run of five, or claims it; writes to standard output how each ended. */
async function traced(): Promise<void> {
  const chain = chainOf(runId, ['a', 'b', 'c', 'd']);
  let expected: Head | null = null;
  for (let turn = 0; turn < 6; turn += 1) {
    const at: number = expected?.count ?? 0;
    const result = await store.append(runId, expected, chain.slice(at, at + 1));
    if (result._tag === 'Right') expected = result.right;
    // After a failure the head says what is stored.
    else expected = headOrNull(await store.head(runId));
    process.stdout.write(`ended ${turn} ${result._tag === 'Right' ? `durable ${result.right.count}` : JSON.stringify(result.left)}\n`);
  }
  await store.close();
}

function headOrNull(head: Awaited<ReturnType<typeof store.head>>): Head | null {
  if (head._tag === 'Left') throw new Error(JSON.stringify(head.left));
  return head.right;
}
