import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DAY_US,
  decayNano,
  elapsedUs,
  isRate,
  NANO,
  RATE_MAX,
  RATE_STEP,
  COARSE,
  FINE,
  STEPS_PER_UNIT,
  TABLE_UNITS,
} from '../../src/memory/decay.js';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { exactAtto } from './exact-exp.js';

const runs = lawRuns('memory decay');
const moreRuns = lawRuns('memory decay: errors', 3);
const mostRuns = lawRuns('memory decay: never rising', 5);
const rate = fc.integer({ min: 0, max: RATE_MAX / RATE_STEP }).map((steps) => steps * RATE_STEP);
/**
 * Times of interest: up to 22 units of the exponent at the slowest rate, with most of the weight where
 * something is left.
 */
const time = fc.oneof(
  fc.nat(40),
  fc.nat(60 * 86_400_000).map((ms) => ms * 1_000 + 7),
  fc.integer({ min: 0, max: 2_300 * DAY_US }),
  fc.constantFrom(0, 1, DAY_US, Number.MAX_SAFE_INTEGER),
);

function errorAtto(k: number, elapsed: number): bigint {
  const difference = BigInt(decayNano(k, elapsed)) * 1_000_000_000n - exactAtto(k, elapsed);
  return difference < 0n ? -difference : difference;
}

describe('law-M12: the exponential is off by at most 10^-9 and never rises', () => {
  it('is off by at most 10^-9', () => {
    fc.assert(
      fc.property(rate, time, (k, elapsed) => errorAtto(k, elapsed) <= 1_000_000_000n),
      moreRuns,
    );
  });

  it('never rises with time, from one microsecond to the next or over any span', () => {
    fc.assert(
      fc.property(
        rate,
        time,
        fc.oneof(fc.constant(1), fc.nat(3_000_000), time),
        (k, from, more) => decayNano(k, Math.min(from + more, Number.MAX_SAFE_INTEGER)) <= decayNano(k, from),
      ),
      mostRuns,
    );
  });

  it('never rises over the borders of the table, where rounding could show', () => {
    for (const k of [RATE_STEP, 50_000, 200_000, 500_000, RATE_MAX]) {
      for (let index = 1; index <= TABLE_UNITS * STEPS_PER_UNIT; index += 1) {
        const border = Math.ceil((index * 100 * DAY_US) / STEPS_PER_UNIT / (k / RATE_STEP));
        let last = decayNano(k, border - 2);
        for (const at of [border - 1, border, border + 1]) {
          const next = decayNano(k, at);
          if (next > last) expect.fail(`rises at rate ${k} from ${at - 1} to ${at}`);
          last = next;
        }
      }
    }
  });

  it('never rises with the rate', () => {
    fc.assert(
      fc.property(
        rate,
        rate,
        time,
        (a, b, elapsed) => decayNano(Math.max(a, b), elapsed) <= decayNano(Math.min(a, b), elapsed),
      ),
      moreRuns,
    );
  });

  it('is a whole at the start and for what does not decay, and nothing in the end', () => {
    fc.assert(
      fc.property(rate, time, (k, elapsed) => decayNano(k, 0) === NANO && decayNano(0, elapsed) === NANO),
      runs,
    );
    expect([decayNano(50_000, 440 * DAY_US), decayNano(RATE_STEP, Number.MAX_SAFE_INTEGER)]).toEqual([0, 0]);
  });

  it('has a table that agrees with the series to the last place', () => {
    for (const index of [0, 1, 2, 255, 256, 257, 1_000, 2_816, 5_000, 5_632]) {
      const exact = exactAtto(10_000, (index * 100 * DAY_US) / STEPS_PER_UNIT);
      expect(FINE[index]).toBe(Number((exact * 2n ** 41n + 10n ** 18n) / (2n * 10n ** 18n)));
      expect(COARSE[index]).toBe(Number((exact * 2n ** 27n + 10n ** 18n) / (2n * 10n ** 18n)));
    }
    expect([FINE.length, COARSE.length]).toEqual([
      TABLE_UNITS * STEPS_PER_UNIT + 1,
      TABLE_UNITS * STEPS_PER_UNIT + 1,
    ]);
  });
});

describe('law-M3: what a Megram adds never rises with time', () => {
  it('has the half-lives 13.86, 3.47 and 1.39 days within 10^-6', () => {
    const LN2_PPB = 693_147_181;
    for (const [k, days] of [
      [50_000, 13_862_944],
      [200_000, 3_465_736],
      [500_000, 1_386_294],
    ] as const) {
      const halfLife = Math.round((LN2_PPB * DAY_US) / (k * 1_000));
      expect(Math.abs(halfLife / DAY_US - days / 1_000_000)).toBeLessThan(1e-6);
      expect(Math.abs(decayNano(k, halfLife) - NANO / 2)).toBeLessThan(1_000);
    }
  });

  it('goes on from what was left: M(t + s) is M(t) decayed for s, within the roundings', () => {
    fc.assert(
      fc.property(rate, fc.nat(300 * 86_400), fc.nat(300 * 86_400), (k, t, s) => {
        const [whole, first, second] = [(t + s) * 1_000_000, t * 1_000_000, s * 1_000_000].map((elapsed) =>
          BigInt(decayNano(k, elapsed)),
        );
        const chained = ((first ?? 0n) * (second ?? 0n)) / BigInt(NANO);
        const difference = (whole ?? 0n) - chained;
        return difference >= -3n && difference <= 3n;
      }),
      moreRuns,
    );
  });
});

describe('decayNano', () => {
  it('is what docs/formats/memory.md writes, computed with big integers', () => {
    const E = (places: bigint, index: bigint): bigint =>
      (exactAtto(10_000, Number((index * 864_000_000_000n * 10n) / 256n)) * 2n ** (places + 1n) +
        10n ** 18n) /
      (2n * 10n ** 18n);
    const written = (k: number, elapsed: number): number => {
      const x = (BigInt(k / 10_000) * BigInt(elapsed) * 2n ** 34n) / 8_640_000_000_000n;
      if (x >= 22n * 2n ** 34n) return 0;
      const [i, r] = [x >> 26n, x & (2n ** 26n - 1n)];
      const half = (r * r) / 2n ** 35n;
      const loss = r - half + (r * half) / (3n * 2n ** 34n);
      const falling = E(40n, i) - (E(26n, i) * loss) / 2n ** 20n;
      const next = E(40n, i + 1n);
      const power = falling > next ? falling : next;
      return Number(((power * 10n ** 9n) / 2n ** 20n + 2n ** 19n) / 2n ** 20n);
    };
    fc.assert(
      fc.property(rate, time, (k, elapsed) => {
        expect(decayNano(k, elapsed)).toBe(written(k, elapsed));
      }),
      runs,
    );
  });

  it('refuses a rate between the steps and times that are none', () => {
    expect([isRate(0), isRate(50_000), isRate(50_001), isRate(-10_000), isRate(1_010_000)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    for (const [k, elapsed] of [
      [1, 0],
      [50_000, -1],
      [50_000, 1.5],
      [50_000, Number.NaN],
      [Number.NaN, 0],
    ] as const)
      expect(() => decayNano(k, elapsed)).toThrow(RangeError);
  });

  it('takes a moment before the writing for the writing itself (dec-M7)', () => {
    expect([elapsedUs(5, 3), elapsedUs(3, 5), elapsedUs(4, 4)]).toEqual([0, 2, 0]);
  });
});
