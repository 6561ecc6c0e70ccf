/** Faults that readers of its output found in the grammar, each as the class of sentences it stands for. */
import { describe, expect, it } from 'vitest';
import { findContradictions, READING_LIMITS, scanText, SeedText } from '@assay/kernel/intent';
import { proposeByRules } from '@assay/rules';
import { RULES_LIMITS } from '../../src/requests/propose.ts';
import { bodyOf, commitsIn, demandsOf, keysOf, questionsOf } from './tools.ts';

const contradictionsIn = (text: string): number =>
  findContradictions(commitsIn(text), new SeedText(text)).length;

describe('the operator follows the sense', () => {
  it.each([
    // There is no modality "should not": the comparison is turned round.
    [
      'Nothing heavier than 20 kg should be stored there.',
      ['should «Nothing heavier than 20 kg should be stored there» <= 20 kg'],
    ],
    [
      'Bags heavier than 20 kg should not be checked in.',
      ['should «Bags heavier than 20 kg should not be checked in» <= 20 kg'],
    ],
    [
      'Nobody should have to wait for more than 15 minutes.',
      ['should «Nobody should have to wait for more than 15 minutes» <= 15 min'],
    ],
    [
      'I would rather not spend above 900 euros.',
      ['should «I would rather not spend above 900 euros» <= 900 EUR'],
    ],
    // What is forbidden stays as written where the comparison names a thing.
    [
      'Nothing heavier than 20 kg may be stored there.',
      ['must_not «Nothing heavier than 20 kg may be stored there» > 20 kg'],
    ],
    [
      'The lawn must not be mown shorter than 4 cm.',
      ['must «The lawn must not be mown shorter than 4 cm» >= 4 cm'],
    ],
    // What withstands up to a load withstands at least that; what a person may take up to an amount is a
    // limit.
    [
      'The mast must survive wind up to 12 m/s.',
      ['must «The mast must survive wind up to 12 m/s» >= 12 m/s'],
    ],
    [
      'The service must support up to 500 users.',
      ['must «The service must support up to 500 users» >= 500 user'],
    ],
    [
      'The crane must be able to lift up to 12 t.',
      ['must «The crane must be able to lift up to 12 t» >= 12 t'],
    ],
    [
      'Each guest may carry up to 2 bags.',
      ['may «Each guest may carry up to 2 bags» <= 2 bag [by Each guest]'],
    ],
    [
      'The tenant must pay up to 200 EUR.',
      ['must «The tenant must pay up to 200 EUR» <= 200 EUR [by The tenant]'],
    ],
    // A verb that limits makes a plain number the most; the noun of that name does not.
    ['Limit requests to 100/min.', ['must «Limit requests to 100/min» <= 100 1/min']],
    ['The log must be capped at 500 MB.', ['must «The log must be capped at 500 MB» <= 500 MB']],
    [
      'Raise the limit to 300 requests per minute.',
      ['must «Raise the limit to 300 requests per minute» = 300 req/min'],
    ],
    // A bound without a number forbids nothing.
    [
      'Staff shall earn no less than the agreed wage.',
      ['must «Staff shall earn no less than the agreed wage» [by Staff]'],
    ],
  ])('%s', (text, expected) => {
    expect(demandsOf(text)).toEqual(expected);
  });
});

describe('negation', () => {
  it.each([
    ['Nobody has to share a room.', 'may «Nobody has to share a room»'],
    ["Don't forget to lock the door.", "must «Don't forget to lock the door»"],
    ["Please don't hesitate to call the office.", "may «don't hesitate to call the office»"],
    [
      'Patients on the list get no salt.',
      'must_not «Patients on the list get no salt» [by Patients on the list]',
    ],
    ['The pump must run. Not urgent.', 'must «The pump must run»'],
  ])('%s', (text, expected) => {
    expect(demandsOf(text)).toEqual([expected]);
  });
});

