/**
 * One law and more for each criterion of intent I10: bounded, order-free, monotone in its own argument, no
 * gain by copying.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashCanonical, orThrow, type Digest, type Json } from '@assay/kernel';
import {
  CRITERIA,
  defaultPolicy,
  rankAnswers,
  type Claim,
  type Interpretation,
  type PinAtom,
  type SlotAnswer,
} from '@assay/kernel/intent';
import type { Criterion } from '../../src/intent/policy.js';
import { lawRuns } from '../../tools/laws.js';
import { readings } from './arbitraries.js';
import { amount, claimOn, flag, native, reading } from './tools.js';
import type { ScorePart } from '../../src/intent/score.js';

const runs = lawRuns('intent-criteria');
const SEED =
  'Uploads must be fast and finish within 2 s. The app should never store card data. Logs ' +
  'are kept for 30 days, at most 5 MB each, in Oslo. Make it nice soon.';
const PIN: readonly PinAtom[] = [
  { modality: 'must', atom: amount('upload.time', '<=', 3, 's') },
  { modality: 'must_not', atom: flag('card') },
];
const UPLOAD = claimOn(SEED, 'Uploads must be fast and finish within 2 s', {
  atom: amount('upload.time', '<=', 2, 's'),
});
const LOGS = claimOn(SEED, 'Logs are kept for 30 days', { atom: amount('log.retention', '=', 30, 'd') });

const hash = (value: Json): Digest => orThrow(hashCanonical(value, native));
const answer = (
  slot: string,
  given: readonly Interpretation[],
  confidence_ppm: number | null = null,
): SlotAnswer => ({
  t: 'answered',
  slot,
  source: 'synthetic',
  proposer: `fixture:${slot}`,
  proposal_hash: 'x',
  confidence_ppm,
  readings: given,
});

type Row = {
  readonly name: string;
  readonly slot: string;
  readonly index: number;
  readonly total: number;
  readonly parts: readonly ScorePart[];
};

function scored(
  answers: readonly SlotAnswer[],
  proposers: readonly string[] = answers.map(({ slot }) => slot),
): readonly Row[] {
  const policy = { ...defaultPolicy, proposers, weights: { ...defaultPolicy.weights, confidence: 50_000 } };
  const { kept, pruned } = rankAnswers({ seedText: SEED, policy, pin: PIN, answers }, { run_id: 'r', hash });
  return [...kept, ...pruned].map(({ candidate, score }) => ({
    name: candidate.reading.name,
    slot: candidate.from.slot,
    index: candidate.index,
    total: score.total,
    parts: score.parts,
  }));
}

/** The rows of slot `a` by place. Vetoed readings have none. */
const own = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ slot }) => slot === 'a').sort((x, y) => x.index - y.index);
const ppm = (row: Row | undefined, criterion: Criterion): number =>
  row?.parts[CRITERIA.indexOf(criterion)]?.ppm ?? -1;
/** What one criterion gives a reading alone. */
const part = (criterion: Criterion, one: Interpretation): number =>
  ppm(scored([answer('a', [one])])[0], criterion);
const base = (more: Partial<Interpretation> = {}): Interpretation => reading('base', [UPLOAD], more);

const single = readings(SEED)
  .filter((list) => list.length > 0)
  .map((list) => list[0] as Interpretation);

