/** How readings are scored, on cases whose precision and recall are counted by hand. */
import { describe, expect, test } from 'vitest';
import type { Annotated, Trap } from '../../src/eval/annotation.ts';
import { detailLines } from '../../src/eval/details.ts';
import { figuresOf, type Figures } from '../../src/eval/figures.ts';
import { isHalf, overlapOf, pairUp } from '../../src/eval/overlap.ts';
import type { Read } from '../../src/eval/reading.ts';
import { judge } from '../../src/eval/score.ts';
import {
  annotated,
  atom,
  decimal,
  found,
  foundQuantity,
  known,
  knownQuantity,
  quote,
  reading,
} from './annotated.ts';

const figures = (given: Partial<Annotated>, read: Partial<Read>): Figures =>
  figuresOf([judge(annotated(given), reading(read))]);
const details = (given: Partial<Annotated>, read: Partial<Read>): string =>
  detailLines(judge(annotated(given), reading(read))).join('\n');

describe('overlap', () => {
  test('is intersection over union, and half is enough', () => {
    expect(overlapOf(quote(0, 10), quote(5, 20))).toEqual({ shared: 5, joined: 20 });
    expect(isHalf(quote(0, 10), quote(0, 20))).toBe(true);
    expect(isHalf(quote(0, 10), quote(0, 21))).toBe(false);
    expect(isHalf(quote(0, 10), quote(10, 20))).toBe(false);
  });

  test('pairs one to one, the greatest first, then in order of place', () => {
    const pairs = pairUp([quote(0, 10), quote(0, 8)], [quote(0, 10), quote(0, 12)], overlapOf);
    expect(pairs).toEqual([
      { known: 0, found: 0 },
      { known: 1, found: 1 },
    ]);
    expect(pairUp([quote(0, 10), quote(0, 10)], [quote(0, 10)], overlapOf)).toEqual([{ known: 0, found: 0 }]);
  });
});

