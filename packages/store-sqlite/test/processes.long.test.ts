import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { Children, processesContract, temporaryFolder } from '@assay/testing/store-contract';
import { sqliteStore } from '../src/index.ts';
import type { SqliteDriver } from '../src/driver.ts';
import { bundled } from '../../../test/lib/bundle.ts';
import { drivers } from './tools/drivers.js';

/**
 * How often a writer is killed; more for a long run:
 * `ASSAY_KILLS=200 npx vitest run packages/store-sqlite/test/processes.test.ts`.
 */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 24);

let bundle: Awaited<ReturnType<typeof bundled>>;
let folder: { readonly path: string; readonly remove: () => Promise<void> };
const children = new Children();

beforeAll(async () => {
  bundle = await bundled(new URL('tools/writer.ts', import.meta.url), ['libsql']);
  folder = await temporaryFolder();
});

afterEach(() => children.killAll());

afterAll(async () => {
  await bundle.remove();
  await folder.remove();
});

function place(driver: SqliteDriver): string {
  return join(folder.path, driver.name.replace(':', '-'), 'runs.db');
}

for (const driver of drivers) {
  const meeting = {
    children,
    start: (runId: string, name: string) =>
      children.start(bundle.path, [place(driver), driver.name, runId, name]),
    async ledger(runId: string): Promise<readonly unknown[]> {
      const store = sqliteStore(place(driver), driver);
      const records: unknown[] = [];
      for await (const line of store.read(runId)) records.push(JSON.parse(new TextDecoder().decode(line)));
      await store.close();
      return records;
    },
  };
  processesContract(
    `sqlite by ${driver.name}`,
    () => meeting,
    { describe, it },
    { kills: KILLS, losers: ['stale_head'], isWhole: true },
  );
}
