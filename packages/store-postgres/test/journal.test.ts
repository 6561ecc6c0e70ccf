/** The journal in PostgreSQL: the suite of every journal; a server that takes nothing; a connection that breaks. */
import { expect, it } from 'vitest';
import { CallNotesError } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { journalContract } from '@assay/testing/store-contract';
import { openUrl } from '@assay/store-postgres';
import { startProxy } from './tools/proxy.js';
import { describeServer, makePlace, sql, urlOf } from './tools/server.js';

journalContract(
  'postgres',
  () => {
    const place = makePlace();
    return {
      open: async () => {
        const store = await place.open();
        return { journal: store.journal, close: () => store.close() };
      },
      remove: place.remove,
    };
  },
  { describe: describeServer, it },
);

describeServer('the journal of a server', () => {
  it('takes notes of a user who may write its tables, and does not own them', async () => {
    const place = makePlace();
    const store = await place.open();
    await store.journal.calls.begin('run-1', 'k/1', { calls: 1 });
    await sql(`CREATE ROLE "${place.schema}" LOGIN; GRANT USAGE ON SCHEMA "${place.schema}" TO "${place.schema}";
      GRANT ALL ON ALL TABLES IN SCHEMA "${place.schema}" TO "${place.schema}";
      GRANT ALL ON ALL SEQUENCES IN SCHEMA "${place.schema}" TO "${place.schema}"`);
    const other = orThrow(openUrl(urlOf(place.schema, { user: place.schema })));
    expect(await other.journal.calls.begin('run-1', 'k/1', { calls: 2 })).toEqual([{ calls: 1 }]);
    await other.close();
    await store.close();
    await place.remove();
    await sql(`DROP ROLE "${place.schema}"`);
  });

  it('notes a call once where the answer to the statement is lost', async () => {
    const place = makePlace();
    const proxy = await startProxy();
    const store = orThrow(openUrl(urlOf(place.schema, { port: proxy.port })));
    await store.journal.calls.begin('run-1', 'k/1', { calls: 1 });
    proxy.cutNext('INSERT INTO', 'carry');
    expect(await store.journal.calls.begin('run-1', 'k/1', { calls: 2 })).toEqual([{ calls: 1 }]);
    expect(await store.journal.calls.begin('run-1', 'k/1', null)).toEqual([{ calls: 1 }, { calls: 2 }]);
    await store.close();
    await proxy.close();
    await place.remove();
  });

  it('says so where it cannot be written, and makes nothing by being read', async () => {
    const place = makePlace();
    const store = await place.open();
    expect([await store.journal.snapshots.load('run-1'), await store.journal.done().find('k/1', 0)]).toEqual([
      null,
      null,
    ]);
    expect(await sql('SELECT FROM pg_namespace WHERE nspname = $1', [place.schema])).toEqual([]);
    const away = orThrow(openUrl(urlOf(place.schema, { port: 1 }), { connectTimeoutMs: 500 }));
    await expect(away.journal.calls.begin('run-1', 'k/1', { calls: 1 })).rejects.toThrow(CallNotesError);
    await away.close();
    await store.close();
  });
});