describe('requirements', () => {
  test('two of three right, one of them surplus: p 2/3, r 1/2', () => {
    const claims = [known('must', 0, 10), known('must', 20, 30), known('must', 40, 50), known('may', 60, 70)];
    const read = { claims: [found('must', 0, 10), found('must', 22, 30), found('must', 80, 90)] };
    expect(figures({ claims }, read).requirement).toEqual({ p: 0.6666, r: 0.5, n: 4 });
  });

  test('an overlap of exactly one half matches, of less does not', () => {
    expect(
      figures({ claims: [known('must', 0, 10)] }, { claims: [found('must', 0, 20)] }).requirement,
    ).toEqual({ p: 1, r: 1, n: 1 });
    expect(
      figures({ claims: [known('must', 0, 10)] }, { claims: [found('must', 0, 21)] }).requirement,
    ).toEqual({ p: 0, r: 0, n: 1 });
  });

  test('another modality is no match', () => {
    expect(
      figures({ claims: [known('must', 0, 10)] }, { claims: [found('should', 0, 10)] }).requirement,
    ).toEqual({ p: 0, r: 0, n: 1 });
  });

  test('each claim matches one: the same found twice is surplus, a range needs both its ends', () => {
    expect(
      figures({ claims: [known('must', 0, 10)] }, { claims: [found('must', 0, 10), found('must', 0, 10)] })
        .requirement,
    ).toEqual({ p: 0.5, r: 1, n: 1 });
    const range = [
      known('must', 0, 10, atom('>=', decimal(5), 'mm')),
      known('must', 0, 10, atom('<=', decimal(9), 'mm')),
    ];
    expect(
      figures({ claims: range }, { claims: [found('must', 0, 10, atom('<=', decimal(9), 'mm'))] })
        .requirement,
    ).toEqual({ p: 1, r: 0.5, n: 2 });
  });

  test.each([
    [
      'the same after conversion',
      atom('<=', decimal(2), 's', 'x'),
      atom('<=', decimal(2000), 'ms', 'y'),
      true,
    ],
    ['trailing noughts', atom('<=', decimal(25, 1), 'mm'), atom('<=', decimal(250, 2), 'mm'), true],
    ['another operator', atom('<', decimal(2), 's'), atom('<=', decimal(2), 's'), false],
    ['another unit', atom('<=', decimal(2), 's'), atom('<=', decimal(2), 'min'), false],
    ['money is never converted', atom('<=', decimal(2), 'EUR'), atom('<=', decimal(2), 'USD'), false],
    ['a number where none is annotated is invented', null, atom('=', decimal(2), 's'), false],
    ['a flag where none is annotated counts neither way', null, atom('=', true), true],
    ['text where none is annotated counts neither way', null, atom('=', 'EU'), true],
    ['no number where one is annotated', atom('=', decimal(2), 's'), null, false],
    [
      'text, without regard to case and white space',
      atom('=', 'Stainless  steel'),
      atom('=', 'stainless steel'),
      true,
    ],
    ['text for a number', atom('=', decimal(2)), atom('=', '2'), false],
    ['a clock time', atom('<=', '08:00', 'clock'), atom('<=', '08:00', 'clock'), true],
    [
      'a date is no date with time',
      atom('<=', '2026-03-16', 'date'),
      atom('<=', '2026-03-16T12:00', 'datetime'),
      false,
    ],
  ])('atoms: %s', (_name, one, other, isMatch) => {
    expect(
      figures({ claims: [known('must', 0, 10, one)] }, { claims: [found('must', 0, 10, other)] }).requirement
        .r,
    ).toBe(isMatch ? 1 : 0);
  });

  test('inside a span that is set aside, neither right nor wrong; across its edge it counts', () => {
    const given = { claims: [known('must', 0, 10)], ignore: [quote(20, 40)] };
    expect(figures(given, { claims: [found('must', 0, 10), found('must', 20, 40)] }).requirement).toEqual({
      p: 1,
      r: 1,
      n: 1,
    });
    expect(figures(given, { claims: [found('must', 0, 10), found('must', 20, 41)] }).requirement).toEqual({
      p: 0.5,
      r: 1,
      n: 1,
    });
  });

  test('nothing found: no precision; nothing annotated: no recall', () => {
    expect(figures({ claims: [known('must', 0, 10)] }, {}).requirement).toEqual({ p: null, r: 0, n: 1 });
    expect(figures({}, { claims: [found('must', 0, 10)] }).requirement).toEqual({ p: 0, r: null, n: 0 });
  });

  test('by place alone in the other format', () => {
    const matching = { ...annotated({}).matching, isWhole: false };
    expect(
      figures(
        { matching, claims: [known('must', 0, 10)] },
        { claims: [found('may', 0, 10, atom('=', decimal(1)))] },
      ).requirement,
    ).toEqual({ p: 1, r: 1, n: 1 });
  });
});

describe('polarity', () => {
  test('one of two sides wrong, named in the details; should for must is no wrong side', () => {
    const claims = [known('must_not', 0, 10), known('must', 20, 30), known('must', 40, 50)];
    const read = { claims: [found('must', 0, 10), found('should', 20, 30)] };
    expect(figures({ claims }, read).polarity_right).toBe(0.5);
    expect(details({ claims }, read)).toMatch(/polarity +annotated must_not, read must "abcdefghij"/);
  });

  test('of two claims with the same words the one of the same side is compared', () => {
    const claims = [known('must', 0, 10), known('must_not', 0, 10)];
    expect(figures({ claims }, { claims: [found('must_not', 0, 10)] }).polarity_right).toBe(1);
  });

  test('nothing overlaps, or the annotation does not say: no figure', () => {
    expect(
      figures({ claims: [known('must', 0, 10)] }, { claims: [found('must', 50, 60)] }).polarity_right,
    ).toBeNull();
    expect(
      figures(
        { claims: [{ ...known('should', 0, 10), isNegative: null }] },
        { claims: [found('must_not', 0, 10)] },
      ).polarity_right,
    ).toBeNull();
  });
});

