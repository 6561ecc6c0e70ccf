/** A real server: ASSAY_TEST_POSTGRES, or CI's. */
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { drive, portsByKind } from '@assay/host';
import { advance, openRequests, openRun, orThrow } from '@assay/kernel';
import { openUrl } from '@assay/store-postgres';
import pg from 'pg';
import { EMPTY } from '../own-loop/ledger.mjs';
import { refunds } from '../refunds/machine.mjs';
import { genesis, ports, scripted } from '../refunds/scenario.mjs';
import { freshDatabase, sql } from '../testing/database.mjs';
import { needsServer } from '../testing/needs.mjs';
import { killedAt, verify, workplace } from '../testing/runs.mjs';
import { withRows } from './rows.mjs';

const main = join(import.meta.dirname, 'main.mjs');
const folder = workplace();
const ran = (url) => execFileSync(process.execPath, [main, url, 'yes'], { encoding: 'utf8' });
const stored = async (url) =>
  (await sql(url, 'SELECT text FROM assay.records WHERE run = $1 ORDER BY seq', [genesis.run_id])).map(
    ({ text }) => text,
  );
const receiptsIn = (lines) =>
  lines
    .flatMap((line) => JSON.parse(line))
    .flatMap(({ kind, payload }) => (kind === 'decision' ? payload.events : []))
    .flatMap(({ t, receipt }) => (t === 'refunded' ? [receipt] : []));
const rowsOf = async (url) =>
  (await sql(url, 'SELECT receipt FROM refunds ORDER BY order_id')).map(({ receipt }) => receipt);

async function verified(url, name) {
  const path = join(folder, name);
  writeFileSync(path, (await stored(url)).map((line) => `${line}\n`).join(''));
  return verify(path);
}

void test('each refund is a row, and the ledger in the database verifies', needsServer(), async () => {
  const url = await freshDatabase();
  assert.match(ran(url), /^success/m);
  assert.deepEqual(await rowsOf(url), ['till/5.0', 'till/13.0']);
  assert.deepEqual(receiptsIn(await stored(url)), ['till/5.0', 'till/13.0']);
  assert.equal(await verified(url, 'whole.jsonl'), 'success, integrity held, rederivation held');
});

for (const [where, env] of [
  ['between the records and the row', { HANG_AT: 'INSERT INTO refunds' }],
  ['between the row and the commit', { HANG_AT: 'COMMIT', HANG_AFTER: 'INSERT INTO refunds' }],
]) {
  void test(`killed ${where}, neither is there; taken up again, both are`, needsServer(), async () => {
    const url = await freshDatabase();
    await killedAt(
      'hung',
      ['--import', new URL('../testing/hang-at.mjs', import.meta.url).href, main, url, 'yes'],
      env,
    );
    assert.deepEqual(receiptsIn(await stored(url)), []);
    assert.deepEqual(await rowsOf(url), []);
    assert.equal(
      (await stored(url)).length,
      6,
      'what the till was asked for is there, what it answered is not',
    );
    assert.match(ran(url), /^success/m);
    assert.deepEqual(receiptsIn(await stored(url)), ['till/5.0', 'till/13.0']);
    assert.deepEqual(await rowsOf(url), ['till/5.0', 'till/13.0']);
    assert.equal(
      await verified(url, `${env.HANG_AT.slice(0, 6)}.jsonl`),
      'success, integrity held, rederivation held',
    );
  });
}

/** Drives the scenario in this process, with rows that `rows` writes. */
async function driven(url, rows) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const store = withRows(orThrow(openUrl(url)), client, rows);
  try {
    return await drive(refunds, genesis, {
      store,
      ports: portsByKind(ports('yes', ({ id }) => ({ value: { receipt: `till/${id}` } }))),
    });
  } finally {
    await Promise.all([client.end(), store.close()]);
  }
}

void test('a row that the database refuses takes its records back', needsServer(), async () => {
  const url = await freshDatabase();
  await sql(url, 'CREATE TABLE refunds (order_id text, cents integer CHECK (cents < 5000))');
  const rows = async (client, records) => {
    const events = records.flatMap(({ kind, payload }) => (kind === 'decision' ? payload.events : []));
    for (const { t, order, cents } of events)
      if (t === 'refunded') await client.query('INSERT INTO refunds VALUES ($1, $2)', [order, cents]);
  };
  await assert.rejects(driven(url, rows), { code: '23514' });
  assert.deepEqual(receiptsIn(await stored(url)), ['till/5.0']);
  assert.deepEqual(await sql(url, 'SELECT * FROM refunds'), [{ order_id: 'A-17', cents: 4_200 }]);
});

void test('of two writers at once one is stale, and writes no row', needsServer(), async () => {
  const url = await freshDatabase();
  const opened = orThrow(openRun(refunds, genesis));
  const [request] = openRequests(opened.run);
  const { records } = orThrow(
    advance(opened.run, {
      ...EMPTY,
      ...scripted(request, { code: 'more_than_paid' }),
      request_id: request.id,
    }),
  );
  const plain = orThrow(openUrl(url));
  const head = orThrow(await plain.append(genesis.run_id, null, opened.records));
  await sql(url, 'CREATE TABLE written (writer integer)');
  const clients = [1, 2].map(() => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const appended = await Promise.all(
    clients.map((client, writer) =>
      withRows(plain, client, () => client.query('INSERT INTO written VALUES ($1)', [writer])).append(
        genesis.run_id,
        head,
        records,
      ),
    ),
  );
  await Promise.all([...clients.map((client) => client.end()), plain.close()]);
  assert.deepEqual(appended.map(({ _tag, left }) => left?.code ?? _tag).sort(), ['Right', 'stale_head']);
  assert.deepEqual(await sql(url, 'SELECT writer FROM written'), [
    { writer: appended.findIndex(({ _tag }) => _tag === 'Right') },
  ]);
  assert.equal((await stored(url)).length, opened.records.length + records.length);
});
