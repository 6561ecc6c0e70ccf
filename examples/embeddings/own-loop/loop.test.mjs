/** The loop of this folder: it may be stopped anywhere, and whatever the outside does is on the record. */
import assert from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tally } from '@assay/testing/tally';
import { expectReplay } from '@assay/testing/node';
import { drive } from './loop.mjs';

const folder = mkdtempSync(join(tmpdir(), 'own-loop-'));
after(() => rmSync(folder, { recursive: true }));
const genesis = {
  run_id: 'drafts',
  ts_base: '2026',
  policy: { voters: 2, quorum: 1, attempts: 2 },
  input: { question: 'Which?', options: ['short', 'long'] },
};
const by = (value) => ({ source: 'synthetic', proposer: 'fixture:test', value });
const steady = async ({ body }) => by({ option: body.voter === 0 ? 'short' : 'long' });
const kinds = (path) =>
  expectReplay(path).records.map(({ kind, payload }) => (kind === 'rejection' ? payload.code : kind));

void test('a run ends, and its ledger replays', async () => {
  const path = join(folder, 'whole.jsonl');
  assert.equal((await drive(tally, genesis, steady, path)).outcome, 'success');
  assert.deepEqual(kinds(path), [
    'genesis',
    'decision',
    'proposal',
    'decision',
    'proposal',
    'decision',
    'artifact',
    'artifact',
    'close',
  ]);
});

void test('cut after any record, or inside the last line, it is taken up and comes to the same bytes', async () => {
  const whole = readFileSync(join(folder, 'whole.jsonl'), 'utf8');
  const lines = whole.split('\n').slice(0, -1);
  for (let count = 0; count <= lines.length; count += 1) {
    for (const torn of ['', (lines[count] ?? '').slice(0, 40)]) {
      const path = join(folder, 'cut.jsonl');
      writeFileSync(
        path,
        `${lines
          .slice(0, count)
          .map((line) => `${line}\n`)
          .join('')}${torn}`,
      );
      await drive(tally, genesis, steady, path);
      assert.equal(readFileSync(path, 'utf8'), whole, `after ${count} records`);
    }
  }
});

void test('a call that fails, a value that is no JSON and an answer that is none are recorded', async () => {
  const path = join(folder, 'trouble.jsonl');
  const trouble = [
    () => {
      throw new Error('the network is down');
    },
    () => by({ option: Number.NaN }),
    () => by('long, please'),
    () => by({ option: 'long' }),
  ];
  const run = await drive(tally, genesis, async () => trouble.shift()(), path);
  assert.equal(run.outcome, 'success');
  assert.deepEqual(kinds(path).slice(2, -3), [
    'proposal',
    'unavailable',
    'proposal',
    'decision',
    'proposal',
    'bad_answer',
    'proposal',
    'decision',
  ]);
});