describe('quantities', () => {
  const quantities = [
    knownQuantity(0, 12, '<=', decimal(5), 'min'),
    knownQuantity(30, 35, '=', decimal(3), 'user'),
  ];

  test('value and unit at a place, after conversion; the operator apart', () => {
    const read = {
      quantities: [
        foundQuantity(8, 12, '=', decimal(300), 's'),
        foundQuantity(60, 65, '=', decimal(3), 'user'),
      ],
    };
    const { quantity_value, quantity_operator } = figures({ quantities }, read);
    expect(quantity_value).toEqual({ p: 0.5, r: 0.5, n: 2 });
    expect(quantity_operator).toEqual({ p: 0, r: 0, n: 2 });
    expect(details({ quantities }, read)).toMatch(/operator +annotated <= 5 min/);
  });

  test('the two ends of a range stand at one place', () => {
    const ends = [knownQuantity(0, 10, '>=', decimal(5), 'mm'), knownQuantity(0, 10, '<=', decimal(9), 'mm')];
    const read = {
      quantities: [
        foundQuantity(0, 10, '>=', decimal(5), 'mm'),
        foundQuantity(0, 10, '<=', decimal(9), 'mm'),
      ],
    };
    expect(figures({ quantities: ends }, read).quantity_operator).toEqual({ p: 1, r: 1, n: 2 });
  });

  test('in the other format anywhere, with about as an operator of its own', () => {
    const matching = { ...annotated({}).matching, isPlaced: false };
    const about = [
      knownQuantity(0, 5, '~', decimal(2), 'TB'),
      knownQuantity(0, 5, '<=', '2027-01-15', 'date'),
    ];
    const read = {
      quantities: [
        foundQuantity(50, 60, '=', decimal(2), 'TB', true),
        foundQuantity(0, 5, '<', '2027-01-15', 'date'),
      ],
    };
    expect(figures({ matching, quantities: about }, read).quantity_value.r).toBe(1);
    expect(figures({ matching, quantities: about }, read).quantity_operator.r).toBe(0.5);
  });
});

describe('vague words, contradictions, refusals, quotes', () => {
  test(
    'a group of vague words is asked about where a question touches it; a question touching ' +
      'none is shown in p',
    () => {
      const vague = [quote(0, 10), quote(20, 30)];
      expect(figures({ vague }, { vague: [quote(0, 4), quote(5, 10), quote(50, 55)] }).vague).toEqual({
        p: 0.6666,
        r: 0.5,
        n: 2,
      });
    },
  );

  test('contradictions match by both sides, either way round', () => {
    const contradictions = [{ a: quote(0, 10), b: quote(20, 30) }];
    const right = { a: quote(20, 30), b: quote(0, 20) };
    const wrong = { a: quote(20, 30), b: quote(0, 21) };
    expect(figures({ contradictions }, { contradictions: [right] }).contradiction).toEqual({
      p: 1,
      r: 1,
      n: 1,
    });
    expect(figures({ contradictions }, { contradictions: [wrong] }).contradiction).toEqual({
      p: 0,
      r: 0,
      n: 1,
    });
    expect(figures({}, {}).contradiction).toEqual({ p: null, r: null, n: 0 });
  });

  test('in the other format each side overlaps by more than a fifth', () => {
    const matching = { ...annotated({}).matching, sides: { num: 1, den: 5, isAbove: true } };
    const contradictions = [{ a: quote(0, 10), b: quote(60, 70) }];
    expect(
      figures({ matching, contradictions }, { contradictions: [{ a: quote(0, 49), b: quote(60, 70) }] })
        .contradiction.r,
    ).toBe(1);
    expect(
      figures({ matching, contradictions }, { contradictions: [{ a: quote(0, 50), b: quote(60, 70) }] })
        .contradiction.r,
    ).toBe(0);
  });

  test('false refusals: of the requests that must not be refused, rounded up', () => {
    const three = [['nothing_actionable'], [], []].map((refused) =>
      judge(annotated({}), reading({ refused })),
    );
    const expected = judge(
      annotated({ refusal: 'contradiction_budget' }),
      reading({ refused: ['contradiction_budget'] }),
    );
    expect(figuresOf([...three, expected]).false_refusals).toBe(0.3334);
    expect(details({}, { refused: ['below_min_score'] })).toMatch(/false refusal +below_min_score/);
    expect(details({ refusal: 'contradiction_budget' }, {})).toMatch(
      /annotated contradiction_budget, was decided/,
    );
    expect(details({ refusal: 'contradiction_budget' }, { refused: ['contradiction_budget'] })).toBe('');
  });

  test('demands without words are counted, and the sums run over all requests', () => {
    const one = judge(
      annotated({ claims: [known('must', 0, 10)] }),
      reading({ claims: [found('must', 0, 10)], unquoted: 2 }),
    );
    const other = judge(
      annotated({ claims: [known('must', 0, 10), known('must', 20, 30)] }),
      reading({ unquoted: 1 }),
    );
    expect(figuresOf([one, other])).toMatchObject({
      requests: 2,
      requirement: { p: 1, r: 0.3333, n: 3 },
      no_quote: 3,
    });
  });
});

