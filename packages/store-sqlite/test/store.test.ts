import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeLine, orThrow } from '@assay/kernel';
import { canMount, makeChain, headOfChain, smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { findDriver, openUrl, sqliteStore } from '../src/index.ts';
import { LIBSQL_VERSION, type Connection, type SqliteDriver } from '../src/driver.ts';
import { drivers } from './tools/drivers.js';
import { FaultyDriver } from './tools/faulty-driver.js';
import { collectGarbage, mountMedium } from './tools/media.js';

const RUN = 'run';
const chain = smallChain(RUN, 4);
const mayMount = canMount('store-sqlite');

let folder: { readonly path: string; readonly remove: () => Promise<void> };
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'runs.db');
});
afterEach(() => folder.remove());

/** A driver whose connections can be looked at. */
function watched(driver: SqliteDriver): {
  readonly driver: SqliteDriver;
  readonly connections: readonly Connection[];
} {
  const watching = new FaultyDriver(driver);
  return { driver: watching.driver, connections: watching.connections };
}

const pragma = (db: Connection | undefined, name: string): unknown => db?.rows(`PRAGMA ${name}`)[0]?.[name];

/** Unmounts also where the test fails. */
async function onSmallMedium(body: (medium: ReturnType<typeof mountMedium>) => Promise<void>): Promise<void> {
  const medium = mountMedium();
  try {
    await body(medium);
  } finally {
    await medium.remove();
  }
}

