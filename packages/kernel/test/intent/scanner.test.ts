import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  findContradictions,
  isReadable,
  findMeasure,
  parsePin,
  renderAtom,
  salientUnits,
  scanText,
  SeedText,
  type Claim,
} from '@assay/kernel/intent';
import { cpuTime } from '../../tools/cpu-time.js';
import { amount, claimOn } from './tools.js';

/** Texts, each with what stands in it. */
const texts = JSON.parse(readFileSync(new URL('texts.json', import.meta.url), 'utf8')) as {
  readonly [kind in 'quantities' | 'moments']: readonly [text: string, found: readonly string[]][];
};

/** Quantities and moments of a text as `words | op value unit`. */
function found(text: string): readonly string[] {
  const { tokens, quantities, moments } = scanText(text);
  const words = (first: number, next: number): string =>
    text.slice(tokens[first]?.start, tokens[next - 1]?.end);
  return [
    ...quantities.map(
      ({ first, next, op, value, unit, approx }) =>
        `${words(first, next)} | ${op}${approx ? '~' : ''} ${value.n}e-${value.scale} ${String(unit)}`,
    ),
    ...moments.map(
      ({ first, next, op, value, unit }) => `${words(first, next)} | ${op} ${String(value)} ${unit}`,
    ),
  ];
}