describe('where a sentence ends', () => {
  it('a unit before the point is no abbreviation', () => {
    expect(
      demandsOf('The page must load within 200 ms. The list must load within 5 min. You must test it.'),
    ).toHaveLength(3);
  });

  it('`no` abbreviates a number only before digits', () => {
    expect(demandsOf('Lights off, balloons no. The hall must be swept.')).toContain(
      'must «The hall must be swept»',
    );
  });

  it('May is a month behind a preposition, not a permission', () => {
    expect(
      demandsOf('They charged us twice in May for nothing. The hall must be swept by the end of May.').filter(
        (line) => line.startsWith('may'),
      ),
    ).toEqual([]);
  });
});

describe('one key per meaning', () => {
  it.each([
    ['The message must be longer than 30 characters. The message must be 20 characters long.'],
    ['The rope must be longer than 30 m. The rope must be 20 m long.'],
    ['The fence must be at least 2 m high. The fence must be lower than 1 m.'],
    ['The shelf must be wider than 90 cm. The shelf must be 80 cm wide.'],
  ])('%s', (text) => {
    expect(new Set(keysOf(text)).size).toBe(1);
    expect(contradictionsIn(text)).toBe(1);
  });

  it('width and height of one thing stay two measures', () => {
    const text = 'The door must be at least 90 cm wide. The door must be at most 80 cm high.';
    expect(new Set(keysOf(text)).size).toBe(2);
    expect(contradictionsIn(text)).toBe(0);
  });
});

describe('both sides of a contradiction', () => {
  it.each([
    'Use PostgreSQL. Do not use PostgreSQL.',
    'Do not use PostgreSQL. Use PostgreSQL.',
    'The door must be locked at night. The door must not be locked at night.',
  ])('%s', (text) => {
    expect(demandsOf(text)).toHaveLength(2);
    expect(contradictionsIn(text)).toBe(1);
  });

  it('more of them than a reading holds: every demand is kept, only the questions about them are cut', () => {
    const text = Array.from(
      { length: 390 },
      (_, index) => `The valve ${index} must be open. The valve ${index} must not be open.`,
    ).join(' ');
    const commits = commitsIn(text);
    expect(commits.filter(({ kind }) => kind === 'requirement')).toHaveLength(780);
    expect(commits).toHaveLength(READING_LIMITS.commits);
    expect(contradictionsIn(text)).toBe(390);
  });
});

describe('what is refused says why', () => {
  it('too_long names its limit and what was measured', () => {
    const long = 'The bar must hold. '.repeat(20_000);
    expect(proposeByRules(bodyOf(long)).failure?.detail).toEqual({
      code: 'too_long',
      limit: 'text_units',
      value: RULES_LIMITS.textUnits,
      needed: long.length,
    });
    const many = Array.from({ length: 801 }, (_, index) => `The bar ${index} must hold.`).join(' ');
    expect(proposeByRules(bodyOf(many)).failure?.detail).toEqual({
      code: 'too_long',
      limit: 'claims',
      value: RULES_LIMITS.claims,
      needed: 801,
    });
  });

  it.each([
    [
      'JavaScript',
      'function check(age) {\n  if (age < 18) throw new Error("must be at least 18");\n  return true;\n}',
    ],
    [
      'TypeScript',
      "import { x } from './x.js';\n\n/** Must not exceed 5 s. */\nexport const limit: number = 5;\n",
    ],
    [
      'Python',
      'def f(items):\n    """Every item must be positive."""\n    for item in items:\n        ' +
        'if item < 0:\n            raise ValueError("must not be negative")\n',
    ],
    ['SQL', 'SELECT name, age\nFROM users\nWHERE age >= 18\nORDER BY name;'],
    ['SQL on one line', 'SELECT * FROM users WHERE id = 1;'],
    [
      'shell',
      '#!/bin/sh\nset -e\n# every file must exist\nfor f in *.txt; do\n  echo "$f must not be empty"\ndone',
    ],
    ['JSON', '{"limit": {"must": true, "max": 5},\n "note": "the door must be closed within 5 s"}'],
    ['HTML', '<!doctype html>\n<html>\n<body>\n<p>The door must close within 5 s.</p>\n</body>\n</html>'],
    ['CSS', '.box {\n  max-width: 20px;\n  color: red;\n}'],
    ['a fence and nothing else', '```js\nconst x = 5; // must be 5\n```'],
  ])('%s is no language', (_, text) => {
    expect(proposeByRules(bodyOf(text))).toMatchObject({
      value: null,
      failure: { code: 'denied', final: true, detail: { code: 'not_language' } },
    });
  });

  it.each([
    ['code words', 'The call `parse(x)` must return within 5 ms. Do not use `eval`.'],
    [
      'a block with a request before it',
      'Rewrite this so that it handles an empty list. It must return None.\n\ndef first(items):\n    return items[0]\n',
    ],
    [
      'a block with a request behind it',
      'def first(items):\n    return items[0]\n\nThis must return None where the list is empty.',
    ],
    ['a fenced block', 'The loop must stop after 5 rounds.\n\n```js\nfor (;;) { step(); }\n```\n'],
    ['values behind labels', 'Budget: 500 EUR\nWeight: max. 3 kg\nColour: red'],
    ['items that end in semicolons', '- at least 5 kg;\n- no more than 3 m;\n- must be red;'],
    [
      'orders that begin like statements',
      'Import the data (CSV, 5 MB); the export must work too;\nUpdate the page by Friday\nDrop the old logo',
    ],
  ])('%s stay a request', (_, text) => {
    expect(proposeByRules(bodyOf(text)).failure).toBeNull();
  });
});

