/**
 * No gain by turning or inventing, intent I10: requests built from sentences whose one true reading is known,
 * and readings that turn the force or the comparison of some of it, or add what the words do not say.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { hashCanonical, orThrow, type Digest, type Json } from '@assay/kernel';
import {
  defaultPolicy,
  MODALITIES,
  NO_SCOPE,
  OPPOSITE,
  rankAnswers,
  type Claim,
  type Interpretation,
  type Modality,
  type Op,
  type SlotAnswer,
} from '@assay/kernel/intent';
import { lawRuns } from '../../tools/laws.js';
import { amount, claimOn, flag, native, quoteOf, reading } from './tools.js';

const runs = lawRuns('intent-turning');

/** A sentence with the one claim it makes. `W`: a noun of its own; `#`: a number. */
type Template = readonly [
  text: string,
  modality: Modality,
  op: Op | null | 'unset',
  unit?: string,
  aside?: readonly ['condition' | 'exception', string],
];

const TEMPLATES: readonly Template[] = [
  ['The W must print the label.', 'must', null],
  ['Print the W.', 'must', null],
  ['The W prints the label.', 'must', null],
  ['The W shall be encrypted.', 'must', null],
  [
    'If the disk is not full, the W must print the label.',
    'must',
    null,
    '',
    ['condition', 'If the disk is not full'],
  ],
  [
    'Once the disk is full, the W must print the label.',
    'must',
    null,
    '',
    ['condition', 'Once the disk is full'],
  ],
  [
    'While it rains, when the door opens, the W must print the label.',
    'must',
    null,
    '',
    ['condition', 'While it rains, when the door opens'],
  ],
  ['The W older than # d must be checked.', 'must', null, '', ['condition', 'older than # d']],
  ['The W need not print the label.', 'may', null],
  ['The W must work without power.', 'must', null, '', ['exception', 'without power']],
  ['The W must not print the label.', 'must_not', null],
  ['Do not print the W.', 'must_not', null],
  ['Printing the W is prohibited.', 'must_not', null],
  ['The W is not permitted on the roof.', 'must_not', null],
  [
    'The W must never print the label, unless a manager agrees.',
    'must_not',
    null,
    '',
    ['exception', 'unless a manager agrees'],
  ],
  ['The W should print the label.', 'should', null],
  ['The W should not print the label.', 'should', 'unset'],
  ['The W may print the label.', 'may', null],
  ['The W must print within # s.', 'must', '<=', 's'],
  ['The W must weigh at most # kg.', 'must', '<=', 'kg'],
  ['Keep the W for at least # d.', 'must', '>=', 'd'],
  ['The W costs less than # EUR.', 'must', '<', 'EUR'],
  ['The W must hold more than # kg.', 'must', '>', 'kg'],
  ['The W must not exceed # kg.', 'must', '<=', 'kg'],
  ['The W must take no more than # s.', 'must', '<=', 's'],
  ['Archive the W after # d.', 'must', '=', 'd'],
  ['The W should cost under # EUR.', 'should', '<', 'EUR'],
];
/** Lines that forbid what the items of the list below them say, and such items. */
const BANS = [
  'The system must not:',
  'It is forbidden to:',
  '## Not allowed',
  'MUST NOT',
  'No guest may:',
] as const;
const BANNED: readonly Template[] = [
  ['carry more than # kg of the W', 'must_not', '>', 'kg'],
  ['keep the W for less than # d', 'must_not', '<', 'd'],
  ['wait for the W after # s', 'must_not', '=', 's'],
  ['print the W', 'must_not', null],
];
const NOUNS = ['printer', 'archive', 'folder', 'ticket', 'gateway', 'scanner'] as const;

const drawnFrom = (
  templates: readonly Template[],
  minLength: number,
  maxLength: number,
): fc.Arbitrary<(readonly [Template, number])[]> =>
  fc.array(fc.tuple(fc.constantFrom(...templates), fc.integer({ min: 11, max: 99 })), {
    minLength,
    maxLength,
  });

/**
 * A request of some sentences in a row, or of some and a list of what is forbidden, each about a thing of its
 * own, with its true reading.
 */
