/**
 * The child process of `processes.test.ts` and `sync.test.ts`: one writer at a store, driven by messages of
 * its parent or by its arguments.
 */
import type { Head } from '@assay/kernel';
import { makeChain, serveWriter } from '@assay/testing/store-contract';
import { sqliteStore } from '../../src/index.ts';
import { libsqlDriver, nodeDriver } from '../../src/driver.ts';

const [path = '', driverName = '', runId = '', name = '', order = ''] = process.argv.slice(2);
const driver = driverName === 'libsql' ? await libsqlDriver() : nodeDriver();
if (driver === null) throw new Error(`no driver ${driverName}`);
// Writers of all runs take turns, and on a busy machine a turn may take long.
const store = sqliteStore(path, driver, {
  patienceMs: 30_000,
  survives: order === 'weak' ? 'process_death' : 'power_loss',
});

if (order === '') serveWriter(store, runId, name);
else await traced();

/**
 * Six times appends the next record of a run of five, or claims it; writes to standard output how each ended.
 */
async function traced(): Promise<void> {
  const chain = makeChain(runId, ['a', 'b', 'c', 'd']);
  let expected: Head | null = null;
  for (let turn = 0; turn < 6; turn += 1) {
    const at: number = expected?.count ?? 0;
    const result = await store.append(runId, expected, chain.slice(at, at + 1));
    if (result._tag === 'Right') expected = result.right;
    // After a failure the head says what is stored.
    else expected = headOrNull(await store.head(runId));
    process.stdout.write(
      `ended ${turn} ${result._tag === 'Right' ? `durable ${result.right.count}` : JSON.stringify(result.left)}\n`,
    );
  }
  await store.close();
}

function headOrNull(head: Awaited<ReturnType<typeof store.head>>): Head | null {
  if (head._tag === 'Left') throw new Error(JSON.stringify(head.left));
  return head.right;
}