describe('traps', () => {
  const cap = quote(0, 20);
  const trap = (kind: Trap): Trap => kind;
  const cases: readonly (readonly [name: string, trap: Trap, fires: Partial<Read>, quiet: Partial<Read>])[] =
    [
      [
        'a quantity',
        trap({ kind: 'quantity', value: decimal(1000), unit: 'ms' }),
        { quantities: [foundQuantity(0, 5, '=', decimal(1000), 'ms')] },
        {
          quantities: [
            foundQuantity(0, 5, '=', decimal(1), 's'),
            foundQuantity(0, 5, '=', decimal(1000), 'req/s'),
          ],
        },
      ],
      [
        'a quantity without unit',
        trap({ kind: 'quantity', value: decimal(67), unit: null }),
        { claims: [found('must', 0, 10, atom('=', decimal(670, 1)))] },
        { quantities: [foundQuantity(0, 5, '=', decimal(67), 'mm')] },
      ],
      [
        'any quantity',
        trap({ kind: 'any_quantity' }),
        { quantities: [foundQuantity(0, 5, '=', decimal(1), 'user')] },
        { claims: [found('must', 0, 10, atom('=', 'EU'))] },
      ],
      [
        'any quantity, in an atom',
        trap({ kind: 'any_quantity' }),
        { claims: [found('must', 0, 10, atom('=', decimal(2)))] },
        { claims: [found('must', 0, 10, atom('=', true))] },
      ],
      [
        'a claim',
        trap({ kind: 'claim', modality: 'must', places: [quote(50, 60), cap], isWithoutException: false }),
        { claims: [found('must', 0, 10)] },
        { claims: [found('must', 0, 9), found('must_not', 0, 20)] },
      ],
      [
        'a claim without its exception',
        trap({ kind: 'claim', modality: 'must', places: [cap], isWithoutException: true }),
        { claims: [found('must', 0, 20)] },
        { claims: [found('must', 0, 20, null, quote(30, 40))] },
      ],
      ['a policy changed', trap({ kind: 'policy' }), { isPolicyKept: false }, { isPolicyKept: true }],
      [
        'any contradiction',
        trap({ kind: 'contradiction' }),
        { contradictions: [{ a: quote(0, 5), b: quote(6, 9) }] },
        {},
      ],
      [
        'a date',
        trap({ kind: 'date' }),
        { claims: [found('must', 0, 10, atom('<=', '2026-03-16', 'date'))] },
        { claims: [found('must', 0, 10, atom('<=', '12:00', 'clock'))] },
      ],
      [
        'a date with time',
        trap({ kind: 'date' }),
        { claims: [found('must', 0, 10, atom('<=', '2026-03-16T12:00', 'datetime'))] },
        {},
      ],
    ];

  test.each(cases)('%s fires where it must, and only there', (_name, one, fires, quiet) => {
    expect(figures({ traps: [one] }, fires).traps).toBe(1);
    expect(details({ traps: [one] }, fires)).toContain('  trap ');
    expect(figures({ traps: [one] }, quiet).traps).toBe(0);
  });
});