const requests = fc
  .oneof(
    fc.tuple(drawnFrom(TEMPLATES, 1, 6), fc.constant([]), fc.constant('')),
    fc.tuple(drawnFrom(TEMPLATES, 0, 3), drawnFrom(BANNED, 1, 3), fc.constantFrom(...BANS)),
  )
  .map(([sentences, items, ban]) => {
    const drawn = [...sentences, ...items];
    const parts = drawn.map(([[text, modality, op, unit = '', aside], number], index) => {
      const noun = NOUNS[index] ?? 'printer';
      const words = text.replace(/\bW\b/, noun).replace('#', String(number + 100 * index));
      return {
        words,
        modality,
        aside: aside && ([aside[0], aside[1].replace('#', String(number + 100 * index))] as const),
        atom:
          op === null || op === 'unset'
            ? flag(`${noun}.done`, op === null)
            : amount(`${noun}.measure`, op, number + 100 * index, unit),
      };
    });
    const said = parts.map(({ words }) => words);
    const list = items.length === 0 ? [] : [[ban, ...said.slice(sentences.length)].join('\n- ')];
    const text = [said.slice(0, sentences.length).join(' '), ...list]
      .filter((part) => part !== '')
      .join('\n\n');
    const claims = parts.map(({ words, modality, atom, aside }): Claim => {
      const claim = claimOn(text, words.replace(/\.$/, ''), { modality, atom });
      if (aside === undefined) return claim;
      const { start } = quoteOf(words, aside[1]);
      return {
        ...claim,
        scope: {
          ...claim.scope,
          [aside[0]]: {
            start: (claim.quote?.start ?? 0) + start,
            end: (claim.quote?.start ?? 0) + start + aside[1].length,
          },
        },
      };
    });
    return { text, claims };
  });

const hash = (value: Json): Digest => orThrow(hashCanonical(value, native));
const answer = (slot: string, one: Interpretation): SlotAnswer => ({
  t: 'answered',
  slot,
  source: 'synthetic',
  proposer: `fixture:${slot}`,
  proposal_hash: 'x',
  confidence_ppm: null,
  readings: [one],
});

/** By how much the true reading is ahead of another of the same request; null where that one is vetoed. */
function lead(text: string, honest: readonly Claim[], other: readonly Claim[]): number | null {
  const { kept, pruned } = rankAnswers(
    {
      seedText: text,
      policy: { ...defaultPolicy, proposers: ['a', 'b'] },
      pin: [],
      answers: [answer('a', reading('honest', honest)), answer('b', reading('other', other))],
    },
    { run_id: 'r', hash },
  );
  const totalOf = (slot: string): number | undefined =>
    [...kept, ...pruned].find(({ candidate }) => candidate.from.slot === slot)?.score.total;
  const [own, theirs] = [totalOf('a'), totalOf('b')];
  if (own === undefined) throw new Error(`the true reading of "${text}" is vetoed`);
  return theirs === undefined ? null : own - theirs;
}

/**
 * What a claim demands, whichever way it says so: a forbidden atom is the demand of its opposite. A bound
 * with its end and one without are not told apart, nor, where the words give a number and no bound, the
 * comparisons that it meets.
 */
function demandOf({ modality, atom }: Claim, isBounded: boolean): string {
  if (atom === null) return modality;
  const isForbidden = modality === 'must_not';
  const force = isForbidden ? 'must' : modality;
  if (typeof atom.value === 'boolean')
    return `${force} ${String(isForbidden !== ((atom.op === '!=') !== (atom.value === false)))}`;
  const op = isForbidden ? OPPOSITE[atom.op] : atom.op;
  return `${force} ${op === '!=' || op === '=' || isBounded ? op.replace(/([<>])=/, '$1') : '='}`;
}

const turns = fc.record({
  modality: fc.constantFrom(...MODALITIES),
  op: fc.constantFrom<Op>('=', '!=', '<', '<=', '>', '>='),
  isSet: fc.boolean(),
  what: fc.constantFrom('modality', 'comparison', 'both'),
});

