import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { orThrow, validateChain } from '@assay/kernel';
import { ask, Children, processesContract, type Acknowledged } from '@assay/testing/store-contract';
import { bundled } from '../../../test/lib/bundle.ts';
import { describeServer, makePlace, server, sql, urlOf, type ServerPlace } from './tools/server.js';

/** `ASSAY_KILLS=100 npx vitest run packages/store-postgres/test/processes.test.ts` is the long form. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 20);

let bundle: Awaited<ReturnType<typeof bundled>>;
let place: ServerPlace;
const children = new Children();

beforeAll(async () => {
  if (server === null) return;
  bundle = await bundled(new URL('tools/writer.ts', import.meta.url), ['pg']);
  place = makePlace();
});

afterEach(() => children.killAll());

afterAll(async () => {
  if (server === null) return;
  await bundle.remove();
  await place.remove();
});

processesContract(
  'postgres',
  () => ({ children, start, ledger }),
  { describe: describeServer, it },
  { kills: KILLS, losers: ['stale_head'], isWhole: true },
);

describeServer('writers in several processes', () => {
  it('two at one run: every acknowledged group is there once, and nothing forks', async () => {
    const heads: Acknowledged[][] = [[], []];
    const pair = await Promise.all([start('shared', 'a'), start('shared', 'b')]);
    pair.forEach((child, index) =>
      child.on('message', (message: Acknowledged) => heads[index]?.push(message)),
    );
    await Promise.all(pair.map((child) => ask(child, 'share')));
    while (!heads.every((own) => own.length >= 15)) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all(pair.map((child) => children.kill(child)));
    const records = (await ledger('shared')) as readonly { readonly record_hash: string }[];
    expect(orThrow(validateChain(records)).count).toBe(records.length);
    const acknowledged = heads.flat();
    expect(new Set(acknowledged.map(({ count }) => count)).size).toBe(acknowledged.length);
    for (const { count, hash } of acknowledged) expect(records[count - 1]?.record_hash).toBe(hash);
  });
});

function start(runId: string, name: string): Promise<ChildProcess> {
  return children.start(bundle.path, [urlOf(place.schema), runId, name]);
}

/** Waits until the server has finished what killed writers had asked for. */
async function settled(): Promise<void> {
  while (
    (
      await sql(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'assay' AND state <> 'idle' ` +
          `AND query LIKE '%"${place.schema}".%'`,
      )
    ).length > 0
  )
    await new Promise((resolve) => setTimeout(resolve, 2));
}

async function ledger(runId: string): Promise<readonly unknown[]> {
  await settled();
  return (await sql(`SELECT text FROM "${place.schema}".records WHERE run = $1 ORDER BY seq`, [runId])).map(
    ({ text }) => JSON.parse(String(text)) as unknown,
  );
}
