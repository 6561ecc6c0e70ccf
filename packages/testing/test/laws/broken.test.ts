import { describe, expect, it } from 'vitest';
import { machineLaws } from '@assay/testing';
import { BROKEN, soundCounter } from './broken.js';
import { draws } from '../../../kernel/tools/laws.ts';
import { native } from './native.js';
import { LAW_NAMES } from '../../src/laws/law.js';
import { tallyArbitraries } from '../../src/machines/tally-arbitraries.js';

/**
 * Runs for the laws that must hold: the fault they must not find shows within fewer in the law that must find
 * it.
 */
const OTHERS_RUNS = draws(200);

function isBroken(check: (runs: number) => void, runs: number): boolean {
  try {
    check(runs);
    return false;
  } catch {
    return true;
  }
}

describe('a law that cannot fail is worthless', () => {
  it('has a broken machine or kernel for every law', () => {
    expect(BROKEN.map(({ law }) => law)).toEqual(LAW_NAMES);
  });

  // Every third in `npm test`, all of them in the long lane.
  const isLong = process.env['ASSAY_LANE'] === 'long';
  for (const { law, fault, laws } of BROKEN.filter((_, index) => isLong || index % 3 === 0)) {
    it(`${law} alone finds: ${fault}`, () => {
      const found = laws().filter(({ name, check }) => isBroken(check, name === law ? 1_000 : OTHERS_RUNS));
      expect(found.map(({ name }) => name)).toEqual([law]);
    });
  }

  it('finds nothing in the same counter, kept as it should be', () => {
    const found = machineLaws(soundCounter(), tallyArbitraries(), { sha256: native }).filter(({ check }) =>
      isBroken(check, OTHERS_RUNS),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('prints the seed where a law fails', () => {
    const [total] = BROKEN[0]?.laws() ?? [];
    expect(() => total?.check(1_000, 7)).toThrow(/seed: 7/);
    expect(() => total?.check()).toThrow(/seed: 20260101/);
  });
});
