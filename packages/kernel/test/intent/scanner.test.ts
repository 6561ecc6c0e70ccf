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
  it.each([
    ['it stays below 200 ms at 1,000 req/s', ['below 200 ms | < 200e-0 ms', '1,000 req/s | = 1000e-0 req/s']],
    ['hosting under €300 per month', ['under €300 per month | < 300e-0 EUR/month']],
    [
      "1 000 EUR, 12\u00a0345\u202f678 rows, 1'000'000 items",
      [
        '1 000 EUR | = 1000e-0 EUR',
        '12\u00a0345\u202f678 rows | = 12345678e-0 row',
        "1'000'000 items | = 1000000e-0 item",
      ],
    ],
    [
      '1.000,50 EUR, 1 000,50 EUR, 1.000.000,5 kg',
      ['1.000,50 EUR | = 10005e-1 EUR', '1 000,50 EUR | = 10005e-1 EUR', '1.000.000,5 kg | = 10000005e-1 kg'],
    ],
    [
      'in 2026 100 users, call 030 123 456, 10^6 rows',
      ['100 users | = 100e-0 user', '10^6 rows | = 1000000e-0 row'],
    ],
    [
      'less than or equal to 2 s, equal to or greater than 3 s, =< 4 s',
      [
        'less than or equal to 2 s | <= 2e-0 s',
        'equal to or greater than 3 s | >= 3e-0 s',
        '=< 4 s | <= 4e-0 s',
      ],
    ],
    ['not greater than or equal to 2 s', ['not greater than or equal to 2 s | < 2e-0 s']],
    ['a length not to exceed 20 pages', ['not to exceed 20 pages | <= 20e-0 page']],
    [
      'slower than 2 s, slower than 5 km/h',
      ['slower than 2 s | > 2e-0 s', 'slower than 5 km/h | < 5e-0 km/h'],
    ],
    [
      'faster than 2 s, faster than 5 km/h',
      ['faster than 2 s | < 2e-0 s', 'faster than 5 km/h | > 5e-0 km/h'],
    ],
    [
      'minus 5 °C, 10 minus 5 s, from minus 10 to 5 °C',
      [
        'minus 5 °C | = -5e-0 degC',
        '5 s | = 5e-0 s',
        'from minus 10 to 5 °C | >= -10e-0 degC',
        'from minus 10 to 5 °C | <= 5e-0 degC',
      ],
    ],
    ['requests over 2 s', ['over 2 s | > 2e-0 s']],
    [
      'half a million users, 1.5k rps, 99.9 % uptime',
      ['half a million users | = 500000e-0 user', '1.5k rps | = 1500e-0 req/s', '99.9 % | = 999e-1 %'],
    ],
    [
      'from −10 °C to 45 °C',
      ['from −10 °C to 45 °C | >= -10e-0 degC', 'from −10 °C to 45 °C | <= 45e-0 degC'],
    ],
    [
      'from -20 °C to +50 °C',
      ['from -20 °C to +50 °C | >= -20e-0 degC', 'from -20 °C to +50 °C | <= 50e-0 degC'],
    ],
    ['at most 250 g, IP67', ['at most 250 g | <= 250e-0 g']],
    ['thickness 2.5 mm ± 0.1 mm', ['2.5 mm | = 25e-1 mm', '± 0.1 mm | <= 1e-1 mm']],
    ['labels of 38 x 19 mm', ['38 x 19 mm | = 38e-0 mm', '38 x 19 mm | = 19e-0 mm']],
    ['four and a half hours, half an hour', ['four and a half hours | = 45e-1 h', 'half an hour | = 5e-1 h']],
    ['must not exceed 4.80 EUR', ['not exceed 4.80 EUR | <= 48e-1 EUR']],
    ['25 m or more, about 5 mm', ['25 m or more | >= 25e-0 m', 'about 5 mm | =~ 5e-0 mm']],
    ['a 48-hour window', ['48-hour | = 48e-0 h']],
    ['within one working day', ['within one working day | <= 1e-0 working_day']],
    ['nothing may take longer than 5 s', ['longer than 5 s | > 5e-0 s']],
    ['must never be older than 3 days', ['never be older than 3 days | <= 3e-0 d']],
    ['must not fall below 4 bar', ['not fall below 4 bar | >= 4e-0 bar']],
    ['not later than 14 days before the fair', ['not later than 14 days | >= 14e-0 d']],
    ['up to 24 hours in advance', ['up to 24 hours | >= 24e-0 h']],
    [
      'at most 10 minutes before departure, no more than 2 days ahead',
      ['at most 10 minutes | <= 10e-0 min', 'no more than 2 days | <= 2e-0 d'],
    ],
    [
      'no earlier than 20 minutes before baking, later than 3 h before take-off',
      ['no earlier than 20 minutes | <= 20e-0 min', 'later than 3 h | < 3e-0 h'],
    ],
    [
      'at the latest 5 days before the fair, at the latest 5 days after it',
      ['at the latest 5 days | >= 5e-0 d', 'at the latest 5 days | <= 5e-0 d'],
    ],
    [
      'no dearer than 5 EUR, must not be louder than 35 dB, no weaker than 40 W',
      [
        'no dearer than 5 EUR | <= 5e-0 EUR',
        'not be louder than 35 dB | <= 35e-0 dB',
        'no weaker than 40 W | >= 40e-0 W',
      ],
    ],
    [
      'no more expensive than 12 EUR, less expensive than 7 EUR',
      ['no more expensive than 12 EUR | <= 12e-0 EUR', 'less expensive than 7 EUR | < 7e-0 EUR'],
    ],
    ['at least 2 days ahead', ['at least 2 days | >= 2e-0 d']],
    [
      '$350,000 over three years, over 5 days late',
      ['$350,000 | = 350000e-0 USD', 'over three years | = 3e-0 year', 'over 5 days | > 5e-0 d'],
    ],
    [
      'children under 12, under-14s, people aged 65 or over',
      ['under 12 | < 12e-0 year', 'under-14s | < 14e-0 year', '65 or over | >= 65e-0 year'],
    ],
    [
      'nine of the schools, one node fails',
      ['nine of the schools | = 9e-0 school', 'one node | = 1e-0 node'],
    ],
    [
      'one contact person, tags max 20 per item',
      ['one contact person | = 1e-0 person', 'max 20 per item | <= 20e-0 tag/item'],
    ],
    [
      '2,5 mm, 50.000 Euro, 1.5 EUR, 1,000.5 s',
      [
        '2,5 mm | = 25e-1 mm',
        '50.000 Euro | = 50000e-0 EUR',
        '1.5 EUR | = 15e-1 EUR',
        '1,000.5 s | = 10005e-1 s',
      ],
    ],
    [
      '99.95 % or better, 0.2 mm or better',
      ['99.95 % or better | >= 9995e-2 %', '0.2 mm or better | <= 2e-1 mm'],
    ],
    [
      '60 EUR maximum, 18+ years, 3 days at the latest',
      ['60 EUR maximum | <= 60e-0 EUR', '18+ years | >= 18e-0 year', '3 days at the latest | <= 3e-0 d'],
    ],
    ['five million EUR for each event', ['five million EUR for each event | = 5000000e-0 EUR/event']],
    ['10x the traffic for a 40-person office', ['10x | = 10e-0 x', '40-person | = 40e-0 person']],
    [
      '2秒以内、10冊まで、7日間、120万円以下',
      [
        '2秒以内 | <= 2e-0 s',
        '10冊まで | <= 10e-0 冊',
        '7日間 | = 7e-0 d',
        '120万円以下 | <= 1200000e-0 JPY',
      ],
    ],
    [
      'höchstens zwei Wochen, mindestens 35 Prozent, bis zu 12.000 Euro',
      [
        'höchstens zwei Wochen | <= 2e-0 week',
        'mindestens 35 Prozent | >= 35e-0 %',
        'bis zu 12.000 Euro | <= 12000e-0 EUR',
      ],
    ],
    [
      '1 h 30 min, 1 min 45 s, 2 days and 4 hours',
      ['1 h 30 min | = 90e-0 min', '1 min 45 s | = 105e-0 s', '2 days and 4 hours | = 52e-0 h'],
    ],
    [
      '5 ft 11 in wide, 1 year and 6 months, 2 kg 500 g',
      ['5 ft 11 in | = 71e-0 inch', '1 year and 6 months | = 18e-0 month', '2 kg 500 g | = 2500e-0 g'],
    ],
    [
      '2 kg and 300 g, 1 h 90 min, 5 ft 2 in the yard',
      [
        '2 kg | = 2e-0 kg',
        '300 g | = 300e-0 g',
        '1 h | = 1e-0 h',
        '90 min | = 90e-0 min',
        '5 ft | = 5e-0 foot',
      ],
    ],
    ['2 days and 4 hours before the visit', ['2 days | = 2e-0 d', '4 hours | = 4e-0 h']],
    [
      'two hundred and fifty-six names, three thousand five hundred chairs',
      [
        'two hundred and fifty-six names | = 256e-0 name',
        'three thousand five hundred chairs | = 3500e-0 chair',
      ],
    ],
    ['two hundred and fifty thousand rows', ['two hundred and fifty thousand rows | = 250000e-0 row']],
    [
      'between one hundred and two hundred rows',
      [
        'between one hundred and two hundred rows | >= 100e-0 row',
        'between one hundred and two hundred rows | <= 200e-0 row',
      ],
    ],
    ['1½ tablets, 2 ½ m, ½ hour', ['1½ tablets | = 15e-1 tablet', '2 ½ m | = 25e-1 m', '½ hour | = 5e-1 h']],
    [
      'an hour and a half, three quarters of an hour',
      ['an hour and a half | = 15e-1 h', 'three quarters of an hour | = 75e-2 h'],
    ],
    [
      '$5M, €3bn, 5 Mio. EUR, 2M visitors, 250K EUR',
      [
        '$5M | = 5000000e-0 USD',
        '€3bn | = 3000000000e-0 EUR',
        '5 Mio. EUR | = 5000000e-0 EUR',
        '2M visitors | = 2000000e-0 visitor',
        '250K EUR | = 250000e-0 EUR',
      ],
    ],
    [
      '2 x 10^5 cycles, 10⁶ events, 1.5 x 10^6 m3',
      [
        '2 x 10^5 cycles | = 200000e-0 cycle',
        '10⁶ events | = 1000000e-0 event',
        '1.5 x 10^6 m3 | = 1500000e-0 m3',
      ],
    ],
    [
      '10 Gb/s, 10 GB, 8 Mbps, 100 Mbit/s, 10 mb',
      [
        '10 Gb/s | = 10e-0 Gbit/s',
        '10 GB | = 10e-0 GB',
        '8 Mbps | = 8e-0 Mbit/s',
        '100 Mbit/s | = 100e-0 Mbit/s',
        '10 mb | = 10e-0 MB',
      ],
    ],
    [
      '20 +/- 2 °C, 5 °C ± 1 °C, 230 V +- 10 %',
      [
        '20 | = 20e-0 degC',
        '+/- 2 °C | <= 2e-0 degC',
        '5 °C | = 5e-0 degC',
        '± 1 °C | <= 1e-0 degC',
        '230 V | = 230e-0 V',
        '+- 10 % | <= 10e-0 %',
      ],
    ],
    [
      'must no longer exceed 100 MB, no longer than 5 s',
      ['no longer exceed 100 MB | <= 100e-0 MB', 'no longer than 5 s | <= 5e-0 s'],
    ],
    ['without spending more than 300 EUR', ['without spending more than 300 EUR | <= 300e-0 EUR']],
    [
      '**at most** 10 MB, must _not_ exceed *5 s*, `7 days`',
      ['at most** 10 MB | <= 10e-0 MB', 'not_ exceed *5 s | <= 5e-0 s', '7 days | = 7e-0 d'],
    ],
    [
      'twenty-one people and a billion',
      ['twenty-one people | = 21e-0 person', 'a billion | = 1000000000e-0 null'],
    ],
  ])('%s', (text, expected) => {
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

  it.each([
    ['by 23:30', ['by 23:30 | <= 23:30 clock']],
    ['between 20:00 and 7:00', ['20:00 | >= 20:00 clock', '7:00 | <= 07:00 clock']],
    ['on 11 May 2026', ['11 May 2026 | = 2026-05-11 date']],
    ['until May 3, 2026', ['until May 3, 2026 | <= 2026-05-03 date']],
    ['before 2026-03-16', ['before 2026-03-16 | < 2026-03-16 date']],
    ['until 9 August', ['until 9 August | <= null date']],
    ['you may 5 go', []],
    ['by 16 March 2026, 12:00', ['by 16 March 2026, 12:00 | <= 2026-03-16T12:00 datetime']],
    [
      'on 15 May 2026 not later than 18:00',
      ['15 May 2026 not later than 18:00 | <= 2026-05-15T18:00 datetime'],
    ],
    ['on 11 May 2026 at 7:15', ['11 May 2026 | = 2026-05-11 date', '7:15 | = 07:15 clock']],
    [
      'before 5 pm, after 9 a.m. and until noon',
      ['before 5 pm | < 17:00 clock', 'after 9 a.m. | > 09:00 clock', 'until noon | <= 12:00 clock'],
    ],
    ['at 23:00 at the latest', ['23:00 at the latest | <= 23:00 clock']],
    ['by Friday, 6 March 2026', ['by Friday, 6 March 2026 | <= 2026-03-06 date']],
    ['bis 16.03.2026', ['bis 16.03.2026 | <= 2026-03-16 date']],
  ])('moments in %s', (text, expected) => {
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