for (const driver of drivers) {
  describe(`durability, by ${driver.name}`, () => {
    it.each([
      [undefined, 2],
      ['power_loss', 2],
      ['process_death', 1],
    ] as const)(
      'survives %s: synchronous reads back as %i, and the log is written ahead',
      async (survives, synchronous) => {
        const { driver: seen, connections } = watched(driver);
        const store = sqliteStore(path, seen, survives === undefined ? {} : { survives });
        orThrow(await store.append(RUN, null, chain.slice(0, 2)));
        orThrow(await store.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2)));
        expect(connections).toHaveLength(1);
        expect(pragma(connections[0], 'synchronous')).toBe(synchronous);
        expect(pragma(connections[0], 'journal_mode')).toBe('wal');
        await store.close();
      },
    );

    it('is the same for a store that only resumes a run that another process wrote', async () => {
      const first = sqliteStore(path, driver);
      orThrow(await first.append(RUN, null, chain));
      await first.close();
      const { driver: seen, connections } = watched(driver);
      const store = sqliteStore(path, seen);
      orThrow(await store.head(RUN));
      orThrow(await store.append(RUN, headOfChain(RUN, chain), []));
      for (const db of connections)
        expect([pragma(db, 'synchronous'), pragma(db, 'journal_mode')]).toEqual([2, 'wal']);
      await store.close();
    });

    it('a group is one statement and so one transaction, and what was stored before is not read again', async () => {
      const watching = new FaultyDriver(driver);
      const store = sqliteStore(path, watching.driver);
      const head = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      const from = watching.statements.length;
      orThrow(await store.append(RUN, head, chain.slice(2)));
      expect(watching.statements.slice(from).map((sql) => sql.split(' ').slice(0, 2).join(' '))).toEqual([
        'INSERT INTO',
      ]);
      await store.close();
    });

    it('a group of any number of records is stored whole, by one statement or in one transaction', async () => {
      const watching = new FaultyDriver(driver);
      const store = sqliteStore(path, watching.driver);
      const long = smallChain(RUN, 100);
      let head = orThrow(await store.append(RUN, null, long.slice(0, 1)));
      const commits = (): number => watching.statements.filter((sql) => sql === 'COMMIT').length;
      for (const [size, transactions] of [
        [1, 0],
        [15, 0],
        [16, 0],
        [17, 1],
        [40, 1],
      ] as const) {
        const before = commits();
        head = orThrow(await store.append(RUN, head, long.slice(head.count, head.count + size)));
        expect([size, commits() - before]).toEqual([size, transactions]);
      }
      expect(head).toEqual(headOfChain(RUN, long.slice(0, 90)));
      const lines: string[] = [];
      for await (const line of store.read(RUN)) lines.push(new TextDecoder().decode(line));
      expect(lines).toEqual(long.slice(0, 90).map(encodeLine));
      await store.close();
    });
  });

  describe(`a run that somebody else changed meanwhile, by ${driver.name}`, () => {
    it.each([
      [
        'appended to',
        "INSERT INTO records SELECT run, 3, replace(line, '#000000000002', '#000000000003') FROM records WHERE seq = 2",
        'torn',
      ],
      ['cut', 'DELETE FROM records WHERE seq = 2', 'stale_head'],
      ['emptied', 'DELETE FROM records', 'torn'],
      ['removed', 'DELETE FROM records; DELETE FROM runs', 'stale_head'],
      [
        'edited in the hash of its last record',
        "UPDATE records SET line = replace(line, 'HASH', substr('HASH', 2) || 'x') WHERE seq = 2",
        'torn',
      ],
      ['migrated', 'UPDATE assay_meta SET value = 9', 'schema'],
    ])('%s: the open store looks before it writes, and adds nothing', async (_, sql, code) => {
      const store = sqliteStore(path, driver);
      const head = orThrow(await store.append(RUN, null, chain.slice(0, 3)));
      const other = driver.open(path);
      other.exec(sql.replaceAll('HASH', head.hash));
      const before = other.rows('SELECT count(*) AS count FROM records')[0]?.['count'];
      expect(await store.append(RUN, head, chain.slice(3))).toMatchObject({ left: { code } });
      expect(await store.append(RUN, head, [])).toMatchObject({ left: { code } });
      expect(other.rows('SELECT count(*) AS count FROM records')[0]?.['count']).toBe(before);
      other.close();
      await store.close();
    });
  });

  it(`a last record that only quotes the head is no head: stale, by ${driver.name}`, async () => {
    const store = sqliteStore(path, driver);
    const head = orThrow(await store.append(RUN, null, chain.slice(0, 3)));
    const ending = `"record_hash":"${head.hash}","ts":"${chain[2]?.ts ?? ''}","v":1}`;
    for (const quoting of [head.hash, { record_hash: head.hash }, ending]) {
      const theirs = makeChain(RUN, [{ value: 0 }, quoting]);
      const other = driver.open(path);
      other.rows('UPDATE records SET line = ? WHERE seq = 2', encodeLine(theirs[2] as never));
      other.close();
      expect(await store.append(RUN, head, chain.slice(3))).toEqual({
        _tag: 'Left',
        left: { code: 'stale_head', run_id: RUN, expected: head, actual: headOfChain(RUN, theirs) },
      });
    }
    await store.close();
  });

  describe(`a database that another connection holds, by ${driver.name}`, () => {
    it('is waited for while this process goes on, then locked; readers are not held up', async () => {
      const store = sqliteStore(path, driver, { patienceMs: 300 });
      const head = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      const holder = driver.open(path);
      holder.exec('BEGIN IMMEDIATE');
      let ticks = 0;
      const ticking = setInterval(() => {
        ticks += 1;
      }, 5);
      expect(await store.append(RUN, head, chain.slice(2))).toEqual({
        _tag: 'Left',
        left: { code: 'locked', run_id: RUN, owner: 'another connection to the database' },
      });
      clearInterval(ticking);
      expect(ticks).toBeGreaterThan(2);
      expect(await store.tryWriting()).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: null, operation: 'write', errno: 'EBUSY' },
      });
      expect(orThrow(await store.head(RUN))).toEqual(head);
      expect(orThrow(await store.list())).toEqual([RUN]);
      holder.exec('ROLLBACK');
      orThrow(await store.append(RUN, head, chain.slice(2)));
      holder.close();
      await store.close();
    });

    it('is taken as soon as it is let go, and appends keep their order', async () => {
      const store = sqliteStore(path, driver);
      const head = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      const holder = driver.open(path);
      holder.exec('BEGIN IMMEDIATE');
      const third = store.append(RUN, head, chain.slice(2, 3));
      const fourth = store.append(RUN, headOfChain(RUN, chain.slice(0, 3)), chain.slice(3));
      const closing = store.close();
      setTimeout(() => {
        holder.exec('COMMIT');
        holder.close();
      }, 40);
      expect(orThrow(await third).count).toBe(3);
      expect(orThrow(await fourth)).toEqual(headOfChain(RUN, chain));
      await closing;
    });

    it('exclusively: read as before, and once something was written unavailable (EBUSY)', async () => {
      const store = sqliteStore(path, driver, { patienceMs: 30 });
      orThrow(await store.append(RUN, null, chain));
      await store.close();
      await collectGarbage(folder.path);
      const holder = driver.open(path);
      holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      const reader = sqliteStore(path, driver, { patienceMs: 60 });
      expect(orThrow(await reader.list())).toEqual([RUN]);
      holder.exec("INSERT INTO runs (run_id) VALUES ('more'); COMMIT");
      expect(await reader.list()).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: null, operation: 'list', errno: 'EBUSY' },
      });
      await reader.close();
      holder.close();
    });
  });
}

