import { it } from 'vitest';
import { orThrow, type EvidenceRecord, type Head } from '@assay/kernel';
import { storeContract, tryingContract, type Medium, type StorePlace } from '@assay/testing/store-contract';
import { openUrl } from '@assay/store-postgres';
import { canFillDisk, saidFull, fullDisk, noRight, readOnly } from './tools/media.js';
import { startProxy } from './tools/proxy.js';
import { describeServer, evidence, makePlace, server, sql, urlOf, type ServerPlace } from './tools/server.js';

const media: readonly Medium[] =
  server === null ? [] : [readOnly, noRight, saidFull, ...(canFillDisk() ? [fullDisk] : [])];

storeContract('postgres', async () => withDamage(makePlace()), { describe: describeServer, it }, media, [
  'die',
  'spoil',
]);

tryingContract(
  'postgres',
  async () => makePlace(),
  ({ schema }) => tablesOf(schema),
  { describe: describeServer, it },
  server === null ? [] : [readOnly, noRight, saidFull],
);

async function tablesOf(schema: string): Promise<unknown> {
  return (await sql('SELECT FROM pg_namespace WHERE nspname = $1', [schema])).length === 0
    ? null
    : evidence(schema);
}

function withDamage(place: ServerPlace): StorePlace {
  return {
    ...place,
    die: (expected, group, after) =>
      after < group.length ? dieWithin(place, expected, group, after) : dieAfter(place, expected, group),
    async spoil(runId, sequence) {
      await sql(
        `UPDATE "${place.schema}".records SET text = replace(text, '"v":1', '"v":2') WHERE run = $1 AND seq = $2`,
        [runId, sequence],
      );
    },
  };
}

/** The server's side of the connection ends when it has written so many rows, every time it is tried. */
async function dieWithin(
  { schema, open }: ServerPlace,
  expected: Head,
  group: readonly EvidenceRecord[],
  after: number,
): Promise<void> {
  const store = await open();
  // Tables with a check of others are refused by who sees them first.
  orThrow(await store.list());
  await sql(
    `CREATE FUNCTION "${schema}".die(seq bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN ` +
      `IF seq = ${expected.count + after} THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; ` +
      `RETURN true; END $$;
    ALTER TABLE "${schema}".records ADD CONSTRAINT die CHECK ("${schema}".die(seq)) NOT VALID`,
  );
  const appended = await store.append(expected.run_id, expected, group);
  await store.close();
  await sql(`DROP FUNCTION "${schema}".die CASCADE`);
  if (appended._tag === 'Right') throw new Error('the writer was to die');
}

/**
 * The whole group is stored, and its writer never hears of it: no answer comes back, and nothing else either.
 */
async function dieAfter(
  { schema }: ServerPlace,
  expected: Head,
  group: readonly EvidenceRecord[],
): Promise<void> {
  const proxy = await startProxy();
  const store = orThrow(openUrl(urlOf(schema, { port: proxy.port })));
  proxy.cutNext('INSERT INTO', 'carry');
  const appending = store.append(expected.run_id, expected, group);
  while (proxy.cuts() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  // Let the answer arrive at the proxy, which cuts; then nothing gets through any more.
  await new Promise((resolve) => setTimeout(resolve, 10));
  proxy.shut();
  await appending;
  await store.close();
  await proxy.close();
}
