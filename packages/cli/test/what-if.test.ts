/** `assay run --from`: a recorded run decided again under changes, and what cannot be changed. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EvidenceRecord } from '@assay/kernel';
import { ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { commit, reading, recordsOf, writeLedger } from './lib/hand.ts';

const folder = temporaryFolder();
const golden = (name: string): string => join(ROOT, 'golden-fixtures', name, 'ledger.jsonl');
const GOLDENS = readdirSync(join(ROOT, 'golden-fixtures')).filter((name) => name.startsWith('intent-'));
const SEED = 'Send the invoice within 10 days. The parcel may be left with a neighbour.';
const SOON = commit(SEED, 'Send the invoice within 10 days', {
  key: 'invoice.time',
  op: '<=',
  value: { n: 10, scale: 0 },
  unit: 'd',
});
const NEIGHBOUR = commit(SEED, 'The parcel may be left with a neighbour', null, 'may');
const LEDGER = writeLedger(
  join(folder, 'three.jsonl'),
  recordsOf(
    SEED,
    [
      {
        slot: 'model',
        source: 'live_model',
        proposer: 'm',
        confidence: 0.5,
        value: [
          {
            ...(reading('both', [SOON, NEIGHBOUR, commit(SEED, 'Send the invoice')]) as object),
            contradictions: [
              [0, 1],
              [1, 2],
            ],
          } as never,
        ],
        provenance: { provider: 'p', model: 'm', date: '2026-01-01', raw_response_hash: 'x' },
      },
      { slot: 'b/c', source: 'human', proposer: 'ada', value: [reading('soon', [SOON])] },
      {
        slot: 'late',
        source: 'rule',
        proposer: 'rules',
        failure: { code: 'timeout', final: true, detail: null },
      },
    ],
    { pin: { region: 'EU', no_drone: true } },
  ),
);

let made = 0;
/** Runs from the ledger with options, and gives the records of what came of it, verified. */
async function from(...options: readonly string[]): Promise<readonly EvidenceRecord[]> {
  made += 1;
  const out = join(folder, `out-${made}`);
  const { code, stderr } = await called('run', '--from', LEDGER, ...options, '-o', out);
  expect([[0, 1].includes(code ?? -1), stderr]).toEqual([true, '']);
  const path = join(out, 'run.ledger.jsonl');
  expect(await calledJson('verify', path)).toMatchObject({
    results: [{ checks: { integrity: { verdict: 'held' }, rederivation: { verdict: 'held' } } }],
  });
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);
}

const proposals = (records: readonly EvidenceRecord[]): readonly unknown[] =>
  records.filter(({ kind }) => kind === 'proposal').map(({ payload }) => payload);
const genesis = (records: readonly EvidenceRecord[]): unknown => records[0]?.payload;

