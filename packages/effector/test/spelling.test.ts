/** What tools say of inputs without doing anything: the words of a record, and where a path really leads. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { openWorkspace, toolset } from '../src/index.js';

const root = mkdtempSync(join(tmpdir(), 'assay-spelling-'));
mkdirSync(join(root, 'd'));
writeFileSync(join(root, 'd/a.md'), 'text\n');
symlinkSync('d', join(root, 'k'));
symlinkSync('k/a.md', join(root, 'alias.md'));
symlinkSync('loop', join(root, 'loop'));
symlinkSync('/etc', join(root, 'out'));
symlinkSync('gone/../x', join(root, 'dangling'));
const tools = orThrow(
  await toolset(orThrow(await openWorkspace(root)), { allow: { tools: ['read_file', 'write_file'] } }),
);
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('the words of a record', () => {
  it('are those of the call, also where the tool may not be used; nothing is done', async () => {
    const input = { content: 'x', path: './/n/r.md' };
    expect(tools.recorded({ tool: 'write_file', input })).toBe('{"content":"x","path":"n/r.md"}');
    expect(tools.recorded({ tool: 'read_file', input: { path: 'a.md', from_line: 1 } })).toBe('a.md');
    expect(tools.recorded({ tool: 'shell', input: 'cat  "a.md"|sort' })).toBe('cat a.md | sort');
    expect(tools.recorded({ tool: 'read_file', input: { nothing: 1 } })).toBeNull();
    expect(tools.recorded({ tool: 'unknown', input: 'a' })).toBeNull();
    expect(tools.recorded({ tool: 'read_file', input: undefined })).toBeNull();
    expect(readdirSync(root).sort()).toEqual(['alias.md', 'd', 'dangling', 'k', 'loop', 'out']);
    expect((await tools.run({ tool: 'write_file', input })).input).toBe(
      tools.recorded({ tool: 'write_file', input }),
    );
  });
});

describe('a real path', () => {
  it.each([
    ['d/a.md', 'd/a.md'],
    ['./d//a.md/', 'd/a.md'],
    ['k/a.md', 'd/a.md'],
    ['alias.md', 'd/a.md'],
    ['k/new/deep/./b.md', 'd/new/deep/b.md'],
    ['.', '.'],
    ['k', 'd'],
    ['d/a.md/x', 'd/a.md/x'],
    ['loop', 'loop'],
    ['out/passwd', 'out/passwd'],
    ['../x', '../x'],
    ['/etc', '/etc'],
    ['', ''],
  ])('of %j is %j', async (path, real) => {
    expect(await tools.realPath(path)).toBe(real);
  });
});
