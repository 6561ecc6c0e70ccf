import { describe, expect, it } from 'vitest';
import { contradictionCount, demandsOf, keysOf, linesOf, questionsOf, readingsIn } from './tools.js';

describe('what a text leaves open', () => {
  it('scope of an exception: asked, and the words stay in the exception', () => {
    expect(
      linesOf('All rooms must be locked at night, except offices and stores on the ground floor.'),
    ).toEqual([
      'must «All rooms must be locked at night, except offices and stores on the ground floor» ' +
        '[except except offices and stores on the ground floor]',
      '? «except offices and stores on the ground floor» scope',
    ]);
  });

  it('scope of a condition behind two acts: a reading in which both depend on it', () => {
    const text = 'The tool must archive the order and notify the buyer if the payment fails.';
    expect(demandsOf(text)).toEqual([
      'must «The tool must archive the order»',
      'must «notify the buyer if the payment fails» [if if the payment fails]',
    ]);
    expect(linesOf(text, 'alt-scope')).toEqual([
      'must «The tool must archive the order» [if if the payment fails]',
      'must «notify the buyer if the payment fails» [if if the payment fails]',
    ]);
  });

  it('scope of a negation: one negator before two participles', () => {
    expect(questionsOf('Passwords must not be logged and cached.')).toEqual(['? «logged and cached» scope']);
  });

  it('attachment of a number: per piece or in total, asked and read both ways', () => {
    const text = 'The form must accept attachments up to 20 MB.';
    expect(questionsOf(text)).toEqual(['? «attachments up to 20 MB» attachment']);
    const names = readingsIn(text).map(({ name }) => name);
    expect(names).toEqual(['literal', expect.stringMatching(/^alt-attachment .*total<=20MB$/)]);
  });

  it('attachment is settled where the words say it', () => {
    expect(questionsOf('The form must accept attachments up to 20 MB each.')).toEqual([]);
    expect(questionsOf('The form must accept attachments up to 20 MB per mail.')).toEqual([]);
  });

  it('open bound: asked, and `strict` takes no number from it', () => {
    const text = 'The shelf must be about 80 cm wide. The door must be 2 m high.';
    expect(linesOf(text)).toEqual([
      'must «The shelf must be about 80 cm wide» = 80 cm',
      '? «about 80 cm» bound',
      'must «The door must be 2 m high» = 2 m',
    ]);
    expect(linesOf(text, 'strict')).toEqual([
      'must «The shelf must be about 80 cm wide»',
      '? «about 80 cm» bound',
      'must «The door must be 2 m high» = 2 m',
    ]);
    expect(linesOf(text, 'alt-bound')[0]).toBe('must «The shelf must be about 80 cm wide» <= 80 cm');
  });

  it('relative date: a question, never a date', () => {
    const lines = linesOf(
      'The poster must be ready by Friday. The flyers are due next week. The hall must be clean by the end of May.',
    );
    expect(lines.filter((line) => line.endsWith('relative_date'))).toEqual([
      '? «by Friday» relative_date',
      '? «next week» relative_date',
      '? «end of May» relative_date',
    ]);
    expect(lines.filter((line) => /[0-9]{4}-/.test(line))).toEqual([]);
  });

  it('a date with its year is none', () => {
    expect(linesOf('The poster must be ready by Friday, 6 March 2026.')).toEqual([
      'must «The poster must be ready by Friday, 6 March 2026» <= 2026-03-06 date',
    ]);
  });

  it('two antecedents', () => {
    expect(questionsOf('The pump must be painted. It must stop at 3 bar.')).toEqual([]);
    expect(questionsOf('The pump and the boiler share a line. It must stop at 3 bar.')).toEqual([
      '? «It must» referent',
    ]);
    expect(questionsOf('The layout must be like last time.')).toEqual(['? «like last time» referent']);
  });

  it('and/or: who chooses is asked, unless an actor does', () => {
    expect(questionsOf('The frame must be welded or glued.')).toEqual(['? «welded or glued» and_or']);
    expect(questionsOf('Guests may pay in cash or by card.')).toEqual([]);
    expect(questionsOf('The frame must be either welded or glued.')).toEqual([]);
  });

  it('vague measure: one question each, no threshold, and the assumption names the word', () => {
    const text = 'The search must be fast and the page should look modern. Logs must be kept.';
    expect(linesOf(text)).toEqual([
      'must «The search must be fast»',
      '? «fast» vague',
      'should «the page should look modern»',
      '? «modern» vague',
      'must «Logs must be kept»',
    ]);
    expect(readingsIn(text)[0]?.assumptions).toEqual([
      '“fast” stays unmeasured: threshold pending clarification.',
      '“modern” stays unmeasured: threshold pending clarification.',
    ]);
  });

  it('a measure with its amount is not vague', () => {
    expect(questionsOf('The shelf must be 40 cm deep.')).toEqual([]);
  });

  it('conflict: each side a reading, named by its value', () => {
    const names = readingsIn('Bids remain valid for 60 days. Bids remain valid for 90 days.').map(
      ({ name }) => name,
    );
    expect(names).toEqual([
      'literal',
      expect.stringMatching(/^keep-first .*=60d$/),
      expect.stringMatching(/^keep-second .*=90d$/),
    ]);
  });

  it('the same act demanded and forbidden is a conflict, in the active or the passive', () => {
    expect(keysOf('Lock the north gate. The north gate must not be locked.')).toEqual([
      'act.gate_lock_north',
      'act.gate_lock_north',
    ]);
  });

  it('wishes and permissions are left out by `essential`', () => {
    expect(linesOf('The app must start. It should hum. Users may mute it.', 'essential')).toEqual([
      'must «The app must start»',
    ]);
  });
});

describe('keys', () => {
  it.each([
    'The shelf must be 80 cm wide. The shelf must be 200 cm high.',
    'The fee is 10 EUR for adults. The fee is 5 EUR for children.',
    'Samples in freezer 3 are kept for 5 years. Samples in freezer 4 are kept for 2 years.',
    'It must reach 20 °C. It must reach 15 °C.',
    'Please retry failed uploads three times, waiting 1 s, 2 s and 4 s.',
    'Visitors’ badges are kept for 7 days. Lost badges are kept for 30 days.',
  ])('different measures have different keys: %s', (text) => {
    expect(contradictionCount(text)).toBe(0);
  });

  it.each([
    'The chat must delete all messages after 30 days. Legal told us that messages must be ' +
      'retained for at least 7 years.',
    'The lid must weigh less than 2 kg. The lid must weigh at least 3 kg.',
    'Logs are removed after 10 days. Keep logs for 2 months.',
  ])('one measure has one key, however it is put: %s', (text) => {
    expect(contradictionCount(text)).toBe(1);
  });
});
