/** Plans over real folders: what is done, what is left alone, and what nobody can claim (language/P1, P2; 003 §9). */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type Json } from '@assay/kernel';
import { defaultPolicy } from '../../src/index.ts';
import { memoryOutputs } from '@assay/host';
import {
  contents,
  failed,
  makeWorld,
  picture,
  run,
  tampered,
  walk,
  type Course,
  type FileSpec,
  type Ran,
  type World,
} from './tools/world.ts';
import { files as anyFiles, SEED } from './tools/workspaces.ts';

const FILES: readonly FileSpec[] = [
  { path: 'a.txt', content: 'b\na\n' },
  { path: 'docs/b.txt', content: 'c\n' },
  { path: 'docs/deep/c.md', content: '# c\nTODO\n' },
  { path: 'one.csv', content: 'a,a\n1,2\n' },
  { path: '.h/x.txt', content: 'x' },
];

async function within<T>(act: (world: World) => Promise<T>, files: readonly FileSpec[] = FILES): Promise<T> {
  const world = await makeWorld(files);
  try {
    return await act(world);
  } finally {
    world.remove();
  }
}

/** Runs a plan that cannot be done: it is abandoned, and the folder is as it was, to its rights and times. */
async function abandoned(text: string, course: Course = { approves: true }, files = FILES): Promise<Ran> {
  return within(async (world) => {
    const before = picture(world.root);
    const ran = await run(world, text, course);
    expect({ text, directive: ran.result.directive }).toEqual({ text, directive: 'abandon' });
    expect(picture(world.root)).toEqual(before);
    return ran;
  }, files);
}

const text = (world: World, path: string): string => readFileSync(join(world.root, path), 'utf8');
const done = async (world: World, plan: string, course: Course = { approves: true }): Promise<Ran> => {
  const ran = await run(world, plan, course);
  expect({ plan, directive: ran.result.directive, rejections: ran.rejections }).toEqual({
    plan,
    directive: 'accept',
    rejections: [],
  });
  return ran;
};

