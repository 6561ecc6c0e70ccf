/**
 * No gain by copying, intent I10, on real requests: readings made of what the rules claim and of claims at
 * random, each changed in one way that says nothing new. Neither coverage nor the total may rise.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import {
  listCandidates,
  defaultPolicy,
  readFacts,
  parseInterpretations,
  QUOTE_POINTS_MAX,
  scoreReadings,
  SeedText,
  type Claim,
  type Interpretation,
  type Quote,
  type Scope,
  type SeedFacts,
  type SlotAnswer,
} from '@assay/kernel/intent';
import { requestsIn } from '../../../../scripts/lib/requests.mjs';
import { draws } from '../../../kernel/tools/laws.ts';
import { proposeByRules } from '../../src/language/index.ts';

const RUNS = draws(2_000);
const SEED = 20_260_101;
const runs = { seed: SEED, numRuns: RUNS };
console.log(`no-gain: seed ${SEED}, ${RUNS} runs each`);

/** The longest would take the time of all others. */
const texts = [...requestsIn('language'), ...requestsIn('short'), ...requestsIn('more')].map(
  ({ text }) => text,
);

type Case = {
  readonly facts: SeedFacts;
  readonly length: number;
  readonly answers: readonly Interpretation[];
  readonly claims: readonly Claim[];
  readonly words: readonly Quote[];
};

const cases: readonly Case[] = texts.flatMap((text) => {
  const { value } = proposeByRules({ slot: 'rules', seed_hash: '', seed_text: text, n: 8, pin: [] });
  const parsed = parseInterpretations(value ?? [], new SeedText(text));
  const answers = parsed._tag === 'Right' ? parsed.right : [];
  const claims = answers.flatMap(({ commits }) => commits);
  const facts = readFacts(text);
  const words = [...text.matchAll(/[A-Za-z0-9]+/g)].map(({ 0: word, index }) =>
    facts.seed.quote(index, index + word.length),
  );
  return claims.length === 0 ? [] : [{ facts, length: facts.seed.length, answers, claims, words }];
});

const key = (value: Json): string => JSON.stringify(value);
const weights = { ...defaultPolicy.weights };
const basisOf = (facts: SeedFacts) => ({
  policy: { ...defaultPolicy, proposers: ['a', 'b'], weights },
  pin: [],
  facts,
});
const answered = (slot: string, readings: readonly Interpretation[]): SlotAnswer => ({
  t: 'answered',
  slot,
  source: 'synthetic',
  proposer: `fixture:${slot}`,
  proposal_hash: '',
  confidence_ppm: null,
  readings,
});

/** Coverage and total of a reading beside what the rules say, whatever vetoes stood against it. */
function scored({ facts, answers }: Case, one: Interpretation): readonly [coverage: number, total: number] {
  const [own, other] = listCandidates(
    ['a', 'b'],
    [answered('a', [one]), answered('b', answers.slice(0, 1))],
    facts.seed,
    key,
  );
  const [score] = scoreReadings(
    [own, other].flatMap((candidate) =>
      candidate === undefined ? [] : [{ candidate, supporters: [candidate] }],
    ),
    basisOf(facts),
  );
  return [score?.parts[0]?.ppm ?? -1, score?.total ?? -1];
}

const NO_SCOPE: Scope = { actor: null, condition: null, exception: null };
const PARTS = ['actor', 'condition', 'exception'] as const;

/** A quote from word to word. */
const spans = ({ words }: Case): fc.Arbitrary<Quote> =>
  fc.tuple(fc.nat(words.length - 1), fc.oneof(fc.nat(8), fc.nat(60))).map(([first, size]) => ({
    start: words[first]?.start ?? 0,
    end: words[Math.min(words.length - 1, first + size)]?.end ?? 1,
  }));

/**
 * Claims of the rules, as they are, thinned of their scope or with something of it turned; and claims of
 * chance with atoms of the text.
 */
