import { describe, expect, it } from 'vitest';
import { demandsOf } from './tools.js';

describe('patterns of a demand', () => {
  it.each([
    [
      'event',
      'When the tank is full, the pump shall stop.',
      ['must «the pump shall stop» [if When the tank is full]'],
    ],
    [
      'state',
      'While the lid is open the drum must stand still.',
      ['must «the drum must stand still» [if While the lid is open]'],
    ],
    [
      'unwanted',
      'If the belt slips, then the motor shall halt.',
      ['must «the motor shall halt» [if If the belt slips]'],
    ],
    [
      'optional',
      'Where a heater is fitted, the case shall be vented.',
      ['must «the case shall be vented» [if Where a heater is fitted]'],
    ],
    [
      'complex',
      'While the door is open, when the alarm rings, the lamp shall flash.',
      ['must «the lamp shall flash» [if While the door is open, when the alarm rings]'],
    ],
    [
      'without comma',
      'If the belt slips the motor must halt.',
      ['must «the motor must halt» [if If the belt slips]'],
    ],
    [
      'trailing',
      'The motor must halt when the belt slips.',
      ['must «The motor must halt when the belt slips» [if when the belt slips]'],
    ],
    ['elliptic', 'Needs a new battery.', ['must «Needs a new battery»']],
    [
      'story',
      'As a coach, I want to see the times so that I can compare them.',
      ['must «I want to see the times» [by coach]'],
    ],
    ['order', 'Please seal the box with tape.', ['must «seal the box with tape»']],
    ['order against', "Don't stack the boxes.", ["must_not «Don't stack the boxes»"]],
    ['wish', 'It would be nice if the box had a handle.', ['should «the box had a handle»']],
    [
      'question that asks for a thing',
      'Could we get two spare keys?',
      ['should «Could we get two spare keys» = 2 key'],
    ],
    ['question that asks for a fact', 'Is the hall free in May?', []],
    [
      'two acts',
      'The driver must weigh the load and write the result down.',
      [
        'must «The driver must weigh the load» [by The driver]',
        'must «write the result down» [by The driver]',
      ],
    ],
    [
      'one act of several verbs',
      'Readers can order, renew and return a book.',
      ['may «Readers can order, renew and return a book» [by Readers]'],
    ],
    [
      'further amount',
      'The pump must deliver 40 l per hour, with at most 50 W.',
      ['must «The pump must deliver 40 l per hour» = 40 l/h', 'must «at most 50 W» <= 50 W'],
    ],
    ['label', 'Weight: max. 1.4 kg', ['must «Weight: max. 1.4 kg» <= 1.4 kg']],
    [
      'tolerance',
      'Hole: 6 mm ± 0.2 mm.',
      ['must «Hole: 6 mm ± 0.2 mm» = 6 mm', 'must «Hole: 6 mm ± 0.2 mm» <= 0.2 mm'],
    ],
    [
      'negated subject',
      'No parcel may weigh more than 20 kg.',
      ['must «No parcel may weigh more than 20 kg» <= 20 kg'],
    ],
    [
      'negated condition',
      'If the parcel does not weigh more than 20 kg, the courier shall carry it.',
      [
        'must «the courier shall carry it» [if If the parcel does not weigh more than 20 kg] [by the courier]',
      ],
    ],
    ['release', "Guests don't have to register.", ["may «Guests don't have to register» [by Guests]"]],
    [
      'limit of a permission',
      'Guests may stay at most 3 nights.',
      ['must «Guests may stay at most 3 nights» <= 3 night [by Guests]'],
    ],
    [
      'only some may',
      'Only nurses may open the cabinet.',
      ['must «Only nurses may open the cabinet» [by Only nurses]'],
    ],
    ['reason', 'The lid must close because the oil smells.', ['must «The lid must close»']],
    [
      'cap in the subject',
      'The budget of 900 EUR must not be exceeded.',
      ['must «The budget of 900 EUR must not be exceeded» <= 900 EUR'],
    ],
    [
      'limit inside the subject',
      'Bids in languages other than English will not be read.',
      ['must_not «Bids in languages other than English will not be read» [except other than English]'],
    ],
    ['avoiding', 'Stir slowly and avoid lumps.', ['must «Stir slowly»', 'must_not «avoid lumps»']],
    [
      'what is to be avoided',
      'Night deliveries are to be avoided.',
      ['must_not «Night deliveries are to be avoided»'],
    ],
    [
      'inverted negation',
      'The lamp must not flicker, nor may it hum.',
      ['must_not «The lamp must not flicker»', 'must_not «nor may it hum»'],
    ],
    [
      'how long a forbidden act may last',
      'The door must not stay open for more than 30 seconds.',
      ['must «The door must not stay open for more than 30 seconds» <= 30 s'],
    ],
    [
      'a bound behind the negated verb',
      'The app must not use more than 200 MB.',
      ['must «The app must not use more than 200 MB» <= 200 MB'],
    ],
    ['no behind a modal', 'The dish must contain no nuts.', ['must_not «The dish must contain no nuts»']],
    [
      'neither behind a modal',
      'Cleaners may use neither bleach nor sprays.',
      ['must_not «Cleaners may use neither bleach nor sprays» [by Cleaners]'],
    ],
    [
      'a wish told as expectation',
      "I'd expect 2 seconds at most.",
      ["should «I'd expect 2 seconds at most» <= 2 s"],
    ],
    [
      'a cap opens the clause',
      'No more than two coupons can be combined.',
      ['must «No more than two coupons can be combined» <= 2 coupon'],
    ],
    [
      'a limit behind a permission',
      'The job may be started by hand, but only by operators.',
      ['may «The job may be started by hand»', 'must «only by operators»'],
    ],
    ['a bound in the name', 'Minimum length: 20 cm', ['must «Minimum length: 20 cm» >= 20 cm']],
    [
      'a condition between',
      'The guard checks each bag, and if a bag is locked, the owner must open it.',
      [
        'must «The guard checks each bag» [by The guard]',
        'must «the owner must open it» [if if a bag is locked] [by the owner]',
      ],
    ],
    ['preface', 'It is important that every run is logged.', ['must «every run is logged»']],
    [
      'between modal and verb',
      'A guest must not, even for a moment, block the door.',
      ['must_not «A guest must not, even for a moment, block the door» [by A guest]'],
    ],
    ['forecast', 'We expect 60 guests.', []],
    [
      'disclaimer',
      'Members must sign in. The club is not liable for lost keys.',
      ['must «Members must sign in» [by Members]'],
    ],
    ['task', 'Wim to ask the printer for a price.', ['must «Wim to ask the printer for a price»']],
    ['refusal', 'We do not ship to post boxes.', ['must_not «We do not ship to post boxes»']],
  ])('%s', (_, text, expected) => {
    expect(demandsOf(text)).toEqual(expected);
  });
});

