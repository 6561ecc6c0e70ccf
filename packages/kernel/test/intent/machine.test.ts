import { describe, expect, it } from 'vitest';
import { openRun, type Json } from '@assay/kernel';
import { intent, replay } from '@assay/kernel/intent';
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

describe('a success', () => {
  const run = played(SEED, { a: [ALL, reading('fast-only', [FAST])] });

  it('gives blueprint and verification pack, and no refusal report', () => {
    expect(run.step.run.outcome).toBe('success');
    expect(artifactOf(run, 'blueprint')).toMatchObject({
      intent: { name: 'all' },
      coverage: { covered: 6, units: 6 },
      uncovered: [],
    });
    expect(artifactOf(run, 'verification_pack')?.['checks']).toHaveLength(3);
    expect(artifactOf(run, 'refusal_report')).toBeUndefined();
  });

  it('is derived again from its records', () => {
    const again = replay(run.records);
    expect(again).toMatchObject({ _tag: 'Right', right: { outcome: 'success' } });
  });

  it('records every part of every score', () => {
    const [first] = eventsOf(run, 'scored');
    expect(first).toMatchObject({ name: 'all', rank: 0, kept: true });
    expect(first?.['parts']).toContainEqual({
      criterion: 'coverage',
      weight: 250_000,
      applicable: true,
      num: 6,
      den: 6,
      ppm: 1_000_000,
    });
    expect(first?.['parts']).toContainEqual({
      criterion: 'agreement',
      weight: 100_000,
      applicable: false,
      num: 0,
      den: 0,
      ppm: 0,
    });
  });
});

describe('vetoes', () => {
  it('a pin vetoes a reading and both atoms are named', () => {
    const stores = claimOn(SEED, 'store card data', { atom: flag('card_data') });
    const run = played(
      SEED,
      { a: [reading('stores', [FAST, stores]), ALL] },
      policyWith({ proposers: ['a'] }),
      { no_card_data: true },
    );
    expect(eventsOf(run, 'vetoed')).toMatchObject([
      {
        name: 'stores',
        vetoes: [
          {
            code: 'pin_conflict',
            claimed: { modality: 'must', atom: flag('card_data') },
            pinned: { modality: 'must_not', atom: flag('card_data') },
          },
          { code: 'polarity', asserted: { in: 'claim' } },
        ],
      },
    ]);
    expect(artifactOf(run, 'blueprint')).toMatchObject({
      intent: { name: 'all' },
      pin: [{ affirmed: true, mentioned: true }],
    });
  });

  it('a number that cannot be read in its quote is ungrounded', () => {
    const invented = claimOn(SEED, 'Uploads must finish', { atom: amount('uploads.time', '<=', 1, 's') });
    const run = played(SEED, { a: [reading('invents', [invented])] });
    expect(eventsOf(run, 'vetoed')).toMatchObject([
      { vetoes: [{ code: 'ungrounded', claim: 0, rule: 'number' }] },
    ]);
    expect(reasonsOf(run)).toEqual(['no_valid_interpretation']);
  });

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

  it('a reading beyond max_interpretations is over the limit', () => {
    const run = played(
      SEED,
      { a: [ALL, reading('fast', [FAST])] },
      policyWith({ proposers: ['a'], max_interpretations: 1 }),
    );
    expect(eventsOf(run, 'vetoed')).toMatchObject([
      { name: 'fast', vetoes: [{ code: 'over_limit', of: 'max_interpretations', value: 2, limit: 1 }] },
    ]);
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

  it('rejects more claims than all answers may hold together, so that no decision takes seconds', () => {
    const run = opened(SEED, policyWith({ proposers: ['a', 'b', 'c', 'd'] }));
    const many = (count: number, keyOf: (index: number) => string): Json =>
      [
        reading(
          'many',
          Array.from({ length: count }, (_, index) => ({ ...FAST, atom: flag(keyOf(index)) })),
        ),
      ] as unknown as Json;
    const rejected = { code: 'bad_interpretations', detail: { path: '', rule: 'claims_to_1000' } };
    expect(
      answered(
        run,
        'a',
        many(1_020, (index) => `k${index}`),
      ).step.rejection,
    ).toEqual(rejected);
    expect(
      answered(
        run,
        'a',
        many(990, (index) => `k${index}`),
      ).step.rejection,
    ).toBeNull();
    expect(
      answered(
        run,
        'a',
        many(230, () => 'k'),
      ).step.rejection,
    ).toEqual(rejected);
    expect(
      answered(
        run,
        'a',
        many(190, () => 'k'),
      ).step.rejection,
    ).toBeNull();
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

describe('opening', () => {
  it('refuses a seed of more than 1 MiB', () => {
    const input = { seed_text: 'x'.repeat(1_048_577) };
    expect(openRun(intent, { run_id: 'run', ts_base: 't', policy: policyWith(), input })).toEqual({
      _tag: 'Left',
      left: { code: 'bad_input', detail: { field: 'seed_text', rule: 'bytes_to_1048576' } },
    });
  });

  it.each([
    [{ seed_text: 7 }, { code: 'bad_input', detail: { field: 'seed_text', rule: 'text' } }],
    [
      { seed_text: 'x', other: 1 },
      { code: 'bad_input', detail: { field: 'input', rule: 'unknown_key' } },
    ],
    [null, { code: 'bad_input', detail: { field: 'input', rule: 'object' } }],
    [
      { seed_text: 'x', pin: { 'Not a key': 1 } },
      { code: 'bad_pin', detail: { key: 'Not a key', rule: 'key' } },
    ],
    [
      { seed_text: 'x', pin: { region: 'EU', no_region: 'EU' } },
      { code: 'bad_pin', detail: { key: 'no_region', rule: 'prohibition' } },
    ],
    [
      { seed_text: 'x', pin: { card: true, no_card: true } },
      { code: 'bad_pin', detail: { key: 'no_card', rule: 'contradiction' } },
    ],
  ])('refuses the input %j', (input, left) => {
    expect(openRun(intent, { run_id: 'run', ts_base: 't', policy: policyWith(), input })).toEqual({
      _tag: 'Left',
      left,
    });
  });
});
