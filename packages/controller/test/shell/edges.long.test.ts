import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stoppedAt } from '../../src/shell/ended.ts';
import { byBytes, chosen, extreme, shown, sizeLines, twinLines } from './tools/oracle.ts';
import { makeWorld, run, type FileSpec } from './tools/world.ts';

/** Runs requests on one workspace, each into a file of its own. */
async function answers(
  files: readonly FileSpec[],
  requests: readonly (readonly [text: string, expected: (root: string) => string])[],
): Promise<void> {
  const world = await makeWorld(files);
  try {
    const expected = requests.map(([, answer]) => answer(world.root));
    for (const [index, [text]] of requests.entries()) {
      const to = `answer${index}.out`;
      const { result } = await run(world, text.replace('<to>', to));
      expect({ text, directive: result.directive, unmet: result.unmet }).toEqual({
        text,
        directive: 'accept',
        unmet: [],
      });
      expect({ text, answer: readFileSync(join(world.root, to), 'utf8') }).toEqual({
        text,
        answer: expected[index],
      });
    }
  } finally {
    world.remove();
  }
}

describe('workspaces at the edges', () => {
  it('500 files in nested folders', async () => {
    const files = Array.from({ length: 500 }, (_, index) => ({
      path: `f ${index % 7}/deep${index % 3}/file ${index}.${['txt', 'md', 'Größe'][index % 3]}`,
      content: 'x'.repeat((index * 7_919) % 311),
      minute: (index * 31) % 97,
    }));
    await answers(files, [
      [
        'list all txt files into <to>',
        (root) =>
          byBytes(chosen(root, { ext: 'txt' }))
            .map((path) => `${shown(path)}\n`)
            .join(''),
      ],
      [
        'find the largest file with the extension txt and write its name to <to>',
        (root) => `${extreme(root, chosen(root, { ext: 'txt' }), 'largest')}\n`,
      ],
      [
        'find the oldest file in the folder "f 3" and write its name to <to>',
        (root) => `${extreme(root, chosen(root, { under: 'f 3' }), 'oldest')}\n`,
      ],
      [
        'count all files with the extension md and write the number to <to>',
        (root) => `${chosen(root, { ext: 'md' }).length}\n`,
      ],
      [
        'find all duplicate files in the folder "f 1" and write their names to <to>',
        (root) => twinLines(root, chosen(root, { under: 'f 1' })),
      ],
      [
        'report the total size per extension in the folder "f 2" into <to>',
        (root) => sizeLines(root, chosen(root, { under: 'f 2' })),
      ],
      [
        'concatenate all md files into <to>',
        (root) =>
          byBytes(chosen(root, { ext: 'md' }))
            .map((path) => readFileSync(join(root, path), 'utf8'))
            .join(''),
      ],
    ]);
  });

  it('more names than a search looks at: nothing is written, and the limit is said', async () => {
    const files = Array.from({ length: 30 }, (_, index) => ({
      path: `${index}.txt`,
      content: 'x'.repeat(index),
    }));
    for (const [entries, directive] of [
      [31, 'accept'],
      [30, 'accept'],
      [29, 'abandon'],
    ] as const) {
      const world = await makeWorld(files, {
        tools: ['find_files', 'read_file', 'write_file'],
        limits: { entries },
      });
      const { result, records } = await run(world, 'find the largest file and write its name to report.md');
      expect({
        entries,
        directive: result.directive,
        written: existsSync(join(world.root, 'report.md')),
      }).toEqual({ entries, directive, written: directive === 'accept' });
      if (directive === 'abandon') {
        const said = `entry_limit: a search looks at ${entries} names at most; what it gave is not the whole answer`;
        expect(result.next_moves[0]?.code).toBe('ask_for_less');
        expect(stoppedAt(records)).toEqual([{ tool: 'find_files', said }]);
      }
      world.remove();
    }
  });

  it.each([
    ['more files than a search gives', { results: 29 }, 'result_limit: a search gives 29 lines at most;'],
    [
      'more contents than a search reads',
      { searchBytes: 100 },
      'search_limit: a search reads 100 bytes of contents at most;',
    ],
    [
      'a folder deeper than a search goes',
      { depth: 2 },
      'depth_limit: a search goes 2 folders down at most;',
    ],
    ['a name that is no UTF-8', {}, 'unreadable: a name in "deep/b" is no UTF-8: "\uFFFD.txt";'],
  ])('%s: nothing is written, and why is said with its number', async (why, limits, said) => {
    const files = Array.from({ length: 30 }, (_, index) => ({
      path: `${index}.txt`,
      content: 'x'.repeat(index),
    }));
    const world = await makeWorld([...files, { path: 'deep/a', content: '' }], {
      tools: ['find_files', 'read_file', 'write_file'],
      limits,
    });
    mkdirSync(join(world.root, 'deep/b'));
    if (why.includes('UTF-8'))
      writeFileSync(
        Buffer.concat([Buffer.from(join(world.root, 'deep/b/')), Buffer.from([0xff]), Buffer.from('.txt')]),
        '',
      );
    for (const text of [
      'find all duplicate files and write their names to report.md',
      ...(why.includes('contents')
        ? []
        : ['count all files and write the number to report.md', 'concatenate all files into report.md']),
    ]) {
      const { result, records } = await run(world, text);
      expect({
        text,
        directive: result.directive,
        written: existsSync(join(world.root, 'report.md')),
        move: result.next_moves[0]?.code,
        stopped_at: stoppedAt(records),
      }).toEqual({
        text,
        directive: 'abandon',
        written: false,
        move: 'ask_for_less',
        stopped_at: [{ tool: 'find_files', said: `${said} what it gave is not the whole answer` }],
      });
    }
    world.remove();
  });

  it('12,000 files are counted, listed and summed up by the defaults', { timeout: 60_000 }, async () => {
    const world = await makeWorld([], { tools: ['find_files', 'read_file', 'write_file'] });
    mkdirSync(join(world.root, 'q'));
    for (let index = 0; index < 12_000; index += 1)
      writeFileSync(join(world.root, 'q', `f${index}.txt`), `${index % 11_999}`);
    for (const [text, answer] of [
      ['count all files in the folder q and write the number to <to>', () => '12000\n'],
      [
        'list all files in the folder q into <to>',
        (root: string) =>
          byBytes(chosen(root, { under: 'q' }))
            .map((path) => `${path}\n`)
            .join(''),
      ],
      [
        'report the total size per extension in the folder q into <to>',
        (root: string) => sizeLines(root, chosen(root, { under: 'q' })),
      ],
      [
        'find duplicate files in the folder q and write their names to <to>',
        () => 'q/f0.txt\nq/f11999.txt\n',
      ],
    ] as const) {
      const to = `${text.slice(0, 5)}.out`;
      const { result } = await run(world, text.replace('<to>', `"${to}"`));
      expect({
        text,
        directive: result.directive,
        answer: readFileSync(join(world.root, to), 'utf8'),
      }).toEqual({ text, directive: 'accept', answer: answer(world.root) });
    }
    world.remove();
  });

  it('two largest files, two newest ones: the least path by UTF-16 units', async () => {
    const files = ['b.txt', 'a/z.txt', 'ｚ.txt', '😀.txt'].map((path) => ({
      path,
      content: 'same',
      minute: 5,
    }));
    await answers(
      [...files, { path: 'c', content: 'x', minute: 1 }],
      [
        ['find the largest file and write its name to <to>', () => 'a/z.txt\n'],
        ['find the newest txt file and write its name to <to>', () => 'a/z.txt\n'],
      ],
    );
  });

  it('the newest and the oldest of files changed a microsecond apart, in either order of their names', async () => {
    for (const names of [
      ['a.txt', 'b.txt', 'c.txt'],
      ['c.txt', 'b.txt', 'a.txt'],
    ]) {
      const world = await makeWorld(
        names.map((path) => ({ path, content: 'x' })),
        { tools: ['find_files', 'read_file', 'write_file'] },
      );
      const [old = '', , young = ''] = names;
      for (const [index, name] of names.entries())
        execFileSync('touch', ['-d', `2026-11-22T08:00:00.12345${index + 1}Z`, join(world.root, name)]);
      await run(world, 'find the newest txt file and write its name to new.out');
      await run(world, 'find the oldest txt file and write its name to old.out');
      expect([
        readFileSync(join(world.root, 'new.out'), 'utf8'),
        readFileSync(join(world.root, 'old.out'), 'utf8'),
      ]).toEqual([`${young}\n`, `${old}\n`]);
      world.remove();
    }
  });

  it('the bytes of a file that is no text, under names that mean something in patterns', async () => {
    const names = [
      'a.bin',
      'deep/a.bin',
      '[x]*{y}?.bin',
      'back\\slash.bin',
      '.hidden.bin',
      'deep/deep/a.bin',
    ];
    const world = await makeWorld(
      names.map((path, index) => ({ path, content: new Uint8Array(300 + index).fill(0xff) })),
      { tools: ['find_files', 'read_file', 'write_file'] },
    );
    for (const [index, name] of names.entries()) {
      const { result } = await run(
        world,
        `count the bytes of '${name}' and write the number to "n ${index}.out"`,
      );
      expect({
        name,
        directive: result.directive,
        said: readFileSync(join(world.root, `n ${index}.out`), 'utf8'),
      }).toEqual({ name, directive: 'accept', said: `${300 + index}\n` });
    }
    expect(
      (await run(world, 'count the bytes of gone.bin and write the number to g.out')).result.directive,
    ).toBe('abandon');
    world.remove();
  });

  it('a pattern in quotes keeps large and small letters apart, a bare one does not', async () => {
    await answers(
      [
        { path: 'a.md', content: '' },
        { path: 'b.MD', content: '' },
        { path: 'c/d.MD', content: '' },
      ],
      [
        ['count all files matching "*.MD" and write the number to <to>', () => '2\n'],
        ['count all files matching *.MD and write the number to <to>', () => '3\n'],
      ],
    );
  });

  it('what is said of a text that was put where another stood is true', async () => {
    const world = await makeWorld([{ path: 'a.txt', content: 'old' }]);
    const { result } = await run(world, 'write "new" to a.txt', { approves: true });
    expect(result).toMatchObject({ directive: 'accept', summary: '"a.txt" holds the text' });
    world.remove();
  });

  it('an empty workspace has nothing to count, list or join', async () => {
    await answers([], [['count all files and write the number to <to>', () => '0\n']]);
    await answers([], [['list all files into <to>', () => '']]);
    await answers([], [['concatenate all txt files into <to>', () => '']]);
    await answers([], [['find duplicate files and write their names to <to>', () => '']]);
    await answers([], [['report the total size per extension into <to>', () => '']]);
  });

  it('long names, names with line ends, arrows and marks of evidence', async () => {
    const odd = [
      'a → b.txt',
      '[error] x.txt',
      'x… [5 bytes].txt',
      'two\nlines.txt',
      `${'long '.repeat(30)}.txt`,
      `${'deep/'.repeat(30)}${'n'.repeat(60)}.txt`,
      '-rf.txt',
      '`id`.txt',
      "'; rm x; '.txt",
    ];
    const files = odd.map((path, index) => ({ path, content: 'x'.repeat(index + 1), minute: index }));
    await answers(files, [
      [
        'list all txt files into <to>',
        (root) =>
          byBytes(chosen(root))
            .map((path) => `${shown(path)}\n`)
            .join(''),
      ],
      ['count the txt files and write the number to <to>', () => `${odd.length}\n`],
      ['find the largest file with the extension txt and write its name to <to>', () => "'; rm x; '.txt\n"],
      ['find the oldest txt file and write its name to <to>', () => 'a → b.txt\n'],
      [
        'concatenate all txt files into <to>',
        (root) =>
          byBytes(chosen(root, { ext: 'txt' }))
            .map((path) => readFileSync(join(root, path), 'utf8'))
            .join(''),
      ],
    ]);
  });
});