/** How often each law had something to compare: a law over nothing would hold as well. */
const compared = new Map<string, number>();
const tally = (law: string): void => void compared.set(law, (compared.get(law) ?? 0) + 1);

describe('no gain by turning or inventing', () => {
  afterAll(() => {
    for (const law of ['turning', 'inventing', 'copying'])
      expect([law, (compared.get(law) ?? 0) > (runs.numRuns ?? 0) / 4]).toEqual([law, true]);
  });

  it(
    'intent/no-gain-by-turning: a reading that turns the force or the comparison of a claim ' +
      'against its words stays below the true one',
    () => {
      fc.assert(
        fc.property(
          requests,
          fc.array(turns, { minLength: NOUNS.length, maxLength: NOUNS.length }),
          fc.nat(62),
          ({ text, claims }, drawn, chosen) => {
            const other = claims.map((claim, index): Claim => {
              const turn = drawn[index];
              if (turn === undefined || ((chosen + 1) >> index) % 2 === 0) return claim;
              const { atom } = claim;
              const turned =
                turn.what === 'modality' || atom === null
                  ? atom
                  : typeof atom.value === 'boolean'
                    ? { ...atom, value: turn.isSet }
                    : { ...atom, op: turn.op };
              return {
                ...claim,
                modality: turn.what === 'comparison' ? claim.modality : turn.modality,
                atom: turned,
              };
            });
            if (
              other.every(
                (claim, index) =>
                  demandOf(claim, claims[index]?.atom?.op !== '=') ===
                  demandOf(claims[index] ?? claim, claims[index]?.atom?.op !== '='),
              )
            )
              return;
            const ahead = lead(text, claims, other);
            if (ahead === null) return;
            tally('turning');
            expect(ahead).toBeGreaterThan(0);
          },
        ),
        runs,
      );
    },
  );

  it(
    'intent/no-gain-by-inventing: so does one that forbids what no word names, or makes up a ' +
      'condition or an exception',
    () => {
      fc.assert(
        fc.property(
          requests,
          fc.nat(5),
          fc.constantFrom('condition', 'exception', 'foreign'),
          ({ text, claims }, at, what) => {
            const claim = claims[at % claims.length] as Claim;
            if (what !== 'foreign' && claim.scope[what] !== null) return;
            const start = claim.quote?.start ?? 0;
            const made: Claim =
              what === 'foreign'
                ? { ...claim, modality: 'must_not', atom: flag('weather.storm') }
                : {
                    ...claim,
                    scope: {
                      ...claim.scope,
                      [what]: { start, end: start + (/^\w+ \w+/.exec(text.slice(start))?.[0].length ?? 1) },
                    },
                  };
            if (what === 'condition' && text.startsWith('If', start)) return;
            const ahead = lead(
              text,
              claims,
              what === 'foreign' ? [...claims, made] : claims.map((one) => (one === claim ? made : one)),
            );
            if (ahead === null) return;
            tally('inventing');
            expect(ahead).toBeGreaterThan(0);
          },
        ),
        runs,
      );
    },
  );

  it(
    'intent/no-gain-by-copying-with-flags: a demand of each sentence, with a flag that its own words name, stays ' +
      'below the true reading where that has a number, a scope or another force, and is never above it',
    () => {
      fc.assert(
        fc.property(requests, ({ text, claims }) => {
          const isPlain = ({ modality, atom, scope }: Claim): boolean =>
            modality === 'must' && atom?.value === true && (scope.condition ?? scope.exception) === null;
          const copies = claims.map((claim, index): Claim => {
            const words = text.slice(claim.quote?.start, claim.quote?.end).toLowerCase();
            const key = `${(words.match(/[a-z]{3,}/g) ?? []).slice(0, 3).join('_')}_${index}`;
            return { ...claim, modality: 'must', atom: flag(key), scope: NO_SCOPE };
          });
          const ahead = lead(text, claims, copies);
          if (ahead === null) return;
          tally('copying');
          expect(ahead).toBeGreaterThanOrEqual(claims.every(isPlain) ? 0 : 1);
        }),
        runs,
      );
    },
  );
});
