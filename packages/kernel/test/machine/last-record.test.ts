import {
  admit,
  advance,
  openRun,
  orThrow,
  RECORDS_MAX,
  type Base,
  type Digest,
  type Genesis,
  type Json,
  type Rejection,
  type Result,
  type Step,
} from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { Chain } from '../../src/machine/group.js';
import { native } from './native.js';
import { ask, failing, kinds, propose, puppet, telling, type PuppetState } from './puppet.js';

const hash = 'f'.repeat(64) as Digest;

describe('the last sequence that a ledger can hold', () => {
  it('takes a record, and nothing comes after it', () => {
    const genesis = { ts_base: 't' } as Genesis;
    const chain = new Chain({ genesis, sha256: native, count: RECORDS_MAX - 1, hash } as never);
    chain.add('decision', orThrow(admit({})) as never);
    expect(chain.fits).toBe(true);
    expect(chain.records.map(({ ts }) => ts)).toEqual(['t#999999999999']);
    chain.add('artifact', orThrow(admit({})) as never);
    expect(chain.fits).toBe(false);
    expect(chain.records).toHaveLength(1);
  });

  const artifacts = { artifacts: { a: 1, b: 2 } };
  /** A continuation whose first group of two records leaves so much room. */
  const opened = (
    room: number,
    first: object = { asks: [ask({ body: { onFailure: artifacts } })] },
  ): Result<Rejection, Step<PuppetState, Json>> => {
    const base: Base = {
      run_id: 'base',
      count: RECORDS_MAX - 2 - room,
      hash,
      snapshot: { t: 'state', machine: { log: [] }, open: {}, artifacts: {} },
    };
    return openRun(
      puppet,
      { run_id: 'next', ts_base: 't', policy: { first } as never, input: null, base },
      { sha256: native },
    );
  };

  it('a first group that would pass it opens no run', () => {
    expect(opened(-1)).toMatchObject({ left: { code: 'genesis_shape', detail: { path: '/base/count' } } });
    expect(opened(0, { artifacts: { a: 1 } })).toMatchObject({ left: { code: 'limit_bytes' } });
    expect(kinds(orThrow(opened(0)))).toEqual(['genesis', 'decision']);
  });

  it('a run without room for a proposal, a decision and a close is over: no proposal throws, or is recorded', () => {
    const id = (room: number): string => `${RECORDS_MAX - 1 - room}.0`;
    for (const room of [0, 1, 2]) {
      for (const given of [telling(id(room), artifacts), failing(id(room)), propose('0.0')])
        expect(advance(orThrow(opened(room)).run, given)).toMatchObject({ left: { code: 'run_closed' } });
    }
    const full = orThrow(advance(orThrow(opened(3)).run, telling(id(3), artifacts)));
    expect([kinds(full), full.records.at(-1)]).toMatchObject([
      ['proposal', 'decision', 'close'],
      { ts: 't#999999999999', payload: { status: 'refused', reasons: ['limit_bytes'] } },
    ]);
    expect(kinds(orThrow(advance(orThrow(opened(4)).run, telling(id(4), artifacts))))).toEqual([
      'proposal',
      'decision',
      'artifact',
      'artifact',
    ]);
  });
});
