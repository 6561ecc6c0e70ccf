/**
 * The SDK's own worker, sandbox and replay over the committed history. No Temporal service is run: its test
 * server cannot be had from a package registry. What would need one is scheduling and retrying the
 * activities, not the workflow.
 */
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/host/store-file';
import { needs } from '../testing/needs.mjs';
import { records, verify, workplace } from '../testing/runs.mjs';
import { activities } from './activities.mjs';

const here = import.meta.dirname;
const framework = needs(here, '@temporalio/worker');
const folder = workplace();
const committed = readFileSync(join(here, 'history.json'), 'utf8');
const ledger = join(folder, 'ticket-81.ledger.jsonl');

void test('the committed history is the one its script writes, and its ledger verifies', () => {
  const path = join(folder, 'history.json');
  execFileSync(process.execPath, [join(here, 'history.mjs'), path, folder], { stdio: 'ignore' });
  assert.equal(readFileSync(path, 'utf8'), committed);
  assert.equal(verify(ledger), 'success, integrity held, rederivation held');
});

void test(
  'the worker replays it, and derives in its sandbox the very records of the ledger',
  framework,
  async () => {
    const { replay } = await import('./replay.mjs');
    const asked = [];
    const sinks = {
      seen: { activity: { fn: (_info, name, args) => asked.push({ name, args }), callDuringReplay: true } },
    };
    await replay(JSON.parse(committed), {
      interceptors: { workflowModules: [join(here, 'seen.test-workflow.mjs')] },
      sinks,
    });
    assert.deepEqual(
      asked.filter(({ name }) => name === 'append').flatMap(({ args }) => args[2]),
      records(ledger),
    );
    assert.deepEqual(
      asked.filter(({ name }) => name === 'pay').map(({ args }) => args[0].body.order),
      ['A-17', 'B-2'],
    );
  },
);

void test(
  'where the workflow would decide otherwise, and so ask for something else, the worker raises ' +
    'DeterminismViolationError',
  framework,
  async () => {
    const { replay } = await import('./replay.mjs');
    const history = JSON.parse(committed);
    const input = history.events[0].workflowExecutionStartedEventAttributes.input.payloads[0];
    const stricter = JSON.parse(Buffer.from(input.data, 'base64').toString());
    stricter.policy.limit = 4_000;
    input.data = Buffer.from(JSON.stringify(stricter)).toString('base64');
    await assert.rejects(replay(history), { name: 'DeterminismViolationError' });
  },
);

void test('an activity that Temporal runs twice appends once; another ledger is refused', async () => {
  const store = orThrow(openUrl(`file:${join(folder, 'twice')}`));
  const { append } = activities(store, {});
  const [first, second, third, fourth] = records(ledger);
  const at = (record, count) => ({ run_id: 'ticket-81', count, hash: record.record_hash });
  await append('ticket-81', null, [first, second]);
  await append('ticket-81', null, [first, second]);
  await append('ticket-81', at(second, 2), [third, fourth]);
  await append('ticket-81', at(second, 2), [third, fourth]);
  await assert.rejects(append('ticket-81', null, [first]), /append: stale_head/);
  assert.deepEqual(orThrow(await store.head('ticket-81')), at(fourth, 4));
  await store.close();
});