describe('quantities', () => {
  it.each(texts.quantities)('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    'version 4.12.3',
    'call 555-0142',
    'TICKET 5521, ward 3',
    '7731-C',
    '2.1 The contractor',
    'class 8b',
    'the 14th',
    'invoices of 2024',
    'WB-2026-07',
    'one is enough',
    '12345678901234567890 s',
  ])('no quantity in %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each(texts.moments)('moments in %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('units', () => {
  it('a rate is compared through its parts', () => {
    expect(findMeasure('req/min').dimension).toBe(findMeasure('req/s').dimension);
    expect(isReadable(amount('x', '=', 60, 'req/min'), 'at 1 req/s')).toBe(true);
  });

  it('money is never converted, and an unknown unit is a dimension of its own', () => {
    expect(
      new Set(['EUR', 'USD', 'pallet', 'user', 'EUR/month', null].map((unit) => findMeasure(unit).dimension))
        .size,
    ).toBe(6);
  });

  it('a number is readable in the units of its dimension, and only there', () => {
    expect(isReadable(amount('x', '<=', 2_000, 'ms'), 'within 2 s')).toBe(true);
    expect(isReadable(amount('x', '<=', 2, 'min'), 'within 2 s')).toBe(false);
    expect(isReadable(amount('x', '<=', 300, 'USD'), 'under €300')).toBe(false);
    expect(isReadable(amount('x', '=', 16, null), 'patients under 16')).toBe(true);
  });
});

describe('salient units', () => {
  const kinds = (text: string): readonly string[] => {
    const seed = new SeedText(text);
    return salientUnits(seed, scanText(text)).map(({ kind, quote }) => `${kind} ${seed.slice(quote)}`);
  };

  it('finds modal and negating words, quantities, moments and quoted strings, by place', () => {
    expect(kinds('It must show "a 😀 b", never late, in 3 s, before 9:00.')).toEqual([
      'modal must',
      'quoted "a 😀 b"',
      'negation never',
      'quantity 3 s',
      'moment before 9:00',
    ]);
  });

  it('the words of a comparison and the month May belong to what they stand in', () => {
    expect(kinds('no more than 5 s on 11 May 2026')).toEqual([
      'quantity no more than 5 s',
      'moment 11 May 2026',
    ]);
  });
});

describe('pins', () => {
  it('read scalars, quantities in words, the long form and prohibitions', () => {
    const read = parsePin({
      budget: '<= 50 EUR',
      region: 'EU',
      no_card: true,
      no_log: false,
      ratio: 0.25,
      speed: { op: '<', value: { n: 2, scale: 0 }, unit: 's' },
    });
    expect(
      read._tag === 'Right'
        ? read.right.map(({ modality, atom }) => `${modality} ${renderAtom(atom)}`)
        : read.left,
    ).toEqual([
      'must budget <= 50 EUR',
      'must_not card = true',
      'may log = true',
      'must ratio = 0.25',
      'must region = EU',
      'must speed < 2 s',
    ]);
  });

  it.each([
    [7, { key: '', rule: 'object' }],
    [{ a: null }, { key: 'a', rule: 'value' }],
    [{ a: [] }, { key: 'a', rule: 'value' }],
    [{ a: 1e-12 }, { key: 'a', rule: 'value' }],
    [{ a: { op: 'in', value: 3, unit: null } }, { key: 'a', rule: 'value' }],
    [{ 'A b': 1 }, { key: 'A b', rule: 'key' }],
    [
      { x: false, no_x: false },
      { key: 'x', rule: 'contradiction' },
    ],
  ])('refuse %j', (pin, detail) => {
    expect(parsePin(pin)).toEqual({ _tag: 'Left', left: { code: 'bad_pin', detail } });
  });
});

describe('derived contradictions', () => {
  const seedText = 'Keep it at least a month, at most 5 weeks, never 30 days.';
  const seed = new SeedText(seedText);
  const of = (
    ...atoms: readonly (readonly [
      words: string,
      op: '=' | '<=' | '>=' | '<' | '>',
      n: number,
      unit: string,
      modality?: 'must' | 'must_not' | 'should',
    ])[]
  ): readonly Claim[] =>
    atoms.map(([words, op, n, unit, modality = 'must']) =>
      claimOn(seedText, words, { modality, atom: amount('it.time', op, n, unit) }),
    );

  it('months count at their loosest: a month and five weeks may meet, a month and 27 days may not', () => {
    expect(findContradictions(of(['a month', '>=', 1, 'month'], ['5 weeks', '<=', 5, 'week']), seed)).toEqual(
      [],
    );
    expect(findContradictions(of(['a month', '=', 1, 'month'], ['30 days', '=', 30, 'd']), seed)).toEqual([]);
    expect(
      findContradictions(of(['a month', '>=', 1, 'month'], ['5 weeks', '<=', 27, 'd']), seed),
    ).toHaveLength(1);
  });

  it('touching bounds meet only where both include them', () => {
    expect(findContradictions(of(['a month', '<=', 5, 's'], ['5 weeks', '>=', 5_000, 'ms']), seed)).toEqual(
      [],
    );
    expect(
      findContradictions(of(['a month', '<', 5, 's'], ['5 weeks', '>=', 5_000, 'ms']), seed),
    ).toHaveLength(1);
  });

  it('what is forbidden is the rest: no more than 5 and over 5 forbidden agree', () => {
    expect(
      findContradictions(of(['a month', '<=', 5, 's'], ['5 weeks', '>', 5, 's', 'must_not']), seed),
    ).toEqual([]);
    expect(
      findContradictions(of(['a month', '>', 9, 's'], ['5 weeks', '>', 5, 's', 'must_not']), seed),
    ).toHaveLength(1);
  });

  it('a wish gives way, and other units are other measures', () => {
    expect(
      findContradictions(of(['a month', '<', 5, 's'], ['5 weeks', '>', 9, 's', 'should']), seed),
    ).toEqual([]);
    expect(findContradictions(of(['a month', '<', 5, 's'], ['5 weeks', '>', 9, 'EUR']), seed)).toEqual([]);
  });
});

describe('a long list of numbers', () => {
  it.each(['1 ', '\u001b[1;', '1;'])('of %j is read in time that grows with it', (piece) => {
    const text = (units: number): string =>
      `\u001b[${piece.repeat(units / piece.length)} the bar must hold 2 kg`;
    scanText(text(4_096));
    const [short, long] = [8_192, 65_536].map(
      (units) => cpuTime(() => scanText(text(units))).milliseconds,
    ) as [number, number];
    // Eight times the text: 64 times the time where each number looks back over all before it.
    expect(long).toBeLessThan(Math.max(8 * short * 3, 400));
  });
});
