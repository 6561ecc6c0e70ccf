import { spawnSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeLine, orThrow } from '@assay/kernel';
import { makeChain, headOfChain, temporaryFolder } from '@assay/testing/store-contract';
import { sqliteStore } from '../src/index.ts';
import type { SqliteDriver } from '../src/driver.ts';
import { bundled } from '../../../test/lib/bundle.ts';
import { drivers } from './tools/drivers.js';
import { copyFiles } from './tools/place.js';

const RUN = 'run';
const chain = makeChain(RUN, ['a', 'b', 'c', 'd']);

/** System calls can be watched, and made to fail, only where strace is installed and may trace. */
const isTraceable =
  spawnSync('strace', ['-f', '-e', 'trace=fsync', 'true'], { stdio: 'ignore' }).status === 0;
if (!isTraceable)
  console.warn('store-sqlite: syncs are not watched here: no strace, or no permission to trace');

const traced = isTraceable ? drivers : [];

let bundle: Awaited<ReturnType<typeof bundled>>;
let folder: { readonly path: string; readonly remove: () => Promise<void> };
beforeAll(async () => {
  if (isTraceable) bundle = await bundled(new URL('tools/writer.ts', import.meta.url), ['libsql']);
});
afterAll(async () => {
  if (isTraceable) await bundle.remove();
});
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** The system calls of a writer on files, as `name path`, with the lines it wrote between them. */
async function trace(
  driver: SqliteDriver,
  path: string,
  inject: readonly string[],
  order: 'traced' | 'weak' = 'traced',
): Promise<{ readonly calls: readonly string[]; readonly ends: readonly string[] }> {
  const log = join(folder.path, 'trace');
  const args = [
    '-f',
    '-y',
    '-s',
    '200',
    '-e',
    'trace=fsync,fdatasync,pwrite64,mkdir,write',
    ...inject.flatMap((rule) => ['-e', `inject=${rule}`]),
    '-o',
    log,
    process.execPath,
    '--no-warnings',
    bundle.path,
    path,
    driver.name,
    RUN,
    'x',
    order,
  ];
  const { status, stdout, stderr } = spawnSync('strace', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the writer ended with ${status}: ${stderr}`);
  const calls = (await readFile(log, 'utf8')).split('\n').flatMap((line) => {
    const file = /^[0-9]+ +(fsync|fdatasync|pwrite64)\([0-9]+<([^>]*)>/.exec(line);
    if (file !== null)
      return [`${file[1] === 'pwrite64' ? 'write' : 'sync'} ${String(file[2]).replace(folder.path, '')}`];
    const said = /write\(1<[^>]*>, "(ended [0-9]+)/.exec(line);
    return said === null ? [] : [String(said[1])];
  });
  return { calls, ends: stdout.trim().split('\n') };
}

async function stored(driver: SqliteDriver, path: string): Promise<readonly string[]> {
  const store = sqliteStore(path, driver);
  const head = orThrow(await store.head(RUN));
  const lines: string[] = [];
  if (head !== null) for await (const line of store.read(RUN)) lines.push(new TextDecoder().decode(line));
  if (head !== null)
    orThrow(await store.append(RUN, headOfChain(RUN, chain.slice(0, head.count)), chain.slice(head.count)));
  await store.close();
  return lines;
}

for (const driver of traced) {
  describe(`system calls, by ${driver.name}`, () => {
    it('before an append returns, its log is synced; a new database also by name', async () => {
      const path = join(folder.path, 'new', 'runs.db');
      const { calls, ends } = await trace(driver, path, []);
      expect(ends).toEqual([1, 2, 3, 4, 5, 5].map((count, turn) => `ended ${turn} durable ${count}`));
      const parts = ends.map((_, turn) =>
        calls.slice(turn === 0 ? 0 : calls.indexOf(`ended ${turn - 1}`) + 1, calls.indexOf(`ended ${turn}`)),
      );
      for (const part of parts.slice(0, 5)) {
        expect(part).toContain('write /new/runs.db-wal');
        expect(part.lastIndexOf('sync /new/runs.db-wal')).toBeGreaterThan(
          part.lastIndexOf('write /new/runs.db-wal'),
        );
      }
      expect(parts[0]).toEqual(expect.arrayContaining(['sync /new', 'sync ']));
      // A claim with nothing to append, of a run whose last group this writer itself made durable.
      expect(parts[5]?.filter((call) => call.startsWith('write'))).toEqual([]);
    });

    it('the name of a folder that stood already is synced as well: whoever made it may have died before', async () => {
      await mkdir(join(folder.path, 'stood'));
      const { calls } = await trace(driver, join(folder.path, 'stood', 'runs.db'), []);
      expect(calls.slice(0, calls.indexOf('ended 0'))).toEqual(
        expect.arrayContaining(['sync /stood', 'sync ']),
      );
    });

    it('what a killed writer left is synced before a claim of its run returns, and nothing is written', async () => {
      const store = sqliteStore(join(folder.path, 'runs.db'), driver);
      orThrow(await store.append(RUN, null, chain));
      await copyFiles(folder.path, join(folder.path, 'left'));
      await store.close();
      const { calls, ends } = await trace(driver, join(folder.path, 'left', 'runs.db'), []);
      expect(ends[0]).toContain('"code":"stale_head"');
      expect(ends[1]).toBe('ended 1 durable 5');
      const claim = calls.slice(calls.indexOf('ended 0'), calls.indexOf('ended 1'));
      expect(claim).toContain('sync /left/runs.db-wal');
      expect(claim.filter((call) => call.startsWith('write'))).toEqual([]);
    });

    it('the weaker mode does not sync at each append, which is what its name says', async () => {
      const { calls, ends } = await trace(driver, join(folder.path, 'runs.db'), [], 'weak');
      expect(ends.at(-1)).toBe('ended 5 durable 5');
      expect(
        calls
          .slice(calls.indexOf('ended 0'), calls.indexOf('ended 4'))
          .filter((call) => call.startsWith('sync')),
      ).toEqual([]);
      expect(await stored(driver, join(folder.path, 'runs.db'))).toEqual(chain.map(encodeLine));
    });

    it.each(['fsync,fdatasync:error=EIO', 'pwrite64:error=ENOSPC', 'pwrite64:error=EIO'])(
      '%s, at ten calls spread over a run: what was acknowledged is stored',
      async (rule) => {
        const { calls } = await trace(driver, join(folder.path, 'probe', 'runs.db'), []);
        const kind = rule.startsWith('pwrite64') ? 'write ' : 'sync ';
        const count = calls.filter((call) => call.startsWith(kind)).length;
        expect(count).toBeGreaterThan(6);
        let refused = 0;
        const step = Math.max(1, Math.floor(count / 10));
        for (let at = 1; at <= count; at += step) {
          const path = join(folder.path, `at-${at}`, 'runs.db');
          const { ends } = await trace(driver, path, [`${rule}:when=${at}`]);
          const acknowledged = Math.max(
            0,
            ...ends.flatMap((end) => Number(/durable ([0-9]+)$/.exec(end)?.[1] ?? 0)),
          );
          const left = ends.filter((end) => !end.includes('durable'));
          refused += left.length;
          expect(left.length).toBeLessThanOrEqual(1);
          // Of a full disk SQLite says so itself, except where it makes the log's index: then the disk is
          // asked, and this one is not full.
          for (const end of left)
            expect(end).toMatch(
              rule.includes('ENOSPC')
                ? /"code":"unavailable","run_id":"run","operation":"append","errno":"(?:ENOSPC|EIO)"/
                : /"code":"unavailable","run_id":"run","operation":"append","errno":"EIO"/,
            );
          const found = await stored(driver, path);
          expect(found.length).toBeGreaterThanOrEqual(acknowledged);
          expect(found).toEqual(chain.slice(0, found.length).map(encodeLine));
        }
        expect(refused).toBeGreaterThan(2);
      },
    );
  });
}
