/** XState itself. */
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLedger } from '../own-loop/ledger.mjs';
import { refunds } from '../refunds/machine.mjs';
import { genesis, scripted, typed } from '../refunds/scenario.mjs';
import { needs } from '../testing/needs.mjs';
import { records, verify, workplace } from '../testing/runs.mjs';

const framework = needs(import.meta.dirname, 'xstate');
const folder = workplace();
const ran = (path, word = 'yes') =>
  execFileSync(process.execPath, [join(import.meta.dirname, 'main.mjs'), path, word], { encoding: 'utf8' });

/**
 * Runs the machine to a final state; gives the state and, for each payment, how many records were durable
 * when it was made.
 */
async function driven(path, pay, patienceMs) {
  const [{ createActor, toPromise }, { deskMachine }] = await Promise.all([
    import('xstate'),
    import('./desk.mjs'),
  ]);
  const ledger = openLedger(refunds, genesis, path);
  const actor = createActor(
    deskMachine(ledger, { next: scripted, approval: typed('yes'), pay }, patienceMs),
  ).start();
  await toPromise(actor);
  ledger.close();
  return actor.getSnapshot().value;
}

void test('the actor ends where the run is closed, and the ledger verifies', framework, () => {
  const path = join(folder, 'whole.jsonl');
  assert.match(ran(path), /^closed success$/m);
  assert.equal(verify(path), 'success, integrity held, rederivation held');
});

void test('what is asked for is durable before it is performed', framework, async () => {
  const path = join(folder, 'durable.jsonl');
  const durable = [];
  const pay = ({ id }) => {
    durable.push(
      records(path)
        .at(-1)
        .payload.requests?.map((request) => request.id),
    );
    return { source: 'tool', proposer: 'till', value: { receipt: `till/${id}` } };
  };
  assert.equal(await driven(path, pay), 'closed');
  assert.deepEqual(durable, [['5.0'], ['13.0']]);
});

void test(
  'an actor that stops, by an error or by its patience, leaves an open ledger; another one goes on from ' +
    'it to the same bytes',
  framework,
  async () => {
    const fails = () => {
      throw new Error('the till is closed');
    };
    for (const [name, pay, patienceMs] of [
      ['error.jsonl', fails, 30_000],
      ['patience.jsonl', () => new Promise(() => undefined), 50],
    ]) {
      const path = join(folder, name);
      assert.equal(await driven(path, pay, patienceMs), 'stopped');
      assert.equal(records(path).at(-1).kind, 'decision');
      assert.match(ran(path), /^closed success$/m);
      assert.equal(readFileSync(path, 'utf8'), readFileSync(join(folder, 'whole.jsonl'), 'utf8'));
    }
  },
);