const claimsOf = (one: Case): fc.Arbitrary<Claim> => {
  const own = fc.constantFrom(...one.claims);
  const made = fc.record({
    kind: fc.constantFrom('requirement', 'constraint', 'assumption', 'question'),
    modality: fc.constantFrom('must', 'must_not', 'should', 'may'),
    quote: fc.option(spans(one), { freq: 6 }),
    atom: fc.oneof(
      fc.constant(null),
      own.map(({ atom }) => atom),
    ),
    scope: fc.oneof(
      fc.constant(NO_SCOPE),
      own.map(({ scope }) => scope),
    ),
  });
  const turned = fc
    .tuple(own, fc.constantFrom('must', 'must_not', 'should', 'may'), spans(one))
    .map(([claim, modality, quote]): Claim => ({ ...claim, modality, quote }));
  return fc.oneof(
    { weight: 4, arbitrary: own },
    { weight: 1, arbitrary: own.map((claim) => ({ ...claim, scope: NO_SCOPE })) },
    { weight: 2, arbitrary: turned },
    { weight: 2, arbitrary: made as fc.Arbitrary<Claim> },
  );
};

const readings: fc.Arbitrary<readonly [Case, Interpretation, number]> = fc
  .constantFrom(...cases)
  .chain((one) =>
    fc.tuple(fc.constant(one), fc.array(claimsOf(one), { minLength: 1, maxLength: 7 }), fc.nat(6)),
  )
  .map(([one, commits, at]) => [
    one,
    { name: 'drawn', assumptions: [], intent_summary: '', commits, contradictions: [], aliases: [] },
    at % commits.length,
  ]);

/**
 * Ways to make a quote longer, to the left, to the right, to its sentence and over several, to the length
 * allowed and to the whole text.
 */
const LONGER = ['left', 'right', 'both', 'sentence', 'sentences', 'allowed', 'seed'] as const;
const stretches = fc.tuple(
  fc.constantFrom(...LONGER),
  fc.oneof(fc.nat(12), fc.nat(QUOTE_POINTS_MAX)),
  fc.nat(3),
);

function longer(
  { facts, length }: Case,
  { start, end }: Quote,
  [way, by, ends]: readonly [(typeof LONGER)[number], number, number],
): Quote {
  const within = (from: number, to: number): Quote => ({
    start: Math.max(0, from),
    end: Math.min(length, to),
  });
  const text = facts.seed.text;
  const places = [
    0,
    ...[...text.matchAll(/[.!?\n]+\s*/g)].map(({ 0: mark, index }) =>
      facts.seed.pointAt(index + mark.length),
    ),
    length,
  ];
  const before = places.filter((place) => place <= start).length - 1;
  const after = places.findIndex((place) => place >= end);
  switch (way) {
    case 'left':
      return within(start - by, end);
    case 'right':
      return within(start, end + by);
    case 'both':
      return within(start - by, end + by);
    case 'sentence':
      return within(places[before] ?? 0, places[after] ?? length);
    case 'sentences':
      return within(places[Math.max(0, before - ends)] ?? 0, places[after + ends] ?? length);
    case 'allowed':
      return within(start, Math.max(end, start + QUOTE_POINTS_MAX));
    case 'seed':
      return { start: 0, end: length };
  }
}

const withClaim = (one: Interpretation, at: number, claim: Claim): Interpretation => ({
  ...one,
  commits: one.commits.map((other, index) => (index === at ? claim : other)),
});

/** How often each law had something to compare: a law over nothing would hold as well. */
const compared = new Map<string, number>();
function neverRises(law: string, one: Case, before: Interpretation, after: Interpretation): boolean {
  compared.set(law, (compared.get(law) ?? 0) + 1);
  const [[coverage, total], [coverageAfter, totalAfter]] = [scored(one, before), scored(one, after)];
  return coverageAfter <= coverage && totalAfter <= total;
}

/**
 * Words that make a condition or an exception, or pick something out before a modal verb: where one stands before a
 * quote in its sentence, a scope may say something.
 */
const CONDITION = new RegExp(
  '\\b(?:given|if|when|whenever|while|where|unless|except|without|provided|who|which|that|whose|as|once|until|till|' +
    'before|after|during|between|in|on|at|for|from|by|with|within|under|over|above|below|beyond|outside|inside|of|' +
    'per|only|should|failing|since|upon|whether|\\w+er|more|less|than|having|exceeding|up)\\b',
  'i',
);

