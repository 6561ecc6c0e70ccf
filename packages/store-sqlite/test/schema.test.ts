import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeLine, orThrow } from '@assay/kernel';
import { StoreReadError, type Store, type StoreError } from '@assay/host';
import { headOfChain, smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { sqliteStore } from '../src/index.ts';
import type { SqliteDriver } from '../src/driver.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from '../src/schema.ts';
import { drivers } from './tools/drivers.js';

const RUN = 'run';
const chain = smallChain(RUN, 4);
const head = headOfChain(RUN, chain);

let folder: { readonly path: string; readonly remove: () => Promise<void> };
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'runs.db');
});
afterEach(() => folder.remove());

async function digest(): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

async function lines(store: Store): Promise<readonly string[]> {
  const read: string[] = [];
  for await (const line of store.read(RUN)) read.push(new TextDecoder().decode(line));
  return read;
}

async function readError(store: Store): Promise<StoreError> {
  try {
    await lines(store);
  } catch (error) {
    if (error instanceof StoreReadError) return error.error;
    throw error;
  }
  throw new Error('it should not be readable');
}

/** What every call answers for a database that the store does not take; nothing of it may change. */
async function refusedEverywhere(driver: SqliteDriver, refusal: StoreError): Promise<void> {
  const before = await digest();
  const store = sqliteStore(path, driver);
  expect(await store.list()).toEqual({ _tag: 'Left', left: refusal });
  expect(await store.head(RUN)).toEqual({ _tag: 'Left', left: refusal });
  expect(await store.append(RUN, null, chain)).toEqual({ _tag: 'Left', left: refusal });
  expect(await store.append(RUN, head, [])).toEqual({ _tag: 'Left', left: refusal });
  expect(await readError(store)).toEqual(refusal);
  await store.close();
  expect(await digest()).toBe(before);
}

async function seed(driver: SqliteDriver): Promise<void> {
  const store = sqliteStore(path, driver);
  orThrow(await store.append(RUN, null, chain));
  await store.close();
}

