import { describe, expect, it } from 'vitest';
import { openRun, type Digest, type GenesisInput, type Json } from '@assay/kernel';
import { ask, kinds, payloadAt, puppet, start } from './puppet.js';

const nested = (levels: number): Json => (levels === 0 ? 0 : [nested(levels - 1)]);
const HASH = '0'.repeat(64) as Digest;

describe('openRun', () => {
  const given: GenesisInput = { run_id: 'run', ts_base: 't', policy: { first: {} }, input: 'hello' };
  const left = (change: unknown): unknown => {
    const opened = openRun(puppet, { ...given, ...(change as object) });
    return opened._tag === 'Left' ? opened.left : 'opened';
  };

  it('records genesis and the first decision, which carries a state hash', () => {
    const step = start({ asks: [ask()], artifacts: { a: 1 } }, puppet, {
      input: { b: 1, a: -0 },
      engine: 'quickjs',
    });
    expect(kinds(step)).toEqual(['genesis', 'decision', 'artifact']);
    expect(step.records.map(({ ts }) => ts)).toEqual(['t#000000000000', 't#000000000001', 't#000000000002']);
    expect(payloadAt(step, 0)).toEqual({
      format: 'assay/0',
      run_id: 'run',
      machine: { name: 'puppet', version: 1, engine: 'quickjs' },
      ts_base: 't',
      policy: { first: { artifacts: { a: 1 }, asks: [ask()] } },
      input: { a: 0, b: 1 },
      base: null,
    });
    expect(payloadAt(step, 1)['state_hash']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('a run may close at once', () => {
    const step = start({ outcome: { status: 'refused', reasons: ['no_work'] } });
    expect([kinds(step), step.run.outcome]).toEqual([['genesis', 'decision', 'close'], 'refused']);
  });

  const refused: readonly (readonly [string, unknown, unknown])[] = [
    [
      'a policy that is no JSON',
      { policy: { n: Number.NaN } },
      { code: 'inadmissible', detail: { reason: 'not_finite', path: '/policy/n' } },
    ],
    [
      'an input that is missing',
      { input: undefined },
      { code: 'inadmissible', detail: { reason: 'undefined', path: '/input' } },
    ],
    [
      'a token out of form',
      { input: { a: { $blob: 1 } } },
      { code: 'inadmissible', detail: { reason: 'token', path: '/input/a' } },
    ],
    [
      'a key beside a token',
      { policy: { first: {}, $sealed: HASH } },
      { code: 'inadmissible', detail: { reason: 'reserved_key', path: '/policy' } },
    ],
    [
      'a run id that is no text at all',
      { run_id: '\ud800' },
      { code: 'inadmissible', detail: { reason: 'lone_surrogate', path: '/run_id' } },
    ],
    [
      'a policy nested too deep',
      { policy: nested(64) },
      { code: 'inadmissible', detail: { reason: 'depth', path: `/policy${'/0'.repeat(63)}` } },
    ],
    [
      'an input with a key too long',
      { input: { ['k'.repeat(1_025)]: 1 } },
      { code: 'inadmissible', detail: { reason: 'key_size', path: `/input/${'k'.repeat(1_025)}` } },
    ],
    [
      'a run id that is a device',
      { run_id: 'CON.txt' },
      { code: 'genesis_shape', detail: { path: '/run_id' } },
    ],
    ['a run id that climbs', { run_id: '../x' }, { code: 'genesis_shape', detail: { path: '/run_id' } }],
    ['a ts_base with #', { ts_base: 'a#b' }, { code: 'genesis_shape', detail: { path: '/ts_base' } }],
    [
      'an engine that is no text',
      { engine: 1 },
      { code: 'genesis_shape', detail: { path: '/machine/engine' } },
    ],
    [
      'a base of itself',
      { base: { run_id: 'run', count: 1, hash: HASH, snapshot: null } },
      { code: 'genesis_shape', detail: { path: '/base/run_id' } },
    ],
    [
      'a base of no records',
      { base: { run_id: 'other', count: 0, hash: HASH, snapshot: null } },
      { code: 'genesis_shape', detail: { path: '/base/count' } },
    ],
    [
      'a base with a fraction in its snapshot',
      {
        base: {
          run_id: 'other',
          count: 1,
          hash: HASH,
          snapshot: { t: 'state', machine: 1 / 2, open: {}, artifacts: {} },
        },
      },
      { code: 'genesis_shape', detail: { path: '/base/snapshot' } },
    ],
    [
      'a carried request under another id',
      {
        base: {
          run_id: 'other',
          count: 9,
          hash: HASH,
          snapshot: {
            t: 'state',
            machine: 1,
            open: { '1.1': { rejections: 0, spent: {}, request: { id: '1.2', ...ask() } } },
            artifacts: {},
          },
        },
      },
      { code: 'genesis_shape', detail: { path: '/base/snapshot/open/1.1/request/id' } },
    ],
    [
      'a base at the end of what a ledger holds',
      {
        base: {
          run_id: 'other',
          count: 1_000_000_000_000,
          hash: HASH,
          snapshot: { t: 'state', machine: 1, open: {}, artifacts: {} },
        },
      },
      { code: 'genesis_shape', detail: { path: '/base/count' } },
    ],
    ['a policy the machine does not take', { policy: {} }, { code: 'no_first', detail: null }],
  ];
  for (const [fault, change, expected] of refused) {
    it(`refuses ${fault}`, () => {
      expect(left(change)).toEqual(expected);
    });
  }

  it('a base may be the last record there can be, of a continuation the last with room for two more', () => {
    const base = (count: number, snapshot: unknown): unknown =>
      left({ base: { run_id: 'other', count, hash: HASH, snapshot } });
    const state = { t: 'state', machine: 1, open: {}, artifacts: {} };
    expect([base(1_000_000_000_000, null), base(999_999_999_998, state)]).toEqual(['opened', 'opened']);
    expect(base(999_999_999_999, state)).toEqual({ code: 'genesis_shape', detail: { path: '/base/count' } });
  });

  it('inputs with fractions are fine: only what a machine hands out is integers', () => {
    expect(left({ input: 73 / 100 })).toBe('opened');
  });

  it('tokens may stand in policy and input', () => {
    expect(
      left({
        input: [{ $sealed: HASH }, { $blob: { bytes: 1, media: 'text/plain', sha256: HASH } }] as Json,
      }),
    ).toBe('opened');
  });
});
