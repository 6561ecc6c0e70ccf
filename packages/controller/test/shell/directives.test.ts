import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { memoryOutputs } from '../../src/shell/index.ts';
import { contents, failed, makeWorld, run, tampered, type FileSpec, type World } from './tools/world.ts';

const FILES: readonly FileSpec[] = [
  { path: 'a.txt', content: 'aaa\n' },
  { path: 'b/c.txt', content: 'cccccc\n' },
  { path: '.h/x.md', content: 'x' },
];

/** Directives of a run, and the tools that each round's plan uses. */
function rounds(records: readonly EvidenceRecord[]): {
  readonly directives: readonly string[];
  readonly tools: readonly (readonly string[])[];
} {
  const messages = records
    .flatMap(({ kind, payload }) =>
      kind === 'decision' && isObject(payload)
        ? ((payload['events'] ?? []) as readonly { readonly [key: string]: Json }[])
        : [],
    )
    .filter((event) => event['t'] === 'message');
  const bodies = (kind: string): readonly { readonly [key: string]: never }[] =>
    messages.filter((message) => message['kind'] === kind).map(({ body }) => body as never);
  return {
    directives: bodies('PlanDirective').map(({ evaluation }) =>
      String((evaluation as unknown as { directive: string }).directive),
    ),
    tools: bodies('DispatchManifest').map(({ subtasks }) =>
      [...new Set((subtasks as unknown as { tools: string[] }[]).flatMap(({ tools }) => tools))].sort(),
    ),
  };
}

async function inWorld(act: (world: World) => Promise<void>): Promise<void> {
  const world = await makeWorld(FILES);
  try {
    await act(world);
  } finally {
    world.remove();
  }
}

describe('another round goes another way', () => {
  it('change_path: a search that failed twice is not made again; it is made by commands', async () => {
    await inWorld(async (world) => {
      const asked: string[] = [];
      const tools = tampered(world, async (tool, input, call) => {
        if (tool !== 'find_files') return call();
        const target = JSON.stringify(input);
        asked.push(target);
        return failed('timeout', 'wall_time', target);
      });
      const { result, records } = await run(world, 'find the largest file and write its name to r.out', {
        tools,
      });
      expect(result.directive).toBe('accept');
      expect(readFileSync(join(world.root, 'r.out'), 'utf8')).toBe('b/c.txt\n');
      expect([asked.length, new Set(asked).size]).toEqual([2, 1]);
      expect(
        rounds(records).directives.every(
          (directive) => directive === 'change_path' || directive === 'refine',
        ),
      ).toBe(true);
      expect(rounds(records).tools.at(-1)).toEqual(['read_file', 'shell', 'write_file']);
    });
  });

  it('what nobody kept whole cannot be made up: output_gone, and nothing is written', async () => {
    await inWorld(async (world) => {
      for (let index = 0; index < 99; index += 1) world.put({ path: `many/${index}.txt`, content: '' });
      const outputs = { ...memoryOutputs(), keep: () => Promise.resolve() };
      const { result, failures } = await run(world, 'count all files and write the number to n.out', {
        outputs,
      });
      expect(result.directive).toBe('abandon');
      expect(failures[0]).toMatchObject({ final: true, detail: { code: 'output_gone' } });
      expect([...contents(world.root).keys()]).not.toContain('n.out');
    });
  });

  it('a read that is blocked is made by a command, and the look after writing too', async () => {
    await inWorld(async (world) => {
      const tools = tampered(world, async (tool, _, call) =>
        tool === 'read_file' ? failed('error', 'io', (await call()).target ?? '') : call(),
      );
      const { result, records } = await run(world, 'count the lines of a.txt and write the number to n.out', {
        tools,
      });
      const seen = rounds(records);
      expect(seen.directives.length).toBeGreaterThan(0);
      expect(result.directive).toBe('accept');
      expect(readFileSync(join(world.root, 'n.out'), 'utf8')).toBe('1\n');
      expect(seen.tools.at(-1)).toEqual(['shell', 'write_file']);
    });
  });

  it('a write that says it wrote and did not is not accepted', async () => {
    await inWorld(async (world) => {
      const tools = tampered(world, async (tool, _, call) => {
        const made = await call();
        if (tool === 'write_file' && made.status === 'ok')
          writeFileSync(join(world.root, 'r.out'), 'something else\n');
        return made;
      });
      const { result } = await run(world, 'list all txt files into r.out', { tools });
      expect(result.directive).toBe('abandon');
      expect(result.unmet.map(({ text }) => text)).toContain(
        '"r.out" holds what was to be written, as a look after writing shows',
      );
    });
  });

  it('a write that does nothing and says it did is not accepted', async () => {
    await inWorld(async (world) => {
      const before = contents(world.root);
      const tools = tampered(world, async (tool, input, call) =>
        tool === 'write_file' && isObject(input as Json)
          ? { output: `wrote r.out: 2 bytes, sha256 ${'0'.repeat(64)}\n`, target: 'r.out' }
          : call(),
      );
      const { result } = await run(world, 'write "hi" to r.out', { tools });
      expect(result.directive).toBe('abandon');
      expect(contents(world.root)).toEqual(before);
    });
  });
});

describe('what a run may use', () => {
  it(
    'a workspace without a shell: every family that only reads and writes goes on, a removal ' +
      'without its tool is abandoned',
    async () => {
      const world = await makeWorld(FILES, { tools: ['find_files', 'read_file', 'write_file'] });
      expect((await run(world, 'list all txt files into l.out')).result.directive).toBe('accept');
      expect((await run(world, 'find the newest file and write its name to n.out')).result.directive).toBe(
        'accept',
      );
      expect((await run(world, 'find duplicate files and write their names to d.out')).result.directive).toBe(
        'accept',
      );
      expect((await run(world, 'concatenate all txt files into c.out')).result.directive).toBe('accept');
      expect((await run(world, 'delete a.txt', { approves: true })).failures).toEqual([
        {
          code: 'denied',
          final: true,
          detail: { code: 'no_way_left', detail: 'no tool that removes a.txt (remove_file is not allowed)' },
        },
      ]);
      world.remove();
    },
  );

  it('a workspace without a search tool is searched by commands, with the same answers', async () => {
    const world = await makeWorld(FILES, { tools: ['read_file', 'write_file', 'shell'] });
    expect((await run(world, 'list all files into l.out')).result.directive).toBe('accept');
    expect(readFileSync(join(world.root, 'l.out'), 'utf8')).toBe('.h/x.md\na.txt\nb/c.txt\n');
    expect((await run(world, 'find the smallest txt file and write its name to s.md')).result.directive).toBe(
      'accept',
    );
    expect(readFileSync(join(world.root, 's.md'), 'utf8')).toBe('a.txt\n');
    expect(
      (await run(world, 'count the files containing "ccc" and write the number to n.md')).result.directive,
    ).toBe('accept');
    expect(readFileSync(join(world.root, 'n.md'), 'utf8')).toBe('1\n');
    world.remove();
  });
});
