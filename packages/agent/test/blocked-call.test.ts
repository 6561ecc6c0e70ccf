/**
 * A file that is blocked is not touched, by whatever words or links of the workspace it is reached: real
 * tools, on a real folder.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace, toolset, type Toolset } from '@assay/effector';
import { canonicalize, decodeUtf8, orThrow, type Json, type Request } from '@assay/kernel';
import type { ExecuteBody, Execution } from '@assay/controller';
import { executorPort } from '../src/index.ts';
import type { StepTools } from '../src/executor/step-tools.js';
import { blockAgainst } from '../src/executor/blocked-call.ts';

async function inFolder<T>(act: (root: string, tools: Toolset) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'assay-blocked-'));
  try {
    for (const folder of ['d', 'd/e']) mkdirSync(join(root, folder));
    symlinkSync('d', join(root, 'k'));
    symlinkSync('../k/e', join(root, 'd/back'));
    symlinkSync('/etc', join(root, 'out'));
    for (const path of ['a.md', 'd/a.md', 'd/my a.md']) writeFileSync(join(root, path), 'text\n');
    symlinkSync('a.md', join(root, 'alias.md'));
    return await act(
      root,
      orThrow(
        await toolset(orThrow(await openWorkspace(root)), {
          allow: {
            tools: ['read_file', 'write_file', 'move_file', 'find_files', 'shell'],
            commands: ['cat', 'head', 'sort'],
          },
        }),
      ),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function executed(tools: StepTools, tool: string, input: Json, blocked: string): Promise<Execution> {
  const step = { id: 'a', tool, input, may_fail: false, if_any: null };
  const context = orThrow(
    decodeUtf8(
      orThrow(
        canonicalize({
          format: 'assay/steps/1',
          output: { from: 'a', do: [['brief']] },
          tries: [[step]],
        } as unknown as Json),
      ),
    ),
  );
  const body: ExecuteBody = {
    subtask: '0.0',
    intent: 'x',
    context,
    criteria: [],
    uses: [{ tool, target: '*' }],
    attempt: 0,
    correction: null,
    prior: [],
    must_not: { tools: [], targets: [{ tool, target: blocked }] },
    confirmed: [],
  };
  const answer = await executorPort(tools).perform({ kind: 'execute', body } as unknown as Request, {
    key: 'k',
    signal: new AbortController().signal,
  });
  return answer.value as unknown as Execution;
}

describe('a call of a blocked file', () => {
  it.each([
    ['write_file', { content: 'x', path: 'd/r.md/' }, '{"content":"x","path":"d/r.md"}'],
    ['write_file', { content: 'x', path: 'k/r.md' }, '{"content":"x","path":"d/r.md"}'],
    ['write_file', { content: 'x', path: 'd/r.md' }, '{"content":"x","path":"k/r.md"}'],
    ['write_file', { content: 'x', path: 'k/r.md' }, 'd/r.md'],
    ['write_file', { content: 'x', path: 'k/back/new/r.md' }, 'd/e/new/r.md'],
    ['move_file', { from: 'a.md', to: 'k/b.md' }, '{"from":"a.md","to":"d/b.md"}'],
    ['read_file', { path: 'alias.md' }, 'a.md'],
    ['read_file', { path: 'a.md', from_line: 1 }, '{"from_line":1,"path":"./a.md"}'],
    ['read_file', { path: 'k/my a.md' }, 'd/my a.md'],
    ['read_file', { paths: ['a.md', 'k/a.md'] }, 'd/a.md'],
    ['shell', 'cat k/a.md', 'cat d/a.md'],
    ['shell', 'cat "k/my a.md" | sort', "cat 'd/my a.md'|sort"],
    ['shell', 'head -n 1 a.md', 'head -n 1 ./alias.md'],
    ['find_files', { name: '*', under: 'k' }, '{"name":"*","under":"d"}'],
  ])('%s %j is not made where %s is blocked', async (tool, input, blocked) => {
    await inFolder(async (root, tools) => {
      const { status, output, tool_calls } = await executed(tools, tool, input, blocked);
      expect([status, output, tool_calls]).toEqual(['failed', `blocked_target: ${tool} ${blocked}`, []]);
      expect([existsSync(join(root, 'd/r.md')), existsSync(join(root, 'd/b.md'))]).toEqual([false, false]);
    });
  });

  it.each([
    ['write_file', { content: 'y', path: 'k/r.md' }, '{"content":"x","path":"d/r.md"}'],
    ['write_file', { content: 'x', path: 'd/e/r.md' }, 'd/r.md'],
    ['read_file', { path: 'k/a.md' }, 'a.md'],
    ['shell', 'cat k/a.md', 'cat a.md'],
  ])('%s %j is made where %s is blocked', async (tool, input, blocked) => {
    await inFolder(async (_, tools) => {
      expect(await executed(tools, tool, input, blocked)).toMatchObject({ status: 'completed' });
    });
  });

  it('of a long input is known by its digest, which only the tools make', async () => {
    await inFolder(async (_, tools) => {
      const input = { content: 'x'.repeat(9_000), path: 'd/r.md' };
      const recorded = tools.recorded({ tool: 'write_file', input }) ?? '';
      expect(recorded).toMatch(/\nsha256 [0-9a-f]{64}$/);
      expect(await executed(tools, 'write_file', input, recorded)).toMatchObject({
        status: 'failed',
        tool_calls: [],
      });
      expect(await executed(tools, 'write_file', { ...input, path: 'k/r.md' }, 'd/r.md')).toMatchObject({
        status: 'failed',
        tool_calls: [],
      });
      expect(
        await executed(tools, 'write_file', { ...input, content: `${'x'.repeat(8_999)}y` }, recorded),
      ).toMatchObject({ status: 'completed' });
    });
  });

  it(
    'is compared by text alone where the tools know nothing of paths, and not made where ' +
      'there are too many',
    async () => {
      const targets = [{ tool: 'read_file', target: 'b' }];
      expect(await blockAgainst({}, { tool: 'read_file', input: { path: './b' } }, targets)).toBe('b');
      expect(await blockAgainst({}, { tool: 'read_file', input: { path: 'a' } }, targets)).toBeNull();
      const paths = Array.from({ length: 70_000 }, (_, index) => `f${index}`);
      expect(
        await blockAgainst(
          { realPath: (path) => Promise.resolve(path) },
          { tool: 'read_file', input: { paths } },
          targets,
        ),
      ).toMatch(/^\(more than/);
      expect(
        await blockAgainst(
          { realPath: () => Promise.reject(new Error('asked')) },
          { tool: 'write_file', input: { paths } },
          targets,
        ),
      ).toBeNull();
    },
  );
});
