/** Laws of the requirements language, its sets, and the input that must not be read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { parseInterpretations, findQuestionClass, SeedText, type Claim } from '@assay/kernel/intent';
import { generateSentences } from '../../../../scripts/language/generate.mjs';
import { isWhole, outcomeOf, sentencesIn } from '../../../../scripts/language/sentences.mjs';
import { wrap, WRAPPINGS } from '../../../../scripts/language/wrappings.mjs';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { proposeByRules, readRequest } from '../../src/language/index.ts';
import { demandsOf, statedIn, unreadIn } from './tools.ts';

type Annotated = { readonly text: string };
const judge = outcomeOf as unknown as (one: Annotated, claims: readonly Claim[], isStrict: boolean) => string;
const SETS = new URL('sets/', import.meta.url);
const setOf = (name: string): readonly Annotated[] =>
  sentencesIn(new URL(`${name}/`, SETS)).flatMap(([, sentences]) => sentences as readonly Annotated[]);
const bodyOf = (seed_text: string) => ({ slot: 'rules', seed_hash: '', seed_text, n: 8, pin: [] });
const outcomes = (sentences: readonly Annotated[]): readonly string[] =>
  sentences.map((one) => judge(one, readRequest(one.text).claims, true));
const share = (all: readonly string[], outcome: string): number =>
  all.filter((one) => one === outcome).length / all.length;

const PARTS =
  'must|must not|should|may|need not|never|no|only|nobody|unless|if|when|except|without|because|so that|and|or|but|' +
  'otherwise|in that case|please|do not|the server|users|it|files older than 30 days|at most 5 kg|within 2 s|over 3 m' +
  '|by 1 May 2027|send|be|is required|is allowed|that|who|most|"quoted|”|:|;|,|.|?|\n|\n- |\n\n|# |1. |(|)|~~';
const text = fc
  .array(fc.oneof(fc.constantFrom(...PARTS.split('|')), fc.string({ unit: 'grapheme', maxLength: 6 })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(' '));
const law = (hold: (drawn: string) => void): void =>
  fc.assert(fc.property(text, hold), { seed: LAW_SEED, numRuns: draws(1_000) });

describe('laws', () => {
  it('language/partition: each word that a text says stands in one sentence: read, unread or quiet', () => {
    law((drawn) => {
      expect(isWhole(drawn, readRequest(drawn).sentences)).toBe(true);
    });
  });

  it('language/closed: readings have the shape that the machine takes, and each claim is quoted with an atom', () => {
    law((drawn) => {
      const { value, failure } = proposeByRules(bodyOf(drawn));
      if (failure !== null && failure !== undefined) return;
      expect(parseInterpretations(value, new SeedText(drawn))._tag).toBe('Right');
      for (const { quote, atom } of readRequest(drawn).claims) expect([quote, atom]).not.toContain(null);
    });
  });

  it('language/asked: each unread sentence is asked about, with what to write', () => {
    law((drawn) => {
      const { unread, sentences, claims } = readRequest(drawn);
      expect(unread.length).toBe(sentences.filter(({ state }) => state === 'unread').length);
      expect(claims.filter(({ atom }) => atom?.value === 'unread').length).toBe(unread.length);
      expect(unread.every(({ say }) => say !== '')).toBe(true);
    });
  });

  it('language/dressing: a word in marks of emphasis or code changes no demand', () => {
    const stated = (one: string): readonly Json[] =>
      statedIn(one).map(({ modality, atom }) => [modality, atom]);
    for (const [index, { text: one }] of setOf('fresh').entries()) {
      const words = [...one.matchAll(/(?<=^| )[a-z]+(?= |$)/gi)];
      const word = words[index % words.length];
      if (word === undefined) continue;
      const mark = ['**', '_', '`'][index % 3] ?? '';
      const dressed = `${one.slice(0, word.index)}${mark}${word[0]}${mark}${one.slice(word.index + word[0].length)}`;
      expect([dressed, stated(dressed)]).toEqual([dressed, stated(one)]);
    }
  });
});

describe('sets', () => {
  it.each(['page', 'fresh', 'author', 'near'])(
    '%s: nothing is turned round or made up, and 95 of 100 are right',
    (name) => {
      const all = outcomes(setOf(name));
      expect([share(all, 'opposite'), share(all, 'wrong')]).toEqual([0, 0]);
      expect(share(all, 'right')).toBeGreaterThanOrEqual(0.95);
    },
  );

  it('sentences made of the patterns are read', () => {
    expect(share(outcomes(generateSentences(300, 7) as readonly Annotated[]), 'right')).toBe(1);
  });

  it('where nothing is demanded, no check is made but in one of a thousand', () => {
    const isCheck = ({ atom, modality }: Claim): boolean =>
      modality !== 'may' && typeof atom?.value !== 'boolean';
    const wrapped = setOf('fresh')
      .filter(
        ({ text: one }, index) => index % 6 === 0 && !/\n|\?$|\. /.test(one) && statedIn(one).length > 0,
      )
      .flatMap(({ text: one }) => WRAPPINGS.map((wrapping: string) => wrap(wrapping, one) as string));
    const made = wrapped.filter((one: string) => statedIn(one).some(isCheck));
    expect(made.length).toBeLessThanOrEqual(wrapped.length / 1_000);
  });
});

describe('what is read of a request', () => {
  it('scopes of branches turn', () => {
    expect(demandsOf('If the order is old, refund it, otherwise ask me.')).toEqual([
      'must `it.refund = true`, *If the order is old*',
      'must `me.ask = true`, except *If the order is old*',
    ]);
    expect(
      demandsOf('Keep backups for 30 days unless the customer objects; in that case delete them.'),
    ).toEqual([
      'must `backup.retention = 30 d`, except *the customer objects*',
      'must `them.delete = true`, *the customer objects*',
    ]);
  });

  it('a limit of something names it, and a pinned key is taken', () => {
    const order = 'Please order coffee for the office: at least 6 kg of beans per month, at most 180 EUR.';
    expect(demandsOf(order)).toEqual([
      'must `coffee.order_office = true`',
      'must `bean.per_month >= 6 kg`',
      'must `coffee.order_office <= 180 EUR`',
    ]);
    const atom = { key: 'upload.size', op: '<=', value: { n: 5, scale: 0 }, unit: 'MB' } as const;
    const { claims } = readRequest('The size of an upload must be at most 9 MB.', [
      { modality: 'must', atom },
    ]);
    expect(claims.map((claim) => claim.atom?.key)).toEqual(['upload.size']);
  });

  it('marks of lists, titles, quotes and abbreviations part sentences as a reader would', () => {
    const text =
      '# Rules\n\n1. The app must greet Dr. Jones.\n2) Keep logs.\n\nThe app must not:\n- show "at most 5 MB"';
    expect(demandsOf(text)).toEqual([
      'must `app.greet_dr_jone = true`',
      'must `log.keep = true`',
      'must not `app.show = true`',
    ]);
  });

  it('demands that contradict each other are asked about, and kept one at a time', () => {
    const { value } = proposeByRules(
      bodyOf('The tank must hold at least 9 l. The tank must hold at most 5 l.'),
    );
    const readings = value as unknown as readonly {
      readonly name: string;
      readonly commits: readonly Claim[];
    }[];
    expect(readings.map(({ name, commits }) => `${name} ${commits.length}`)).toEqual([
      'literal 3',
      'keep-first 1',
      'keep-second 1',
    ]);
  });

  it('a verdict that forbids takes what stands behind without', () => {
    expect(demandsOf('Subletting is prohibited without consent.')).toEqual([
      'must not `subletting.allowed = true`, except *without consent*',
    ]);
  });

  it('open words and days are asked about beside their claim', () => {
    const asked = readRequest('The page must be fast by next week. The report must arrive by Friday.').claims;
    expect(asked.flatMap((claim) => findQuestionClass(claim) ?? [])).toEqual([
      'vague',
      'relative_date',
      'relative_date',
    ]);
  });

  it('too much text and too many claims are refused with both numbers', () => {
    const long = proposeByRules(bodyOf('a'.repeat(1_048_577)));
    expect(long.failure?.detail).toEqual({
      code: 'too_long',
      limit: 'text_units',
      value: 1_048_576,
      needed: 1_048_577,
    });
    const many = proposeByRules(bodyOf('The gate must close. '.repeat(900)));
    expect(many.failure?.detail).toMatchObject({ limit: 'claims', value: 800, needed: 900 });
    expect(proposeByRules(bodyOf('Thanks, Jo')).failure?.detail).toEqual({ code: 'nothing_found' });
  });
});

describe('what is not read', () => {
  it('a long sentence is quoted up to the end of a word', () => {
    const text = `The hall is ${'very '.repeat(60)}large.`;
    const [claim] = readRequest(text).claims;
    expect(text.slice(0, claim?.quote?.end)).toMatch(/ very$/);
    expect(claim?.quote?.end).toBeGreaterThan(230);
  });

  it.each(
    `may_not: Guests may not smoke.
plain: The form must hold up to 5 kg.
filter: Helmets must be worn above 2 m.
plain: There must be one toilet for every 50 guests.
plain: The page must load 2 s faster.
plain: The clerk must book two weeks in advance.
no_force: It must have rained.
turning: Tickets must cost between 5 and 9 EUR or be free.
two_forces: The gate must allow at most 3 attempts and lock the account.
bound_not: The wait must not be at most 5 s.
bound: The meeting must be moved from 1 March 2027 to 3 March 2027.
two_forces: The server must answer within 2 s and shred the card.
two_forces: The team must answer mails within 2 days and calls within 1 hour.
two_forces: Do not use more than 3 and fewer than 6 nails.
only_if: Users must sign only if they are adults.
only_if: The door must be locked if and only if the room is empty.
plain: Add 240 µl of water.
bound: The level must stay below 180 mg/dL.
negation: Not all users must sign the form.
partial: Most pages must load within 2 s.
about: The page must load within about 2 s.
whether: The guard must ask if the visitor has a badge.
turning: The shop must avoid delays of at most 2 days.
filter: The tool must list files larger than 1 MB.
question: Must the page load within 2 s?
quoted: "Pages must load within 2 s" is gone.
subject: The vendor claims the guests must pay 5 EUR.
weak: The page will load within 2 s.
weak: Guests are not allowed to smoke.
weak: Backups have to be daily.
filter: Open a table with more than 1,000 rows.
branch: Otherwise, the page must stay empty.
condition: If it rains the game must stop.
list: Out of scope:\\n- The app must work offline.
long: ${'the very '.repeat(31)} page must load.
no_force: Book prices rose by 5 %.`
      .split('\n')
      .map((line) => line.split(/: (.*)/) as [string, string]),
  )('%s: %s', (rule, sentence) => {
    expect(demandsOf(sentence.replace('\\n', '\n'))).toEqual([]);
    expect(unreadIn(sentence.replace('\\n', '\n'))).toContain(rule);
  });
});