describe('laws of the criteria', () => {
  it('criteria/bounded: every part is between 0 and 1,000,000 and no total leaves that range', () => {
    fc.assert(
      fc.property(readings(SEED), readings(SEED), (a, b) =>
        scored([answer('a', a, 400_000), answer('b', b, 1_000_000)]).every(
          ({ total, parts }) =>
            total >= 0 &&
            total <= 1_000_000 &&
            parts.every((one) => one.ppm >= 0 && one.ppm <= 1_000_000 && one.num <= one.den),
        ),
      ),
      runs,
    );
  });

  it(
    'criteria/permutation-invariant: neither the order of claims nor that of assumptions or ' +
      'slots changes a total',
    () => {
      fc.assert(
        fc.property(readings(SEED), readings(SEED), (a, b) => {
          const turned = (list: readonly Interpretation[]): readonly Interpretation[] =>
            list.map((one) => ({
              ...one,
              commits: [...one.commits].reverse(),
              assumptions: [...one.assumptions].reverse(),
              contradictions: [],
            }));
          const plain = own(scored([answer('a', a), answer('b', b)])).map(({ index, total }) => [
            index,
            total,
          ]);
          const reversed = own(scored([answer('b', turned(b)), answer('a', turned(a))], ['a', 'b'])).map(
            ({ index, total }) => [index, total],
          );
          return JSON.stringify(plain) === JSON.stringify(reversed);
        }),
        runs,
      );
    },
  );

  it('criteria/not-applicable-for-all: what one reading lacks counts for none', () => {
    const rows = scored([
      answer('a', [reading('one', [UPLOAD])], 900_000),
      answer('b', [reading('two', [LOGS])]),
    ]);
    expect(rows).toHaveLength(2);
    for (const { parts } of rows)
      expect(parts[CRITERIA.indexOf('confidence')]).toMatchObject({ applicable: false, ppm: 0 });
  });

  it('criteria/coverage-monotone: another quoted claim never covers less', () => {
    fc.assert(
      fc.property(single, fc.nat(100), fc.integer({ min: 1, max: 40 }), (one, start, size) => {
        const more: Claim = {
          ...UPLOAD,
          kind: 'question',
          atom: null,
          quote: { start, end: Math.min(SEED.length, start + size) },
        };
        const [before, after] = [
          part('coverage', one),
          part('coverage', { ...one, commits: [...one.commits, more] }),
        ];
        return before < 0 || after < 0 || after >= before;
      }),
      runs,
    );
  });

  it('criteria/grounding-monotone: a quoted commit never lowers it, one without a quote never raises it', () => {
    fc.assert(
      fc.property(single, (one) => {
        const before = part('grounding', one);
        const quoted = part('grounding', { ...one, commits: [...one.commits, LOGS] });
        const unquoted = part('grounding', {
          ...one,
          commits: [...one.commits, { ...LOGS, quote: null, atom: flag('invented') }],
        });
        return before < 0 || ((quoted < 0 || quoted >= before) && (unquoted < 0 || unquoted <= before));
      }),
      runs,
    );
  });

  it('criteria/disclosure-monotone: naming what is open raises it, an assumption that names nothing lowers it', () => {
    const none = part('disclosure', base());
    const named = part('disclosure', base({ assumptions: ['We take fast to mean as quick as today.'] }));
    const more = part(
      'disclosure',
      base({
        assumptions: [
          'We take fast to mean as quick as today.',
          'Reading nice as whatever our designer likes.',
        ],
      }),
    );
    const idle = part(
      'disclosure',
      base({ assumptions: ['We take fast to mean as quick as today.', 'Everybody agrees anyway.'] }),
    );
    expect([none < named, named < more, idle < named]).toEqual([true, true, true]);
    const asked: Claim = {
      ...claimOn(SEED, 'fast'),
      kind: 'question',
      atom: { key: 'question', op: '=', value: 'vague', unit: null },
    };
    expect(part('disclosure', base({ commits: [UPLOAD, asked] }))).toBe(named);
    expect(
      part('disclosure', base({ commits: [UPLOAD, { ...LOGS, kind: 'assumption', quote: null }] })),
    ).toBeLessThan(none);
    fc.assert(
      fc.property(single, (one) => {
        const before = part('disclosure', one);
        const naming = part('disclosure', {
          ...one,
          assumptions: [...one.assumptions, 'We take fast to mean as quick as today.'],
        });
        const saysNothing = part('disclosure', {
          ...one,
          assumptions: [...one.assumptions, 'Everybody agrees anyway, as always.'],
        });
        return before < 0 || (naming >= before && saysNothing <= before);
      }),
      runs,
    );
  });

  it('criteria/pin-monotone: affirming another pin never lowers it', () => {
    expect(part('pin', reading('none', [LOGS]))).toBe(0);
    expect(part('pin', base())).toBe(500_000);
    expect(
      part(
        'pin',
        base({
          commits: [
            UPLOAD,
            claimOn(SEED, 'The app should never store card data', {
              modality: 'must_not',
              atom: flag('card'),
            }),
          ],
        }),
      ),
    ).toBe(1_000_000);
    fc.assert(
      fc.property(single, fc.constantFrom(...PIN), (one, { modality, atom }) => {
        const affirming: Claim = { ...UPLOAD, modality, atom: modality === 'must' ? UPLOAD.atom : atom };
        const [before, after] = [
          part('pin', one),
          part('pin', { ...one, commits: [...one.commits, affirming] }),
        ];
        return before < 0 || after < 0 || after >= before;
      }),
      runs,
    );
  });

  it('criteria/agreement-monotone: the more atoms another proposer shares, the higher', () => {
    const both = reading('both', [UPLOAD, LOGS]);
    const shares = [
      [claimOn(SEED, 'Make it nice soon')],
      [UPLOAD],
      [UPLOAD, LOGS, claimOn(SEED, 'Make it nice soon')],
    ].map((theirs) =>
      ppm(own(scored([answer('a', [both]), answer('b', [reading('other', theirs)])]))[0], 'agreement'),
    );
    expect(shares).toEqual([0, 500_000, 1_000_000]);
    fc.assert(
      fc.property(single, readings(SEED), (mine, theirs) => {
        const at = (others: readonly Interpretation[]): number =>
          ppm(own(scored([answer('a', [mine]), answer('b', others)]))[0], 'agreement');
        const [before, after] = [at(theirs), at([...theirs.slice(0, 7), mine])];
        return before < 0 || after < 0 || after >= before || mine.commits.every(({ atom }) => atom === null);
      }),
      runs,
    );
  });

  it(
    'criteria/specificity-monotone: a number of the seed raises it, an invented one lowers ' +
      'it, in atoms or in words',
    () => {
      const [one, two] = [
        part('specificity', base()),
        part('specificity', base({ commits: [UPLOAD, LOGS] })),
      ];
      expect([one, two]).toEqual([333_333, 666_666]);
      expect(
        part('specificity', base({ commits: [UPLOAD, LOGS], intent_summary: 'Uploads within 1 s, please.' })),
      ).toBe(333_333);
      expect(
        part(
          'specificity',
          base({
            commits: [UPLOAD, { ...LOGS, kind: 'assumption', quote: null, atom: amount('x', '<', 7, 'kg') }],
          }),
        ),
      ).toBe(0);
      expect(
        part('specificity', base({ intent_summary: 'Logs for 30 days, at most 5 MB each' })),
        'words alone share nothing',
      ).toBe(one);
      expect(
        part(
          'specificity',
          base({ commits: [UPLOAD, { ...LOGS, atom: amount('log.retention', '=', 30 * 24, 'h') }] }),
        ),
        'the same amount in another unit is the same anchor',
      ).toBe(two);
      fc.assert(
        fc.property(single, fc.integer({ min: 100, max: 999 }), (one, n) => {
          const before = part('specificity', one);
          const sharing = part('specificity', { ...one, commits: [...one.commits, LOGS] });
          const inventing = part('specificity', {
            ...one,
            intent_summary: `${one.intent_summary} within ${n} kg`,
          });
          return before < 0 || ((sharing < 0 || sharing >= before) && inventing <= before);
        }),
        runs,
      );
    },
  );

  it('criteria/order-zero-sum: places of a list share out, and an earlier place is never worth less', () => {
    const list = [UPLOAD, LOGS, claimOn(SEED, 'Make it nice soon')].map((claim, index) =>
      reading(`r${index}`, [claim]),
    );
    expect(own(scored([answer('a', list)])).map((row) => ppm(row, 'order'))).toEqual([
      1_000_000, 666_666, 333_333,
    ]);
    fc.assert(
      fc.property(readings(SEED), (given) => {
        const rows = own(scored([answer('a', given)])).map((row) => ppm(row, 'order'));
        return rows.every((value, index) => index === 0 || value <= (rows[index - 1] ?? 0));
      }),
      runs,
    );
  });

  it('criteria/confidence-monotone: more confidence never counts less, and by default it weighs nothing', () => {
    const at = (confidence: number): number =>
      ppm(scored([answer('a', [base()], confidence)])[0], 'confidence');
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (a, b) => (a <= b ? at(a) <= at(b) : at(a) >= at(b))),
      runs,
    );
    expect(defaultPolicy.weights.confidence).toBe(0);
  });

  it(
    'criteria/no-gain-by-copying: repeating claims or assumptions, or quoting the seed back ' +
      'in any text, never raises a total',
    () => {
      const copies = fc
        .tuple(fc.nat(SEED.length - 1), fc.integer({ min: 1, max: SEED.length }))
        .map(([start, size]) =>
          SEED.slice(start, start + size)
            .trim()
            .slice(0, 500),
        )
        .filter((text) => text !== '');
      const total = (one: Interpretation): number => scored([answer('a', [one])])[0]?.total ?? -1;
      fc.assert(
        fc.property(single, copies, (one, copy) => {
          const before = total(one);
          const longer = [
            { ...one, commits: [...one.commits, ...one.commits] },
            { ...one, assumptions: [...one.assumptions, ...one.assumptions] },
            { ...one, assumptions: [...one.assumptions, copy] },
            { ...one, intent_summary: `${one.intent_summary} ${copy}` },
            { ...one, intent_summary: `${copy} ${copy} ${copy}`.slice(0, 2_000) },
          ];
          return longer.every((variant) => total(variant) <= before);
        }),
        runs,
      );
    },
  );
});
