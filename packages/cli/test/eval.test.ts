/** `assay eval`: what it reads, what it refuses to read, and the line it prints. */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAnnotatedFile } from '../src/evaluation/annotated-file.ts';
import { namesIn, readFolder } from '../src/evaluation/annotated-folder.ts';
import { readByRules } from '../src/evaluation/reading.ts';
import { Stop } from '../src/problem.ts';
import { annotated } from './lib/annotated.ts';
import { assay, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = temporaryFolder();
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

let count = 0;
/** A folder with requests: text and annotation by name. */
function folderOf(requests: Readonly<Record<string, readonly [text: string, expected: unknown]>>): string {
  const made = join(folder, String((count += 1)));
  mkdirSync(made);
  for (const [name, [text, expected]] of Object.entries(requests)) {
    writeFileSync(join(made, `${name}.txt`), text);
    if (expected !== undefined)
      writeFileSync(
        join(made, `${name}.expected.json`),
        typeof expected === 'string' ? expected : JSON.stringify(expected),
      );
  }
  return made;
}

async function problemOf(
  reading: Promise<unknown>,
): Promise<{ readonly code: string; readonly place: string; readonly remedy: string }> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof Stop) return error.problem;
    throw error;
  }
  throw new Error('nothing was raised');
}

describe('the line', () => {
  test('is one, on stdout, and holds every figure', async () => {
    const { code, stdout, stderr } = await assay(['eval', folderOf({ logs: [LOGS, LOGS_EXPECTED] })]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toEqual({
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

  test('is the same with --json and --quiet, and runs over several folders', async () => {
    const places = [folderOf({ logs: [LOGS, LOGS_EXPECTED] }), folderOf({ logs: [LOGS, EMPTY] })];
    const [first, ...rest] = await Promise.all(
      [[], ['--json'], ['--quiet']].map((more) => assay(['eval', ...places, ...more])),
    );
    expect(JSON.parse(first?.stdout ?? '')).toMatchObject({
      requests: 2,
      requirement: { p: 0.5, r: 1, n: 1 },
    });
    for (const { stdout } of rest) expect(stdout).toBe(first?.stdout);
  });
});

describe('what is held back', () => {
  const both = (): string =>
    folderOf({
      a: [LOGS, { ...EMPTY, claims: [{ ...LOGS_CLAIM, modality: 'may' }] }],
      b: ['Pigs must fly at once.\n', EMPTY],
      B: [LOGS, LOGS_EXPECTED],
    });

  test('is every even name, by UTF-16 code units', () => {
    expect(namesIn(both())).toEqual([
      { name: 'B', isHeldBack: false },
      { name: 'a', isHeldBack: true },
      { name: 'b', isHeldBack: false },
    ]);
  });

  test('is neither read nor shown with --half dev', async () => {
    const where = folderOf({
      a: [LOGS, LOGS_EXPECTED],
      b: ['\u0000', '{'],
      c: ['Pigs must fly at once.\n', EMPTY],
    });
    const { code, stdout, stderr } = await assay(['eval', where, '--half', 'dev', '--details']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ requests: 2 });
    expect(stderr).toContain('Pigs must fly');
    expect((await assay(['eval', where])).code).toBe(2);
  });

  test('counts in the whole without being shown, and is shown where only it is asked for', async () => {
    const whole = await assay(['eval', both(), '--details']);
    expect(JSON.parse(whole.stdout)).toMatchObject({ requests: 3 });
    expect(whole.stderr).not.toContain('Logs must');
    expect(whole.stderr).toContain('1 held-back requests count and are not shown');
    const half = await assay(['eval', both(), '--half', 'held-back', '--details']);
    expect(JSON.parse(half.stdout)).toMatchObject({ requests: 1 });
    expect(half.stderr).toContain('Logs must');
  });
});

describe('an annotation that is broken stops everything, with its place and no word of its text', () => {
  const claim = LOGS_CLAIM;
  const claims = (...all: readonly unknown[]): unknown => ({ ...EMPTY, claims: all });
  const trap = (value: unknown): unknown => ({ ...EMPTY, traps: [{ must_not: value }] });
  test.each([
    ['no annotation', undefined, 'missing_annotation', 'logs.txt'],
    ['no JSON', '{"claims": [', 'json', 'logs.expected.json'],
    ['no object', [], 'annotation', '(root)'],
    ['no list of claims', { ...EMPTY, claims: null }, 'annotation', '/claims'],
    ['a quote that is not the slice', claims({ ...claim, end: 37 }), 'annotation', '/claims/0/quote'],
    ['a span beyond the text', claims({ ...claim, end: 400 }), 'annotation', '/claims/0'],
    ['an empty span', claims({ ...claim, start: 38 }), 'annotation', '/claims/0'],
    ['a modality unknown', claims({ ...claim, modality: 'shall' }), 'annotation', '/claims/0/modality'],
    [
      'an atom with a float',
      claims({ ...claim, atom: { ...claim.atom, value: 30 } }),
      'annotation',
      '/claims/0/atom/value',
    ],
    [
      'a contradiction with no such claim',
      { ...EMPTY, contradictions: [{ a: 0, b: 1 }] },
      'annotation',
      '/contradictions/0/a',
    ],
    [
      'a trap of another kind',
      trap({ kind: 'colour', value: 'any' }),
      'annotation',
      '/traps/0/must_not/kind',
    ],
    [
      'a trap whose words are not there',
      trap({ kind: 'claim', value: { modality: 'must', quote: 'cats' } }),
      'annotation',
      '/traps/0/must_not/value/quote',
    ],
    [
      'a quantity without number',
      { ...EMPTY, quantities: [{ quote: 'Logs', start: 0, end: 4, op: '=', value: '3', unit: null }] },
      'annotation',
      '/quantities/0/value',
    ],
    [
      'a question whose quote is not the slice',
      { ...EMPTY, questions: [{ quote: 'Logs', start: 1, end: 5, class: 'bound' }] },
      'annotation',
      '/questions/0/quote',
    ],
  ])('%s', async (_name, expected, code, place) => {
    const problem = await problemOf(readFolder(folderOf({ logs: [LOGS, expected] }), 'all'));
    expect(problem).toMatchObject({ code, place: expect.stringContaining(place) as string });
    expect(problem.remedy).not.toBe('');
    expect(JSON.stringify(problem)).not.toContain('must be kept');
  });

  test('exit 2, and nothing on stdout', async () => {
    const { code, stdout, stderr } = await assay(['eval', folderOf({ logs: [LOGS, undefined] })]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^assay: missing_annotation: .*\n {2}place .*logs\.txt\n {2}remedy /);
  });

  test('no such folder, none with requests, a half of a file', async () => {
    expect(await problemOf(readFolder(join(folder, 'nowhere'), 'all'))).toMatchObject({
      code: 'missing_folder',
    });
    expect(await problemOf(readFolder(folderOf({}), 'all'))).toMatchObject({ code: 'no_requests' });
    const file = join(folder, 'none.json');
    writeFileSync(file, '{"meta":{"format":"assay.requests-annotated.v1"},"requests":[]}');
    expect((await assay(['eval', file, '--half', 'dev'])).stderr).toMatch(/^assay: half: /);
    expect((await assay(['eval', file, '--half', 'other'])).code).toBe(2);
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
  const fileOf = (...requests: readonly unknown[]): string => {
    const file = join(folder, `other-${(count += 1)}.json`);
    writeFileSync(file, JSON.stringify({ meta: { format: 'assay.requests-annotated.v1' }, requests }));
    return file;
  };

  test("places become code points, a range its two ends, units the machine's", async () => {
    const [one] = await readAnnotatedFile(fileOf(request));
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
      isHeldBack: false,
      vague: [{ start: 40, end: 43 }],
      contradictions: [{ a: { start: 2, end: 10 }, b: { start: 26, end: 35 } }],
    });
  });

  test('prints the same line', async () => {
    const { code, stdout } = await assay([
      'eval',
      fileOf(request, { ...request, expect: 'refuse:too_vague' }),
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      requests: 2,
      requirement: { n: 4 },
      quantity_value: { n: 6 },
      contradiction: { n: 2 },
    });
  });

  test.each([
    [
      'a quote that is not the slice',
      {
        meta: { format: 'assay.requests-annotated.v1' },
        requests: [{ ...request, vague: [{ quote: 'hum', span: [0, 3] }] }],
      },
      '/requests/0/vague/0/quote',
    ],
    [
      'a range without ends',
      {
        meta: { format: 'assay.requests-annotated.v1' },
        requests: [{ ...request, measures: [{ operator: 'range', value: '3', unit: '-', ...span('2') }] }],
      },
      '/requests/0/measures/0/value',
    ],
  ])('%s', async (_name, value, place) => {
    const file = join(folder, `broken-${(count += 1)}.json`);
    writeFileSync(file, JSON.stringify(value));
    expect(await problemOf(readAnnotatedFile(file))).toMatchObject({
      code: 'annotation',
      place: expect.stringContaining(place) as string,
    });
  });
});

describe('what cannot be judged is exit 2, with code, place and remedy', () => {
  const put = (content: string | Uint8Array): string => {
    const file = join(folder, `bad-${(count += 1)}.json`);
    writeFileSync(file, content);
    return file;
  };
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  const big = put('');
  truncateSync(big, 104_857_600);
  const empty = folderOf({});
  const nested = folderOf({});
  mkdirSync(join(nested, 'a.txt'));
  writeFileSync(join(nested, 'a.expected.json'), '{}');

  test.each<readonly [name: string, path: string, code: string, words: string]>([
    ['no such file', join(folder, 'nowhere'), 'missing_file', 'no such file or folder'],
    ['a part of the path that is a file', join(put('x'), 'y'), 'missing_file', 'no such file or folder'],
    ['a name too long', 'x'.repeat(5_000), 'missing_file', 'no such file or folder'],
    ['a link to itself', loop, 'unreadable', 'ELOOP'],
    ['an empty folder', empty, 'no_requests', 'NAME.txt'],
    ['a folder called like a request', nested, 'is_folder', 'name a file'],
    ['standard input', '-', 'no_stdin', 'name a folder'],
    [
      'a binary file',
      put(Uint8Array.from({ length: 300 }, (_, index) => (index * 89) % 256)),
      'not_text',
      'UTF-8',
    ],
    ['an empty file', put(''), 'json', 'nothing in it'],
    ['no JSON', put('{"meta":'), 'json', 'JSON'],
    ['a ledger', put('{"kind":"genesis"}\n{"kind":"decision"}\n'), 'json', 'one on each line'],
    [
      'a version to come',
      put('{"meta":{"format":"assay.requests-annotated.v9"},"requests":[]}'),
      'annotation_format',
      'assay.requests-annotated.v9',
    ],
    ['a list', put('[]'), 'annotation_format', 'no file of annotated requests'],
    ['a line of 100 MB', big, 'too_large', '16777216'],
    ['nesting without end', put('['.repeat(100_000)), 'inadmissible', 'deeper'],
    [
      'a broken annotation',
      put('{"meta":{"format":"assay.requests-annotated.v1"},"requests":[{}]}'),
      'annotation',
      'is expected',
    ],
  ])('%s', async (_, path, code, words) => {
    const { code: exit, stdout, stderr } = await called('eval', path);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^assay: ${code}: .+\\n {2}place {3}.+\\n {2}remedy {2}\\S.*\\n$`));
    expect(stderr).toContain(words);
    expect(await calledJson('eval', path)).toMatchObject({ error: { code } });
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
