/**
 * Long quotes: however often a request is quoted whole, deciding stays linear in the request and the answer.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashCanonical, nobleSha256, orThrow, type Digest, type Json } from '@assay/kernel';
import {
  renderAtom,
  runEngine,
  SeedText,
  type Claim,
  type Interpretation,
  type Quote,
} from '@assay/kernel/intent';
import { lawRuns } from '../../tools/laws.js';
import { amount, claimOn, eventsOf, flag, native, played, policyWith, reading } from './tools.js';
import { assertedNegation, findNegations } from '../../src/intent/polarity.js';

const runs = lawRuns('long quotes', 0.1);

const WORDS =
  'Do not delete the logs. Users must upload files within 5 s, unless admins say no. Never ' +
  'send mail to *anyone* at all; ';
const NO_SCOPE = { actor: null, condition: null, exception: null };
const READINGS = 8;
/** Of CPU: what is not linear takes minutes. On a slow machine an answer takes three. */
const SECONDS_MAX = 10;
const COMMITS = 450;

/** What a hostile answer quotes: claim `index` of them all, of a seed of `length` points. */
const FAMILY: { readonly [name: string]: (length: number, index: number) => Claim } = {
  'the whole, with a number': (length, index) => ({
    kind: 'requirement',
    modality: 'must',
    quote: { start: 0, end: length },
    atom: amount(`a.b${index}`, '<=', index, 's'),
    scope: NO_SCOPE,
  }),
  'the whole, with a flag': (length, index) => ({
    kind: 'requirement',
    modality: 'must',
    quote: { start: 0, end: length },
    atom: flag(`k${index}`),
    scope: NO_SCOPE,
  }),
  'the whole as a condition': (length, index) => ({
    kind: 'requirement',
    modality: 'must',
    quote: { start: 0, end: 9 },
    atom: flag(`k${index}`),
    scope: { ...NO_SCOPE, condition: { start: 0, end: length } },
  }),
  'another part each time': (length, index) => ({
    kind: 'requirement',
    modality: 'must',
    quote: { start: index, end: length - index },
    atom: null,
    scope: NO_SCOPE,
  }),
};

function answerOf(claimOf: (length: number, index: number) => Claim, length: number): Json {
  const list = Array.from({ length: READINGS }, (_, place) =>
    reading(
      `r${place}`,
      Array.from({ length: COMMITS }, (_each, index) => claimOf(length, place * COMMITS + index)),
    ),
  );
  return list as unknown as Json;
}

describe('assumptions', () => {
  it.each([
    ['of words that are not in the request', (index: number) => `x${index} ${'q '.repeat(240)}`],
    [
      'that repeat the request but for their first words',
      (index: number) => `good ${'it '.repeat(140)}${index % 7}`,
    ],
  ])('intent/linear: %s, beside a marker for every word', (_name, say) => {
    const seed = `${'it good '.repeat(25_000)}. Do it.`;
    const one = (place: number): Interpretation => {
      const assumptions = Array.from({ length: 64 }, (_each, index) => say(place * 64 + index));
      return reading(`r${place}`, [{ ...claimOn(seed, 'Do it'), atom: flag(`it.do${place}`) }], {
        assumptions,
      });
    };
    const start = process.cpuUsage().user;
    played(seed, { a: Array.from({ length: READINGS }, (_each, place) => one(place)) });
    expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(SECONDS_MAX);
  });
});