for (const driver of mayMount ? drivers : []) {
  describe(`a full disk, by ${driver.name}`, () => {
    it('takes nothing half: the ledger is as before, and once there is room the same store goes on', () =>
      onSmallMedium(async (medium) => {
        const long = makeChain(RUN, ['a', 'x'.repeat(30_000)]);
        const store = sqliteStore(join(medium.path, 'runs.db'), driver);
        const ballast = join(medium.path, 'ballast');
        const head = orThrow(await store.append(RUN, null, long.slice(0, 2)));
        await writeFile(ballast, new Uint8Array(128 * 1024)).catch(() => undefined);
        expect(await store.append(RUN, head, long.slice(2))).toEqual({
          _tag: 'Left',
          left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'ENOSPC' },
        });
        expect(await store.tryWriting()).toEqual({
          _tag: 'Left',
          left: { code: 'unavailable', run_id: null, operation: 'write', errno: 'ENOSPC' },
        });
        await rm(ballast);
        expect(orThrow(await store.tryWriting())).toBeNull();
        expect(orThrow(await store.head(RUN))).toEqual(head);
        orThrow(await store.append(RUN, head, long.slice(2)));
        await store.close();
        const again = sqliteStore(join(medium.path, 'runs.db'), driver);
        expect(orThrow(await again.head(RUN))).toEqual(headOfChain(RUN, long));
        await again.close();
      }));

    it('with a database that has nothing in it yet cannot be written to, and nothing is made', () =>
      onSmallMedium(async (medium) => {
        const [path, ballast] = [join(medium.path, 'runs.db'), join(medium.path, 'ballast')];
        await writeFile(path, '');
        const store = sqliteStore(path, driver);
        expect(orThrow(await store.tryWriting())).toBeNull();
        await writeFile(ballast, new Uint8Array(128 * 1024)).catch(() => undefined);
        expect(await store.tryWriting()).toEqual({
          _tag: 'Left',
          left: { code: 'unavailable', run_id: null, operation: 'write', errno: 'ENOSPC' },
        });
        await store.close();
        expect(await readFile(path, 'utf8')).toBe('');
      }));

    it('that is mounted read-only after a writer was killed: unavailable, or what is stored, never less', () =>
      onSmallMedium(async (medium) => {
        const store = sqliteStore(join(medium.path, 'runs.db'), driver);
        orThrow(await store.append(RUN, null, chain));
        const copies = await Promise.all(
          ['runs.db', 'runs.db-wal'].map(
            async (name) => [name, await readFile(join(medium.path, name))] as const,
          ),
        );
        await store.close();
        await mkdir(join(medium.path, 'left'));
        for (const [name, bytes] of copies) await writeFile(join(medium.path, 'left', name), bytes);
        await medium.remount('ro');
        const reader = sqliteStore(join(medium.path, 'left', 'runs.db'), driver);
        const head = await reader.head(RUN);
        if (head._tag === 'Right') expect(head.right).toEqual(headOfChain(RUN, chain));
        else
          expect(head.left).toEqual({ code: 'unavailable', run_id: RUN, operation: 'head', errno: 'EROFS' });
        await reader.close();
      }));
  });
}

describe('openUrl', () => {
  it('opens a path as it stands and a URL percent-decoded', async () => {
    const place = join(folder.path, 'a b%20ü?x#y.db');
    for (const url of [`sqlite:${place}`, pathToFileURL(place).href.replace('file:', 'sqlite:')]) {
      const store = orThrow(await openUrl(url));
      const head = orThrow(await store.head(RUN));
      orThrow(await store.append(RUN, head, head === null ? chain : []));
      await store.close();
    }
    expect((await readFile(place)).subarray(0, 15).toString()).toBe('SQLite format 3');
    const store = orThrow(await openUrl(`sqlite:${place}`));
    const lines: string[] = [];
    for await (const line of store.read(RUN)) lines.push(new TextDecoder().decode(line));
    expect(lines).toEqual(chain.map(encodeLine));
    await store.close();
  });

  it('refuses other schemes, an empty path, hosts and a database in memory, each naming the address', async () => {
    for (const url of [
      'file:x',
      'x',
      '',
      'sqlite:',
      'Sqlite:x',
      'sqlite://host/share',
      'sqlite::memory:',
      'sqlite:file::memory:?cache=shared',
      'sqlite:a\0b',
      'sqlite:///%zz',
    ]) {
      expect(await openUrl(url)).toEqual({
        _tag: 'Left',
        left: { code: 'url', url, detail: 'expected sqlite:PATH' },
      });
    }
  });
});

describe('findDriver', () => {
  it("takes Node's own where there is one, else libsql", async () => {
    const found = orThrow(await findDriver());
    expect(found.name).toBe(process.getBuiltinModule('node:sqlite') === undefined ? 'libsql' : 'node:sqlite');
    expect(found.version).toMatch(/^3\.\d+\.\d+$/);
  });

  it('without any says what to type', async () => {
    expect(await findDriver([() => null, async () => null])).toEqual({
      _tag: 'Left',
      left: {
        code: 'driver',
        detail: `this Node (${process.versions.node}) has no node:sqlite, and libsql is not installed`,
        install: `npm install libsql@${LIBSQL_VERSION}`,
      },
    });
  });
});
