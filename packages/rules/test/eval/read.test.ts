/** Annotated requests: what is read of them, and what of an annotation is refused. */
import { describe, expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import { annotatedIn, annotatedText, figuresOf, judge, readByRules } from '../../src/eval/index.ts';
import { requestsIn } from '../../../../scripts/lib/requests.mjs';
import { annotated } from './annotated.ts';

const EMPTY = { claims: [], quantities: [], contradictions: [], questions: [], traps: [], refusal: null };
const LOGS = 'Logs must be kept for at least 30 days.\n';
const LOGS_CLAIM = {
  modality: 'must',
  quote: 'Logs must be kept for at least 30 days',
  start: 0,
  end: 38,
  atom: { key: 'log.age', op: '>=', value: { n: 30, scale: 0 }, unit: 'd' },
  condition: null,
  exception: null,
  actor: null,
};
const LOGS_EXPECTED = {
  ...EMPTY,
  claims: [LOGS_CLAIM],
  quantities: [
    { quote: 'at least 30 days', start: 22, end: 38, op: '>=', value: { n: 30, scale: 0 }, unit: 'd' },
  ],
};

const read = (expected: unknown): ReturnType<typeof annotatedText> =>
  annotatedText(
    'logs.jsonl',
    (Array.isArray(expected) ? expected : { name: 'logs', text: LOGS, ...(expected as object) }) as Json,
  );

test('the figures of a request read as annotated', () => {
  const request = read(LOGS_EXPECTED);
  expect(figuresOf([judge(request, readByRules(request))])).toEqual({
    requests: 1,
    requirement: { p: 1, r: 1, n: 1 },
    quantity_value: { p: 1, r: 1, n: 1 },
    quantity_operator: { p: 1, r: 1, n: 1 },
    vague: { p: null, r: null, n: 0 },
    contradiction: { p: null, r: null, n: 0 },
    polarity_right: 1,
    false_refusals: 0,
    no_quote: 0,
    traps: 0,
  });
});

test.each([
  ['long', 16],
  ['long.held-back', 16],
  ['short', 18],
  ['short.held-back', 18],
  ['more', 125],
] as const)('every line of %s is a request with its annotation, by name', (file, count) => {
  const lines = requestsIn(file);
  const names = lines.map((line) => annotatedText(file, line as unknown as Json).name);
  expect([names.length, new Set(names).size]).toEqual([count, count]);
  expect(names).toEqual(names.toSorted());
});

describe('an annotation that is broken is a defect with its place and no word of its text', () => {
  const claim = LOGS_CLAIM;
  const claims = (...all: readonly unknown[]): unknown => ({ ...EMPTY, claims: all });
  const trap = (value: unknown): unknown => ({ ...EMPTY, traps: [{ must_not: value }] });
  test.each([
    ['no object', [], '(root)'],
    ['no text', { ...EMPTY, text: null }, '/text'],
    ['no list of claims', { ...EMPTY, claims: null }, '/claims'],
    ['a quote that is not the slice', claims({ ...claim, end: 37 }), '/claims/0/quote'],
    ['a span beyond the text', claims({ ...claim, end: 400 }), '/claims/0'],
    ['an empty span', claims({ ...claim, start: 38 }), '/claims/0'],
    ['a modality unknown', claims({ ...claim, modality: 'shall' }), '/claims/0/modality'],
    [
      'an atom with a float',
      claims({ ...claim, atom: { ...claim.atom, value: 30 } }),
      '/claims/0/atom/value',
    ],
    [
      'a contradiction with no such claim',
      { ...EMPTY, contradictions: [{ a: 0, b: 1 }] },
      '/contradictions/0/a',
    ],
    ['a trap of another kind', trap({ kind: 'colour', value: 'any' }), '/traps/0/must_not/kind'],
    [
      'a trap whose words are not there',
      trap({ kind: 'claim', value: { modality: 'must', quote: 'cats' } }),
      '/traps/0/must_not/value/quote',
    ],
    [
      'a quantity without number',
      { ...EMPTY, quantities: [{ quote: 'Logs', start: 0, end: 4, op: '=', value: '3', unit: null }] },
      '/quantities/0/value',
    ],
    [
      'a question whose quote is not the slice',
      { ...EMPTY, questions: [{ quote: 'Logs', start: 1, end: 5, class: 'bound' }] },
      '/questions/0/quote',
    ],
  ])('%s', (_name, expected, place) => {
    expect(() => read(expected)).toThrow(place);
    expect(() => read(expected)).not.toThrow(/must be kept/);
  });
});

describe('the other format', () => {
  const text = '😀 The pump must not fail. It should not hum, about 2 hours, -20 to 60 °C.';
  const span = (words: string): object => ({
    quote: words,
    span: [text.indexOf(words), text.indexOf(words) + words.length],
  });
  const request = {
    id: 'd1',
    expect: 'interpret',
    text,
    requirements: [
      { level: 'must', negated: true, ...span('The pump must not fail') },
      { level: 'should', negated: true, ...span('It should not hum') },
    ],
    measures: [
      { operator: '~', value: 2, unit: 'hour', ...span('about 2 hours') },
      { operator: 'range', value: '-20..60', unit: '°C', ...span('-20 to 60 °C') },
    ],
    vague: [span('hum')],
    contradictions: [{ kind: 'exclusive', a: span('The pump'), b: span('It should') }],
  };
  const documentOf = (...requests: readonly unknown[]): Json =>
    ({ meta: { format: 'assay.requests-annotated.v1' }, requests }) as Json;

  test("places become code points, a range its two ends, units the machine's", () => {
    const [one] = annotatedIn('other.json', documentOf(request));
    expect(one?.claims).toEqual([
      { modality: 'must_not', isNegative: true, quote: { start: 2, end: 24 }, atom: null },
      { modality: 'should', isNegative: null, quote: { start: 26, end: 43 }, atom: null },
    ]);
    expect(one?.quantities.map(({ op, value, unit }) => [op, value, unit])).toEqual([
      ['~', { n: 2, scale: 0 }, 'h'],
      ['>=', { n: -20, scale: 0 }, 'degC'],
      ['<=', { n: 60, scale: 0 }, 'degC'],
    ]);
    expect(one).toMatchObject({
      refusal: null,
      vague: [{ start: 40, end: 43 }],
      contradictions: [{ a: { start: 2, end: 10 }, b: { start: 26, end: 35 } }],
    });
  });

  test.each([
    [
      'a quote that is not the slice',
      { vague: [{ quote: 'hum', span: [0, 3] }] },
      '/requests/0/vague/0/quote',
    ],
    [
      'a range without ends',
      { measures: [{ operator: 'range', value: '3', unit: '-', ...span('2') }] },
      '/requests/0/measures/0/value',
    ],
  ])('%s', (_name, change, place) => {
    expect(() => annotatedIn('other.json', documentOf({ ...request, ...change }))).toThrow(place);
  });

  test('is no other document', () => {
    expect(() => annotatedIn('other.json', { meta: { format: 'assay.other' }, requests: [] })).toThrow(
      '/meta/format',
    );
    expect(() => annotatedIn('other.json', [])).toThrow('(root)');
  });
});

describe('what is read of a request', () => {
  test('the reading the machine ranks first, also where the run is refused', () => {
    const read = readByRules(
      annotated({ text: 'The logs must be deleted after 30 days. The logs must be deleted after 60 days.' }),
    );
    expect(read.name).toBe('literal');
    expect(read.claims.map(({ quote }) => quote)).toEqual([
      { start: 0, end: 38 },
      { start: 40, end: 78 },
    ]);
    expect(read.refused).toEqual(read.contradictions.length > 0 ? ['contradiction_budget'] : []);
  });

  test('quantities of the background too, and of a text the rules do not read', () => {
    expect(
      readByRules(
        annotated({ text: 'It takes 52 minutes today. The export must finish within 2 minutes.' }),
      ).quantities.map(({ op, value, unit }) => [op, value, unit]),
    ).toEqual([
      ['=', { n: 52, scale: 0 }, 'min'],
      ['<=', { n: 2, scale: 0 }, 'min'],
    ]);
    const german = readByRules(
      annotated({ text: 'Der neue Boden muss bis 16 kg aushalten und soll nicht knarren oder quietschen.' }),
    );
    expect(german).toMatchObject({ claims: [], quantities: [{ value: { n: 16, scale: 0 }, unit: 'kg' }] });
    expect(german.refused).not.toEqual([]);
  });

  test('a pin of a request goes into its run, and the policy is kept', () => {
    expect(readByRules(annotated({ text: LOGS, pin: { no_x: true } })).isPolicyKept).toBe(true);
    expect(() => readByRules(annotated({ text: LOGS, pin: { 'A B': 1 } }))).toThrow(/bad_pin/);
  });
});