describe('no gain by copying', () => {
  afterAll(() => {
    for (const law of ['quote', 'scope', 'added', 'repeated'])
      expect([law, (compared.get(law) ?? 0) > RUNS / 10]).toEqual([law, true]);
  });

  it('no-gain/longer-quote: however far the quote of a claim is stretched, neither coverage nor total rises', () => {
    fc.assert(
      fc.property(readings, stretches, ([one, reading, at], stretch) => {
        const claim = reading.commits[at] as Claim;
        return (
          claim.quote === null ||
          neverRises(
            'quote',
            one,
            reading,
            withClaim(reading, at, { ...claim, quote: longer(one, claim.quote, stretch) }),
          )
        );
      }),
      runs,
    );
  });

  it(
    'no-gain/longer-scope: however far an actor, condition or exception is stretched, ' +
      'neither coverage nor total rises',
    () => {
      fc.assert(
        fc.property(
          readings,
          fc.constantFrom(...PARTS),
          fc.nat(1_000),
          stretches,
          ([one, reading, at], part, pick, stretch) => {
            const claim = reading.commits[at] as Claim;
            const scopes = one.claims.flatMap(({ scope }) =>
              [scope[part] ?? scope.condition ?? scope.actor ?? []].flat(),
            );
            const quote = claim.scope[part] ?? scopes[pick % Math.max(1, scopes.length)];
            if (quote === undefined) return true;
            const scopeOf = (own: Quote): Interpretation =>
              withClaim(reading, at, { ...claim, scope: { ...claim.scope, [part]: own } });
            return neverRises('scope', one, scopeOf(quote), scopeOf(longer(one, quote, stretch)));
          },
        ),
        runs,
      );
    },
  );

  it(
    'no-gain/added-scope: an actor, condition or exception on words that no condition word ' +
      'comes before raises neither',
    () => {
      fc.assert(
        fc.property(
          readings.chain(([one, reading, at]) =>
            fc.tuple(
              fc.constant([one, reading, at] as const),
              fc.oneof(
                spans(one),
                fc.tuple(spans(one), stretches).map(([quote, stretch]) => longer(one, quote, stretch)),
              ),
            ),
          ),
          fc.constantFrom(...PARTS),
          ([[one, reading, at], quote], part) => {
            const claim = reading.commits[at] as Claim;
            const { seed } = one.facts;
            const from = seed.unitAt(quote.start);
            const sentence = one.facts.scoring.sentences.findLast(({ start }) => start <= quote.start);
            const before =
              seed.text.slice(seed.unitAt(sentence?.start ?? 0), from) +
              (/^[^A-Za-z]*[A-Za-z]*/.exec(seed.text.slice(from))?.[0] ?? '');
            if (claim.scope[part] !== null || CONDITION.test(before)) return true;
            return neverRises(
              'added',
              one,
              reading,
              withClaim(reading, at, { ...claim, scope: { ...claim.scope, [part]: quote } }),
            );
          },
        ),
        runs,
      );
    },
  );

  it(
    'no-gain/repeated-claim: a claim said again, on the same words or on others of its ' +
      'sentence that overlap them, raises neither',
    () => {
      fc.assert(
        fc.property(
          readings,
          fc.constantFrom('same', 'longer', 'part'),
          stretches,
          fc.nat(240),
          fc.nat(240),
          ([one, reading, at], way, stretch, from, size) => {
            const claim = reading.commits[at] as Claim;
            if (claim.quote === null) return true;
            const { start, end } = claim.quote;
            // A claim over several sentences accounts for nothing; on the words of one of them it says
            // something new.
            const isOne = !/[.!?\n]/.test(one.facts.seed.slice(claim.quote));
            const first = start + (from % (end - start));
            const part = { start: first, end: Math.min(one.length, first + 1 + size) };
            const quote =
              way === 'longer'
                ? longer(one, claim.quote, stretch)
                : way === 'part' && isOne
                  ? part
                  : claim.quote;
            return neverRises('repeated', one, reading, {
              ...reading,
              commits: [...reading.commits, { ...claim, quote }],
            });
          },
        ),
        runs,
      );
    },
  );
});
