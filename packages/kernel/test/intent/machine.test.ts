import { describe, expect, it } from 'vitest';
import { openRun, type Json } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import {
  amount,
  answered,
  artifactOf,
  claimOn,
  eventsOf,
  flag,
  opened,
  played,
  policyWith,
  reading,
  reasonsOf,
} from './tools.js';

const SEED =
  'Uploads must finish within 2 s. The app must not store card data. Logs should be kept for 30 days.';
const FAST = claimOn(SEED, 'Uploads must finish within 2 s', { atom: amount('uploads.time', '<=', 2, 's') });
const CARD = claimOn(SEED, 'The app must not store card data', {
  modality: 'must_not',
  atom: flag('card_data'),
});
const LOGS = claimOn(SEED, 'Logs should be kept for 30 days', {
  modality: 'should',
  atom: amount('logs.retention', '=', 30, 'd'),
});
const ALL = reading('all', [FAST, CARD, LOGS]);

describe('vetoes', () => {
  it('a quote of more than 240 code points is ungrounded', () => {
    const seed = `It must hold ${'x'.repeat(240)}.`;
    const run = played(seed, {
      a: [reading('long', [{ ...claimOn(seed, 'It must'), quote: { start: 0, end: 241 } }])],
    });
    expect(eventsOf(run, 'vetoed')).toMatchObject([{ vetoes: [{ code: 'ungrounded', rule: 'span' }] }]);
  });

  it('the same reading again from one proposer is a duplicate; from another it is support', () => {
    const run = played(SEED, {
      a: [ALL, reading('again', [LOGS, CARD, FAST])],
      b: [reading('other-name', [FAST, CARD, LOGS])],
    });
    expect(eventsOf(run, 'vetoed')).toMatchObject([
      { name: 'again', vetoes: [{ code: 'duplicate_reading', of: { slot: 'a', index: 0 } }] },
    ]);
    expect(eventsOf(run, 'scored')).toMatchObject([{ name: 'all', supporters: ['a', 'b'] }]);
  });
});

describe('proposals', () => {
  it('a misshapen list is rejected whole and the slot may answer once more', () => {
    const run = answered(opened(SEED, policyWith({ proposers: ['a'] })), 'a', [
      { ...ALL, extra: 1 },
    ] as unknown as Json);
    expect(run.step.rejection).toEqual({
      code: 'bad_interpretations',
      detail: { path: '/0', rule: 'shape' },
    });
    const second = answered(run, 'a', [ALL] as unknown as Json);
    expect(second.step.run.outcome).toBe('success');
  });

  it('a quote that ends beyond the seed rejects the whole proposal', () => {
    const outside = reading('outside', [{ ...FAST, quote: { start: 0, end: SEED.length + 1 } }]);
    const run = answered(opened(SEED, policyWith({ proposers: ['a'] })), 'a', [
      ALL,
      outside,
    ] as unknown as Json);
    expect(run.step.rejection).toEqual({
      code: 'bad_interpretations',
      detail: { path: '/1/commits/0/quote', rule: 'outside_seed' },
    });
  });

  it.each<[boolean, number, (index: number) => string]>([
    [true, 1_020, (index) => `k${index}`],
    [false, 990, (index) => `k${index}`],
    [true, 230, () => 'k'],
    [false, 190, () => 'k'],
  ])('more claims than all answers may hold together: %s for %i', (isRejected, count, keyOf) => {
    const commits = Array.from({ length: count }, (_, index) => ({ ...FAST, atom: flag(keyOf(index)) }));
    const run = opened(SEED, policyWith({ proposers: ['a', 'b', 'c', 'd'] }));
    expect(answered(run, 'a', [reading('many', commits)] as unknown as Json).step.rejection).toEqual(
      isRejected ? { code: 'bad_interpretations', detail: { path: '', rule: 'claims_to_1000' } } : null,
    );
  });

  it('a second misshapen list closes the slot and the run is refused', () => {
    const once = answered(opened(SEED, policyWith({ proposers: ['a'] })), 'a', 'no list');
    const run = answered(once, 'a', 'no list');
    expect(reasonsOf(run)).toEqual(['insufficient_proposals']);
    expect(artifactOf(run, 'refusal_report')).toMatchObject({
      answers: [{ slot: 'a', failure: 'exhausted', why: 'bad_interpretations', proposal_hash: null }],
    });
  });
});

it.each<[string, unknown, object]>([
  [
    'a seed of more than 1 MiB',
    { seed_text: 'x'.repeat(1_048_577) },
    { field: 'seed_text', rule: 'bytes_to_1048576' },
  ],
  ['a seed that is no text', { seed_text: 7 }, { field: 'seed_text', rule: 'text' }],
  ['another key', { seed_text: 'x', other: 1 }, { field: 'input', rule: 'unknown_key' }],
  ['no object', null, { field: 'input', rule: 'object' }],
  ['a pin under no key', { seed_text: 'x', pin: { 'Not a key': 1 } }, { key: 'Not a key', rule: 'key' }],
  [
    'a prohibition of a value',
    { seed_text: 'x', pin: { a: 'EU', no_a: 'EU' } },
    { key: 'no_a', rule: 'prohibition' },
  ],
  [
    'pins against each other',
    { seed_text: 'x', pin: { a: true, no_a: true } },
    { key: 'no_a', rule: 'contradiction' },
  ],
])('%s opens no run', (_, input, detail) =>
  expect(
    openRun(intent, { run_id: 'run', ts_base: 't', policy: policyWith(), input: input as Json }),
  ).toEqual({
    _tag: 'Left',
    left: { code: 'key' in detail ? 'bad_pin' : 'bad_input', detail },
  }),
);