describe('a search', () => {
  it('finds what walking the folder finds: patterns, places, hidden names, ranks', async () => {
    const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
    const shownName = (path: string): string => (/["\\]/.test(path) ? JSON.stringify(path) : path);
    const isShown = (path: string): boolean => !/(?:^|\/)\./.test(path);
    await fc.assert(
      fc.asyncProperty(anyFiles(20), async (drawn) => {
        await within(async (world) => {
          const all = walk(world.root);
          const shown = all.filter(isShown);
          const size = (path: string): number => Buffer.byteLength(text(world, path));
          const plans: readonly (readonly [string, readonly string[]])[] = [
            ['find *', shown],
            ['find *.md *.txt', shown.filter((path) => /\.(?:md|txt)$/.test(path))],
            ['find * directly in .', shown.filter((path) => !path.includes('/'))],
            [
              'find * except *.txt except docs/',
              shown.filter((path) => !path.endsWith('.txt') && !path.startsWith('docs/')),
            ],
            ['find .*', all.filter((path) => name(path).startsWith('.') && !/(?:^|\/)\.[^/]*\//.test(path))],
            ['find * containing "TODO"', shown.filter((path) => text(world, path).includes('TODO'))],
            ['find * smaller than 3B', shown.filter((path) => size(path) < 3)],
          ];
          const byUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
          for (const [plan, paths] of plans) {
            const lines = paths.toSorted(byUnits).map(shownName);
            expect([plan, (await done(world, plan)).result.output]).toEqual([
              plan,
              lines.map((line) => `${line}\n`).join(''),
            ]);
          }
          const bySize = shown
            .toSorted((left, right) => size(right) - size(left) || byUnits(left, right))
            .slice(0, 2);
          const sizes = await done(world, 'find * largest 2 -> A; let A | sizes');
          expect(sizes.result.output).toBe(
            bySize.map((path) => `${shownName(path)}\t${size(path)}\n`).join(''),
          );
        }, drawn);
      }),
      { seed: SEED, numRuns: process.env['ASSAY_LANE'] === 'long' ? 60 : 6 },
    );
  });
});

it('a set is of the signs it names, or of all others', async () => {
  const files = ['a.x', 'b.x', 'c.x'].map((path) => ({ path, content: '' }));
  await within(async (world) => {
    for (const pattern of ['[!a].x', '[^a].x', '[b-c].x'])
      expect((await done(world, `find ${pattern}`)).result.output).toBe('b.x\nc.x\n');
  }, files);
});

describe('a folder named ~', () => {
  const files = ['keep.txt', 'b.txt', 'old/c.txt', '.h.txt', '.h/d.txt', 'empty/'].map((path) => ({
    path: `~/${path.replace(/\/$/, '/e.txt')}`,
    content: path,
  }));

  it.each([
    ['find *.txt in ./~ except ./~/keep.txt except ./~/empty/', ['b.txt', 'old/c.txt']],
    ['find *.txt directly in ./~', ['b.txt', 'keep.txt']],
    ['find .*.txt in ./~', ['.h.txt']],
    ['find * in ./~/.h', ['.h/d.txt']],
  ])('%s: found as in any other', async (plan, found) => {
    await within(async (world) => {
      expect((await done(world, plan)).result.output).toBe(found.map((path) => `~/${path}\n`).join(''));
    }, files);
  });

  it('files move out of it, and into it; those in it stay', async () => {
    await within(async (world) => {
      await done(world, 'find *.txt directly in ./~ except ./~/keep.txt -> A; move A to out/');
      await done(world, 'find *.txt except ./~/old/ except ./~/empty/ -> A; move A to ./~/');
      expect(walk(world.root).toSorted()).toEqual(files.map(({ path }) => path).toSorted());
    }, files);
  });
});

describe('a guard', () => {
  it('that does not hold ends the plan: what is below is not done, nobody is asked, what is above stays', async () => {
    const ran = await abandoned('find *.txt -> A\nexpect count(A) >= 9\ndelete A\nwrite "x" to new.txt');
    expect(ran.asked).toEqual([]);
    expect(JSON.stringify(ran.records)).toContain('not_met: line 2, expect count(A) >= 9: found 2');
    await within(async (world) => {
      const { result } = await run(
        world,
        'write "x" to new.txt; read a.txt -> A; expect A = "z"; delete a.txt',
        { approves: true },
      );
      expect(result.directive).toBe('abandon');
      expect([text(world, 'new.txt'), text(world, 'a.txt')]).toEqual(['x', 'b\na\n']);
    });
  });

  it('is judged by what stood there when it stood in its line: a name keeps what it was', async () => {
    await within(async (world) => {
      await done(
        world,
        'read a.txt -> A; write "new\\n" to a.txt; read a.txt -> B; expect A = "b\\na"; expect A != B',
      );
      await done(
        world,
        'find *.txt | count -> N; find *.md | count -> M; expect N > M; expect M = 1; write N to n.out',
      );
      expect(text(world, 'n.out')).toBe('2\n');
    });
  });

  it('is not judged again after a wait for a person; what that would lose is asked about again', async () => {
    const plan = 'read a.txt -> A; expect A = "b\\na"; write "new" to docs/b.txt';
    for (const [changed, times] of [
      ['a.txt', 1],
      ['docs/b.txt', 2],
    ] as const)
      await within(async (world) => {
        let isChanged = false;
        const tools = tampered(world, async (tool, _, call) => {
          const answer = await call();
          if (tool === 'write_file' && !isChanged) world.put({ path: changed, content: 'meanwhile' });
          isChanged ||= tool === 'write_file';
          return answer;
        });
        expect((await done(world, plan, { approves: true, tools })).asked).toHaveLength(times);
        expect(text(world, 'docs/b.txt')).toBe('new');
      });
  });

  it('takes either line end for one', async () => {
    const files = [{ path: 'crlf.txt', content: 'yes\r\n' }];
    await within(async (world) => {
      await done(world, 'read crlf.txt -> A; expect A = "yes"; write "x" to b.txt');
    }, files);
  });

  it('is carried out once: what was added before it is not added again', async () => {
    await within(async (world) => {
      const { result } = await run(
        world,
        'append "x" to a.txt; read a.txt -> A; expect A = ""; delete a.txt',
        { approves: true },
      );
      expect([result.directive, text(world, 'a.txt')]).toEqual(['abandon', 'b\na\nx']);
    });
  });
});

describe('what a plan cannot do', () => {
  it.each([
    ['a file that is not there', 'read missing.txt | count'],
    ['a folder that is not there', 'find * in nowhere -> A; delete A'],
    ['a move of what is not there', 'move missing.txt to b.txt'],
    ['a heading that stands twice', 'read one.csv | column a | sum -> S; write S to s.txt'],
    ['a sum of what is no number', 'read a.txt | sum -> S; write S to s.txt'],
    ['two files that would get one path', 'find *.txt -> A; move A to all/'],
  ])('%s: nothing is changed', async (_, plan) => {
    const files = [...FILES, { path: 'docs/a.txt', content: 'other' }];
    await abandoned(plan, { approves: true }, files);
  });

  it('bytes that are no text are neither read nor copied; they are found and moved', async () => {
    const files = [{ path: 'a.bin', content: new Uint8Array([0xff, 0xfe, 0]) }];
    await abandoned('copy a.bin to b.bin', {}, files);
    await abandoned('read a.bin -> A; write A to b.bin', {}, files);
    await within(async (world) => {
      await done(world, 'move a.bin to b/', {});
      expect([...contents(world.root).keys()]).toEqual(['b/a.bin']);
    }, files);
  });

  it.each([
    ['find *.tmp -> Old; delete Old', 30],
    ['find *.a *.tmp -> Old; delete Old', 28],
    ['find *.tmp -> Old; move Old to out/', 30],
  ])(
    '%s: with more files than calls are left, the look afterwards among them, none is',
    async (plan, most) => {
      const make = (count: number) =>
        Array.from({ length: count }, (_, n) => ({ path: `${n}.tmp`, content: 'x' }));
      const { records } = await abandoned(plan, { approves: true }, make(most + 1));
      expect(JSON.stringify(records)).toContain(
        `too_many: ${most + 1} files, and calls are left for ${most}`,
      );
      const left = async (count: number, course: Course) =>
        within(async (world) => {
          await done(world, plan, { approves: true, ...course });
          return walk(world.root).filter((path) => !path.includes('/'));
        }, make(count));
      expect(await left(most, {})).toEqual([]);
      const policy = { limits: { ...defaultPolicy.limits, calls: 100 } };
      expect(await left(most + 1, { policy })).toEqual([]);
    },
  );

  it('a text that doubles with each line ends where it is too long; a plan is as long as its lines', async () => {
    const doubling = Array.from({ length: 40 }, (_, n) => `let A${n} | add A${n} -> A${n + 1}`).join('\n');
    const { records } = await abandoned(`read a.txt -> A0\n${doubling}\nwrite A40 to b.txt`);
    expect(JSON.stringify(records)).toContain('too_long: a text');
    expect(JSON.stringify(records).length).toBeLessThan(100_000);
  });

  it('files found through a link are not told by the path of the link: none is deleted', async () => {
    await within(async (world) => {
      symlinkSync('docs', join(world.root, 'link'));
      const plan = 'find *.txt in link except link/b.txt -> A; delete A';
      const { result, records } = await run(world, plan, { approves: true });
      expect([result.directive, text(world, 'docs/b.txt')]).toEqual(['abandon', 'c\n']);
      expect(JSON.stringify(records)).toContain('docs/b.txt is not below link');
    });
  });

  it('nothing of .git is reached, and nobody is asked', async () => {
    const files = [{ path: '.git/config', content: 'x' }];
    for (const line of [
      'write "x" to .git/hooks/a',
      'delete .git/config',
      'move .git/config to a',
      'find * in .git',
    ])
      expect((await abandoned(line, { approves: true }, files)).asked).toEqual([]);
  });

  it('a person who does not agree: nothing below is done', async () => {
    const ran = await abandoned('delete a.txt; write "x" to new.txt', { approves: false });
    expect(ran.asked).toHaveLength(1);
  });

  it('without the tool, and with one that must not be used: no call is made', async () => {
    const world = await makeWorld(FILES, { tools: ['find_files', 'read_file'] });
    const { failures } = await run(world, 'find *.txt -> A; delete A', { approves: true });
    expect(failures).toEqual([
      { code: 'denied', final: true, detail: { code: 'tool_unavailable', detail: 'remove_file' } },
    ]);
    expect((await run(world, 'find *.txt | count')).result.output).toBe('2');
    world.remove();
  });
});

describe('whatever a plan says', () => {
  const LINES = [
    'find * -> A',
    'find *.txt largest 2 -> B',
    'find * containing "a" -> C',
    'read a.txt -> T',
    'read B | lines with "a" -> U',
    'expect count(A) >= 2',
    'expect T != U',
    'write "x" to a.txt',
    'write T to new/b.txt',
    'append "x" to docs/b.txt',
    'copy a.txt to docs/b.txt',
    'move a.txt to docs/',
    'move B to docs/',
    'move docs/b.txt to a.txt',
    'delete A',
    'delete one.csv',
  ];

  it('nothing that was there is lost unless a person agrees, and what is done ends in success', async () => {
    const plans = fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(plans, async (lines) => {
        await within(async (world) => {
          const before = [...contents(world.root).values()];
          const { result, asked } = await run(world, lines.join('; '), { approves: false });
          const after = new Set(contents(world.root).values());
          expect(before.filter((content) => !after.has(content))).toEqual([]);
          if (asked.length > 0) expect(result.directive).toBe('abandon');
        });
      }),
      { seed: SEED, numRuns: process.env['ASSAY_LANE'] === 'long' ? 400 : 40 },
    );
  });
});

describe('what is claimed and not so', () => {
  const lying =
    (
      lie: (
        tool: string,
        world: World,
        input: Json,
      ) => Awaited<ReturnType<World['tools'][number]['run']>> | null,
    ) =>
    (world: World) =>
      tampered(world, async (tool, input, call) => lie(tool, world, input) ?? call());

  it.each([
    [
      'a write that does nothing',
      'write "hi" to a.txt',
      'write_file',
      'wrote a.txt: 2 bytes, sha256 8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4\n',
    ],
    [
      'an append that does nothing',
      'append "hi" to a.txt',
      'append_file',
      'appended 2 bytes to a.txt, which had 4\n',
    ],
    ['a removal that does nothing', 'delete a.txt', 'remove_file', 'removed a.txt, which had 4 bytes\n'],
    ['a removal of several that does nothing', 'find *.txt -> A; delete A', 'remove_file', 'removed it\n'],
    ['a move that does nothing', 'move a.txt to b.txt', 'move_file', 'moved a.txt to b.txt\n'],
    ['a move of several that does nothing', 'find *.txt -> A; move A to all/', 'move_file', 'moved it\n'],
    ['a copy that does nothing', 'copy a.txt to b.txt', 'write_file', 'wrote b.txt: 4 bytes, sha256 0\n'],
  ])('%s is not accepted', async (_, plan, of, said) => {
    const tools = lying((tool) => (tool === of ? { output: said, target: 'a.txt' } : null));
    await within(async (world) => {
      const before = contents(world.root);
      expect((await run(world, plan, { approves: true, tools: tools(world) })).result.directive).toBe(
        'abandon',
      );
      expect(contents(world.root)).toEqual(before);
    });
  });

  it('a write after which something else stands there is not accepted', async () => {
    await within(async (world) => {
      const tools = tampered(world, async (tool, _, call) => {
        const made = await call();
        if (tool === 'write_file' && made.status === 'ok')
          writeFileSync(join(world.root, 'r.out'), 'something else\n');
        return made;
      });
      const { result } = await run(world, 'find *.txt | names -> A; write A to r.out', { tools });
      expect(result.directive).toBe('abandon');
      expect(result.unmet.map((unmet) => unmet.text)).toContain('write A to r.out');
    });
  });

  it('what nobody kept whole cannot be made up: output_gone, and nothing is written', async () => {
    await within(async (world) => {
      for (let index = 0; index < 99; index += 1) world.put({ path: `many/${index}.txt`, content: '' });
      const outputs = { ...memoryOutputs(), keep: () => Promise.resolve() };
      const { result, failures } = await run(world, 'find * | count -> N; write N to n.out', { outputs });
      expect(result.directive).toBe('abandon');
      expect(failures[0]).toMatchObject({ final: true, detail: { code: 'output_gone' } });
      expect(walk(world.root)).not.toContain('n.out');
    });
  });

  it('a search that was cut short is no answer', async () => {
    await within(async (world) => {
      const tools = tampered(world, async (tool, input, call) =>
        tool === 'find_files' && isObject(input) ? failed('truncated', 'entry_limit', 'x') : call(),
      );
      expect(
        (await run(world, 'find *.txt -> A; delete A', { approves: true, tools })).result.directive,
      ).toBe('abandon');
      expect(walk(world.root)).toContain('a.txt');
    });
  });
});
