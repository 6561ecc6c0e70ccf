import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assay } from './lib/assay.js';

const base = mkdtempSync(join(tmpdir(), 'assay-control-'));
const at = (...parts: readonly string[]): string => join(base, ...parts);
const TASK = 'find the largest file and write its name to report.md';

function workspace(name: string): string {
  const folder = at(name);
  mkdirSync(join(folder, 'deep'), { recursive: true });
  writeFileSync(join(folder, 'small.txt'), 'a');
  writeFileSync(join(folder, 'deep', 'big.txt'), 'b'.repeat(5_000));
  return folder;
}

describe('assay control', () => {
  let ledger = '';
  beforeAll(async () => {
    const { code } = await assay([
      'control',
      TASK,
      '--workspace',
      workspace('first'),
      '--no-clock',
      '-o',
      at('out'),
    ]);
    expect(code).toBe(0);
    ledger = at('out', 'run.ledger.jsonl');
    symlinkSync(tmpdir(), at('link'));
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it('does the task, and the file on disk says so', () => {
    expect(readFileSync(at('first', 'report.md'), 'utf8').trim()).toBe('deep/big.txt');
  });

  it('leaves a ledger that verifies and a result for people', async () => {
    const { code, stdout } = await assay(['verify', ledger]);
    expect({ code, held: stdout.includes('rederivation  held') }).toEqual({ code: 0, held: true });
    expect(readFileSync(at('out', 'final-result.md'), 'utf8')).toMatch(/^# Done: `accept`/);
  });

  it('shows the rounds, the directive and the loss as JSON', async () => {
    const { stdout } = await assay([
      'control',
      TASK,
      '--workspace',
      workspace('json'),
      '--no-clock',
      '--json',
    ]);
    const { status, rounds, final_result } = JSON.parse(stdout) as {
      status: string;
      rounds: { directive: string; L: { exact: string } }[];
      final_result: { directive: string };
    };
    expect(status).toBe('success');
    expect(rounds.at(-1)).toMatchObject({
      directive: 'accept',
      L: { exact: expect.stringMatching(/^\d+\/\d+$/) as string },
    });
    expect(final_result.directive).toBe('accept');
  });

  it('says what would have been under other numbers, without doing anything', async () => {
    const before = readFileSync(at('first', 'report.md'), 'utf8');
    const { code, stdout } = await assay([
      'whatif',
      ledger,
      '--set',
      'epsilon=50000',
      '-o',
      at('what-if.jsonl'),
    ]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('same        every decision says the same') as string,
    });
    expect((await assay(['verify', at('what-if.jsonl'), '--with', at('out')])).code).toBe(0);
    expect(readFileSync(at('first', 'report.md'), 'utf8')).toBe(before);
  });

  it.each([
    [
      'a sum of what is no number',
      'sum the numbers in n.txt and write the result to o.md',
      'read_file: not_a_number: abc',
    ],
    [
      'a name that is no UTF-8',
      'find the largest file and write its name to o.md',
      'find_files: unreadable: a name in "bad" is no UTF-8: "\uFFFD.txt"; what find_files gave is not the whole answer',
    ],
  ])('says why nothing could be made of what was found: %s', async (name, task, said) => {
    const root = workspace(`unmade-${name.length}`);
    writeFileSync(join(root, 'n.txt'), '1\nabc\n');
    mkdirSync(join(root, 'bad'));
    if (name.includes('UTF-8'))
      writeFileSync(
        Buffer.concat([Buffer.from(join(root, 'bad/')), Buffer.from([0xff]), Buffer.from('.txt')]),
        '',
      );
    const { code, stdout } = await assay(['control', task, '--workspace', root, '--no-clock']);
    expect([code, existsSync(join(root, 'o.md')), stdout]).toEqual([
      1,
      false,
      expect.stringContaining(`\nstopped at  ${said}\n`),
    ]);
  });

  it.each([
    [
      'a link that leads out of the workspace',
      'out/n.txt',
      'write_file: leaves_workspace: out/n.txt: a symbolic link leads out of the workspace',
    ],
    [
      'a link in the place of the file',
      'link.txt',
      'write_file: symlink: link.txt: a symbolic link stands there',
    ],
  ])('says at what it was stopped: %s', async (name, to, said) => {
    const root = workspace(`stopped-${name.length}`);
    mkdirSync(at('beside'), { recursive: true });
    symlinkSync(at('beside'), join(root, 'out'));
    symlinkSync(at('beside', 'canary.txt'), join(root, 'link.txt'));
    const args = [
      'control',
      `count all files and write the number to ${to}`,
      '--workspace',
      root,
      '--no-clock',
    ];
    const { code, stdout } = await assay([...args, '-o', at(name.replaceAll(' ', '-'))]);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`\nstopped at  ${said}\n`) as string,
    });
    expect(stdout).toMatch(/^result .*planner_gave_up \(target_refused\)/m);
    expect(stdout).not.toContain('confirm');
    expect(existsSync(at('beside', 'n.txt'))).toBe(false);
    // What only waits for a person is said with how to allow it, and not as refused.
    const { stdout: waiting } = await assay([
      'control',
      'write "x" to small.txt',
      '--workspace',
      root,
      '--no-clock',
    ]);
    expect([waiting.includes('to allow it --confirm'), waiting.includes('stopped at')]).toEqual([
      true,
      false,
    ]);
  });

  it('explains every round, and names the role that answers where it was not done', async () => {
    expect(await assay(['explain', ledger])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('because') as string,
    });
    await assay([
      'control',
      'search the web for the weather and write it to weather.md',
      '--workspace',
      workspace('web'),
      '--no-clock',
      '-o',
      at('web-out'),
    ]);
    const { code, stdout } = await assay(['explain', at('web-out', 'run.ledger.jsonl')]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/answers for it +R\d\w? [A-Z][\w -]+: \w+/) as string,
    });
  });

  it('asks a memory first and tells it afterwards', async () => {
    const url = `file:${at('memory')}`;
    const { code } = await assay([
      'control',
      TASK,
      '--workspace',
      workspace('remembering'),
      '--memory',
      url,
      '-o',
      at('remembered'),
    ]);
    expect(code).toBe(0);
    const { stdout } = await assay(['runs', '--store', url]);
    expect(stdout).toContain('memory@1');
    const records = readFileSync(at('remembered', 'run.ledger.jsonl'), 'utf8').split('\n');
    expect(records.some((line) => line.includes('"kind":"MemoryRecall"'))).toBe(true);
  });

  it('abandons what it does not understand, and changes nothing', async () => {
    const { code, stdout } = await assay(['control', 'make me happy', '--workspace', workspace('vague')]);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('perceiver_gave_up') as string,
    });
  });

  it.each([
    ['no workspace', ['control', TASK], 'option_needed'],
    ['a workspace that is not there', ['control', TASK, '--workspace', at('nowhere')], 'workspace'],
    ['a workspace that is a link out', ['control', TASK, '--workspace', at('link')], 'workspace'],
    ['a tool that is none', ['control', TASK, '--workspace', base, '--allow', 'rm'], 'bad_value'],
    ['a command that is none', ['control', TASK, '--workspace', base, '--shell', 'sh'], 'bad_value'],
    ['a setting that is none', ['control', TASK, '--workspace', base, '--set', 'epsilonn=1'], 'bad_value'],
    [
      'a confirmation of no tool',
      ['control', TASK, '--workspace', base, '--confirm', 'bogus:x'],
      'bad_value',
    ],
    [
      'a confirmation of no input',
      ['control', TASK, '--workspace', base, '--confirm', 'remove_file'],
      'bad_value',
    ],
    [
      'impossible weights',
      ['control', TASK, '--workspace', base, '--set', 'w1=1'],
      'bad_policy: the run cannot be opened: w1 and w2 must be 1000000 together\n  place   ' +
        'w2\n  remedy  correct this field of --policy, or the --set',
    ],
    [
      'a setting that is no number',
      ['control', TASK, '--workspace', base, '--set', 'ggs.epsilon=abc'],
      'bad_policy: the run cannot be opened: it must be an integer from 1 to 1000000000\n  ' +
        'place   --set ggs.epsilon=abc\n  remedy  give another value',
    ],
    [
      'a setting outside the solver',
      ['control', TASK, '--workspace', base, '--set', 'alpha=1', '--set', 'retries=x'],
      'bad_policy',
    ],
    ['a role that is none', ['control', TASK, '--workspace', base, '--proposer', 'R9=rules'], 'bad_value'],
    ['a what-if of nothing', ['whatif', at('nowhere.jsonl'), '--set', 'epsilon=1'], 'missing_file'],
  ])('refuses %s with exit 2 and its code', async (_what, args, problem) => {
    const { code, stderr } = await assay(args);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`assay: ${problem}`) as string,
    });
  });
});

