/** `assay whatif`: a recorded run of any machine under changes, and what cannot be changed. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EvidenceRecord } from '@assay/kernel';
import { whatIfDocumentSchema, type WhatIfDocument } from '@assay/kernel/schemas';
import { argv, ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson, shaped } from './lib/called.ts';
import { commit, reading, recordsOf, writeLedger } from './lib/hand.ts';

const folder = temporaryFolder();
const FIXTURES = join(ROOT, 'golden-fixtures');
/** The goldens, without one that takes seconds to decide. */
const GOLDENS = readdirSync(FIXTURES).filter((name) => name !== 'intent-large');
const golden = (name: string): string => join(FIXTURES, name, 'ledger.jsonl');
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
        value: [reading('both', [SOON, NEIGHBOUR])],
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
    { pin: { region: 'EU', 'latency.p99': '<= 5 s' } },
  ),
);

let made = 0;
/** The fork of a ledger under options: its document, and its records, which verify beside their parent's. */
async function forked(
  ledger: string,
  ...options: readonly string[]
): Promise<{ readonly document: WhatIfDocument; readonly records: readonly EvidenceRecord[] }> {
  made += 1;
  const path = join(folder, `fork-${made}.jsonl`);
  const { code, stdout, stderr } = await called('whatif', ledger, ...options, '-o', path, '--json');
  expect([code, stderr]).toEqual([0, '']);
  const beside = join(ledger, '..');
  expect(await calledJson('verify', path, '--with', beside)).toMatchObject({
    results: [{ checks: { integrity: { verdict: 'held' }, rederivation: { verdict: 'held' } } }],
  });
  expect((await called('verify', path, '--with', beside)).stdout).toMatch(/^ {4}base +held/m);
  return {
    document: shaped(whatIfDocumentSchema, JSON.parse(stdout)),
    records: readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as EvidenceRecord),
  };
}

const proposals = (records: readonly EvidenceRecord[]): readonly unknown[] =>
  records.filter(({ kind }) => kind === 'proposal').map(({ payload }) => payload);

/** Every fifth golden run; all of them in the long lane. */
function sampled(names: readonly string[]): readonly string[] {
  const isLong = process.env['ASSAY_LANE'] === 'long';
  // The one that meets a limit takes as long as all others together.
  return names.filter((name, index) => isLong || (index % 5 === 0 && name !== 'intent-limit-bytes'));
}

describe('a change that changes nothing', () => {
  const VALUES: readonly (readonly [machine: string, path: string])[] = [
    ['intent', 'policy.weights.order'],
    ['controller', 'policy.ggs.epsilon'],
    ['tally', 'policy.quorum'],
  ];
  const names = sampled(GOLDENS.filter((name) => /^(?:intent|controller|tally)-/.test(name)));
  test.each(names)('gives the same decisions: %s', async (name) => {
    const ledger = golden(name);
    const genesis = (JSON.parse(readFileSync(ledger, 'utf8').split('\n')[0] ?? '') as EvidenceRecord)
      .payload as never as { readonly policy: unknown; readonly base: { readonly snapshot: unknown } | null };
    const path = VALUES.find(([machine]) => name.startsWith(machine))?.[1] ?? '';
    const value = path
      .split('.')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key] ?? null, genesis.policy);
    const { code, stdout, stderr } = await called(
      ...argv`whatif ${ledger} --set ${path}=${String(value)} --json`,
    );
    if (genesis.base !== null && genesis.base.snapshot !== null) {
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^assay: continued: /)]);
      return;
    }
    expect([code, stderr]).toEqual([0, '']);
    const document = shaped(whatIfDocumentSchema, JSON.parse(stdout));
    expect(document).toMatchObject({
      parts: null,
      figures: [],
      assumed: [],
      left_out: [],
      after: document.before,
    });
  });
});

test('a policy file lays its fields over those recorded; an input file takes the place of the input', async () => {
  const [policy, input] = [join(folder, 'policy.json'), join(folder, 'input.json')];
  writeFileSync(policy, '{"weights":{"order":7},"min_score":1}');
  writeFileSync(input, JSON.stringify({ seed_text: SEED, pin: { region: 'US' } }));
  const { document, records } = await forked(LEDGER, '--set', `policy=@${policy}`);
  expect(document.changed.map(({ path, would_be }) => [path, would_be])).toEqual([
    ['policy.min_score', 1],
    ['policy.weights.order', 7],
  ]);
  expect(records[0]?.payload).toMatchObject({ policy: { min_score: 1, weights: { order: 7 } } });
  const other = await forked(LEDGER, '--set', `input=@${input}`, '--without', 'human');
  expect(other.document.changed).toEqual([
    expect.objectContaining({ path: 'input.pin.latency.p99', would_be: null }),
    expect.objectContaining({ path: 'input.pin.region', was: 'EU', would_be: 'US' }),
  ]);
  expect(other.document.left_out.length).toBe(1);
  writeFileSync(policy, '[]');
  expect(await called('whatif', LEDGER, '--set', `policy=@${policy}`)).toMatchObject({ code: 2 });
});

