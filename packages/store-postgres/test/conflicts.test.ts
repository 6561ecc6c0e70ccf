import { Client } from 'pg';
import { expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { makeChain, headOfChain, smallChain } from '@assay/testing/store-contract';
import { openUrl } from '@assay/store-postgres';
import { atPlace, describeServer, evidence, freshName, sql, urlOf } from './tools/server.js';

const RUN = 'run';
const chain = smallChain(RUN, 6);
const before = headOfChain(RUN, chain.slice(0, 2));

/** Makes the next `times` appends at a place end in this condition; says how many did. */
async function failing(schema: string, errcode: string, times: number): Promise<() => Promise<number>> {
  // A sequence counts on even where its transaction is undone.
  await sql(
    `CREATE SEQUENCE "${schema}".tried; CREATE FUNCTION "${schema}".fail() RETURNS trigger ` +
      `LANGUAGE plpgsql AS $$ BEGIN IF nextval('"${schema}".tried') <= ${times} THEN RAISE 'injected' ` +
      `USING ERRCODE = '${errcode}'; END IF; RETURN NULL; END $$;
    CREATE TRIGGER fail AFTER INSERT ON "${schema}".records FOR EACH STATEMENT EXECUTE FUNCTION "${schema}".fail()`,
  );
  return async () => Number((await sql(`SELECT last_value FROM "${schema}".tried`))[0]?.['last_value']);
}

describeServer('a conflict with another transaction', () => {
  it.each(['40001', '40P01'])('%s: the group is tried again until it is stored', (errcode) =>
    atPlace(async ({ schema }, store) => {
      orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      const tried = await failing(schema, errcode, 4);
      expect(await store.append(RUN, before, chain.slice(2))).toEqual({
        _tag: 'Right',
        right: headOfChain(RUN, chain),
      });
      expect(await tried()).toBe(5);
    }),
  );

  it('without end: unavailable after ten tries, and nothing is stored', () =>
    atPlace(async ({ schema }, store) => {
      orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      const tried = await failing(schema, '40001', 1_000);
      const then = await evidence(schema);
      expect(await store.append(RUN, before, chain.slice(2))).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: '40001' },
      });
      expect(await tried()).toBe(10);
      expect(await evidence(schema)).toEqual(then);
    }));

  it('any other refusal is not tried again', () =>
    atPlace(async ({ schema }, store) => {
      orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      const tried = await failing(schema, '23514', 1_000);
      expect(await store.append(RUN, before, chain.slice(2))).toMatchObject({
        left: { code: 'unavailable', errno: '23514' },
      });
      expect(await tried()).toBe(1);
    }));

  it.each(['serializable', 'repeatable read'])(
    'of writers whose transactions are %s: one wins each round, nothing forks',
    (isolation) =>
      atPlace(async ({ schema, open }, first) => {
        const role = freshName();
        await sql(
          `CREATE ROLE ${role} LOGIN SUPERUSER; ALTER ROLE ${role} SET default_transaction_isolation = '${isolation}'`,
        );
        const stores = Array.from({ length: 4 }, () => orThrow(openUrl(urlOf(schema, { user: role }))));
        expect(
          await sql(
            `SELECT setconfig FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole WHERE rolname = $1`,
            [role],
          ),
        ).toHaveLength(1);
        let ledger = makeChain(RUN, []);
        orThrow(await first.append(RUN, null, ledger));
        for (let round = 0; round < 12; round += 1) {
          const head = headOfChain(RUN, ledger);
          const forks = stores.map((_, index) =>
            makeChain(RUN, [
              ...ledger.slice(1).map(({ payload }) => payload ?? null),
              `${round} ${index}`,
              'x',
            ]),
          );
          const results = await Promise.all(
            stores.map((store, index) => store.append(RUN, head, (forks[index] ?? []).slice(ledger.length))),
          );
          expect(
            results.map((result) => (result._tag === 'Right' ? 'won' : result.left.code)).sort(),
          ).toEqual(['stale_head', 'stale_head', 'stale_head', 'won']);
          ledger = forks[results.findIndex((result) => result._tag === 'Right')] ?? [];
        }
        const reader = await open();
        expect(orThrow(await reader.head(RUN))).toEqual(headOfChain(RUN, ledger));
        for (const store of [...stores, reader]) await store.close();
        await sql(`DROP ROLE ${role}`);
      }),
  );
});