describe('what a run is not', () => {
  const own = mkdtempSync(join(tmpdir(), 'assay-control-'));
  const in_ = (...parts: readonly string[]): string => join(own, ...parts);
  afterAll(() => rmSync(own, { recursive: true, force: true }));
  const folder = (name: string, files: readonly string[]): string => {
    mkdirSync(in_(name), { recursive: true });
    for (const file of files) writeFileSync(in_(name, file), file);
    return in_(name);
  };
  const COUNT = 'count all files and write the number to n.txt';

  it('a run of another workspace: the same words in another folder are done there', async () => {
    const store = ['--store', `file:${in_('runs')}`];
    expect((await assay(['control', COUNT, '--workspace', folder('one', ['a', 'b']), ...store])).code).toBe(
      0,
    );
    expect((await assay(['control', COUNT, '--workspace', folder('two', ['a']), ...store])).code).toBe(0);
    expect([
      readFileSync(in_('one', 'n.txt'), 'utf8').trim(),
      readFileSync(in_('two', 'n.txt'), 'utf8').trim(),
    ]).toEqual(['2', '1']);
  });

  it('work done now, where the run was over: it says so', async () => {
    const { stdout } = await assay([
      'control',
      COUNT,
      '--workspace',
      in_('one'),
      '--store',
      `file:${in_('runs')}`,
    ]);
    expect(stdout).toContain('this run was over, with');
  });

  it('a task that lacked a confirmation: it says what to type, and with that it is done', async () => {
    const where = ['--workspace', folder('four', ['a.txt', 'b.txt'])];
    for (const [task, file] of [
      ['delete a.txt', 'a.txt'],
      ['write "it\\"s" to b.txt', 'b.txt'],
    ] as const) {
      const before = await assay(['control', task, ...where, '--json']);
      const { confirmations } = JSON.parse(before.stdout) as {
        confirmations: { lacking: { tool: string; target: string }[] };
      };
      expect({ code: before.code, isKept: readFileSync(in_('four', file), 'utf8') }).toEqual({
        code: 1,
        isKept: file,
      });
      const [lacking] = confirmations.lacking;
      expect((await assay(['control', task, ...where])).stdout).toMatch(
        new RegExp(`^to allow it --confirm [$]?'?${lacking?.tool ?? ''}:`, 'm'),
      );
      expect(
        await assay([
          'control',
          task,
          ...where,
          '--confirm',
          `${lacking?.tool ?? ''}:${lacking?.target ?? ''}`,
        ]),
      ).toMatchObject({ code: 0, stdout: expect.not.stringContaining('to allow it') as string });
    }
    expect([existsSync(in_('four', 'a.txt')), readFileSync(in_('four', 'b.txt'), 'utf8')]).toEqual([
      false,
      'it"s',
    ]);
  });

  it(
    'an action allowed in other words than it is asked about in: it says that nothing was ' +
      'asked about it',
    async () => {
      expect(
        await assay([
          'control',
          'delete c.txt',
          '--workspace',
          folder('five', ['c.txt']),
          '--confirm',
          'remove_file:./c.txt',
        ]),
      ).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(
          /^to allow it --confirm remove_file:c\.txt\nunused {6}--confirm remove_file:\.\/c\.txt/m,
        ) as string,
      });
    },
  );

  it('a what-if of a what-if: a fork of the fork, that verifies with it; of its own name it is refused', async () => {
    await assay(['control', COUNT, '--workspace', folder('six', ['a']), '--no-clock', '-o', in_('six-out')]);
    const again = (from: string, to: string, ...more: readonly string[]): ReturnType<typeof assay> =>
      assay(['whatif', from, '--set', 'epsilon=60000', '-o', in_(to), ...more]);
    expect((await again(in_('six-out', 'run.ledger.jsonl'), 'w1.jsonl')).code).toBe(0);
    expect((await again(in_('w1.jsonl'), 'w2.jsonl')).code).toBe(0);
    expect((await again(in_('w2.jsonl'), 'w3.jsonl')).code).toBe(0);
    const runs = ['w1', 'w2', 'w3'].map(
      (name) => /"run_id":"([^"]+)","ts_base"/.exec(readFileSync(in_(`${name}.jsonl`), 'utf8'))?.[1],
    );
    expect(new Set(runs).size).toBe(3);
    for (const run of runs) expect(run).toMatch(/-what-if-[0-9a-f]{8}$/);
    expect(await again(in_('w1.jsonl'), 'w4.jsonl', '--run-id', runs[0] ?? '')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('assay: run_exists') as string,
    });
  });
});