test('a value that the recorded run has is no change, and that is said', async () => {
  const same = await called('whatif', LEDGER, '--set', 'order=50000');
  expect(same).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^same {8}nothing is changed/m) as unknown,
  });
});

test('show says of a fork that it never happened', async () => {
  const path = join(folder, 'never.jsonl');
  expect((await called('whatif', LEDGER, '--set', 'order=7', '-o', path)).code).toBe(0);
  expect(await calledJson('show', path)).toMatchObject({ what_if_of: 'by-hand' });
  expect((await called('show', path)).stdout).toContain('a what-if of by-hand');
  expect((await called('show', path, '--format', 'markdown')).stderr).toContain('a what-if of by-hand');
});

describe('what is changed', () => {
  test('a weight: the path parts where other figures lead to another word', async () => {
    const { document, records } = await forked(
      LEDGER,
      ...argv`--set policy.weights.order=7 --set coverage=0`,
    );
    expect(records[0]?.payload).toMatchObject({
      run_id: expect.stringMatching(/^by-hand-what-if-[0-9a-f]{8}$/) as unknown,
      policy: { weights: { order: 7, coverage: 0, grounding: 150_000 } },
      base: { run_id: 'by-hand', snapshot: null },
    });
    expect(document.changed).toEqual([
      { path: 'policy.weights.order', was: 50_000, would_be: 7 },
      { path: 'policy.weights.coverage', was: 250_000, would_be: 0 },
    ]);
    expect(document.figures.length).toBeGreaterThan(0);
    expect(document.before).toMatchObject({ outcome: 'success', verdict: 'Decided' });
  });

  test('a threshold of a task: record, field and words of both, and what nobody answered', async () => {
    const { document } = await forked(golden('controller-refine'), '--set', 'max_replans=1');
    expect(document).toMatchObject({
      parts: { record: { was: 23, would_be: 23 }, was: 'PlanDirective', would_be: 'FinalResult' },
      before: { outcome: 'success', verdict: 'Done' },
      after: { outcome: 'refused', verdict: 'Abandoned' },
      left_over: [24, 26, 28, 30, 32, 34],
      unknown: [],
    });
    const longer = await forked(golden('controller-c1-task'), '--set', 'max_replans=9');
    expect(longer.document).toMatchObject({ after: { outcome: null }, unknown: [{ kind: 'plan' }] });
    const { stdout } = await called('whatif', golden('controller-c1-task'), '--set', 'max_replans=9');
    expect(stdout).toMatch(/^unknown {5}never answered: plan \(/m);
  });

  test('a pin: answers of the same slot are taken as they were given, a live one as recorded', async () => {
    const { document, records } = await forked(
      LEDGER,
      ...argv`--set input.pin.region --set ${'pin.invoice.time=<= 20 days'}`,
      ...argv`--set ${'pin.latency.p99=<= 6 s'}`,
    );
    expect(records[0]?.payload).toMatchObject({
      input: { seed_text: SEED, pin: { 'invoice.time': '<= 20 days', 'latency.p99': '<= 6 s' } },
    });
    expect(proposals(records)).toMatchObject([
      { source: 'recorded_model', proposer: 'm', confidence: 0.5, provenance: { provider: 'p' } },
      { source: 'human', proposer: 'ada', value: [{ name: 'soon' }] },
      { source: 'rule', proposer: 'rules', failure: { code: 'timeout', final: true } },
    ]);
    expect(document.assumed).toEqual([2, 4, 6]);
    expect(
      (await forked(golden('intent-several-proposers'), '--set', 'input.pin.a=true')).document,
    ).toMatchObject({
      changed: [{ path: 'input.pin.a', was: null, would_be: true }],
    });
  });

  test('another request is another question: what was answered to it says nothing', async () => {
    const { document } = await forked(LEDGER, '--set', 'input.seed_text=Keep it.');
    expect(document).toMatchObject({ after: { outcome: null }, left_over: [2, 4, 6], assumed: [] });
    expect(document.unknown.map(({ kind }) => kind)).toEqual(Array(3).fill('interpretations'));
  });

  test.each([['b/c'], ['ada']])('without the answers of %s: nobody answers there, for good', async (name) => {
    const { document, records } = await forked(LEDGER, '--without', name);
    expect(proposals(records)).toMatchObject([
      { source: 'live_model' },
      {
        source: 'synthetic',
        proposer: 'fixture:what-if',
        failure: { code: 'unavailable', final: true, detail: { code: 'left_out' } },
      },
      { source: 'rule' },
    ]);
    expect(document).toMatchObject({ without: [name], left_out: [4], base: { count: 4 } });
  });

  test('twice the same bytes; a fork of a fork has a name of its own, and verifies', async () => {
    const [first, again] = [
      await forked(LEDGER, '--without', 'late'),
      await forked(LEDGER, '--without', 'late'),
    ];
    expect(first.records).toEqual(again.records);
    const apart = join(folder, 'apart');
    mkdirSync(apart);
    const next = await forked(writeLedger(join(apart, 'fork.jsonl'), first.records), '--set', 'order=1');
    const names = [
      first.document.run_id,
      next.document.run_id,
      (await forked(LEDGER, '--without', 'ada')).document.run_id,
      (await forked(LEDGER, '--set', 'order=1')).document.run_id,
    ];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^by-hand-what-if-[0-9a-f]{8}$/);
    expect((await forked(LEDGER, '--set', 'order=1', '--set', 'run_id=mine')).document.run_id).toBe('mine');
  });
});