describeServer('a run that somebody keeps locked', () => {
  it('all tries of an append end after twice the time of an answer', () =>
    atPlace(async ({ schema }, first) => {
      orThrow(await first.append(RUN, null, chain.slice(0, 2)));
      const holder = new Client(urlOf(schema));
      await holder.connect();
      await holder.query(`BEGIN; SELECT FROM "${schema}".runs WHERE run = '${RUN}' FOR UPDATE`);
      const store = orThrow(openUrl(urlOf(schema), { answerTimeoutMs: 1_000 }));
      const began = performance.now();
      expect(await store.append(RUN, before, chain.slice(2))).toEqual({
        _tag: 'Left',
        left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'ETIMEDOUT' },
      });
      // Six tries would take more than six seconds.
      expect(performance.now() - began).toBeLessThan(4_500);
      await holder.query('ROLLBACK');
      await holder.end();
      // What the server still waited with, it may carry out now.
      const settled = async (): Promise<number> =>
        Number(
          (
            await sql(
              "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1",
              [`%"${schema}"%`],
            )
          )[0]?.['count'],
        );
      while ((await settled()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const found = orThrow(await store.head(RUN));
      expect([before, headOfChain(RUN, chain)]).toContainEqual(found);
      expect(await store.append(RUN, found, chain.slice(found?.count))).toEqual({
        _tag: 'Right',
        right: headOfChain(RUN, chain),
      });
      await store.close();
    }));
});

describeServer('appends to one run that nobody waits for', () => {
  it('go one after the other, as they were called', () =>
    atPlace(async (_, store) => {
      const heads = chain.map((__, index) => headOfChain(RUN, chain.slice(0, index + 1)));
      const results = await Promise.all(
        chain.map((record, index) => store.append(RUN, heads[index - 1] ?? null, [record])),
      );
      expect(results).toEqual(heads.map((right) => ({ _tag: 'Right', right })));
    }));
});

describeServer('durability', () => {
  it('an append waits for the log where the role does not, and leaves a stronger level and other sessions alone', () =>
    atPlace(async ({ schema }, first) => {
      orThrow(await first.append(RUN, null, chain.slice(0, 2)));
      const stores = await Promise.all(
        ['off', 'local', 'remote_apply'].map(async (level) => {
          const role = freshName();
          await sql(
            `CREATE ROLE ${role} LOGIN SUPERUSER; ALTER ROLE ${role} SET synchronous_commit = ${level}`,
          );
          const store = orThrow(openUrl(urlOf(schema, { user: role })));
          // Tables with a trigger are refused by who sees them first.
          orThrow(await store.list());
          return { level, role, store };
        }),
      );
      await sql(
        `CREATE TABLE "${schema}".levels (level text); CREATE FUNCTION "${schema}".note() ` +
          `RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO "${schema}".levels SELECT ` +
          `current_setting('synchronous_commit'); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER note AFTER INSERT ON "${schema}".records DEFERRABLE INITIALLY ` +
          `DEFERRED FOR EACH ROW EXECUTE FUNCTION "${schema}".note()`,
      );
      const seen: unknown[] = [];
      let head = before;
      for (const { level, role, store } of stores) {
        head = orThrow(await store.append(RUN, head, chain.slice(head.count, head.count + 1)));
        orThrow(await store.append(level.replace('_', '-'), null, smallChain(level.replace('_', '-'), 1)));
        await store.close();
        seen.push(
          ...(await sql(`DELETE FROM "${schema}".levels RETURNING level`)).map((row) => row['level']),
        );
        await sql(`DROP ROLE ${role}`);
      }
      expect(seen).toEqual(['on', 'on', 'local', 'local', 'remote_apply', 'remote_apply']);
    }));

  it('a group is one statement, and a head that is known needs no look first', () =>
    atPlace(async ({ schema }, store) => {
      const head = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
      await sql(
        `CREATE TABLE "${schema}".told (xid text, rows int); CREATE FUNCTION "${schema}".note() ` +
          `RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO "${schema}".told SELECT ` +
          `pg_current_xact_id()::text, count(*) FROM rows; RETURN NULL; END $$;
        CREATE TRIGGER note AFTER INSERT ON "${schema}".records REFERENCING NEW TABLE AS rows FOR EACH ` +
          `STATEMENT EXECUTE FUNCTION "${schema}".note()`,
      );
      orThrow(await store.append(RUN, head, chain.slice(2)));
      expect(await sql(`SELECT rows FROM "${schema}".told`)).toEqual([{ rows: 4 }]);
    }));
});

describeServer('a server, or a pooler before it, that forgets prepared statements', () => {
  it('takes every group all the same, once', () =>
    atPlace(
      async ({ schema }, store) => {
        let head = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
        head = orThrow(await store.append(RUN, head, chain.slice(2, 3)));
        await sql(
          `CREATE FUNCTION "${schema}".forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ` +
            `EXECUTE 'DEALLOCATE ALL'; RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER forget AFTER INSERT ON "${schema}".records DEFERRABLE INITIALLY ` +
            `DEFERRED FOR EACH ROW EXECUTE FUNCTION "${schema}".forget()`,
        );
        for (let at = 3; at < chain.length; at += 1)
          head = orThrow(await store.append(RUN, head, chain.slice(at, at + 1)));
        expect(await sql(`SELECT seq::int FROM "${schema}".records ORDER BY seq`)).toEqual(
          chain.map((_, seq) => ({ seq })),
        );
      },
      { connections: 1, notify: false },
    ));
});
