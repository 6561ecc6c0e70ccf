import { describe, expect, it } from 'vitest';
import { machineLaws, registerLaws, tally } from '@assay/testing';
import { LAW_DRAWS } from '../../../kernel/tools/laws.ts';
import { native } from './native.js';
import { LAW_NAMES } from '../../src/laws/law.js';
import { tallyArbitraries } from '../../src/machines/tally-arbitraries.js';

const laws = machineLaws(tally, tallyArbitraries(), { sha256: native });

registerLaws({ describe, it }, 'tally keeps every law of a machine', laws, { runs: LAW_DRAWS });

describe('machineLaws', () => {
  it('lists every law of the machine interface', () => {
    expect(laws.map(({ name }) => name)).toEqual(LAW_NAMES);
  });

  it('leaves out what is not stated: arrival order and bound', () => {
    const { genesis, answer } = tallyArbitraries();
    const names = machineLaws(tally, { genesis, answer }).map(({ name }) => name);
    expect(LAW_NAMES.filter((name) => !names.includes(name))).toEqual([
      'outcome/arrival-order-invariant',
      'run/terminates-within-policy-bound',
    ]);
  });
});
