import { readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeLine, orThrow, type Head } from '@assay/kernel';
import { headOfChain, smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { sqliteStore } from '../src/index.ts';
import type { SqliteDriver, SqlValue } from '../src/driver.ts';
import { SqliteFailure } from '../src/failure.ts';
import { drivers } from './tools/drivers.js';
import { Crash, FaultyDriver, type Fault } from './tools/faulty-driver.js';
import { copyFiles, insert, raw, zeroFrom } from './tools/place.js';

const RUN = 'run';
const chain = smallChain(RUN, 7);
const stored = chain.slice(0, 2);
const before = headOfChain(RUN, stored);

let folder: { readonly path: string; readonly remove: () => Promise<void> };
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** The statement after which a group is durable. */
const isCommitting = (sql: string): boolean =>
  sql === 'COMMIT' || sql.startsWith('INSERT INTO records (run, seq, line)\n');

async function storedLines(path: string, driver: SqliteDriver): Promise<readonly string[]> {
  const store = sqliteStore(join(path, 'runs.db'), driver);
  const lines: string[] = [];
  for await (const line of store.read(RUN)) lines.push(new TextDecoder().decode(line));
  await store.close();
  return lines;
}

/** As the next process does: looks at the head, appends what is missing. Returns how much it found. */
async function resume(path: string, driver: SqliteDriver): Promise<number> {
  const store = sqliteStore(join(path, 'runs.db'), driver);
  const head = orThrow(await store.head(RUN));
  const found = head?.count ?? 0;
  orThrow(await store.append(RUN, head, chain.slice(found)));
  await store.close();
  expect(await storedLines(path, driver)).toEqual(chain.map(encodeLine));
  return found;
}

for (const driver of drivers) {
  /** Appends by a process that meets a fault; true where it died. What it left is copied to `left`. */
  const appendAndMeet = async (
    path: string,
    left: string,
    expected: Head | null,
    faultAt: (sql: string, index: number) => Fault | null,
  ): Promise<FaultyDriver | null> => {
    const faulty = new FaultyDriver(driver, faultAt);
    const store = sqliteStore(join(path, 'runs.db'), faulty.driver);
    try {
      await store.append(RUN, expected, chain.slice(expected?.count ?? 0));
      await store.close();
      return null;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      await copyFiles(path, left);
      faulty.bury();
      return faulty;
    }
  };

  describe(`a process that dies, by ${driver.name}`, () => {
    it('before or after any statement of making a database: the whole first group, or none', async () => {
      const probe = new FaultyDriver(driver);
      const probing = sqliteStore(join(folder.path, 'probe', 'runs.db'), probe.driver);
      orThrow(await probing.append(RUN, null, chain));
      await probing.close();
      expect(probe.statements.length).toBeGreaterThan(12);
      const founds = new Set<number>();
      for (const crash of ['before', 'after'] as const) {
        for (let at = 0; at < probe.statements.length; at += 1) {
          const [path, left] = [
            join(folder.path, `${crash}-${at}`),
            join(folder.path, `${crash}-${at}-left`),
          ];
          expect(
            await appendAndMeet(path, left, null, (_, index) => (index === at ? { crash } : null)),
          ).not.toBeNull();
          founds.add(await resume(left, driver));
        }
      }
      expect([...founds].sort()).toEqual([0, chain.length]);
    });

    it('before or after any statement of extending a run: the group is there whole or not at all', async () => {
      const seed = async (path: string): Promise<void> => {
        const store = sqliteStore(join(path, 'runs.db'), driver);
        orThrow(await store.append(RUN, null, stored));
        await store.close();
      };
      const probe = new FaultyDriver(driver);
      await seed(join(folder.path, 'probe'));
      const probing = sqliteStore(join(folder.path, 'probe', 'runs.db'), probe.driver);
      orThrow(await probing.append(RUN, before, chain.slice(2)));
      await probing.close();
      const founds = new Set<number>();
      for (const crash of ['before', 'after'] as const) {
        for (let at = 0; at < probe.statements.length; at += 1) {
          const [path, left] = [
            join(folder.path, `${crash}-${at}`),
            join(folder.path, `${crash}-${at}-left`),
          ];
          await seed(path);
          expect(
            await appendAndMeet(path, left, before, (_, index) => (index === at ? { crash } : null)),
          ).not.toBeNull();
          founds.add(await resume(left, driver));
        }
      }
      expect([...founds].sort()).toEqual([2, chain.length]);
    });
  });

  describe(`a power cut, by ${driver.name}`, () => {
    it('whatever was kept of the log since the last commit: the whole group, or none of it', async () => {
      const [path, cut] = [join(folder.path, 'seed'), join(folder.path, 'cut')];
      const store = sqliteStore(join(path, 'runs.db'), driver);
      orThrow(await store.append(RUN, null, stored));
      await store.close();
      const db = raw(driver, path);
      db.rows('INSERT INTO runs (run_id) VALUES (?)', 'other');
      const log = 'runs.db-wal';
      const start = (await stat(join(path, log))).size;
      db.exec('BEGIN IMMEDIATE');
      insert(db, RUN, chain.slice(2));
      db.exec('COMMIT');
      await copyFiles(path, cut, ['runs.db-shm']);
      db.close();
      const whole = await readFile(join(cut, log));
      expect(whole.length).toBeGreaterThan(start);
      const founds = new Set<number>();
      for (const zeros of [false, true]) {
        for (let kept = start; kept < whole.length + 251; kept += 251) {
          const place = join(folder.path, `${zeros}-${kept}`);
          await copyFiles(cut, place, ['runs.db-shm']);
          if (zeros) await zeroFrom(join(place, log), kept);
          else await truncate(join(place, log), Math.min(kept, whole.length));
          founds.add(await resume(place, driver));
        }
      }
      expect([...founds].sort()).toEqual([2, chain.length]);
    });

    it('a log that is lost as a whole takes with it only what was committed since it began, never a part', async () => {
      const store = sqliteStore(join(folder.path, 'runs.db'), driver);
      orThrow(await store.append(RUN, null, stored));
      await store.close();
      const db = raw(driver, folder.path);
      insert(db, RUN, chain.slice(2));
      const place = join(folder.path, 'place');
      await copyFiles(folder.path, place, ['runs.db-shm', 'runs.db-wal']);
      db.close();
      expect(await resume(place, driver)).toBe(2);
    });
  });

  describe(`a sync that fails, by ${driver.name}`, () => {
    it.each([
      ['the log', 1034],
      ['its index', 4874],
      ['a folder', 1290],
      ['a write', 778],
    ])(
      '%s: the append is unavailable (EIO), is not believed the second time, and is made again',
      async (_, code) => {
        let isFailing = false;
        const faulty = new FaultyDriver(driver, (sql) => (isFailing && isCommitting(sql) ? { code } : null));
        const store = sqliteStore(join(folder.path, 'runs.db'), faulty.driver);
        orThrow(await store.append(RUN, null, stored));
        isFailing = true;
        expect(await store.append(RUN, before, chain.slice(2))).toEqual({
          _tag: 'Left',
          left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'EIO' },
        });
        isFailing = false;
        expect(orThrow(await store.head(RUN))).toEqual(before);
        const from = faulty.statements.length;
        orThrow(await store.append(RUN, before, chain.slice(2)));
        expect(faulty.statements.slice(from).some(isCommitting)).toBe(true);
        await store.close();
        expect(await storedLines(folder.path, driver)).toEqual(chain.map(encodeLine));
      },
    );

    it('a commit of which nobody knows whether it is stored: the head says', async () => {
      let isFailing = false;
      const inner = new FaultyDriver(driver);
      const faulty = {
        ...inner.driver,
        open: (place: string) => {
          const db = inner.driver.open(place);
          return {
            ...db,
            rows: (sql: string, ...values: readonly SqlValue[]) => {
              const rows = db.rows(sql, ...values);
              if (isFailing && isCommitting(sql)) throw new SqliteFailure(1034, 'injected');
              return rows;
            },
          };
        },
      };
      const store = sqliteStore(join(folder.path, 'runs.db'), faulty);
      orThrow(await store.append(RUN, null, stored));
      isFailing = true;
      expect(await store.append(RUN, before, chain.slice(2))).toMatchObject({
        left: { code: 'unavailable', errno: 'EIO' },
      });
      isFailing = false;
      expect(await store.append(RUN, before, chain.slice(2))).toEqual({
        _tag: 'Left',
        left: { code: 'stale_head', run_id: RUN, expected: before, actual: headOfChain(RUN, chain) },
      });
      await store.close();
    });
  });

  describe(`a database that is moved or removed under an open store, by ${driver.name}`, () => {
    it('is not written to where nobody would find it', async () => {
      const path = join(folder.path, 'runs.db');
      const store = sqliteStore(path, driver);
      orThrow(await store.append(RUN, null, stored));
      for (const file of ['runs.db', 'runs.db-wal', 'runs.db-shm'])
        await rm(join(folder.path, file), { force: true });
      // A file is taken for the same for 20 ms.
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(orThrow(await store.head(RUN))).toBeNull();
      expect(await store.append(RUN, before, chain.slice(2))).toMatchObject({
        left: { code: 'stale_head', actual: null },
      });
      orThrow(await store.append(RUN, null, chain));
      expect(await storedLines(folder.path, driver)).toEqual(chain.map(encodeLine));
      await store.close();
    });
  });
}