describe('the scanner of the machine', () => {
  it.each([
    ['100/min', '100 1/min ='],
    ['56 by 49 cm', '56 cm = 49 cm ='],
    ['from 2 l/h upwards', '2 l/h >='],
    ['You must be over 16', '16 year >'],
    ['no visits before 9', ''],
    ["don't come before 10", ''],
    ['2 red \u001b[1;31m', ''],
    ['5\u0000m', ''],
  ])('%s', (text, expected) => {
    expect(
      scanText(text)
        .quantities.map(({ value, unit, op }) => `${value.n / 10 ** value.scale} ${String(unit)} ${op}`)
        .join(' '),
    ).toBe(expected);
  });
});

describe('no check is the opposite of what is asked', () => {
  it.each([
    // What must not be left undone is to be done.
    [
      'The lift must not fail to stop within 5 s.',
      ['must «The lift must not fail to stop within 5 s» <= 5 s'],
    ],
    [
      'The service shall not fail to restart in under 10 s.',
      ['must «The service shall not fail to restart in under 10 s» < 10 s'],
    ],
    [
      'The lift must never fail to stop within 5 s.',
      ['must «The lift must never fail to stop within 5 s» <= 5 s'],
    ],
    // `not only … but also` demands both.
    [
      'The system must not only log errors but also send an email within 2 minutes.',
      ['must «The system must not only log errors»', 'must «send an email within 2 minutes» <= 2 min'],
    ],
    // Either side of a forbidden range is right: no one atom states that.
    ['Storage must not be between 2 and 8 °C.', ['must_not «Storage must not be between 2 and 8 °C»']],
    ['The temperature must stay outside 2 to 8 °C.', ['must «The temperature must stay outside 2 to 8 °C»']],
    [
      'The temperature must not leave the range 2–8 °C.',
      ['must_not «The temperature must not leave the range 2–8 °C»'],
    ],
    // What is said not to be is no bound.
    [
      'Logs must be kept for 90 days rather than 30 days.',
      ['must «Logs must be kept for 90 days rather than 30 days» = 90 d'],
    ],
    [
      'Logs must be kept for 90 days instead of 30 days.',
      ['must «Logs must be kept for 90 days instead of 30 days» = 90 d'],
    ],
    [
      'Rooms without at least 2 windows must not be used.',
      ['must_not «Rooms without at least 2 windows must not be used»'],
    ],
    // What is prevented is what must not be.
    [
      'Users must be unable to upload more than 3 files.',
      ['must «Users must be unable to upload more than 3 files» <= 3 file [by Users]'],
    ],
    [
      'Prevent requests from taking longer than 5 s.',
      ['must_not «Prevent requests from taking longer than 5 s» > 5 s'],
    ],
    [
      'The proxy must prevent requests from taking longer than 5 s.',
      ['must_not «The proxy must prevent requests from taking longer than 5 s» > 5 s'],
    ],
    [
      'Forbid passwords under 12 characters.',
      ['must_not «Forbid passwords under 12 characters» < 12 character'],
    ],
    ['Prevent data loss.', ['must «Prevent data loss»']],
    // What must not be prevented is wanted.
    [
      'Users must not be prevented from uploading up to 3 files.',
      ['must_not «Users must not be prevented from uploading up to 3 files» [by Users]'],
    ],
    [
      'Nothing must prevent users from uploading 3 files within 10 s.',
      ['must_not «Nothing must prevent users from uploading 3 files within 10 s»'],
    ],
    [
      'The gate must not block traffic for more than 5 s.',
      ['must «The gate must not block traffic for more than 5 s» <= 5 s'],
    ],
    // What goes is not what stays.
    [
      'Reject passwords with fewer than 12 characters.',
      ['must «Reject passwords with fewer than 12 characters» [if with fewer than 12 characters]'],
    ],
    // A negation reaches the second bound, and what is to be ensured.
    [
      'The temperature must not exceed 30 °C or fall below 10 °C.',
      ['must «The temperature must not exceed 30 °C» <= 30 degC', 'must_not «fall below 10 °C» < 10 degC'],
    ],
    [
      'The temperature should not exceed 30 °C or fall below 10 °C.',
      ['should «The temperature should not exceed 30 °C» <= 30 degC', 'should «fall below 10 °C» >= 10 degC'],
    ],
    [
      'Pages must not weigh more than 3 MB and must load within 2 s.',
      ['must «Pages must not weigh more than 3 MB» <= 3 MB', 'must «must load within 2 s» <= 2 s'],
    ],
    [
      'Ensure that no request takes more than 2 s.',
      ['must «Ensure that no request takes more than 2 s» <= 2 s'],
    ],
    [
      'The system should ensure that no request takes more than 2 s.',
      ['should «The system should ensure that no request takes more than 2 s» <= 2 s'],
    ],
    [
      'Ensure that at no time more than 20 people are inside.',
      ['must «Ensure that at no time more than 20 people are inside» <= 20 person'],
    ],
    [
      'Guarantee that no more than 1 % of packets are lost.',
      ['must «Guarantee that no more than 1 % of packets are lost» <= 1 %'],
    ],
    ['Make sure not to exceed 500 EUR.', ['must «Make sure not to exceed 500 EUR» <= 500 EUR']],
    ['Take care not to heat it above 80 °C.', ['must_not «Take care not to heat it above 80 °C» > 80 degC']],
    [
      'Ensure that users with no account get replies within 5 s.',
      ['must «Ensure that users with no account get replies within 5 s» <= 5 s'],
    ],
    [
      'Keep the temperature from falling below 5 °C.',
      ['must_not «Keep the temperature from falling below 5 °C» < 5 degC'],
    ],
    ['Keep the temperature below 5 °C.', ['must «Keep the temperature below 5 °C» < 5 degC']],
    [
      'It must be impossible to enter more than 10 digits.',
      ['must «It must be impossible to enter more than 10 digits» <= 10 digit'],
    ],
    ['There should be no request over 2 s.', ['should «There should be no request over 2 s» <= 2 s']],
    ['There must be no request slower than 2 s.', ['must «There must be no request slower than 2 s» <= 2 s']],
    [
      'The car must not go faster than 100 km/h.',
      ['must «The car must not go faster than 100 km/h» <= 100 km/h'],
    ],
    [
      'Logs must be kept not 30 days but 90 days.',
      ['must «Logs must be kept not 30 days»', 'must «90 days» = 90 d'],
    ],
    ['At least 95 % of requests must not fail.', ['must_not «At least 95 % of requests must not fail»']],
    // Where a change ends, and whose share is bounded.
    [
      'The limit must be raised from 5 MB to 10 MB.',
      ['must «The limit must be raised from 5 MB to 10 MB» = 10 MB'],
    ],
    [
      'Storage must be from 2 to 8 °C.',
      ['must «Storage must be from 2 to 8 °C» >= 2 degC', 'must «Storage must be from 2 to 8 °C» <= 8 degC'],
    ],
    [
      'Only 1 % of requests may take longer than 2 s.',
      ['must «Only 1 % of requests may take longer than 2 s» <= 1 % [if take longer than 2 s]'],
    ],
    // Or equal.
    [
      'The response time must be less than or equal to 2 s.',
      ['must «The response time must be less than or equal to 2 s» <= 2 s'],
    ],
    [
      'The response time must be equal to or greater than 2 s.',
      ['must «The response time must be equal to or greater than 2 s» >= 2 s'],
    ],
    [
      'The response time must not be greater than or equal to 2 s.',
      ['must «The response time must not be greater than or equal to 2 s» < 2 s'],
    ],
  ])('%s', (text, expected) => {
    expect(demandsOf(text)).toEqual(expected);
  });
});

