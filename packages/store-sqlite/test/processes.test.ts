import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { orThrow, validateChain } from '@assay/kernel';
import { sqliteStore, type SqliteDriver } from '@assay/store-sqlite';
import { bundleWriter } from './tools/bundle.js';
import { drivers } from './tools/drivers.js';
import { temporaryFolder } from './tools/folder.js';

/** How often a writer is killed; more for a long run: `ASSAY_KILLS=200 npx vitest run packages/store-sqlite/test/processes.test.ts`. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 24);

let bundle: Awaited<ReturnType<typeof bundleWriter>>;
let folder: { readonly path: string; readonly remove: () => Promise<void> };
const children = new Set<ChildProcess>();

beforeAll(async () => {
  bundle = await bundleWriter();
  folder = await temporaryFolder();
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

afterAll(async () => {
  await bundle.remove();
  await folder.remove();
});

async function start(driver: SqliteDriver, runId: string, name: string): Promise<ChildProcess> {
  const child = fork(bundle.path, [place(driver), driver.name, runId, name], { stdio: 'inherit', execArgv: ['--no-warnings'] });
  children.add(child);
  await told(child);
  return child;
}

function place(driver: SqliteDriver): string {
  return join(folder.path, driver.name.replace(':', '-'), 'runs.db');
}

async function ask(child: ChildProcess, message: string): Promise<unknown> {
  const answer = told(child);
  child.send(message);
  return answer;
}

/** The next message of a child; a child that ends instead fails the test. */
async function told(child: ChildProcess): Promise<unknown> {
  return Promise.race([once(child, 'message').then(([message]: readonly unknown[]) => message), once(child, 'exit').then(([code]: readonly unknown[]) => Promise.reject(new Error(`the child ended: ${String(code)}`)))]);
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  children.delete(child);
}

async function ledger(driver: SqliteDriver, runId: string): Promise<readonly unknown[]> {
  const store = sqliteStore(place(driver), driver);
  const records: unknown[] = [];
  for await (const line of store.read(runId)) records.push(JSON.parse(new TextDecoder().decode(line)));
  await store.close();
  return records;
}

for (const driver of drivers) {
  describe(`writers in several processes, by ${driver.name}`, () => {
    it('that begin one run in a new database at the same time: nothing forks, and who loses is stale', async () => {
      for (let round = 0; round < 4; round += 1) {
        const runId = `race-${round}`;
        const rivals = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(driver, runId, name)));
        const ends = (await Promise.all(rivals.map((rival) => ask(rival, 'race')))) as readonly { readonly appended: number; readonly code: string | null }[];
        expect(ends.filter(({ code }) => code === null)).toEqual([{ appended: 21, code: null }]);
        expect(ends.filter(({ code }) => code !== null)).toEqual(Array.from({ length: 3 }, () => ({ appended: 0, code: 'stale_head' })));
        expect(orThrow(validateChain(await ledger(driver, runId))).count).toBe(21);
        await Promise.all(rivals.map(kill));
      }
    });

    it('that write different runs of one database at the same time: each gets all of its own', async () => {
      const writers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(driver, `own-${name}`, name)));
      expect(await Promise.all(writers.map((writer) => ask(writer, 'race')))).toEqual(Array.from({ length: 4 }, () => ({ appended: 21, code: null })));
      for (const name of ['a', 'b', 'c', 'd']) expect(orThrow(validateChain(await ledger(driver, `own-${name}`))).count).toBe(21);
    });

    it(`killed ${KILLS} times at any moment: nothing that was acknowledged is lost, no group is half there`, async () => {
      let acknowledged = 0;
      for (let round = 0; round < KILLS; round += 1) {
        const child = await start(driver, 'killed', 'x');
        child.on('message', (message: { readonly count: number }) => {
          acknowledged = Math.max(acknowledged, message.count);
        });
        await ask(child, 'loop');
        await new Promise((resolve) => setTimeout(resolve, (round * 7) % 23));
        await kill(child);
        const store = sqliteStore(place(driver), driver);
        const count = orThrow(await store.head('killed'))?.count ?? 0;
        expect(count).toBeGreaterThanOrEqual(acknowledged);
        expect(count % 3).toBe(0);
        await store.close();
      }
      const end = orThrow(validateChain(await ledger(driver, 'killed')));
      expect(end.count).toBeGreaterThanOrEqual(acknowledged);
      expect(acknowledged).toBeGreaterThanOrEqual(KILLS * 3);
      console.log(`${driver.name}: killed ${KILLS} times, ${acknowledged} records acknowledged, ${end.count} found`);
    }, 60_000 + KILLS * 2_000);
  });
}
