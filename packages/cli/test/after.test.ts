/** Earlier runs that a task cites with `--after`: what its words refer to, and what cannot be cited. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const LARGEST = 'find the largest file and write its name to r.md';

describe('what words refer to', () => {
  test('"do it again" does the cited task again, however often it was said', async () => {
    const call = calls('again');
    let { ledger, code } = await call(LARGEST, []);
    for (const text of ['do it again', 'do it again', 'wrong, the smallest', 'do it again']) {
      rmSync(at('again', 'r.md'));
      ({ ledger, code } = await call(text, [ledger]));
      expect([text, code, existsSync(at('again', 'r.md'))]).toEqual([text, 0, true]);
    }
    expect(inputOf(ledger)).toMatchObject({
      text: 'do it again',
      session: [{ input: 'find the smallest file and write its name to "r.md"' }],
    });
  });

  test('a task that was not understood is cited in its own words, and passed over', async () => {
    const call = calls('passed');
    const first = await call(LARGEST, []);
    const second = await call('how are you?', [first.ledger]);
    rmSync(at('passed', 'r.md'));
    const third = await call('do it again', [first.ledger, second.ledger]);
    expect([second.code, third.code, filesIn('passed')]).toEqual([1, 0, ['a.txt', 'r.md']]);
    expect(inputOf(third.ledger).session.map(({ input }) => input)).toEqual([LARGEST, 'how are you?']);
  });

  test('"that file" where two are meant: both are asked about, and nothing is done', async () => {
    const call = calls('either', { 'a.txt': 'a', 'big.txt': 'bb' });
    const { ledger } = await call(LARGEST, []);
    const either = await call('delete that file', [ledger], '--confirm', 'remove_file:r.md');
    const asked =
      /\nwhich one\? {2}big\.txt, which was found, or "r\.md", which was written\? say its path\n/;
    expect([either.code, either.stdout]).toEqual([1, expect.stringMatching(asked)]);
    expect((await called('show', either.ledger)).stdout).toContain('ambiguous: big.txt, which was found, or');
    const heading = '\n## Which one is meant? Say its path (2)\n';
    expect((await called('show', either.ledger, '--format', 'markdown')).stdout).toContain(heading);
    expect(readFileSync(join(either.out, 'final-result.md'), 'utf8')).toContain(heading);
    expect(filesIn('either')).toEqual(['a.txt', 'big.txt', 'r.md']);
    const words = 'delete the file that was written';
    expect((await call(words, [ledger], '--confirm', 'remove_file:r.md')).code).toBe(0);
    expect(filesIn('either')).toEqual(['a.txt', 'big.txt']);
  });

  test('in a store the same words after another run are another run', async () => {
    fresh('stored');
    const store = `file:${at('store')}`;
    const call = (text: string, ...more: readonly string[]): ReturnType<typeof calledJson> =>
      calledJson(
        'task',
        text,
        '--workspace',
        at('stored'),
        '--set',
        'clock=stamps',
        '--store',
        store,
        ...more,
      );
    const ran = async (text: string, ...more: readonly string[]): Promise<string> => {
      const { run_id, was_over } = await call(text, ...more);
      expect(was_over).toBe(false);
      return at('store', `${String(run_id)}.ledger.jsonl`);
    };
    const first = await ran(LARGEST);
    rmSync(at('stored', 'r.md'));
    const again = ['--after', first, '--confirm', 'write_file:r.md'];
    const second = await ran('do it again', ...again);
    expect(second).not.toBe(first);
    rmSync(at('stored', 'r.md'));
    expect((await call('do it again', ...again))['was_over']).toBe(true);
    await ran('do it again', '--after', first, '--after', second);
    expect(filesIn('stored')).toEqual(['a.txt', 'r.md']);
  });
});

describe('what cannot be cited', () => {
  const E2E = golden('controller-e2e-accept');
  const file = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  const CASES: readonly (readonly [string, () => readonly string[], code: number, says: RegExp])[] = [
    ['no file', () => [at('nowhere')], 2, /^assay: missing_file: [^]*nowhere/],
    ['no ledger', () => [file('text', 'words\n')], 2, /^assay: \w+: [^]*text/],
    [
      'another machine',
      () => [golden('intent-clinic-reminders')],
      2,
      /^assay: other_machine: [^]*task wrote/,
    ],
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
    const again = ['task', 'do it again', '--workspace', at('over'), '--after', ledger];
    expect((await called(...again, '-o', out)).code).toBe(2);
    expect(inputOf(ledger).text).toBe(LARGEST);
  });

  test('--session: what to use instead', async () => {
    for (const command of [
      ['task', LARGEST],
      ['resume', 'file:x#x'],
    ])
      expect(await called(...command, '--session', 'x')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^assay: unknown_option: [^]*--after LEDGER/) as string,
      });
  });
});
