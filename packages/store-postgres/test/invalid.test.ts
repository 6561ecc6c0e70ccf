import { expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { StoreReadError } from '@assay/host';
import { makeChain, headOfChain, smallChain } from '@assay/testing/store-contract';
import type { PostgresStore } from '../src/postgres-store.ts';
import { atPlace, describeServer, evidence, sql } from './tools/server.js';

const RUN = 'run';
const chain = smallChain(RUN, 6);
const head = headOfChain(RUN, chain);
const more = smallChain(RUN, 8).slice(6);

/** How many lines are read before the reading ends, and why it ends. */
async function reading(store: PostgresStore): Promise<{ readonly lines: number; readonly error: unknown }> {
  let lines = 0;
  try {
    for await (const line of store.read(RUN)) lines += Math.sign(line.length);
    return { lines, error: null };
  } catch (error) {
    if (error instanceof StoreReadError) return { lines, error: error.error };
    throw error;
  }
}

const torn = { code: 'torn', run_id: RUN, detail: expect.any(String) };

describeServer('a stored ledger that does not hold', () => {
  it.each([
    [
      'whose last record is changed',
      `UPDATE s.records SET text = replace(text, '"value":4', '"value":5') WHERE seq = 5`,
      6,
      null,
    ],
    ['whose last record is cut', 'UPDATE s.records SET text = left(text, 40) WHERE seq = 5', 6, null],
    [
      'whose last record is spelled in another way',
      `UPDATE s.records SET text = replace(text, ',"v":1', ', "v":1') WHERE seq = 5`,
      6,
      null,
    ],
    ['whose last record is gone', 'DELETE FROM s.records WHERE seq = 5', 5, torn],
    ['whose records are gone', 'DELETE FROM s.records', 0, torn],
    ['whose row in runs is gone', 'DELETE FROM s.runs', 0, torn],
    ['whose row in runs counts less', 'UPDATE s.runs SET count = 5', 5, null],
    ['whose row in runs counts more', 'UPDATE s.runs SET count = 7', 6, torn],
    ['whose row in runs has another hash', `UPDATE s.runs SET hash = '${'0'.repeat(64)}'`, 6, null],
    [
      'with a row before its first record',
      'INSERT INTO s.records SELECT run, -1, text FROM s.records WHERE seq = 2',
      0,
      { ...torn, detail: 'row -1 stands before record 0' },
    ],
    ['whose last record stands at another place', 'UPDATE s.records SET seq = 9 WHERE seq = 5', 5, torn],
  ])('%s: no head, nothing is appended, nothing is mended', (_, damage, lines, error) =>
    atPlace(async ({ schema, open }, store) => {
      orThrow(await store.append(RUN, null, chain));
      await sql(damage.replaceAll('s.', `"${schema}".`));
      const then = await evidence(schema);
      const other = await open();
      expect(await other.head(RUN)).toEqual({ _tag: 'Left', left: torn });
      expect(await other.append(RUN, head, more)).toEqual({ _tag: 'Left', left: torn });
      expect(await other.append(RUN, head, [])).toEqual({ _tag: 'Left', left: torn });
      expect(await other.append(RUN, headOfChain(RUN, chain.slice(0, 5)), chain.slice(5))).toEqual({
        _tag: 'Left',
        left: torn,
      });
      expect(await reading(other)).toEqual({ lines, error });
      await other.close();
      expect(await evidence(schema)).toEqual(then);
    }),
  );

  it('with a record missing in the middle reads up to there, and says so', () =>
    atPlace(async ({ schema }, store) => {
      orThrow(await store.append(RUN, null, chain));
      await sql(`DELETE FROM "${schema}".records WHERE seq = 3`);
      expect(await reading(store)).toEqual({
        lines: 3,
        error: { code: 'torn', run_id: RUN, detail: 'record 3 is missing' },
      });
    }));

  it('of another run under this name is refused', () =>
    atPlace(async ({ schema }, store) => {
      orThrow(await store.append('other', null, smallChain('other', 3)));
      await sql(`UPDATE "${schema}".records SET run = $1`, [RUN]);
      await sql(`UPDATE "${schema}".runs SET run = $1`, [RUN]);
      const refused = { code: 'run_id', run_id: RUN, detail: 'other_run' };
      expect(await store.head(RUN)).toEqual({ _tag: 'Left', left: refused });
      expect(await store.append(RUN, null, chain)).toEqual({ _tag: 'Left', left: refused });
      expect(await reading(store)).toEqual({ lines: 0, error: refused });
    }));

  it('of records nobody began is not continued, and a run of that name can not begin in it', () =>
    atPlace(async ({ schema }, store) => {
      orThrow(await store.append('other', null, smallChain('other', 1)));
      await sql(`INSERT INTO "${schema}".records VALUES ($1, 1, 'x')`, [RUN]);
      const then = await evidence(schema);
      expect(await store.head(RUN)).toEqual({ _tag: 'Left', left: torn });
      expect(await store.append(RUN, null, chain)).toMatchObject({ _tag: 'Left', left: { code: 'torn' } });
      expect(orThrow(await store.list())).toEqual(['other', RUN]);
      expect(await evidence(schema)).toEqual(then);
    }));

  it('put in the place of another of the same length is not continued by who knew that one', () =>
    atPlace(async ({ schema, open }, store) => {
      const known = orThrow(await store.append(RUN, null, chain.slice(0, 3)));
      await sql(`DELETE FROM "${schema}".records`);
      await sql(`DELETE FROM "${schema}".runs`);
      const fork = makeChain(RUN, ['fork', 'fork']);
      const other = await open();
      const actual = orThrow(await other.append(RUN, null, fork));
      await other.close();
      expect(await store.append(RUN, known, chain.slice(3))).toEqual({
        _tag: 'Left',
        left: { code: 'stale_head', run_id: RUN, expected: known, actual },
      });
      expect(await sql(`SELECT count(*)::int AS records FROM "${schema}".records`)).toEqual([{ records: 3 }]);
    }));

  it('because the database dropped or changed a line on its way in is torn, never reported as appended', () =>
    atPlace(async ({ schema }, store) => {
      const known = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      await sql(
        `CREATE FUNCTION "${schema}".drop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF ` +
          `NEW.seq = 3 THEN RETURN NULL; END IF; RETURN NEW; END $$;
        CREATE TRIGGER drop BEFORE INSERT ON "${schema}".records FOR EACH ROW EXECUTE FUNCTION "${schema}".drop()`,
      );
      expect(await store.append(RUN, known, chain.slice(2, 4))).toEqual({ _tag: 'Left', left: torn });
      expect(await reading(store)).toEqual({ lines: 3, error: torn });
    }));

  it('a run name that is none, put there by other means, is listed, and is nothing that can be read', () =>
    atPlace(async ({ schema }, store) => {
      orThrow(await store.append(RUN, null, chain));
      await sql(`INSERT INTO "${schema}".runs VALUES ('../x', 1, 'x')`);
      expect(orThrow(await store.list())).toEqual(['../x', RUN]);
      expect(await store.head('../x')).toEqual({
        _tag: 'Left',
        left: { code: 'run_id', run_id: '../x', detail: 'name' },
      });
    }));

  it('a schema taken away while the store is open is unavailable', () =>
    atPlace(async ({ schema }, store) => {
      orThrow(await store.append(RUN, null, chain));
      await sql(`DROP SCHEMA "${schema}" CASCADE`);
      expect(await store.append(RUN, head, more)).toMatchObject({
        left: { code: 'unavailable', errno: '42P01' },
      });
    }));
});
