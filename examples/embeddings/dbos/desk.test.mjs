/** DBOS itself on a real server: ASSAY_TEST_POSTGRES, or CI's. */
import assert from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { genesis } from '../refunds/scenario.mjs';
import { freshDatabase, sql } from '../testing/database.mjs';
import { needs, needsServer } from '../testing/needs.mjs';
import { killedAt, verify, workplace } from '../testing/runs.mjs';

const both = needsServer(needs(import.meta.dirname, '@dbos-inc/dbos-sdk'));
const main = join(import.meta.dirname, 'main.mjs');
const folder = workplace();
const stop = ['--import', new URL('../testing/stop-at.mjs', import.meta.url).href];
const ran = (url, ...more) =>
  execFileSync(process.execPath, [main, url, 'yes', ...more], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const status = async (url) =>
  (await sql(url, 'SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1', [genesis.run_id]))[0]
    .status;

async function ledger(url, name) {
  const lines = (
    await sql(url, 'SELECT text FROM assay.records WHERE run = $1 ORDER BY seq', [genesis.run_id])
  )
    .map(({ text }) => `${text}\n`)
    .join('');
  writeFileSync(join(folder, name), lines);
  return lines;
}

void test(
  'a workflow runs to its end, starting it again does not run it again, and its ledger verifies',
  both,
  async () => {
    const url = await freshDatabase();
    assert.equal(ran(url), 'paid 4200 for A-17\npaid 7000 for B-2\nsuccess\n');
    assert.equal(await status(url), 'SUCCESS');
    assert.equal(ran(url), 'success\n');
    await ledger(url, 'whole.jsonl');
    assert.equal(verify(join(folder, 'whole.jsonl')), 'success, integrity held, rederivation held');
  },
);

void test(
  'killed while the till pays, DBOS recovers the workflow, and the ledger is the one of an uninterrupted run',
  both,
  async () => {
    const [url, other] = [await freshDatabase(), await freshDatabase()];
    await killedAt('paid 7000', [...stop, main, url, 'yes'], { STOP_AT: 'paid 7000' });
    assert.equal(await status(url), 'PENDING');
    const before = await ledger(url, 'killed.jsonl');
    assert.equal(before.split('\n').length - 1, 14, 'up to the decision that asks for the second payment');
    // The call that was cut off is made again, under the same key; the first payment and the person are not
    // asked again.
    assert.equal(ran(url, 'wait'), 'paid 7000 for B-2\nsuccess\n', 'nobody starts it: DBOS does');
    assert.equal(await status(url), 'SUCCESS');
    ran(other);
    assert.equal(await ledger(url, 'recovered.jsonl'), await ledger(other, 'other.jsonl'));
    assert.equal(verify(join(folder, 'recovered.jsonl')), 'success, integrity held, rederivation held');
  },
);

void test(
  'a process that stood still and wakes up when another one has gone on changes nothing',
  both,
  async () => {
    const [url, until] = [await freshDatabase(), join(folder, 'wake')];
    const sleeper = spawn(process.execPath, [...stop, main, url, 'yes'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, STOP_AT: 'paid 7000', STOP_UNTIL: until },
    });
    let printed = '';
    const ended = new Promise((resolve) => sleeper.on('close', resolve));
    await new Promise((resolve) => {
      sleeper.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text;
        if (printed.includes('paid 7000')) resolve();
      });
    });
    assert.equal(ran(url, 'wait'), 'paid 7000 for B-2\nsuccess\n');
    const finished = await ledger(url, 'finished.jsonl');
    writeFileSync(until, '');
    await ended;
    assert.match(printed, /^paid 4200 for A-17\npaid 7000 for B-2\n/);
    assert.equal(await ledger(url, 'after.jsonl'), finished);
    assert.equal(verify(join(folder, 'after.jsonl')), 'success, integrity held, rederivation held');
  },
);
