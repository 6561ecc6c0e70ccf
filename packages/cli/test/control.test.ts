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
import { assay, resultsIn } from './lib/assay.ts';

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
  beforeAll(() => symlinkSync(tmpdir(), at('link')));
  afterAll(() => rmSync(base, { recursive: true, force: true }));

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
    const { code, stderr } = await assay([
      'task',
      `# ${'x'.repeat(20_000)}`,
      '--workspace',
      folder('long', []),
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a task has at most 20,000 characters; put')]);
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
});
