/** Vetoes that look at what a reading asserts, intent I8; and grounding, intent I3. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeedText, tokenize, type Claim, type Interpretation } from '@assay/kernel/intent';
import { lawRuns } from '../../tools/laws.js';
import { amount, claimOn, eventsOf, flag, played, policyWith, reading } from './tools.js';
import { assertedNegation, findNegations } from '../../src/intent/polarity.js';

const runs = lawRuns('intent-polarity');

function asserts(seedText: string, one: Interpretation): unknown {
  const seed = new SeedText(seedText);
  return assertedNegation(one.commits, one, findNegations(seed));
}

/** Sentences as people write them, each with a negation. */
const NEGATED: readonly string[] = [
  'The app must not store card data.',
  'Never send marketing mail to students.',
  'Do not use Redis unless latency exceeds 5 ms.',
  'No customer names leave the building.',
  'The lift cannot carry bulky furniture.',
  "Parents don't want weekly newsletters.",
  'Deliver without plastic packaging.',
  'Nobody may prop the cellar door open.',
  'If not, the director decides within two days. The report must not name single pupils.',
  'It is not allowed to share patient files, neither by mail nor by fax.',
];

/** The text without its negators. */
function withoutNegators(text: string): string {
  const gone = tokenize(text).filter(
    ({ lower }) =>
      ['not', 'never', 'no', 'without', 'neither', 'nor', 'nobody', 'cannot'].includes(lower) ||
      lower.endsWith("n't"),
  );
  return gone.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

describe('polarity', () => {
  it.each(NEGATED)('a copy without its negators is out: %s', (text) => {
    expect(asserts(text, reading('copy', [], { intent_summary: withoutNegators(text) }))).toEqual({
      in: 'intent_summary',
    });
    expect(
      asserts(text, reading('copy', [], { intent_summary: '', assumptions: [withoutNegators(text)] })),
    ).toEqual({ in: 'assumptions' });
  });

  it.each(NEGATED)('the text itself, whole or as a claim, is no assertion of what it negates: %s', (text) => {
    expect(
      asserts(text, reading('honest', [claimOn(text, text)], { intent_summary: text, assumptions: [text] })),
    ).toBeNull();
  });

  it(
    'a demand whose quote begins behind the negator is out, a prohibition or a question on ' +
      'the same words is not',
    () => {
      const text = 'The app must not store card data.';
      const cut = claimOn(text, 'store card data');
      expect(asserts(text, reading('r', [cut]))).toEqual({ in: 'claim', claim: 0 });
      expect(
        asserts(text, reading('r', [claimOn(text, 'card data')])),
        'what is forbidden is the storing',
      ).toBeNull();
      expect(asserts(text, reading('r', [{ ...cut, modality: 'must_not' }]))).toBeNull();
      expect(asserts(text, reading('r', [{ ...cut, kind: 'question' }]))).toBeNull();
    },
  );

  it.each([
    ['Reports take no more than 5 s.', 'more than 5 s'],
    ['Not only admins may export files.', 'admins may export files'],
    ['The beam must not exceed 4 mm in height.', 'exceed 4 mm in height'],
    ['Not later than Friday the keys come back.', 'Friday the keys come back'],
  ])('a comparison and `not only` negate nothing: %s', (text, words) => {
    expect(asserts(text, reading('r', [claimOn(text, words)], { intent_summary: words }))).toBeNull();
  });

  it('a heading that negates reaches the items of its list, and no further', () => {
    const text =
      'Rules\n\nMUST NOT\n- use open fire\n- block the hydrant\n\nMUST\n- keep a passage ' +
      'free\n\nNot in this version:\n* export to PDF files\nClean windows weekly.';
    for (const [words, isOut] of [
      ['use open fire', true],
      ['block the hydrant', true],
      ['keep a passage free', false],
      ['export to PDF files', true],
      ['Clean windows weekly', false],
    ] as const) {
      expect(asserts(text, reading('r', [claimOn(text, words)])) !== null, words).toBe(isOut);
      expect(
        asserts(text, reading('r', [{ ...claimOn(text, words), modality: 'must_not' }])),
        words,
      ).toBeNull();
    }
    const calm = 'No smoking area\n- close windows at night';
    expect(asserts(calm, reading('r', [claimOn(calm, 'close windows at night')]))).toBeNull();
  });

  it('what the seed also says without a negator may be said', () => {
    const text = 'Send weekly newsletters to parents. Do not send weekly newsletters to pupils.';
    expect(asserts(text, reading('r', [], { intent_summary: 'send weekly newsletters' }))).toBeNull();
  });

  it('polarity/own-words-safe: no part of a seed, taken as a claim with its negators, is vetoed', () => {
    const text = NEGATED.join(' ');
    const sentences = NEGATED.map((one) => claimOn(text, one));
    fc.assert(
      fc.property(
        fc.subarray(sentences),
        fc.subarray([...NEGATED]),
        (commits, said) => asserts(text, reading('r', commits, { intent_summary: said.join(' ') })) === null,
      ),
      runs,
    );
  });
});

const SEED =
  'Logs must be deleted after 30 days; logs are kept at least one year. The door must close in 4 s.';
const SHORT = claimOn(SEED, 'Logs must be deleted after 30 days', {
  atom: amount('log.retention', '<=', 30, 'd'),
});
const LONG = claimOn(SEED, 'logs are kept at least one year', {
  atom: amount('log.retention', '>=', 1, 'year'),
});
const DOOR = claimOn(SEED, 'The door must close in 4 s', { atom: amount('door.time', '<=', 4, 's') });
const vetoesOf = (...commits: readonly Claim[]): unknown =>
  eventsOf(
    played(
      SEED,
      { a: [reading('r', commits)] },
      policyWith({ proposers: ['a'], contradiction_budget: 9, min_score: 0 }),
    ),
    'vetoed',
  ).flatMap(({ vetoes }) => vetoes);

describe('self-contradiction', () => {
  it('two demands on the same words that cannot both hold are out', () => {
    expect(vetoesOf(DOOR, { ...DOOR, atom: amount('door.time', '>', 4, 's') })).toEqual([
      { code: 'self_contradiction', a: 0, b: 1, why: 'interval' },
    ]);
    expect(
      vetoesOf({ ...DOOR, atom: flag('door') }, { ...DOOR, modality: 'must_not', atom: flag('door') }),
    ).toEqual([{ code: 'self_contradiction', a: 0, b: 1, why: 'polarity' }]);
  });

  it('a demand on no words against one of the seed is out', () => {
    expect(vetoesOf(DOOR, { ...DOOR, quote: null, atom: amount('door.time', '>', 9, 's') })).toEqual([
      { code: 'self_contradiction', a: 0, b: 1, why: 'interval' },
    ]);
  });

  it('two sentences of the seed that contradict each other are no veto', () => {
    expect(vetoesOf(SHORT, LONG)).toEqual([]);
  });
});

describe('grounding', () => {
  it('intent/grounded: a claim stands only on words in which its number and unit can be read', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.constantFrom('s', 'ms', 'min', 'd', null),
        (n, unit) => {
          const vetoed = vetoesOf({ ...DOOR, atom: amount('door.time', '<=', n, unit) }) as readonly {
            readonly code: string;
          }[];
          const isThere = n === 4 && (unit === 's' || unit === null);
          return vetoed.some(({ code }) => code === 'ungrounded') !== isThere;
        },
      ),
      runs,
    );
  });
});