describe('no blueprint pretends', () => {
  it.each([
    ['a verb of demand that demands nothing', 'The app must (((((((('],
    ['the verb alone, many times', 'must must must must'],
    ['negations of nothing', 'The app must not not not'],
    ['rows of values', 'id,name,max\n1,a,5 MB\n2,b,10 MB\n3,c,20 MB\n'],
    ['rows between tabs', 'size\tlimit\tmust\n5 MB\t2 s\tyes\n6 MB\t3 s\tno\n'],
  ])('%s', (_, text) => {
    expect(demandsOf(text)).toEqual([]);
  });

  it('a list with commas is no table, and a table in words is read', () => {
    expect(
      demandsOf('nr\tdemand\tlimit\n1\tUploads must finish in time\t2 s\n2\tLogs must be kept for\t30 days'),
    ).not.toEqual([]);
    expect(
      demandsOf(
        '| nr | demand |\n|---|---|\n| 1 | Uploads must finish within 2 s. |\n| 2 | Logs must be kept 30 days. |',
      ),
    ).not.toEqual([]);
    expect(
      demandsOf(
        'Uploads must finish within 2 s, in order, and with a receipt.\nLogs must be kept for 30 ' +
          'days, in the EU, and encrypted.\nStaff must wear gloves, goggles, and boots.',
      ),
    ).not.toEqual([]);
  });
});

