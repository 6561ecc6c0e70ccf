import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeLine, orThrow } from '@assay/kernel';
import type { Store, StoreError } from '@assay/host';
import { canMount, headOfChain, smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { sqliteStore } from '../src/index.ts';
import type { SqliteDriver } from '../src/driver.ts';
import { drivers } from './tools/drivers.js';
import { FaultyDriver } from './tools/faulty-driver.js';
import { collectGarbage, mountMedium } from './tools/media.js';
import { copyFiles } from './tools/place.js';

const RUN = 'run';
const chain = smallChain(RUN, 4);
const mayMount = canMount('store-sqlite');

let folder: { readonly path: string; readonly remove: () => Promise<void> };
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/**
 * What a process leaves that is killed while it has a database open, in a folder of its own: the database,
 * its log, the index of the log. `write`: raw SQL, after the tables were made.
 */
async function left(
  driver: SqliteDriver,
  fill: (path: string) => Promise<unknown>,
  write = '',
): Promise<string> {
  const living = join(folder.path, 'living');
  await mkdir(living);
  const path = join(living, 'runs.db');
  await fill(path);
  const db = driver.open(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${write}`);
  const place = join(folder.path, 'left');
  await copyFiles(living, place);
  db.close();
  await collectGarbage(folder.path);
  return join(place, 'runs.db');
}

const seed =
  (driver: SqliteDriver) =>
  async (path: string): Promise<void> => {
    const store = sqliteStore(path, driver);
    orThrow(await store.append(RUN, null, chain));
    await store.close();
  };

/** Each file of the database's folder and its digest. */
async function picture(path: string): Promise<Readonly<Record<string, string>>> {
  const place = join(path, '..');
  return Object.fromEntries(
    await Promise.all(
      (await readdir(place)).sort().map(
        async (name) =>
          [
            name,
            createHash('sha256')
              .update(await readFile(join(place, name)))
              .digest('hex'),
          ] as const,
      ),
    ),
  );
}

async function linesOf(store: Store): Promise<readonly string[]> {
  const read: string[] = [];
  for await (const line of store.read(RUN)) read.push(new TextDecoder().decode(line));
  return read;
}

const FOREIGN = 'CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)';
const REFUSED: readonly (readonly [what: string, write: string, isOurs: boolean, refusal: object])[] = [
  ['of another program', FOREIGN, false, { detail: 'foreign' }],
  [
    'of a later version',
    'UPDATE assay_meta SET value = 9; CREATE TABLE more (x)',
    true,
    { detail: 'newer', found: 9 },
  ],
];

for (const driver of drivers) {
  describe(`a database with the log of a dead writer, by ${driver.name}`, () => {
    it.each(REFUSED)(
      '%s: refused, and neither it nor its log is changed',
      async (_, write, isOurs, refusal) => {
        const path = await left(driver, isOurs ? seed(driver) : async () => undefined, write);
        const before = await picture(path);
        expect(Object.keys(before)).toEqual(['runs.db', 'runs.db-shm', 'runs.db-wal']);
        const reader = sqliteStore(path, driver, { readsOnly: true });
        for (const answer of [await reader.list(), await reader.head(RUN)])
          expect(answer).toMatchObject({ left: { code: 'schema', ...refusal } });
        await reader.close();
        await collectGarbage(folder.path);
        expect(await picture(path)).toEqual(before);
        const writer = sqliteStore(path, driver);
        for (const answer of [
          await writer.append(RUN, null, chain),
          await writer.list(),
          await writer.tryWriting(),
        ])
          expect(answer).toMatchObject({ left: { code: 'schema', ...refusal } });
        await writer.close();
        await collectGarbage(folder.path);
        // The index is no evidence, and is made anew by who reads beside writers.
        expect({ ...(await picture(path)), 'runs.db-shm': '' }).toEqual({ ...before, 'runs.db-shm': '' });
      },
    );

    it('of ours: read with what stands in the log, and not changed; whoever appends goes on from there', async () => {
      const longer = smallChain(RUN, 5);
      const path = await left(
        driver,
        seed(driver),
        `INSERT INTO records SELECT id, 4, '${longer.slice(4).map(encodeLine).join('')}' FROM runs`,
      );
      const before = await picture(path);
      const reader = sqliteStore(path, driver, { readsOnly: true });
      expect(orThrow(await reader.list())).toEqual([RUN]);
      expect(orThrow(await reader.head(RUN))).toEqual(headOfChain(RUN, longer));
      expect(await linesOf(reader)).toEqual(longer.map(encodeLine));
      expect(await reader.append(RUN, headOfChain(RUN, longer), [])).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'EROFS' },
      });
      await reader.close();
      await collectGarbage(folder.path);
      expect(await picture(path)).toEqual(before);
      await rm(`${path}-shm`);
      const again = sqliteStore(path, driver);
      expect(await linesOf(again)).toEqual(longer.map(encodeLine));
      orThrow(await again.append(RUN, headOfChain(RUN, longer), []));
      await again.close();
    });
  });

  describe(`a database that nobody writes, by ${driver.name}`, () => {
    it('is read without anything being made beside it', async () => {
      const path = await left(driver, seed(driver));
      await rm(`${path}-shm`, { force: true });
      await rm(`${path}-wal`, { force: true });
      const before = await picture(path);
      const store = sqliteStore(path, driver);
      expect(orThrow(await store.list())).toEqual([RUN]);
      expect(await linesOf(store)).toEqual(chain.map(encodeLine));
      expect(await picture(path)).toEqual(before);
      await store.close();
    });

    it('until somebody does: each reading sees what was stored by then, also one under way', async () => {
      const path = join(folder.path, 'runs.db');
      await seed(driver)(path);
      await collectGarbage(folder.path);
      let meanwhile = (): void => undefined;
      const watching = new FaultyDriver(driver, (sql) => {
        if (sql.startsWith('SELECT run_id FROM runs')) meanwhile();
        return null;
      });
      const reader = sqliteStore(path, watching.driver, { readsOnly: true });
      expect(orThrow(await reader.list())).toEqual([RUN]);
      const writer = sqliteStore(path, driver);
      orThrow(await writer.append('second', null, smallChain('second', 2)));
      expect(orThrow(await reader.list())).toEqual([RUN, 'second']);
      await writer.close();
      await collectGarbage(folder.path);
      expect(orThrow(await reader.list())).toEqual([RUN, 'second']);
      await reader.close();
      // Written, and moved into the database, between two statements of one reading.
      const other = join(folder.path, 'other.db');
      await seed(driver)(other);
      await collectGarbage(folder.path);
      let times = 0;
      meanwhile = () => {
        if ((times += 1) > 1) return;
        const db = driver.open(other);
        db.exec("INSERT INTO runs (run_id) VALUES ('third')");
        db.close();
      };
      const fresh = sqliteStore(other, watching.driver, { readsOnly: true });
      expect(orThrow(await fresh.list())).toEqual([RUN, 'third']);
      expect(times).toBeGreaterThan(1);
      await fresh.close();
    });
  });

  describe(`a write that was cut off before there was a log, by ${driver.name}`, () => {
    /**
     * A database of another program, or of version 0, whose process died inside a transaction: the journal
     * takes it back.
     */
    const cutOff = async (isOurs: boolean): Promise<string> => {
      const living = join(folder.path, 'living');
      await mkdir(living);
      const path = join(living, 'runs.db');
      const code = (
        `const L = require('libsql'); const d = new L(${JSON.stringify(path)}); ` +
        `d.exec("${
          isOurs
            ? 'PRAGMA application_id = 1095979865; CREATE TABLE assay_meta (key TEXT ' +
              'PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID; INSERT INTO assay_meta ' +
              "VALUES ('schema_version', 1); CREATE TABLE runs (id INTEGER PRIMARY KEY, run_id TEXT NOT " +
              'NULL UNIQUE) STRICT; CREATE TABLE records (run INTEGER NOT NULL, seq INTEGER NOT NULL, ' +
              "line TEXT NOT NULL, PRIMARY KEY (run, seq)) STRICT; INSERT INTO runs VALUES (1, 'a'); " +
              "INSERT INTO records VALUES (1, 0, 'x')"
            : 'CREATE TABLE records (line)'
        };
        PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE filler (a); INSERT INTO ` +
        `filler WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT ` +
        `randomblob(500) FROM n"); process.kill(process.pid, 'SIGKILL')`
      ).replaceAll('\n', ' ');
      spawnSync(process.execPath, ['-e', code], { stdio: 'inherit' });
      expect((await readdir(living)).sort()).toEqual(['runs.db', 'runs.db-journal']);
      return path;
    };

    it('of another program: refused, and left to it', async () => {
      const path = await cutOff(false);
      const before = await picture(path);
      const store = sqliteStore(path, driver);
      for (const answer of [
        await store.list(),
        await store.append(RUN, null, chain),
        await store.tryWriting(),
      ])
        expect(answer).toMatchObject({ left: { code: 'schema', detail: 'foreign' } });
      await store.close();
      await collectGarbage(folder.path);
      expect(await picture(path)).toEqual(before);
    });

    it('of ours: who only reads is told, who may write takes it back', async () => {
      const path = await cutOff(true);
      const before = await picture(path);
      const reader = sqliteStore(path, driver, { readsOnly: true });
      expect(await reader.list()).toEqual({
        _tag: 'Left',
        left: {
          code: 'unavailable',
          run_id: null,
          operation: 'list',
          errno: 'SQLITE_READONLY_ROLLBACK',
        } satisfies StoreError,
      });
      await reader.close();
      expect(await picture(path)).toEqual(before);
      const store = sqliteStore(path, driver);
      expect(orThrow(await store.list())).toEqual(['a']);
      await store.close();
    });
  });

  describe.skipIf(!mayMount)(`a full disk, by ${driver.name}`, () => {
    it.each([
      ['nobody writes', false],
      ['a dead writer left its log and no index', true],
    ] as const)('with a database that %s: read, or said to be full; nothing is made', async (_, hasLog) => {
      const living = await left(driver, seed(driver), "INSERT INTO runs (run_id) VALUES ('z')");
      const medium = mountMedium();
      try {
        const path = join(medium.path, 'runs.db');
        await writeFile(path, await readFile(living));
        if (hasLog) await writeFile(`${path}-wal`, await readFile(`${living}-wal`));
        const ballast = join(medium.path, 'ballast');
        await writeFile(ballast, new Uint8Array(128 * 1024)).catch(() => undefined);
        const before = await readdir(medium.path);
        for (const readsOnly of [true, false]) {
          const store = sqliteStore(path, driver, { readsOnly });
          const listed = await store.list();
          if (hasLog)
            expect(listed).toEqual({
              _tag: 'Left',
              left: { code: 'unavailable', run_id: null, operation: 'list', errno: 'ENOSPC' },
            });
          else expect([orThrow(listed), await linesOf(store)]).toEqual([[RUN], chain.map(encodeLine)]);
          await store.close();
        }
        expect(await readdir(medium.path)).toEqual(before);
      } finally {
        await medium.remove();
      }
    });
  });
}