test.each(sampled(GOLDENS.filter((name) => name.startsWith('intent-'))))(
  'what explain says to try next can be asked: %s',
  async (name) => {
    const { next } = (await calledJson('show', golden(name))) as never as {
      readonly next: readonly (readonly string[])[];
    };
    for (const [, command, ledger = '', ...options] of next)
      if (command === 'whatif') expect((await forked(ledger, ...options)).document.parts).not.toBeNull();
  },
);

describe('wrong use is exit 2, with a place and a remedy', () => {
  test.each([
    [['whatif', LEDGER], 'bad_value', '--set PATH=VALUE'],
    [['whatif', LEDGER, '--set', '=7'], 'bad_value', 'PATH=VALUE'],
    [['whatif', LEDGER, '--set', 'order=1', '--set', 'order'], 'bad_value', 'once'],
    [['whatif', LEDGER, '--set', 'policy.weights.oder=1'], 'bad_value', 'policy.weights.order'],
    [['whatif', LEDGER, '--set', 'input.pin.colour'], 'bad_value', 'input.pin'],
    [['whatif', LEDGER, '--set', 'input.pn.region=US'], 'bad_value', 'input.pin.region'],
    [['whatif', LEDGER, '--set', 'input.pin.__proto__=1'], 'bad_value', 'input.pin'],
    [['whatif', LEDGER, '--set', 'order=1000001'], 'bad_policy', '--set order'],
    [['whatif', LEDGER, '--set', 'input.pin.no_drone=perhaps'], 'bad_pin', '--set input.pin.no_drone'],
    [['whatif', LEDGER, '--without', 'nobody'], 'bad_value', 'ada'],
    [['whatif', LEDGER, '--set', 'order=1', '--set', 'run_id=by-hand'], 'run_exists', 'run_id='],
    [['whatif', LEDGER, '--set', 'order=1', '--set', 'run_id=a b'], 'bad_value', 'a b'],
    [['whatif', LEDGER, '--set', 'order=1', '-o', LEDGER], 'exists', 'another file'],
    [['whatif', join(folder, 'none'), '--set', 'order=1'], 'missing_file', 'path'],
    [['whatif', golden('tally-success'), '--set', 'quorum=9'], 'bad_policy', 'policy.quorum is 2;'],
    [['whatif', LEDGER, '--set', 'policy.weights.order'], 'bad_policy', 'policy.weights.order is 50000;'],
    [['whatif', LEDGER, '--set', 'policy=5'], 'bad_policy', 'must be an object'],
    [['whatif', golden('controller-refine'), '--set', 'clock=none'], 'bad_policy', '.clock is '],
  ])('assay %j: %s', async (args, code, word) => {
    const { code: exit, stdout, stderr } = await called(...args);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^assay: ${code}: .+`));
    expect(stderr).toMatch(/^ {2}remedy {2}\S/m);
    expect(stderr).toContain(word);
  });

  test('a name that stands for several settings', async () => {
    const { stderr } = await called(
      ...argv`whatif ${golden('controller-refine')} --set input=1 --set name=1`,
    );
    expect(stderr).toMatch(/^assay: bad_value: /);
  });
});
