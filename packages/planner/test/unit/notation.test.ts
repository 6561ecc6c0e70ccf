/** Plan files as people write them: what they read as, and the sentence for what they do not. */
import { orThrow, type Json, type JsonObject } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.js';
import { countDays, renderDay } from '../../src/plan/dates.js';
import { describeFault, parsePlan, readPlanFile } from '../../src/schedule/index.js';
import { arbitraryPlanFile } from '../../tools/arbitrary-plan.js';
import { exchanged, spellPlan } from '../../tools/person-notation.js';

const task = (more: object = {}): object => ({ id: 'a', duration: '4h', ...more });
const plan = (more: object, ...tasks: readonly object[]): Json =>
  ({ plan: 1, ...more, tasks: tasks.length === 0 ? [task()] : tasks }) as unknown as Json;
const EUROS = { rows: [{ id: 'cost', cap: '20,000 EUR' }] };
const read = (file: Json): JsonObject => orThrow(readPlanFile(file));
const refused = (file: Json): string => {
  const found = readPlanFile(file);
  const judged = found._tag === 'Left' ? found : parsePlan(found.right);
  return judged._tag === 'Right' ? 'taken' : describeFault(judged.left);
};

describe('a plan file that a person writes', () => {
  it('planner/notation-reads-back: a plan in words of people reads as that in integers', () => {
    fc.assert(
      fc.property(
        arbitraryPlanFile({ tasks: 3, alternatives: 2, rows: 4 }),
        fc.shuffledSubarray(['EUR cents', 'JPY', 'minutes', 'kg'], { minLength: 4 }),
        fc.integer({ min: 1, max: 24 }),
        fc.nat(5),
        (file, units, hours, at) => {
          const [integers, written] = spellPlan(file as JsonObject, { units, hours, at });
          expect(parsePlan(read(written))).toEqual(parsePlan(integers));
          expect(read(integers)).toEqual(integers);
        },
      ),
      { seed: LAW_SEED, numRuns: draws(100) },
    );
  });

  it.each([
    ['1896-01-01', 3_651, '1905-12-31'],
    ['1996-01-01', 3_652, '2005-12-31'],
    ['2396-01-01', 3_652, '2405-12-31'],
  ])('counts days by the calendar: from %s each is the one after the day before', (from, days, to) => {
    const first = countDays(from) ?? 0;
    let before = from;
    for (let day = first + 1; day <= first + days; day += 1) {
      const date = renderDay(day);
      if (!(date > before) || countDays(date) !== day) expect([day, date]).toEqual('in order');
      before = date;
    }
    expect(before).toBe(to);
    expect(countDays('1970-01-01')).toBe(0);
  });

  it.each<readonly [string, object, unknown]>([
    ['2027-03-01', { start: '2027-01-04' }, { op: '<=', minutes: 57 * 1_440 }],
    ['before 1 March 2027', { start: '2027-01-04' }, { op: '<=', minutes: 56 * 1_440 }],
    ['2027-01-04', { start: '2027-01-04', hours_per_day: 8 }, { op: '<=', minutes: 480 }],
    ['20 days', { hours_per_day: 8 }, { op: '<=', minutes: 9_600 }],
    ['< 2 weeks', {}, { op: '<', minutes: 20_160 }],
  ])('a deadline of %s', (deadline, more, expected) => {
    expect(read(plan({ ...more, deadline }))['deadline']).toEqual(expected);
  });

  it('says where a confidence is the default', () => {
    const { tasks } = orThrow(parsePlan(read(plan({}, task(), task({ id: 'b', confidence: '50%' })))));
    expect(tasks.map(({ approaches: [own] }) => [own?.confidence, own?.isConfidenceStated])).toEqual([
      [500_000, false],
      [500_000, true],
    ]);
  });

  it('an alternative needs the people of its task unless it names its own', () => {
    const others = [
      { id: 'x', duration: '1h' },
      { id: 'y', duration: '2h', people: [] },
    ];
    const { tasks } = orThrow(
      parsePlan(read(plan({ people: { anna: 2 } }, task({ people: { anna: 2 }, alternatives: others })))),
    );
    expect(tasks[0]?.approaches.map(({ uses }) => uses)).toEqual([[['anna', 2]], [['anna', 2]], []]);
  });

  it.each<readonly [string, Json, string]>([
    [
      'a slip in a key',
      plan({}, { id: 'a', duratoin: '2 weeks' }),
      'a, duratoin: no key of this is called duratoin: did you mean duration? (unknown_key)',
    ],
    [
      'a slip in a unit',
      plan({}, task({ duration: '2 weks' })),
      'a, duration: "2 weks" is no time: did you mean weeks? (bad_quantity)',
    ],
    [
      'months',
      plan({}, task({ duration: '3 months' })),
      'a, duration: "3 months" is no time: write a time such as 90 min, 4h, 2 days or 2 weeks (bad_quantity)',
    ],
    [
      'a time without unit',
      plan({}, task({ duration: 2 })),
      'a, duration: 2 has no unit: write a time such as 4h or 2 weeks (bad_quantity)',
    ],
    [
      'no time',
      plan({}, { id: 'a' }),
      'a, duration: is missing: write a time such as 4h or 2 weeks (missing)',
    ],
    [
      'another currency',
      plan(EUROS, task({ amounts: { cost: '900 USD' } })),
      'a, cost: "900 USD" is in USD, and this counts in EUR: write it in EUR (currency_differs)',
    ],
    [
      'a currency nobody knows',
      plan({ rows: [{ id: 'cost', cap: '20 XYZ' }] }),
      'cost, cap: XYZ is no currency known here (AUD BRL ',
    ],
    [
      'part of a yen',
      plan({ rows: [{ id: 'cost', cap: '20.5 JPY' }] }),
      'cost, cap: "20.5 JPY" is no whole number of JPY (not_integer)',
    ],
    [
      'a comma that YAML split',
      plan(EUROS, task({ amounts: { cost: 1, '000 EUR': null } })),
      'a, 000 EUR: there is no row 000 EUR: put an amount with a comma in quotes (unknown_row)',
    ],
    [
      'estimates out of order',
      plan({}, task({ duration: ['2 weeks', '1 week', '3 weeks'] })),
      'a, duration: 2 weeks, 1 week, 3 weeks is out of order: write low, mid, high, none below',
    ],
    [
      'negative people',
      plan({ people: { anna: -1 } }),
      'people, anna: write a whole number, 1 or more (out_of_range)',
    ],
    [
      'a person who is not there',
      plan({ people: ['anna'] }, task({ people: 'ana' })),
      'a, people: people does not name ana: did you mean anna? (unknown_person)',
    ],
    [
      'a date before the start',
      plan({ start: '2027-01-04', deadline: '2027-01-03' }),
      'deadline: 2027-01-03 is before the start, 2027-01-04: write a later date (before_start)',
    ],
    [
      'a date without start',
      plan({ deadline: '2027-01-03' }),
      'start: is missing: write a date such as 2027-01-04: the deadline is a date (missing)',
    ],
    [
      'a bound of two minds',
      plan({ rows: [{ id: 'cost', op: '<=', cap: '< 5 EUR' }] }),
      'cost, op: write one of < (bad_operator)',
    ],
    [
      'a confidence above one',
      plan({}, task({ confidence: 1.5 })),
      'a, confidence: write 0.8, 80% or parts per million from 1000 on (shape)',
    ],
  ])('refuses %s in a sentence', (_, file, said) => {
    expect(refused(file)).toContain(said);
  });

  it('planner/notation-is-total: with one value exchanged it is refused with a place, or reads as itself again', () => {
    const odd = fc.constantFrom<Json>(
      '5 EUR',
      '-5 EUR',
      '< 5h',
      '2027-01-05',
      '20 degC',
      '1e21 kg',
      -1.5,
      1e21,
    );
    fc.assert(
      fc.property(
        arbitraryPlanFile({ tasks: 3, alternatives: 2, rows: 2 }),
        fc.nat(150),
        fc.oneof(odd, fc.jsonValue() as fc.Arbitrary<Json>),
        (file, at, value) => {
          const [, written] = spellPlan(file as JsonObject, { units: ['EUR cents', 'kg'], hours: 8, at });
          const found = readPlanFile(exchanged(written, at, value));
          if (found._tag === 'Left') expect(found.left.path).toMatch(/^(?:\/|$)/);
          else if (parsePlan(found.right)._tag === 'Right') expect(read(found.right)).toEqual(found.right);
        },
      ),
      { seed: LAW_SEED, numRuns: draws(100) },
    );
  });
});