function edit(driver: SqliteDriver, sql: string): void {
  const db = driver.open(path);
  db.exec(sql);
  // A connection that is yet to be collected may keep the log; what the database is compared with is the
  // whole of it.
  db.rows('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

const foreign = (found: number | null): StoreError => ({
  code: 'schema',
  detail: 'foreign',
  found,
  expected: SCHEMA_VERSION,
});

/** The tables of version 0, with runs that interleave. */
for (const driver of drivers) {
  describe(`a database that is not ours, by ${driver.name}`, () => {
    it('no database at all: refused, untouched', async () => {
      await writeFile(path, 'a text that is longer than the header of a database\n'.repeat(40));
      await refusedEverywhere(driver, foreign(null));
    });

    it('tables of others, also under our names: refused, untouched', async () => {
      edit(driver, 'CREATE TABLE records (a); INSERT INTO records VALUES (1)');
      await refusedEverywhere(driver, foreign(null));
    });

    it.each(['REFERENCES records(run)', 'REFERENCES records(line) DEFERRABLE INITIALLY DEFERRED'])(
      "beside ours, somebody's table whose column %s asks nothing of us",
      async (refers) => {
        await seed(driver);
        edit(driver, `CREATE TABLE theirs (run INTEGER ${refers})`);
        const store = sqliteStore(path, driver);
        orThrow(await store.append('another', null, smallChain('another', 2)));
        expect(orThrow(await store.head('another'))?.count).toBe(2);
        await store.close();
      },
    );

    it('an empty database that another program has marked as its own: refused, untouched', async () => {
      edit(driver, 'PRAGMA application_id = 7; PRAGMA user_version = 3');
      await refusedEverywhere(driver, foreign(null));
    });

    it('our mark without a version, or with a negative one: refused, untouched', async () => {
      await seed(driver);
      edit(driver, "UPDATE assay_meta SET value = -1 WHERE key = 'schema_version'");
      await refusedEverywhere(driver, foreign(null));
      edit(driver, 'DELETE FROM assay_meta');
      await refusedEverywhere(driver, foreign(null));
      edit(driver, 'DROP TABLE assay_meta; CREATE TABLE assay_meta (other)');
      await refusedEverywhere(driver, foreign(null));
    });

    it('our tables with another shape or a trigger: refused, untouched', async () => {
      await seed(driver);
      edit(driver, "CREATE TRIGGER t AFTER INSERT ON records BEGIN UPDATE records SET line = ''; END");
      await refusedEverywhere(driver, foreign(SCHEMA_VERSION));
      edit(driver, 'DROP TRIGGER t; ALTER TABLE runs ADD COLUMN note TEXT');
      await refusedEverywhere(driver, foreign(SCHEMA_VERSION));
    });

    it.each([
      [
        'a trigger',
        "CREATE TRIGGER sqlitex_evil AFTER INSERT ON records BEGIN UPDATE records SET line = ''; END",
      ],
      ['a unique index', 'CREATE UNIQUE INDEX SQLitey ON records (run, line)'],
    ])('%s whose name begins as those of the system: refused, untouched', async (_, sql) => {
      await seed(driver);
      edit(driver, sql);
      await refusedEverywhere(driver, foreign(SCHEMA_VERSION));
    });

    it('a trigger under a name of the system: refused, untouched', async () => {
      await seed(driver);
      // Node's own driver edits no schema, and reads one that another has edited.
      const editor = drivers.find(({ name }) => name === 'libsql');
      if (editor === undefined) throw new Error('no libsql: run npm ci');
      edit(
        editor,
        'CREATE TRIGGER plain AFTER INSERT ON records BEGIN SELECT 1; END; PRAGMA ' +
          "writable_schema = ON; UPDATE sqlite_master SET name = 'sqlite_evil', sql = replace(sql, " +
          "'plain', 'sqlite_evil') WHERE name = 'plain'; PRAGMA writable_schema = OFF",
      );
      await refusedEverywhere(driver, foreign(SCHEMA_VERSION));
    });

    it('a table of others is seen, also where its name begins with sqlite', async () => {
      const name = fc
        .tuple(
          fc.constantFrom('sqlite', 'SQLITE', 'SqLite'),
          fc.constantFrom('user', '%', '-', '\\', 'é', ' ', ''),
          fc.stringMatching(/^[a-z_]{0,8}$/),
        )
        .map((parts) => parts.join(''));
      await fc.assert(
        fc.asyncProperty(
          name.filter((given) => !/^sqlite_/i.test(given)),
          async (given) => {
            edit(driver, `CREATE TABLE "${given}" (a)`);
            await refusedEverywhere(driver, foreign(null));
            edit(driver, `DROP TABLE "${given}"`);
          },
        ),
        { seed: 0x04a55a, numRuns: 20 },
      );
      edit(driver, 'CREATE TABLE theirs (a INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE theirs; ANALYZE');
      await seed(driver);
      edit(driver, 'ANALYZE');
      const store = sqliteStore(path, driver);
      orThrow(await store.append('other', null, smallChain('other', 2)));
      expect(await lines(store)).toEqual(chain.map(encodeLine));
      await store.close();
    });

    it('views and plain indexes that somebody added to ours do no harm', async () => {
      await seed(driver);
      edit(
        driver,
        "CREATE VIEW kinds AS SELECT run, seq, json_extract(line, '$.kind') AS kind FROM " +
          'records; CREATE INDEX whole ON records (line COLLATE nocase, seq); CREATE TABLE theirs ' +
          '(a UNIQUE); CREATE UNIQUE INDEX of_theirs ON theirs (a + 1)',
      );
      const store = sqliteStore(path, driver);
      expect(await lines(store)).toEqual(chain.map(encodeLine));
      orThrow(await store.append(RUN, head, []));
      orThrow(await store.append('other', null, smallChain('other', 2)));
      await store.close();
    });

    it.each([
      ['unique', 'CREATE UNIQUE INDEX one ON records (run) WHERE seq > 2'],
      ['unique, of a column that is unique so far', 'CREATE UNIQUE INDEX one ON records (line)'],
      ['over an expression that may fail', "CREATE INDEX kinds ON records (json_extract(line, '$.kind'))"],
      ['of some rows', "CREATE INDEX some ON records (seq) WHERE json_extract(line, '$.kind') = 'x'"],
    ])('an index of others that may refuse a record, %s: refused, untouched', async (_, sql) => {
      await seed(driver);
      edit(driver, sql);
      await refusedEverywhere(driver, foreign(SCHEMA_VERSION));
      const store = sqliteStore(path, driver);
      expect(await store.tryWriting()).toEqual({ _tag: 'Left', left: foreign(SCHEMA_VERSION) });
      await store.close();
    });

    it('an index of others that is made while a store is open: unavailable, nothing is stored', async () => {
      const store = sqliteStore(path, driver);
      const known = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      edit(driver, 'CREATE UNIQUE INDEX one ON records (run) WHERE seq > 0');
      const refused = {
        _tag: 'Left',
        left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'SQLITE_CONSTRAINT' },
      };
      expect(await store.append(RUN, known, chain.slice(2))).toEqual(refused);
      edit(driver, 'DROP INDEX one');
      expect(orThrow(await store.append(RUN, known, chain.slice(2)))).toEqual(head);
      await store.close();
    });

    it('a folder is unavailable, a file of no bytes is a database yet to be made', async () => {
      await mkdir(path);
      const store = sqliteStore(path, driver);
      expect(await store.list()).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: null, operation: 'list', errno: 'EISDIR' },
      });
      await store.close();
      const empty = join(folder.path, 'empty.db');
      await writeFile(empty, '');
      const second = sqliteStore(empty, driver);
      expect(orThrow(await second.list())).toEqual([]);
      expect(orThrow(await second.head(RUN))).toBeNull();
      expect((await readFile(empty)).length).toBe(0);
      expect(orThrow(await second.append(RUN, null, chain))).toEqual(head);
      await second.close();
    });
  });

  describe(`a missing database, by ${driver.name}`, () => {
    it('lists nothing and is not made by looking', async () => {
      const store = sqliteStore(join(folder.path, 'none', 'runs.db'), driver);
      expect(orThrow(await store.list())).toEqual([]);
      expect(orThrow(await store.head(RUN))).toBeNull();
      expect(await readError(store)).toEqual({ code: 'not_found', run_id: RUN });
      await store.close();
      expect(await readdir(folder.path)).toEqual([]);
    });

    it('is unavailable (ENOENT) for who does not want one made', async () => {
      const store = sqliteStore(path, driver, { create: false });
      const missing = { code: 'unavailable', run_id: null, operation: 'open', errno: 'ENOENT' };
      expect(await store.list()).toEqual({ _tag: 'Left', left: missing });
      expect(await store.head(RUN)).toEqual({ _tag: 'Left', left: missing });
      expect(await store.append(RUN, null, chain)).toEqual({ _tag: 'Left', left: missing });
      expect(await readError(store)).toEqual(missing);
      await store.close();
      expect(await readdir(folder.path)).toEqual([]);
    });

    it('is made with its folders', async () => {
      const store = sqliteStore(join(folder.path, 'a', 'b', 'runs.db'), driver);
      orThrow(await store.append(RUN, null, chain));
      expect(orThrow(await store.list())).toEqual([RUN]);
      await store.close();
    });
  });

  describe(`schema versions, by ${driver.name}`, () => {
    it('a new database says which it is', async () => {
      await seed(driver);
      const db = driver.open(path);
      expect(db.rows('PRAGMA application_id').map((row) => ({ ...row }))).toEqual([
        { application_id: APPLICATION_ID },
      ]);
      expect(db.rows('SELECT key, value FROM assay_meta').map((row) => ({ ...row }))).toEqual([
        { key: 'schema_version', value: SCHEMA_VERSION },
      ]);
      db.close();
    });

    it('a newer one is refused, untouched', async () => {
      await seed(driver);
      edit(driver, 'UPDATE assay_meta SET value = 2; CREATE TABLE more (x)');
      await refusedEverywhere(driver, {
        code: 'schema',
        detail: 'newer',
        found: 2,
        expected: SCHEMA_VERSION,
      });
    });

    it('what says to be version 0, which was never released, is foreign, untouched', async () => {
      edit(
        driver,
        `PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE assay_meta (key TEXT PRIMARY ` +
          `KEY, value INTEGER NOT NULL); INSERT INTO assay_meta VALUES ('schema_version', 0)`,
      );
      await refusedEverywhere(driver, foreign(0));
    });

    it('a database migrated by a later version under an open store is refused, not written to', async () => {
      const store = sqliteStore(path, driver);
      orThrow(await store.append(RUN, null, chain));
      edit(driver, 'UPDATE assay_meta SET value = 9');
      const newer = {
        _tag: 'Left',
        left: { code: 'schema', detail: 'newer', found: 9, expected: SCHEMA_VERSION },
      };
      expect(await store.append(RUN, head, [])).toEqual(newer);
      expect(await store.head(RUN)).toEqual(newer);
      await store.close();
    });
  });

  describe(`a damaged database, by ${driver.name}`, () => {
    it('a page that is overwritten: torn, said for the run, and nothing is changed', async () => {
      const long = smallChain(RUN, 400);
      const store = sqliteStore(path, driver);
      orThrow(await store.append(RUN, null, long));
      await store.close();
      const bytes = await readFile(path);
      bytes.fill(0xa5, 6 * 4096);
      await writeFile(path, bytes);
      const before = await digest();
      const damaged = sqliteStore(path, driver);
      expect(await damaged.head(RUN)).toMatchObject({ left: { code: 'torn', run_id: RUN } });
      expect(await damaged.append(RUN, headOfChain(RUN, long), [])).toMatchObject({
        left: { code: 'torn', run_id: RUN },
      });
      expect(await readError(damaged)).toMatchObject({ code: 'torn' });
      await damaged.close();
      expect(await digest()).toBe(before);
    });

    it('a record that is missing: reading is torn from there on, and what is before it can be read', async () => {
      await seed(driver);
      edit(driver, 'DELETE FROM records WHERE seq = 2');
      const store = sqliteStore(path, driver);
      expect(await readError(store)).toEqual({ code: 'torn', run_id: RUN, detail: 'record 2 is missing' });
      await store.close();
    });

    it('a row before record 0 is passed over by nothing: no head, no line, no append', async () => {
      await seed(driver);
      edit(driver, 'INSERT INTO records SELECT run, -1, line FROM records WHERE seq = 2');
      const before = await digest();
      const store = sqliteStore(path, driver);
      const torn: StoreError = { code: 'torn', run_id: RUN, detail: 'row -1 stands before record 0' };
      expect([await store.head(RUN), await store.append(RUN, head, []), await readError(store)]).toEqual([
        { _tag: 'Left', left: torn },
        { _tag: 'Left', left: torn },
        torn,
      ]);
      await store.close();
      expect(await digest()).toBe(before);
    });

    it.each(['-1152921504606846976', '1152921504606846976'])(
      'a sequence of %s, which is no number of this language, is torn',
      async (sequence) => {
        await seed(driver);
        edit(driver, `INSERT INTO records SELECT run, ${sequence}, line FROM records WHERE seq = 2`);
        const store = sqliteStore(path, driver);
        expect([await store.head(RUN), await readError(store)]).toMatchObject([
          { left: { code: 'torn' } },
          { code: 'torn' },
        ]);
        await store.close();
      },
    );

    it('rows of a run that is not there are listed by the first of them, torn, and hide no run', async () => {
      await seed(driver);
      edit(driver, "INSERT INTO records VALUES (99, 7, 'x'), (99, 8, 'x'), (-3, -1, 'x')");
      const store = sqliteStore(path, driver);
      expect(orThrow(await store.list())).toEqual(['records(-3,-1)', 'records(99,7)', RUN]);
      for (const name of ['records(-3,-1)', 'records(99,7)']) {
        const torn = {
          _tag: 'Left',
          left: { code: 'torn', run_id: name, detail: 'this row belongs to no run' },
        };
        expect([await store.head(name), await store.append(name, null, chain)]).toEqual([torn, torn]);
      }
      expect([orThrow(await store.head(RUN)), (await lines(store)).length]).toEqual([head, chain.length]);
      await store.close();
    });

    it('a run without records, a record of another sequence, a ledger of another run: refused', async () => {
      await seed(driver);
      edit(
        driver,
        "UPDATE records SET seq = 5 WHERE seq = 3; INSERT INTO runs (run_id) VALUES ('bare'); " +
          "INSERT INTO runs (run_id) VALUES ('stolen'); INSERT INTO records SELECT (SELECT id FROM " +
          "runs WHERE run_id = 'stolen'), seq, line FROM records WHERE seq < 3",
      );
      const store = sqliteStore(path, driver);
      expect(await store.head(RUN)).toMatchObject({
        left: { code: 'torn', detail: 'the last record is not sound' },
      });
      expect(await store.head('bare')).toMatchObject({
        left: { code: 'torn', detail: 'the run has no records' },
      });
      expect(await store.append('bare', null, smallChain('bare', 1))).toMatchObject({
        left: { code: 'torn' },
      });
      expect(await store.head('stolen')).toEqual({
        _tag: 'Left',
        left: { code: 'run_id', run_id: 'stolen', detail: 'other_run' },
      });
      await store.close();
    });
  });
}
