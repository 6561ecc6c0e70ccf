import { expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { StoreReadError } from '@assay/host';
import { headOfChain, smallChain } from '@assay/testing/store-contract';
import { openUrl } from '../src/index.ts';
import type { PostgresStore } from '../src/postgres-store.ts';
import { atPlace, describeServer, evidence, freshName, makePlace, sql, urlOf } from './tools/server.js';

const RUN = 'run';
const chain = smallChain(RUN, 4);
const head = headOfChain(RUN, chain);

/** Every operation is refused for this reason. */
async function expectRefused(store: PostgresStore, error: object): Promise<void> {
  const refused = { _tag: 'Left', left: { code: 'schema', expected: 1, ...error } };
  expect(await store.append(RUN, null, chain)).toEqual(refused);
  expect(await store.append(RUN, head, [])).toEqual(refused);
  expect(await store.head(RUN)).toEqual(refused);
  expect(await store.list()).toEqual(refused);
  const reading = async (): Promise<void> => {
    for await (const line of store.read(RUN)) throw new Error(`read ${line.length}`);
  };
  const raised = await reading().catch((error: unknown) => error);
  expect(raised instanceof StoreReadError && raised.error).toEqual(refused.left);
}

/** What there is in a schema: tables, functions, rows. */
async function picture(schema: string): Promise<unknown> {
  return sql(
    'SELECT c.relname, c.relkind, c.reltuples, c.relfilenode FROM pg_class c JOIN ' +
      'pg_namespace n ON n.oid = c.relnamespace WHERE nspname = $1 ORDER BY 1',
    [schema],
  );
}

describeServer('a schema', () => {
  it('that does not exist holds no run, and asking makes nothing', () =>
    atPlace(async ({ schema }, store) => {
      expect(orThrow(await store.list())).toEqual([]);
      expect(orThrow(await store.head(RUN))).toBeNull();
      expect(await sql('SELECT FROM pg_namespace WHERE nspname = $1', [schema])).toEqual([]);
      orThrow(await store.append(RUN, null, chain));
      expect(await sql(`SELECT format, version FROM "${schema}".meta`)).toEqual([
        { format: 'assay-store', version: 1 },
      ]);
    }));

  it('that does not exist is unavailable (ENOENT) for who does not want one made', () =>
    atPlace(async ({ schema }, owner) => {
      const store = orThrow(openUrl(urlOf(schema), { create: false }));
      const missing = {
        _tag: 'Left',
        left: { code: 'unavailable', run_id: null, operation: 'open', errno: 'ENOENT' },
      };
      expect(await store.list()).toEqual(missing);
      expect(await store.head(RUN)).toEqual(missing);
      expect(await store.append(RUN, null, chain)).toEqual(missing);
      expect(await store.tryWriting()).toEqual(missing);
      expect(await sql('SELECT FROM pg_namespace WHERE nspname = $1', [schema])).toEqual([]);
      orThrow(await owner.append(RUN, null, chain.slice(0, 2)));
      expect(await store.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2))).toEqual({
        _tag: 'Right',
        right: head,
      });
      await store.close();
    }));

  it('that is empty is filled, by a role that may make tables in it and no schema', () =>
    atPlace(async ({ schema }) => {
      const role = freshName();
      await sql(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA "${schema}" AUTHORIZATION ${role}`);
      const store = orThrow(openUrl(urlOf(schema, { user: role })));
      expect(orThrow(await store.list())).toEqual([]);
      expect(await store.append(RUN, null, chain)).toEqual({ _tag: 'Right', right: head });
      await store.close();
      await sql(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    }));

  it('is appended to and read with the rights that the guide names, and no others', () =>
    atPlace(async ({ schema }, owner) => {
      const [writer, reader] = [freshName(), freshName()];
      orThrow(await owner.append('first', null, smallChain('first', 1)));
      await sql(
        `CREATE ROLE ${writer} LOGIN; CREATE ROLE ${reader} LOGIN; GRANT USAGE ON SCHEMA ` +
          `"${schema}" TO ${writer}, ${reader};
        GRANT SELECT ON "${schema}".meta, "${schema}".runs, "${schema}".records TO ${writer}, ${reader};` +
          ` GRANT INSERT ON "${schema}".runs, "${schema}".records TO ${writer}; GRANT UPDATE ON ` +
          `"${schema}".runs TO ${writer}`,
      );
      const [writing, reading] = [writer, reader].map((user) => orThrow(openUrl(urlOf(schema, { user }))));
      if (writing === undefined || reading === undefined) throw new Error('two stores');
      orThrow(await writing.append(RUN, null, chain.slice(0, 2)));
      expect(await writing.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2))).toEqual({
        _tag: 'Right',
        right: head,
      });
      expect(orThrow(await reading.list())).toEqual(['first', RUN]);
      expect(orThrow(await reading.head(RUN))).toEqual(head);
      let lines = 0;
      for await (const line of reading.read(RUN)) lines += Math.sign(line.length);
      expect(lines).toBe(chain.length);
      await writing.close();
      await reading.close();
      for (const role of [writer, reader]) await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }));

  it('may hold other tables besides ours, and plain indexes on ours', () =>
    atPlace(async ({ schema, open }, store) => {
      orThrow(await store.append(RUN, null, chain));
      await sql(
        `CREATE TABLE "${schema}".notes (a int); CREATE VIEW "${schema}".seen AS SELECT 1 AS a;
        CREATE TABLE "${schema}".labels (run text REFERENCES "${schema}".runs, label text); CREATE ` +
          `INDEX ours ON "${schema}".records (seq, run); CREATE INDEX ends ON "${schema}".runs (hash)`,
      );
      const other = await open();
      expect(orThrow(await other.head(RUN))).toEqual(head);
      await other.close();
    }));

  it('that many stores find missing at the same time is made once', () =>
    atPlace(async ({ schema, open }) => {
      for (let round = 0; round < 5; round += 1) {
        await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
        const stores = await Promise.all(Array.from({ length: 6 }, () => open()));
        const results = await Promise.all(
          stores.map((store, index) => store.append(`run-${index}`, null, smallChain(`run-${index}`, 2))),
        );
        expect(results.map(({ _tag }) => _tag)).toEqual(Array.from({ length: 6 }, () => 'Right'));
        expect(await sql(`SELECT version FROM "${schema}".meta`)).toEqual([{ version: 1 }]);
        for (const store of stores) await store.close();
      }
    }));

  it.each([
    ["somebody else's tables", 'CREATE TABLE s.users (id int)', null],
    ["somebody else's table of the same name", 'CREATE TABLE s.meta (key text, value text)', null],
    [
      'a table of the same form and other content',
      "CREATE TABLE s.meta (format text, version integer); INSERT INTO s.meta VALUES ('other', 1)",
      null,
    ],
    ['no row that says what it is', 'CREATE TABLE s.meta (format text, version integer)', null],
    [
      'two rows that say what it is',
      'CREATE TABLE s.meta (format text, version integer); INSERT INTO s.meta VALUES ' +
        "('assay-store', 1), ('assay-store', 1)",
      null,
    ],
    [
      'our name, and tables of another form',
      'CREATE TABLE s.meta (format text, version integer); INSERT INTO s.meta VALUES ' +
        "('assay-store', 1); CREATE TABLE s.records (run text, seq bigint, text jsonb)",
      1,
    ],
  ])('with %s is foreign, and is left as it was', (_, make, found) =>
    atPlace(async ({ schema }, store) => {
      await sql(`CREATE SCHEMA "${schema}"; ${make.replaceAll('s.', `"${schema}".`)}`);
      const then = await picture(schema);
      await expectRefused(store, { detail: 'foreign', found });
      expect(await picture(schema)).toEqual(then);
    }),
  );

  it.each([
    [
      'a trigger that changes what is written',
      'CREATE FUNCTION s.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.text = ' +
        'upper(NEW.text); RETURN NEW; END $$; CREATE TRIGGER t BEFORE INSERT ON s.records FOR ' +
        'EACH ROW EXECUTE FUNCTION s.f()',
    ],
    [
      'a trigger on runs',
      'CREATE FUNCTION s.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; ' +
        'CREATE TRIGGER t AFTER UPDATE ON s.runs FOR EACH STATEMENT EXECUTE FUNCTION s.f()',
    ],
    ['a rule that writes nothing', 'CREATE RULE r AS ON INSERT TO s.records DO INSTEAD NOTHING'],
    ['a rule on meta', 'CREATE RULE r AS ON UPDATE TO s.meta DO INSTEAD NOTHING'],
    ['records without their key', 'ALTER TABLE s.records DROP CONSTRAINT records_pkey'],
    ['runs without their key', 'ALTER TABLE s.runs DROP CONSTRAINT runs_pkey'],
    [
      'a key of other columns',
      'ALTER TABLE s.records DROP CONSTRAINT records_pkey; ALTER TABLE s.records ADD PRIMARY KEY (run, seq, text)',
    ],
    [
      'a key that is checked late',
      'ALTER TABLE s.runs DROP CONSTRAINT runs_pkey; ALTER TABLE s.runs ADD PRIMARY KEY (run) DEFERRABLE',
    ],
    ['records that a crash empties', 'ALTER TABLE s.records SET UNLOGGED'],
    ['runs that a crash empties', 'ALTER TABLE s.runs SET UNLOGGED'],
    ['rows that not everybody sees', 'ALTER TABLE s.records ENABLE ROW LEVEL SECURITY'],
    [
      'a key that points elsewhere',
      'CREATE TABLE s.names (run text PRIMARY KEY); INSERT INTO s.names SELECT run FROM ' +
        's.runs; ALTER TABLE s.runs ADD FOREIGN KEY (run) REFERENCES s.names ON UPDATE CASCADE',
    ],
    ['rows of another table among its own', 'CREATE TABLE s.more () INHERITS (s.records)'],
    ['a unique index', 'CREATE UNIQUE INDEX one ON s.records (run) WHERE seq > 3'],
    ['a unique constraint', 'ALTER TABLE s.runs ADD UNIQUE (hash)'],
    ['a check', "ALTER TABLE s.records ADD CHECK (text <> '')"],
    [
      'a check with an effect of its own',
      'CREATE TABLE s.log (a text); CREATE FUNCTION s.f(t text) RETURNS boolean LANGUAGE ' +
        'plpgsql AS $$ BEGIN INSERT INTO s.log VALUES (t); RETURN true; END $$; ALTER TABLE ' +
        's.records ADD CHECK (s.f(text)) NOT VALID',
    ],
    ['an index that large records do not fit into', 'CREATE INDEX whole ON s.records (text)'],
    [
      'an index that runs code of others',
      'CREATE FUNCTION s.f(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT left(t, 9) ' +
        '$$; CREATE INDEX firsts ON s.records (s.f(text))',
    ],
    [
      'one of what may not stand twice',
      'ALTER TABLE s.records ADD EXCLUDE USING btree (run WITH =, seq WITH =)',
    ],
    ['a column of others', 'ALTER TABLE s.records ADD COLUMN note text'],
    [
      'a view in the place of a table',
      'ALTER TABLE s.records RENAME TO kept; CREATE VIEW s.records AS SELECT * FROM s.kept',
    ],
  ])('with %s is foreign, and is left as it was', (_, spoil) =>
    atPlace(async ({ schema, open }, owner) => {
      orThrow(await owner.append(RUN, null, chain));
      await sql(spoil.replaceAll('s.', `"${schema}".`));
      const then = [await evidence(schema), await picture(schema)];
      const store = await open();
      await expectRefused(store, { detail: 'foreign', found: 1 });
      expect(await store.tryWriting()).toMatchObject({ left: { code: 'schema', detail: 'foreign' } });
      await store.close();
      expect([await evidence(schema), await picture(schema)]).toEqual(then);
    }),
  );

  it('is looked at once: what others do to its tables while a store is open is found by the next one', () =>
    atPlace(async ({ schema, open }, store) => {
      const known = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      await sql(`CREATE RULE r AS ON UPDATE TO "${schema}".meta DO INSTEAD NOTHING`);
      expect(await store.append(RUN, known, chain.slice(2))).toEqual({ _tag: 'Right', right: head });
      const next = await open();
      expect(await next.head(RUN)).toMatchObject({ left: { code: 'schema', detail: 'foreign' } });
      await next.close();
    }));

  it('a key that others put on its tables while a store is open refuses: unavailable (23505), no stale head', () =>
    atPlace(async ({ schema }, store) => {
      const known = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      await sql(
        `CREATE UNIQUE INDEX one ON "${schema}".records (run) WHERE seq > 0; CREATE UNIQUE INDEX ` +
          `few ON "${schema}".runs ((1))`,
      );
      expect(await store.append(RUN, known, chain.slice(2))).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: '23505' },
      });
      expect(await store.append('other', null, smallChain('other', 2))).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: 'other', operation: 'append', errno: '23505' },
      });
      expect(orThrow(await store.head(RUN))).toEqual(known);
    }));

  it.each([
    [0, 'foreign'],
    [2, 'newer'],
    [999, 'newer'],
  ] as const)('of version %d is %s, and its evidence is left as it was', (version, detail) =>
    atPlace(async ({ schema, open }, store) => {
      orThrow(await store.append(RUN, null, chain));
      await sql(`UPDATE "${schema}".meta SET version = ${version}`);
      const then = [await evidence(schema), await picture(schema)];
      const other = await open();
      await expectRefused(other, { detail, found: version });
      await other.close();
      expect([await evidence(schema), await picture(schema)]).toEqual(then);
    }),
  );

  it('in a database of another encoding keeps what that encoding has, and refuses the rest', async () => {
    const database = freshName();
    await sql(`CREATE DATABASE ${database} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    try {
      const url = new URL(urlOf('assay'));
      url.pathname = `/${database}`;
      const store = orThrow(openUrl(url.href));
      const { makeChain } = await import('@assay/testing/store-contract');
      const latin = makeChain('latin', ['é ÿ']);
      orThrow(await store.append('latin', null, latin));
      expect(orThrow(await store.head('latin'))).toEqual(headOfChain('latin', latin));
      expect(await store.append('han', null, makeChain('han', ['漢']))).toMatchObject({
        left: { code: 'unavailable', errno: '22P05' },
      });
      expect(orThrow(await store.list())).toEqual(['latin']);
      await store.close();
    } finally {
      await sql(`DROP DATABASE ${database} WITH (FORCE)`);
    }
  });
});

describeServer('two stores', () => {
  it('in two schemas of one database share nothing', async () => {
    const places = [makePlace(), makePlace()];
    const [first, second] = await Promise.all(places.map((place) => place.open()));
    orThrow((await first?.append(RUN, null, chain)) ?? { _tag: 'Right', right: head });
    expect(await second?.list()).toEqual({ _tag: 'Right', right: [] });
    await first?.close();
    await second?.close();
    for (const place of places) await place.remove();
  });
});