describe('blocks', () => {
  it('bullets under a stem take its force', () => {
    expect(demandsOf('The supplier shall:\n- clean the yard weekly\n- repair the fence\n')).toEqual([
      'must «clean the yard weekly»',
      'must «repair the fence»',
    ]);
  });

  it('a line that breaks off is a stem without its colon', () => {
    expect(demandsOf('It must not\n- round the sum\n- lose a row\n')).toEqual([
      'must_not «round the sum»',
      'must_not «lose a row»',
    ]);
  });

  it('a heading forbids, the next one only wishes', () => {
    expect(demandsOf('Out of scope\n- night shifts\n\nNice to have\n- a second gate\n')).toEqual([
      'must_not «night shifts»',
      'should «a second gate»',
    ]);
  });

  it('a marked heading ends the list above it, and its line ends the heading', () => {
    const text =
      '## Out of scope\n- native apps\n## Performance\n- respond within 2 s\n- at least 99 % ' +
      'uptime\n## Colours\nthe page must stay blue\n';
    expect(demandsOf(text)).toEqual([
      'must_not «native apps»',
      'must «respond within 2 s» <= 2 s',
      'must «at least 99 % uptime» >= 99 %',
      'must «the page must stay blue»',
    ]);
  });

  it('numbers of items and clauses are no amounts', () => {
    expect(demandsOf('3. Gates must close.\n4.1 Doors must close.')).toEqual([
      'must «Gates must close»',
      'must «Doors must close»',
    ]);
  });

  it('under `Background` and behind `Actual:` a text tells', () => {
    expect(
      demandsOf(
        'Background\n\nEach visit takes two hours. Every form is kept for a year.\n\nActual: the ' +
          'page shows at most 5 lines.\n',
      ),
    ).toEqual([]);
  });
});

describe('the plain present', () => {
  it.each([
    'Refunds go back to the card.',
    'Cash is not accepted.',
    'Every guest wears a badge.',
    'A deposit is due on arrival.',
    'Photos are deleted after 14 days.',
  ])('a rule: %s', (text) => {
    expect(demandsOf(`Rules must be read. ${text}`)).toHaveLength(2);
  });

  it.each([
    'The bar hangs at the end.',
    'We have three vans.',
    'Two of the lamps are broken.',
    'The page was slow last week.',
    'Our office is in the old mill.',
    'There are 12 jobs waiting.',
    'I restarted it twice.',
  ])('told: %s', (text) => {
    expect(demandsOf(`Rules must be read. ${text}`)).toHaveLength(1);
  });

  it('in a paragraph that tells, the present tells as well', () => {
    expect(demandsOf('The build broke on Monday. I looked at the log. The job runs for 40 minutes.')).toEqual(
      [],
    );
  });
});