describe('a recorded run', () => {
  test.each(GOLDENS)('without changes comes to the same blueprint: %s', async (name) => {
    const before = await calledJson('show', golden(name), '--artifact', 'blueprint');
    const again = await calledJson('run', '--from', golden(name));
    if (before['error'] === undefined)
      expect(again).toMatchObject({ status: 'success', artifacts: { blueprint: before } });
    else
      expect(again).toMatchObject({
        status: 'refused',
        reasons: (await calledJson('show', golden(name), '--artifact', 'refusal_report'))['reason_codes'],
      });
    expect(again['run_id']).toMatch(/^run-[0-9a-f]{12}$/);
  });

  test('a live model answers as a recorded one, a person as themselves, a failure again', async () => {
    expect(proposals(await from())).toMatchObject([
      { source: 'recorded_model', proposer: 'm', confidence: 0.5, provenance: { provider: 'p' } },
      { source: 'human', proposer: 'ada', value: [{ name: 'soon' }] },
      { source: 'rule', proposer: 'rules', failure: { code: 'timeout', final: true } },
    ]);
  });

  test('under other weights and pins: policy and input say so, the answers are the same', async () => {
    const records = await from(
      '--weight',
      'order=7',
      '--weight',
      'coverage=0',
      '--pin',
      'invoice.time=<= 20 days',
      '--unpin',
      'region',
    );
    expect(genesis(records)).toMatchObject({
      policy: { weights: { order: 7, coverage: 0, grounding: 150_000 } },
      input: { seed_text: SEED, pin: { no_drone: true, 'invoice.time': '<= 20 days' } },
    });
    expect(genesis(await from('--unpin', 'region', '--unpin', 'no_drone'))).toMatchObject({
      input: { pin: null },
    });
    expect(genesis(await from('--unpin', 'region', '--pin', 'region=US'))).toMatchObject({
      input: { pin: { region: 'US' } },
    });
  });

  test('without a slot: it fails, for good', async () => {
    expect(proposals(await from('--without', 'b/c'))[1]).toMatchObject({
      source: 'synthetic',
      proposer: 'fixture:what-if',
      failure: { code: 'unavailable', final: true, detail: { code: 'left_out' } },
    });
  });

  test('without commits: written by hand, by this command; places are those of the recorded answer', async () => {
    const [model] = proposals(await from('--drop', 'model/0/0', '--drop', 'model/0/2'));
    expect(model).toMatchObject({
      source: 'synthetic',
      proposer: 'fixture:what-if',
      confidence: 0.5,
      value: [{ name: 'both', commits: [{ modality: 'may' }], contradictions: [] }],
      provenance: { what_if: { dropped: ['0/0', '0/2'] } },
    });
    expect(proposals(await from('--drop', 'model/0/0'))[0]).toMatchObject({
      value: [{ commits: [{ modality: 'may' }, {}], contradictions: [[0, 1]] }],
    });
    expect(proposals(await from('--drop', 'b/c/0/0'))[1]).toMatchObject({ value: [{ commits: [] }] });
  });

  test('its names are derived from what was changed, or given; twice the same bytes', async () => {
    const ids = await Promise.all(
      [
        [],
        ['--weight', 'order=1'],
        ['--without', 'model'],
        ['--drop', 'model/0/0'],
        ['--drop', 'model/0/1'],
        ['--unpin', 'region'],
      ].map(async (options) => (await calledJson('run', '--from', LEDGER, ...options))['run_id']),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect((await from('--without', 'model', '--run-id', 'mine', '--ts-base', 'now'))[0]).toMatchObject({
      ts: 'now#000000000000',
      payload: { run_id: 'mine' },
    });
    expect(await from('--drop', 'model/0/0')).toEqual(await from('--drop', 'model/0/0'));
  });
});

describe('wrong use is exit 2, with a place and a remedy', () => {
  test.each([
    [['run'], 'no_request', '--from'],
    [['run', 'Keep it.', '--from', LEDGER], 'two_requests', 'one of them'],
    [['run', 'Keep it.', '--weight', 'order=1'], 'needs_from', '--from'],
    [['run', 'Keep it.', '--drop', 'a/0/0'], 'needs_from', '--from'],
    [['run', '--from', LEDGER, '--proposer', 'rules'], 'conflict', '--weight'],
    [['run', '--from', LEDGER, '--policy', 'x.json'], 'conflict', '--weight'],
    [['run', '--from', LEDGER, '--weight', 'style=1'], 'weight', 'coverage'],
    [['run', '--from', LEDGER, '--weight', 'order=1000001'], 'weight', 'coverage'],
    [['run', '--from', LEDGER, '--weight', 'order=1.5'], 'weight', 'coverage'],
    [['run', '--from', LEDGER, '--weight', 'order=1', '--weight', 'order=2'], 'twice', 'once'],
    [['run', '--from', LEDGER, '--unpin', 'region', '--unpin', 'region'], 'twice', 'once'],
    [['run', '--from', LEDGER, '--unpin', 'colour'], 'not_pinned', 'region'],
    [['run', '--from', LEDGER, '--pin', 'region=US'], 'pin_twice', '--unpin region'],
    [['run', '--from', LEDGER, '--pin', 'a={"op":'], 'json', 'JSON'],
    [['run', '--from', LEDGER, '--without', 'nobody'], 'no_such_slot', 'model'],
    [['run', '--from', LEDGER, '--drop', 'nobody/0/0'], 'no_such_slot', 'model'],
    [['run', '--from', LEDGER, '--drop', 'model/0'], 'drop', 'SLOT/READING/COMMIT'],
    [['run', '--from', LEDGER, '--drop', 'model/1/0'], 'no_such_commit', 'explain'],
    [['run', '--from', LEDGER, '--drop', 'model/0/3'], 'no_such_commit', 'explain'],
    [['run', '--from', LEDGER, '--drop', 'late/0/0'], 'no_such_commit', 'explain'],
    [['run', '--from', LEDGER, '--without', 'model', '--drop', 'model/0/0'], 'conflict', 'one of'],
    [['run', '--from', 'no-such-file'], 'missing_file', 'path'],
    [
      [
        'run',
        '--from',
        LEDGER,
        ...['coverage', 'grounding', 'disclosure', 'pin', 'agreement', 'specificity', 'order'].flatMap(
          (name) => ['--weight', `${name}=0`],
        ),
      ],
      'bad_policy',
      '',
    ],
  ])('assay %j: %s', async (args, code, word) => {
    const { code: exit, stdout, stderr } = await called(...args);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^assay: ${code}: .+`));
    expect(stderr).toMatch(/^ {2}remedy {2}\S/m);
    expect(stderr).toContain(word);
  });

  test('the recorded ledger is not replaced', async () => {
    const out = join(folder, 'own');
    mkdirSync(out);
    const own = writeLedger(
      join(out, 'run.ledger.jsonl'),
      recordsOf(SEED, [{ slot: 'a', source: 'human', proposer: 'a', value: [reading('soon', [SOON])] }]),
    );
    expect((await called('run', '--from', own, '-o', out)).stderr).toMatch(/^assay: same_file: /);
  });
});