describe('what is not demanded is not tested', () => {
  it.each([
    // The negation of an act is no part of its hour.
    [
      'You may not come before 8:00. Bring a ladder.',
      ['must_not «You may not come before 8:00» < 08:00 clock [if before 8:00]', 'must «Bring a ladder»'],
    ],
    [
      'You cannot come before 8:00.',
      ['must_not «You cannot come before 8:00» < 08:00 clock [if before 8:00]'],
    ],
    [
      'You must not come before 8:00.',
      ['must_not «You must not come before 8:00» < 08:00 clock [if before 8:00]'],
    ],
    [
      'You must not go after 20:00.',
      ['must_not «You must not go after 20:00» > 20:00 clock [if after 20:00]'],
    ],
    [
      'You may not enter until 9:00.',
      ['must_not «You may not enter until 9:00» <= 09:00 clock [if until 9:00]'],
    ],
    [
      'You may not leave unless a nurse agrees.',
      ['must_not «You may not leave unless a nurse agrees» [except unless a nurse agrees]'],
    ],
    [
      'Visitors should not enter before 10:00.',
      ['should «Visitors should not enter before 10:00» >= 10:00 clock [by Visitors]'],
    ],
    [
      'The delivery must not be later than 14:00.',
      ['must «The delivery must not be later than 14:00» <= 14:00 clock'],
    ],
    // A bound that picks out the things of which something else is demanded.
    [
      'Readings older than 24 hours must be marked grey.',
      ['must «Readings older than 24 hours must be marked grey» [if older than 24 hours]'],
    ],
    [
      'Requests over 10 MB must be rejected.',
      ['must «Requests over 10 MB must be rejected» [if over 10 MB]'],
    ],
    [
      'Files with more than 100 pages must be split.',
      ['must «Files with more than 100 pages must be split» [if with more than 100 pages]'],
    ],
    [
      'Orders of 500 EUR or more must be approved.',
      ['must «Orders of 500 EUR or more must be approved» [if of 500 EUR or more]'],
    ],
    [
      'Invoices over 1000 EUR must be paid within 14 days.',
      ['must «Invoices over 1000 EUR must be paid within 14 days» <= 14 d [if over 1000 EUR]'],
    ],
    [
      'Luggage of less than 5 kg or more than 10 kg is rejected.',
      [
        'must «Luggage of less than 5 kg or more than 10 kg is rejected» [if of less than 5 kg or more than 10 kg]',
      ],
    ],
    // A prohibition keeps its bound: none of those to whom it was done may lie within it.
    [
      'Patients under 16 are never contacted.',
      ['must_not «Patients under 16 are never contacted» < 16 year [by Patients under 16]'],
    ],
    ['Requests over 2 s are not acceptable.', ['must_not «Requests over 2 s are not acceptable» > 2 s']],
    ['A gap of more than 3 cm must be left.', ['must «A gap of more than 3 cm must be left» > 3 cm']],
    // The hour before its day.
    [
      'The goods must be delivered by 14:00 on 12 June 2027.',
      ['must «The goods must be delivered by 14:00 on 12 June 2027» <= 2027-06-12T14:00 datetime'],
    ],
    [
      'The report must be delivered before 14:00 on June 12, 2027.',
      ['must «The report must be delivered before 14:00 on June 12, 2027» < 2027-06-12T14:00 datetime'],
    ],
    // Words of a demand that nobody makes.
    ['Nobody said that uploads must finish within 2 s.', []],
    ['No one ever said uploads must finish within 2 s.', []],
    ['I doubt that uploads must finish within 2 s.', []],
    ["That uploads must finish within 2 s was last year's rule.", []],
    ['No claims over 500 EUR may be paid.', ['must_not «No claims over 500 EUR may be paid» > 500 EUR']],
    ['The wall that was in the plan must be moved.', ['must «The wall that was in the plan must be moved»']],
    ['Nobody may be told the code.', ['must_not «Nobody may be told the code»']],
    // Both bounds, or none.
    [
      'The room shall neither exceed 30 °C nor fall below 10 °C.',
      [
        'must «The room shall neither exceed 30 °C nor fall below 10 °C» <= 30 degC',
        'must «The room shall neither exceed 30 °C nor fall below 10 °C» >= 10 degC',
      ],
    ],
    [
      'It must neither weigh more than 5 kg nor cost more than 10 EUR.',
      [
        'must «It must neither weigh more than 5 kg nor cost more than 10 EUR» <= 5 kg',
        'must «It must neither weigh more than 5 kg nor cost more than 10 EUR» <= 10 EUR',
      ],
    ],
    [
      'Parcels must not weigh less than 5 kg or more than 10 kg.',
      [
        'must «Parcels must not weigh less than 5 kg or more than 10 kg» >= 5 kg',
        'must «Parcels must not weigh less than 5 kg or more than 10 kg» <= 10 kg',
      ],
    ],
    [
      'The weight must be less than 5 kg or more than 10 kg.',
      ['must «The weight must be less than 5 kg or more than 10 kg»'],
    ],
    // The parameter of an escape sequence, and what stands behind a control character.
    ['The text "2 red \u001b[31m" must be shown.', ['must «The text "2 red \u001b[31m" must be shown»']],
    ['The text "red \u001b[1;31m" must be shown.', ['must «The text "red \u001b[1;31m" must be shown»']],
    ['The text "red 5\u0000m" must be shown.', ['must «The text "red 5\u0000m" must be shown»']],
  ])('%s', (text, expected) => {
    expect(demandsOf(text)).toEqual(expected);
  });

  it.each([
    'The app must be fast.',
    'It should be nice and modern and quick.',
    'The app must be fast. It should be nice and modern and quick.',
    'The staff must be friendly. The room must be clean.',
    'The app must respond quickly.',
  ])('only vague words leave only questions: %s', (text) => {
    expect(proposeByRules(bodyOf(text)).provenance).toMatchObject({ refused: 'too_vague' });
    expect(demandsOf(text)).toEqual([]);
    expect(questionsOf(text)).not.toEqual([]);
  });

  it('a vague demand beside another one stays', () => {
    expect(demandsOf('The app must be fast. Logs must be kept.')).toEqual([
      'must «The app must be fast»',
      'must «Logs must be kept»',
    ]);
  });
});