describe('quotes that ground nothing', () => {
  it.each(Object.entries(FAMILY))(
    'intent/linear: %s: bytes hashed and time stay within the size of request and answer',
    (_name, claimOf) => {
      const seed = WORDS.repeat(300);
      const value = answerOf(claimOf, seed.length);
      let hashed = 0;
      const counting = (bytes: Uint8Array): Digest => {
        hashed += bytes.length;
        return native(bytes);
      };
      const start = process.cpuUsage().user;
      const result = orThrow(
        runEngine(
          'run',
          seed,
          null,
          policyWith(),
          { proposer: 'fixture:x', proposeInterpretations: () => ({ source: 'synthetic', value }) },
          't',
          { sha256: counting },
        ),
      );
      expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(SECONDS_MAX);
      // 3,600 quotes of 36 kB would be 128 MB.
      expect(hashed).toBeLessThan(40 * (seed.length + JSON.stringify(value).length));
      expect(result.artifacts['refusal_report']).toMatchObject({ reason_codes: ['no_valid_interpretation'] });
    },
  );

  it('intent/linear: what is read of a quote once is what is read of it alone', () => {
    const text = `${WORDS.repeat(4)}\n- **No** card data; ~~must not~~ may be stored.\n`;
    const seed = new SeedText(text);
    const quote = fc
      .tuple(fc.nat(seed.length - 1), fc.nat(seed.length))
      .map(([start, size]): Quote => ({ start, end: Math.min(seed.length, start + size + 1) }));
    const claim = fc.record({
      kind: fc.constantFrom<Claim['kind'][]>('requirement', 'question', 'assumption'),
      modality: fc.constantFrom<Claim['modality'][]>('must', 'must_not', 'may'),
      quote,
      atom: fc.constantFrom(null, flag('logs.delete'), flag('card_data'), amount('a.b', '<=', 5, 's')),
      scope: fc.record({
        actor: fc.option(quote),
        condition: fc.constant(null),
        exception: fc.option(quote),
      }),
    });
    const drawn = fc.tuple(
      fc.array(quote, { minLength: 1, maxLength: 3 }),
      fc.array(claim, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(2), { minLength: 8, maxLength: 8 }),
    );
    fc.assert(
      fc.property(drawn, ([quotes, claims, picks]) => {
        // Some quotes come again, so that a fact that was kept is asked for.
        const commits = claims.map((one, index) => ({
          ...one,
          quote: quotes[picks[index] ?? 0] ?? one.quote,
        }));
        const one = reading('r', commits);
        const run = played(
          text,
          { a: [one] },
          policyWith({ proposers: ['a'], min_score: 0, contradiction_budget: 99 }),
        );
        const nodes = run.records.flatMap(
          ({ payload }) =>
            (
              payload as {
                readonly graph?: {
                  readonly nodes: readonly {
                    readonly kind: string;
                    readonly payload: { readonly commitments?: string };
                  }[];
                };
              }
            ).graph?.nodes ?? [],
        );
        expect(nodes.find(({ kind }) => kind === 'interpretation')?.payload.commitments).toBe(
          keyByDefinition(commits, seed),
        );
        const alone = commits.filter(
          (each, index) =>
            commits.findIndex((other) => identity(other, seed) === identity(each, seed)) === index,
        );
        const asserting = alone.findIndex(
          (each) => assertedNegation([each], SILENT, findNegations(new SeedText(text))) !== null,
        );
        const vetoes = eventsOf(run, 'vetoed').flatMap(
          (event) =>
            event['vetoes'] as readonly {
              readonly code: string;
              readonly asserted?: { readonly claim?: number };
            }[],
        );
        const polarity = vetoes.find(({ code }) => code === 'polarity');
        expect(polarity?.asserted?.claim ?? -1).toBe(asserting);
      }),
      runs,
    );
  });

  it(
    'beyond 32 MiB of long quotes only their places count: a reading that says the same ' +
      'elsewhere is another one',
    () => {
      const seed = WORDS.repeat(1_000);
      const half = seed.length / 2;
      const commits = (start: number, count: number): readonly Claim[] =>
        Array.from({ length: count }, () => ({
          kind: 'requirement',
          modality: 'must',
          quote: { start, end: start + half },
          atom: null,
          scope: NO_SCOPE,
        }));
      const codes = (count: number): readonly string[] => {
        const run = played(
          seed,
          { a: [reading('first', commits(0, count)), reading('again', commits(half, count))] },
          policyWith({ proposers: ['a'] }),
        );
        return eventsOf(run, 'vetoed').map((event) =>
          (event['vetoes'] as readonly { readonly code: string }[]).map(({ code }) => code).join(' '),
        );
      };
      expect(codes(1)).toEqual(['ungrounded', 'duplicate_reading ungrounded']);
      expect(codes(300)).toEqual(['ungrounded', 'ungrounded']);
    },
  );
});

const SILENT: Interpretation = reading('r', [], { intent_summary: '' });

/** A claim's identity by its definition: equal words are one, wherever they stand. */
function identity({ kind, modality, atom, quote, scope }: Claim, seed: SeedText): string {
  return JSON.stringify([
    kind,
    modality,
    atom,
    ...[quote, scope.actor, scope.condition, scope.exception].map((one) =>
      one === null ? null : seed.slice(one),
    ),
  ]);
}

/** The key of a reading by its definition (docs/formats/intent.md), with no fact kept. */
function keyByDefinition(commits: readonly Claim[], seed: SeedText): string {
  const words = (quote: Quote | null): string =>
    quote === null
      ? ''
      : seed
          .slice(quote)
          .trim()
          .replaceAll(/[ \n\t\r]+/g, ' ')
          .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const texts = commits.map(({ kind, modality, atom, quote, scope }) => {
    const force = kind === 'question' || kind === 'assumption' ? kind : '';
    return [
      force,
      modality,
      atom === null ? '' : renderAtom(atom),
      [scope.actor, scope.condition, scope.exception].map(words).join('\u0001'),
      atom === null ? words(quote) : '',
    ].join('\u0000');
  });
  return orThrow(hashCanonical({ t: 'reading', commitments: [...new Set(texts)].sort() }, nobleSha256));
}
