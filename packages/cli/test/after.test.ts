/** Earlier runs that a task cites with `--after`: what is handed on of them, and what cannot be cited. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { firstRecords } from './lib/places.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const fresh = (name: string, files: Readonly<Record<string, string>> = { 'a.txt': 'a' }): string => {
  mkdirSync(at(name), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(at(name, path), content);
  return at(name);
};
const filesIn = (name: string): readonly string[] => readdirSync(at(name)).sort();
const LEDGER = 'run.ledger.jsonl';
const golden = (name: string): string => join(ROOT, 'golden-fixtures', name, 'ledger.jsonl');

type Input = {
  readonly text: string;
  readonly session: readonly { readonly input: string; readonly summary: string }[];
};
const inputOf = (ledger: string): Input =>
  (
    JSON.parse(readFileSync(ledger, 'utf8').split('\n')[0] ?? '') as {
      readonly payload: { readonly input: Input };
    }
  ).payload.input;

/** Calls in one workspace, each with a ledger of its own, which is given back. */
function calls(name: string, files?: Readonly<Record<string, string>>) {
  fresh(name, files);
  let count = 0;
  return async (text: string, after: readonly string[], ...more: readonly string[]) => {
    const out = at(`${name}-out-${(count += 1)}`);
    const cited = after.flatMap((ledger) => ['--after', ledger]);
    const ended = await called(
      ...['task', text, '--workspace', at(name), '--set', 'clock=stamps', ...cited, ...more, '-o', out],
    );
    return { ...ended, out, ledger: join(out, LEDGER) };
  };
}
const LARGEST = 'find * largest | names -> Name; write Name to r.md';

describe('what is cited', () => {
  test('is handed to the perceiver, in the words of each task and with what came of it', async () => {
    const call = calls('cited');
    const first = await call(LARGEST, []);
    const second = await call('how are you?', [first.ledger]);
    const third = await call('find * | count', [first.ledger, second.ledger]);
    expect([second.code, third.code]).toEqual([1, 0]);
    expect(inputOf(third.ledger).session).toMatchObject([
      { input: LARGEST, summary: expect.stringMatching(/^wrote r\.md: /) as string },
      { input: 'how are you?' },
    ]);
  });

  test('makes another run of the same words in a store', async () => {
    fresh('stored');
    const where = ['--workspace', at('stored'), '--set', 'clock=stamps', '--store', `file:${at('store')}`];
    const ran = (...more: readonly string[]): ReturnType<typeof calledJson> =>
      calledJson('task', 'find * | count', ...where, ...more);
    const first = await ran();
    const after = ['--after', at('store', `${String(first['run_id'])}.ledger.jsonl`)];
    const second = await ran(...after);
    expect([first['was_over'], second['was_over'], second['run_id'] === first['run_id']]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await ran(...after))['was_over']).toBe(true);
  });
});

describe('what cannot be cited', () => {
  const E2E = golden('controller-e2e-accept');
  const file = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  const CASES: readonly (readonly [string, () => readonly string[], code: number, says: RegExp])[] = [
    [
      'an open run',
      () => [file('open', firstRecords(readFileSync(E2E, 'utf8'), 4))],
      2,
      /^assay: run_open: [^]*resume/,
    ],
    [
      'a broken chain',
      () => [file('broken', readFileSync(E2E, 'utf8').replace('deep/b.txt', 'deep/c.txt'))],
      3,
      /^assay: \w+: [^]*broken/,
    ],
    [
      'another decision',
      () => [golden('forgeries/controller-loss-lowered')],
      3,
      /^assay: differs: [^]*controller-loss-lowered/,
    ],
    ['more than five', () => Array.from({ length: 6 }, () => E2E), 2, /^assay: bad_value: .*at most 5/],
  ];

  test.each(CASES)(
    '%s: a code, the file and what to do; nothing is done',
    async (name, ledgers, code, says) => {
      const ended = await calls(`not ${name}`)(LARGEST, ledgers());
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(says)]);
      expect(ended.stderr).toMatch(/\n {2}place {3}.*\n {2}remedy {2}/);
      expect([filesIn(`not ${name}`), existsSync(ended.out)]).toEqual([['a.txt'], false]);
    },
  );

  test('a what-if: nothing of it happened', async () => {
    const fork = at('fork.jsonl');
    const refined = golden('controller-e2e-refine');
    await called('whatif', refined, '--set', 'theta=790000', '-o', fork);
    const { code, stderr } = await calls('forked')(LARGEST, [fork]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^assay: fork: .*controller-e2e-refine/)]);
  });

  test('a ledger that -o would write over is refused', async () => {
    const call = calls('over');
    const { ledger, out } = await call(LARGEST, []);
    const again = ['task', 'find * | count', '--workspace', at('over'), '--after', ledger];
    expect((await called(...again, '-o', out)).code).toBe(2);
    expect(inputOf(ledger).text).toBe(LARGEST);
  });
});
