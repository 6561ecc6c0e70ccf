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
import { argv, assay, resultsIn } from './lib/assay.ts';

const base = mkdtempSync(join(tmpdir(), 'assay-control-'));
const at = (...parts: readonly string[]): string => join(base, ...parts);
const TASK = 'find * largest | names -> Name; write Name to report.md';

function workspace(name: string): string {
  const folder = at(name);
  mkdirSync(join(folder, 'deep'), { recursive: true });
  writeFileSync(join(folder, 'small.txt'), 'a');
  writeFileSync(join(folder, 'deep', 'big.txt'), 'b'.repeat(5_000));
  return folder;
}

describe('assay task', () => {
  let ledger = '';
  beforeAll(async () => {
    const { code } = await assay(
      argv`task ${TASK} --workspace ${workspace('first')} --set clock=stamps -o ${at('out')}`,
    );
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
    const { stdout } = await assay(
      argv`task ${TASK} --workspace ${workspace('json')} --set clock=stamps --json`,
    );
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
    const { code, stdout } = await assay(
      argv`whatif ${ledger} --set epsilon=50000 -o ${at('what-if.jsonl')}`,
    );
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('same        every decision says the same') as string,
    });
    expect((await assay(['verify', at('what-if.jsonl'), '--with', at('out')])).code).toBe(0);
    expect(readFileSync(at('first', 'report.md'), 'utf8')).toBe(before);
  });

  it('says at what it was stopped: a name that is no UTF-8', async () => {
    const root = workspace('unmade');
    mkdirSync(join(root, 'bad'));
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'bad/')), Buffer.from([0xff])]), '');
    const task = ['task', 'find * largest | names -> Name; write Name to o.md', '--workspace', root];
    const { code, stdout } = await assay([...task, '--set', 'clock=stamps']);
    expect([code, existsSync(join(root, 'o.md')), stdout]).toEqual([
      1,
      false,
      expect.stringContaining(
        '\nstopped at  find_files: unreadable: a name in "bad" is no UTF-8: "\uFFFD"; what it gave is not the whole',
      ),
    ]);
  });

  it('says at what it was stopped: a link that leads out of the workspace', async () => {
    const root = workspace('stopped');
    mkdirSync(at('beside'), { recursive: true });
    symlinkSync(at('beside'), join(root, 'out'));
    const task = ['task', 'find * | count -> N; write N to out/n.txt', '--workspace', root];
    const { code, stdout } = await assay([...task, '--set', 'clock=stamps']);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        '\nstopped at  write_file: leaves_workspace: out/n.txt: a symbolic link leads out of the workspace\n',
      ) as string,
    });
    expect(stdout).not.toContain('confirm');
    expect(existsSync(at('beside', 'n.txt'))).toBe(false);
  });

  it('explains every round, and names the role that answers where it was not done', async () => {
    expect(await assay(['show', ledger])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('because') as string,
    });
    await assay([
      'task',
      'search the web for the weather and write it to weather.md',
      '--workspace',
      workspace('web'),
      '--set',
      'clock=stamps',
      '-o',
      at('web-out'),
    ]);
    const { code, stdout } = await assay(['show', at('web-out', 'run.ledger.jsonl')]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/failed +R\d\w? [A-Z][\w -]+: \w+/) as string,
    });
  });

  it('asks a memory first and tells it afterwards', async () => {
    const url = `file:${at('memory')}`;
    const { code } = await assay(
      argv`task ${TASK} --workspace ${workspace('remembering')} --memory ${url} -o ${at('remembered')}`,
    );
    expect(code).toBe(0);
    const { stdout } = await assay(['store', 'list', url]);
    expect(stdout).toContain('memory@1');
    const records = readFileSync(at('remembered', 'run.ledger.jsonl'), 'utf8').split('\n');
    expect(records.some((line) => line.includes('"kind":"MemoryRecall"'))).toBe(true);
  });

  it('refuses a workspace that is a link out: exit 2', async () => {
    const { code, stderr } = await assay(['task', TASK, '--workspace', at('link')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('assay: workspace')]);
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
  const COUNT = 'find * | count -> N; write N to n.txt';

  it('one of words that are too long: the limit is said, and what to do', async () => {
    const dir = folder('long', ['a']);
    const { code, stderr } = await assay(['task', `# ${'x'.repeat(20_000)}`, '--workspace', dir]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'a task has at most 20,000 characters; put what is long into a file that it reads\n',
      ),
    ]);
    expect(stderr).not.toContain('{');
  });

  it('a run of another workspace: the same words in another folder are done there', async () => {
    const store = ['--store', `file:${in_('runs')}`];
    expect((await assay(['task', COUNT, '--workspace', folder('one', ['a', 'b']), ...store])).code).toBe(0);
    expect((await assay(['task', COUNT, '--workspace', folder('two', ['a']), ...store])).code).toBe(0);
    expect([
      readFileSync(in_('one', 'n.txt'), 'utf8').trim(),
      readFileSync(in_('two', 'n.txt'), 'utf8').trim(),
    ]).toEqual(['2', '1']);
  });

  it('work done now, where the run was over: it says so', async () => {
    const { stdout } = await assay(argv`task ${COUNT} --workspace ${in_('one')} --store file:${in_('runs')}`);
    expect(stdout).toContain('this run was over');
  });

  it('of two answers to one request one is recorded, and the other is told so: exit 2', async () => {
    const out = in_('raced');
    const where = ['--workspace', folder('race', ['a.txt'])];
    expect((await assay(['task', 'delete a.txt', ...where, '-o', out])).code).toBe(6);
    const ended = await Promise.all(
      ['yes', 'no: keep it'].map((word) => assay(['answer', out, 'confirm', word])),
    );
    expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 2]);
    expect(ended.find(({ code }) => code === 2)?.stderr).toContain('not_asked');
  });

  it('a task that lacks a confirmation: it waits, names what would be lost, and goes on where it is typed', async () => {
    const where = ['--workspace', folder('four', ['a.txt', 'b.txt'])];
    for (const [task, file, lost] of [
      ['delete a.txt', 'a.txt', 'remove_file (a.txt: 5 bytes would be lost)'],
      [
        'write "it\\"s" to b.txt',
        'b.txt',
        'write_file (b.txt: a file of 5 bytes is there and would be replaced)',
      ],
    ] as const) {
      const out = in_(`four-${file}`);
      const { code, stderr } = await assay(['task', task, ...where, '-o', out]);
      expect([code, readFileSync(in_('four', file), 'utf8')]).toEqual([6, file]);
      expect(stderr).toContain(`waiting: the run waits for a person to allow ${lost}\n`);
      const [, line = ''] = /remedy {2}assay (.*)\n/.exec(stderr) ?? [];
      expect(line).toMatch(/^resume .*--confirm (?:remove|write)_file:[ab]\.txt$/);
      expect((await assay(line.split(' '))).code).toBe(0);
      expect(resultsIn(out)).toEqual([
        'evaluation.json',
        'final-result.json',
        'final-result.md',
        'run.ledger.jsonl',
      ]);
    }
    expect([existsSync(in_('four', 'a.txt')), readFileSync(in_('four', 'b.txt'), 'utf8')]).toEqual([
      false,
      'it"s',
    ]);
  });

  it('what stands there now is asked about, where it was changed after it was asked', async () => {
    const where = ['--workspace', folder('five', ['c.txt']), '--confirm', 'write_file:c.txt'];
    const out = in_('five-out');
    const first = await assay(['task', 'write "x" to c.txt', ...where.slice(0, 2), '-o', out]);
    expect(first.code).toBe(6);
    writeFileSync(in_('five', 'c.txt'), 'something else');
    const again = await assay(['resume', out, ...where]);
    expect([again.code, readFileSync(in_('five', 'c.txt'), 'utf8')]).toEqual([6, 'something else']);
    expect(again.stderr).toContain('14 bytes');
    const { code } = await assay(['resume', out, ...where]);
    expect([code, readFileSync(in_('five', 'c.txt'), 'utf8')]).toEqual([0, 'x']);
  });

  it('nothing is removed that is not its own: a workspace named run stands in the folder of the results', async () => {
    folder('six/run', ['a.txt']);
    const { code } = await assay(['task', COUNT, '--workspace', in_('six', 'run'), '-o', in_('six')]);
    expect([code, readFileSync(in_('six', 'run', 'a.txt'), 'utf8')]).toEqual([0, 'a.txt']);
    expect(resultsIn(in_('six'))).toContain('run');
  });

  it.each([
    ['its results', ['-o', '..out']],
    ['its memory', ['--memory', 'file:mem']],
    ['its store', ['--store', 'file:..runs']],
  ])('tools that could reach %s are refused', async (_, [option = '', path = '']) => {
    const inside = path.replace(/^(?:file:)?/, (scheme) => `${scheme}${folder('seven', ['a.txt'])}/`);
    const { code, stderr } = await assay(['task', COUNT, '--workspace', in_('seven'), option, inside]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('could change its own records')]);
  });

  it('a policy with other tools than there are is refused, not overruled', async () => {
    const where = ['--workspace', folder('eight', ['a.txt'])];
    writeFileSync(in_('tools.json'), '{"tools":[]}');
    const { code, stderr } = await assay(['task', COUNT, ...where, '--set', `policy=@${in_('tools.json')}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('/tools')]);
  });

  it('kept nowhere, it waits all the same: exit 6, and how to keep it', async () => {
    const { code, stderr } = await assay(
      argv`task ${'delete c.txt'} --workspace ${folder('six-not', ['c.txt'])}`,
    );
    expect([code, stderr]).toEqual([6, expect.stringContaining('add -o DIR or --store')]);
  });

  it('one deadline, in words that say a time', async () => {
    const at_ = ['task', COUNT, '--workspace', folder('late', ['a'])];
    const out = in_('late-out');
    expect((await assay([...at_, '--set', 'deadline=10m', '-o', out])).code).toBe(0);
    const [genesis = ''] = readFileSync(join(out, 'run.ledger.jsonl'), 'utf8').split('\n');
    expect(genesis).toMatch(/"deadline_us":1\d{15}/);
  });

  it('a what-if of a what-if: a fork of the fork, that verifies with it; of its own name it is refused', async () => {
    await assay(
      argv`task ${COUNT} --workspace ${folder('six', ['a'])} --set clock=stamps -o ${in_('six-out')}`,
    );
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
    expect(await again(in_('w1.jsonl'), 'w4.jsonl', '--set', `run_id=${runs[0] ?? ''}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('assay: run_exists') as string,
    });
  });
});
