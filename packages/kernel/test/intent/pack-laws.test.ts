/** Laws of pack evaluation, intent I18. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import {
  evaluatePack,
  PACK_FORMAT,
  parseEvidence,
  type Atom,
  type Check,
  type CheckEvidence,
  type Op,
  type VerificationPack,
} from '@assay/kernel/intent';
import { lawRuns } from '../../tools/laws.js';
import { amount, flag } from './tools.js';

const runs = lawRuns('intent-pack');
const ID = 'a'.repeat(64);

function check(threshold: Atom | null, more: Partial<Check> = {}): Check {
  return {
    id: 'check-1',
    claim: ID,
    modality: 'must',
    method: threshold === null ? 'inspection' : 'test',
    text: 'words',
    threshold,
    waits_for: [],
    ...more,
  };
}

const pack = (...checks: readonly Check[]): VerificationPack => ({
  format: PACK_FORMAT,
  seed_hash: ID,
  blueprint_hash: ID,
  checks,
});

function seen(observed: Json, unit: string | null = null, check_id = 'check-1'): CheckEvidence {
  const parsed = parseEvidence([{ check_id, observed, unit, source: 'a test' }]);
  const [one] = parsed._tag === 'Right' ? parsed.right : [];
  if (one === undefined) throw new Error('bad evidence');
  return one;
}

const verdictOf = (one: Check, ...evidence: readonly CheckEvidence[]): string => {
  const [judged] = evaluatePack(pack(one), evidence).checks;
  return `${judged?.status} ${judged?.reason}`;
};

describe('laws of pack evaluation', () => {
  it('pack/boundaries: each comparison is exact at its threshold and on both sides of it', () => {
    const table: Readonly<Record<string, readonly [below: string, at: string, above: string]>> = {
      '<': ['pass', 'fail', 'fail'],
      '<=': ['pass', 'pass', 'fail'],
      '>': ['fail', 'fail', 'pass'],
      '>=': ['fail', 'pass', 'pass'],
      '=': ['fail', 'pass', 'fail'],
      '!=': ['pass', 'fail', 'pass'],
    };
    for (const [op, expected] of Object.entries(table)) {
      const got = [199.999, 200, 200.001].map(
        (value) => verdictOf(check(amount('latency', op as Op, 200, 'ms')), seen(value, 'ms')).split(' ')[0],
      );
      expect([op, ...got]).toEqual([op, ...expected]);
      const converted = [0.199999, 0.2, 0.200001].map(
        (value) => verdictOf(check(amount('latency', op as Op, 200, 'ms')), seen(value, 's')).split(' ')[0],
      );
      expect([op, ...converted]).toEqual([op, ...expected]);
    }
  });

  it('pack/exact: for every threshold and observation the verdict is that of whole numbers, whatever the units', () => {
    const ops = fc.constantFrom<Op>('<', '<=', '>', '>=', '=', '!=');
    const holds = (op: Op, a: bigint, b: bigint): boolean =>
      ({
        '<': a < b,
        '<=': a <= b,
        '>': a > b,
        '>=': a >= b,
        '=': a === b,
        '!=': a !== b,
        in: false,
        not_in: false,
      })[op];
    fc.assert(
      fc.property(
        ops,
        fc.integer({ min: -9_999, max: 9_999 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: -9_999, max: 9_999 }),
        fc.integer({ min: 0, max: 3 }),
        (op, n, scale, m, places) => {
          // Threshold in seconds, observation in milliseconds: both as thousandths of a millisecond.
          const [limit, value] = [
            BigInt(n) * 10n ** BigInt(6 - scale),
            BigInt(m) * 10n ** BigInt(3 - places),
          ];
          const evidence: CheckEvidence = {
            check_id: 'check-1',
            observed: { n: m, scale: places },
            unit: 'ms',
            source: 's',
          };
          return verdictOf(check(amount('x', op, n, 's', scale)), evidence).startsWith(
            holds(op, value, limit) ? 'pass' : 'fail',
          );
        },
      ),
      runs,
    );
  });

  it('pack/forbidden: a negative test passes where the forbidden was not seen', () => {
    const forbidden = check(flag('card_data'), { modality: 'must_not', method: 'negative_test' });
    expect([verdictOf(forbidden, seen(false)), verdictOf(forbidden, seen(true))]).toEqual([
      'pass confirmed',
      'fail denied',
    ]);
    const words = check(null, { modality: 'must_not', method: 'negative_test' });
    expect([verdictOf(words, seen(false)), verdictOf(words, seen(true))]).toEqual([
      'pass confirmed',
      'fail denied',
    ]);
    const noise = check(amount('noise', '>', 55, 'dB'), { modality: 'must_not', method: 'negative_test' });
    expect([verdictOf(noise, seen(55, 'dB')), verdictOf(noise, seen(55.1, 'dB'))]).toEqual([
      'pass within',
      'fail outside',
    ]);
  });

  it('pack/inspection: what has no threshold is confirmed or denied by a flag alone', () => {
    expect([true, false].map((value) => verdictOf(check(null), seen(value)))).toEqual([
      'pass confirmed',
      'fail denied',
    ]);
    expect([verdictOf(check(null), seen(1)), verdictOf(check(null), seen('yes'))]).toEqual([
      'missing not_comparable',
      'missing not_comparable',
    ]);
    const member: Atom = { key: 'region', op: 'in', value: 'EU', unit: null };
    expect([verdictOf(check(member), seen(true)), verdictOf(check(member), seen('EU'))]).toEqual([
      'pass confirmed',
      'missing not_comparable',
    ]);
  });

  it('pack/moments: dates and clock times compare in their ISO form', () => {
    const due = check({ key: 'due', op: '<=', value: '2026-03-16', unit: 'date' });
    expect(
      ['2026-03-15', '2026-03-16', '2026-03-17'].map((value) => verdictOf(due, seen(value, 'date'))),
    ).toEqual(['pass within', 'pass within', 'fail outside']);
    expect(verdictOf(due, seen('2026-03-15'))).toBe('missing not_comparable');
  });

  it('pack/dimension: another dimension, or none, decides nothing', () => {
    const limit = check(amount('latency', '<', 200, 'ms'));
    expect([
      verdictOf(limit, seen(1, 'kB')),
      verdictOf(limit, seen(1)),
      verdictOf(limit, seen(true)),
      verdictOf(limit),
    ]).toEqual([
      'missing not_comparable',
      'missing not_comparable',
      'missing not_comparable',
      'missing no_evidence',
    ]);
  });

  it('pack/months: an observation passes only where it holds for every length of month', () => {
    const month = check(amount('retention', '<=', 1, 'month'));
    expect([31, 32].map((days) => verdictOf(month, seen(days, 'd')).split(' ')[0])).toEqual(['pass', 'fail']);
    expect(verdictOf(check(amount('retention', '>=', 30, 'd')), seen(1, 'month'))).toBe('fail outside');
  });

  it('pack/open-question: a check that waits for an answer is missing, whatever was observed', () => {
    const waiting = check(amount('latency', '<', 200, 'ms'), { method: 'analysis', waits_for: [ID] });
    expect([verdictOf(waiting, seen(1, 'ms')), verdictOf(waiting)]).toEqual([
      'missing question_open',
      'missing question_open',
    ]);
  });

  it('pack/all-must-hold: one observation outside fails the check, in any order', () => {
    const limit = check(amount('latency', '<', 200, 'ms'));
    expect([
      verdictOf(limit, seen(1, 'ms'), seen(300, 'ms')),
      verdictOf(limit, seen(300, 'ms'), seen(1, 'ms')),
      verdictOf(limit, seen(1, 'ms'), seen(1, 'kB')),
    ]).toEqual(['fail outside', 'fail outside', 'missing not_comparable']);
  });

  it('pack/outcome: what binds decides; a wish that fails is shown and does not', () => {
    const [must, wish] = [check(null), check(null, { id: 'check-2', modality: 'should' })];
    const judged = evaluatePack(pack(must, wish), [
      seen(true),
      seen(false, null, 'check-2'),
      seen(true, null, 'check-9'),
    ]);
    expect([judged.outcome, judged.counts, judged.unknown]).toEqual([
      'pass',
      { pass: 1, fail: 1, missing: 0 },
      ['check-9'],
    ]);
    expect(evaluatePack(pack(must, wish), [seen(true, null, 'check-2')]).outcome).toBe('fail');
  });

  it('pack/evidence-total: any JSON is evidence or one error that names its place', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = parseEvidence(value as Json);
        return parsed._tag === 'Right' || parsed.left.code === 'bad_evidence';
      }),
      runs,
    );
    expect(parseEvidence([{ check_id: 'c', observed: 1.5, source: 's' }])).toMatchObject({
      right: [{ observed: { n: 15, scale: 1 }, unit: null }],
    });
    expect(parseEvidence([{ check_id: 'c', observed: -2.5e-7, source: 's' }])).toMatchObject({
      right: [{ observed: { n: -25, scale: 8 } }],
    });
    for (const observed of [1e-10, 1e21])
      expect(parseEvidence([{ check_id: 'c', observed, source: 's' }])).toMatchObject({
        left: { detail: { path: '/0/observed' } },
      });
    expect(parseEvidence([{ check_id: 'c', observed: null, source: 's' }])).toMatchObject({
      left: { detail: { path: '/0/observed' } },
    });
  });
});
