import { admit, orThrow, RECORDS_MAX, type Digest, type Genesis } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { Chain } from '../../src/machine/group.js';
import { native } from './native.js';

describe('the last sequence that a ledger can hold', () => {
  it('takes a record, and nothing comes after it', () => {
    const genesis = { ts_base: 't' } as Genesis;
    const chain = new Chain({ genesis, sha256: native, count: RECORDS_MAX - 1, hash: 'f'.repeat(64) as Digest } as never);
    chain.add('decision', orThrow(admit({})) as never);
    expect(chain.fits).toBe(true);
    expect(chain.records.map(({ ts }) => ts)).toEqual(['t#999999999999']);
    chain.add('artifact', orThrow(admit({})) as never);
    expect(chain.fits).toBe(false);
    expect(chain.records).toHaveLength(1);
  });
});
