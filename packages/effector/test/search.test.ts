import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fc, it as law } from '@fast-check/vitest';
import { asNobody, makeWorld, type World } from './tools/world.ts';
import { draws } from '../../kernel/tools/laws.ts';

/** Files of a random workspace: path by names, content, time of change in seconds. */
type Planted = { readonly names: readonly string[]; readonly content: string; readonly seconds: number };

const name = fc.constantFrom(
  'a',
  'b',
  'ab',
  'B',
  '.h',
  '.a',
  'a.md',
  'b.MD',
  'x.tar.gz',
  'a b',
  'é',
  '😀',
  '[a]',
  '-a',
  'ü.md',
  '\uFFFD',
  'a\nb',
);
const planted: fc.Arbitrary<readonly Planted[]> = fc.uniqueArray(
  fc.record({
    names: fc.array(name, { minLength: 1, maxLength: 4 }),
    content: fc.string({ unit: fc.constantFrom('n', 'e', 'é', '\n'), maxLength: 12 }),
    seconds: fc.integer({ min: 1, max: 5 }),
  }),
  { maxLength: 12, selector: ({ names }) => names.join('/') },
);

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.remove());
beforeEach(() => empty());

function empty(): void {
  for (const entry of readdirSync(world.root)) rmSync(join(world.root, entry), { recursive: true });
}

/**
 * Plants what fits (a name may be a file already where another path needs a folder), and a link out that no
 * search may follow.
 */
function plant(files: readonly Planted[]): void {
  empty();
  for (const { names, content, seconds } of files) {
    try {
      const file = world.put(names.join('/'), content);
      utimesSync(file, seconds, seconds);
    } catch (error) {
      if (
        !(
          error instanceof Error &&
          'code' in error &&
          ['EEXIST', 'ENOTDIR', 'EISDIR'].includes(String(error.code))
        )
      )
        throw error;
    }
  }
  symlinkSync(world.beside, join(world.root, 'out'));
}

type Seen = {
  readonly path: string;
  readonly folder: boolean;
  readonly size: number;
  readonly mtime: number;
  readonly content: string;
};

/** What is really there, read by other means. */
function really(): readonly Seen[] {
  return readdirSync(world.root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const full = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink() || full.startsWith(`${world.root}/out/`)) return [];
    const { size, mtimeMs } = statSync(full);
    return [
      {
        path: full.slice(world.root.length + 1),
        folder: entry.isDirectory(),
        size,
        mtime: mtimeMs,
        content: entry.isDirectory() ? '' : readFileSync(full, 'utf8'),
      },
    ];
  });
}

/** The order of UTF-16 code units, by comparing them one at a time. */
function inOrder(left: string, right: string): number {
  for (let at = 0; at < Math.min(left.length, right.length); at += 1)
    if (left.charCodeAt(at) !== right.charCodeAt(at)) return left.charCodeAt(at) - right.charCodeAt(at);
  return left.length - right.length;
}

describe('glob', () => {
  const part = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        '*',
        '?',
        '[ab]',
        '[!a]',
        '[a-c]',
        '.',
        'é',
        '.md',
        '😀',
        '[^.]',
        '[[]',
        'B',
        '-',
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((tokens) => tokens.join(''))
    .filter((text) => text !== '..' && text !== '**');
  const pattern = fc
    .array(fc.oneof({ weight: 3, arbitrary: part }, { weight: 1, arbitrary: fc.constant('**') }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join('/'));

  law.prop([planted, pattern], { seed: 41_207, numRuns: draws(300) })(
    'effector/glob-is-exact: gives exactly the paths whose names a regular expression made ' +
      'from the pattern accepts, in order',
    async (files, text) => {
      plant(files);
      const parts = text.split('/').filter((each) => each !== '.');
      const fits = really()
        .filter(({ path }) => accepts(parts, path.split('/')))
        .sort((left, right) => inOrder(left.path, right.path));
      const lines = (wanted: readonly Seen[]): string =>
        wanted.map(({ path, folder }) => `${lineOf(folder ? `${path}/` : path)}\n`).join('');
      if (parts.length === 0) return;
      expect((await world.call('glob', { pattern: text, folders: true })).output).toBe(lines(fits));
      expect((await world.call('glob', text)).output).toBe(lines(fits.filter(({ folder }) => !folder)));
    },
  );

  function accepts(parts: readonly string[], names: readonly string[]): boolean {
    const [first, ...rest] = parts;
    const [one, ...others] = names;
    if (first === undefined) return one === undefined;
    if (first === '**')
      return accepts(rest, names) || (one !== undefined && !one.startsWith('.') && accepts(parts, others));
    return one !== undefined && expression(first).test(one) && accepts(rest, others);
  }

  function expression(part: string): RegExp {
    const body = part.replace(/\[[!^]?.[^\]]*\]|[*?]|[.\-[\]]/gsu, (token) =>
      token === '*'
        ? '.*'
        : token === '?'
          ? '.'
          : token.length > 1
            ? token.replace(/^\[[!^]/, '[^').replace('[[', '[\\[')
            : `\\${token}`,
    );
    return new RegExp(`^${part.startsWith('.') ? '' : '(?!\\.)'}${body.replaceAll('\\-', '-')}$`, 'su');
  }

  function lineOf(path: string): string {
    return /[\n"\\]/.test(path) ? JSON.stringify(path) : path;
  }

  it.each([
    ['', 'bad_pattern'],
    ['[a', 'bad_pattern'],
    ['[]', 'bad_pattern'],
    ['[b-a]', 'bad_pattern'],
    ['a{b,c}', 'bad_pattern'],
    ['\\*', 'bad_pattern'],
    ['a/../b', 'parent_segment'],
    ['/a', 'absolute_path'],
    ['x'.repeat(1_025), 'bad_pattern'],
  ])('refuses the pattern %j', async (text, code) => {
    expect(await world.call('glob', text)).toMatchObject({ status: 'denied', code });
  });

  it('writes no sign that a terminal would obey', async () => {
    const own = await makeWorld();
    for (const path of ['\x7f.txt', 'a\u0085b', '\u009b2J', '\x1bc', '\u00a0']) own.put(path, '');
    expect((await own.call('glob', '*')).output).toBe(
      '"\\u001bc"\n"a\\u0085b"\n"\\u007f.txt"\n"\\u009b2J"\n\u00a0\n',
    );
    own.remove();
  });

  it('takes no longer for a pattern made to take long', async () => {
    world.put('a'.repeat(200), '');
    const start = performance.now();
    expect(await world.call('glob', `${'*a'.repeat(100)}*b`)).toMatchObject({ status: 'ok', output: '' });
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe('find_files', () => {
  const asked = fc.record(
    {
      name: fc.constantFrom('*', '*a*', '?', '.*', '*.md'),
      ext: fc.constantFrom('md', '.md', 'MD', 'gz', 'h'),
      contains: fc.constantFrom('n', 'ne', 'é', '\n', 'nn', 'canary'),
      min_size: fc.integer({ min: 0, max: 8 }),
      max_size: fc.integer({ min: 0, max: 8 }),
      modified_from: fc.integer({ min: 0, max: 6 }).map((seconds) => seconds * 1_000),
      modified_to: fc.integer({ min: 0, max: 6 }).map((seconds) => seconds * 1_000),
      sort: fc.constantFrom('path', 'size', 'mtime'),
      order: fc.constantFrom('up', 'down'),
      limit: fc.integer({ min: 1, max: 6 }),
      digests: fc.constant(true),
    },
    { requiredKeys: [] },
  );

  law.prop([planted, asked], { seed: 88_001, numRuns: draws(300) })(
    'effector/find-is-exact: gives exactly the files that have what is asked, sorted, equal ones by path',
    async (files, wanted) => {
      plant(files);
      const named = { '*': /^/, '*a*': /a/, '?': /^.$/su, '.*': /^\./, '*.md': /\.md$/ }[wanted.name ?? '*'];
      const ending = wanted.ext === undefined ? null : wanted.ext.replace('.', '').toLowerCase();
      const kept = really().filter(
        ({ path, folder, size, mtime, content }) =>
          !folder &&
          named.test(path.split('/').at(-1) ?? '') &&
          (ending === null || new RegExp(`[^/]\\.${ending}$`, 'i').test(path)) &&
          content.includes(wanted.contains ?? '') &&
          !(size < (wanted.min_size ?? 0) || size > (wanted.max_size ?? 99)) &&
          !(mtime < (wanted.modified_from ?? 0) || mtime > (wanted.modified_to ?? 99_000)),
      );
      const down = wanted.order === 'down' ? -1 : 1;
      const by = {
        path: (left: Seen, right: Seen) => inOrder(left.path, right.path),
        size: (left: Seen, right: Seen) => left.size - right.size,
        mtime: (left: Seen, right: Seen) => left.mtime - right.mtime,
      }[wanted.sort ?? 'path'];
      // A stable sort by path first, so that equal ones keep it.
      const sorted = kept
        .sort((left, right) => inOrder(left.path, right.path))
        .sort((left, right) => down * by(left, right))
        .slice(0, wanted.limit);
      const call = await world.call('find_files', wanted);
      expect(call.status).toBe('ok');
      const given: unknown =
        call.output === ''
          ? []
          : call.output
              .trimEnd()
              .split('\n')
              .map((line): unknown => JSON.parse(line));
      expect(given).toEqual(
        sorted.map(({ path, size, mtime, content }) => ({
          path,
          size,
          mtime_ms: mtime,
          ...(wanted.digests === true ? { sha256: createHash('sha256').update(content).digest('hex') } : {}),
        })),
      );
    },
  );

  it('leaves out the one file at a path, through whatever links its folders lead', async () => {
    for (const path of ['d/n', 'd/m', 'n']) world.put(path, '');
    for (const [target, path] of [
      ['d', 'k'],
      ['k', 'j'],
      ['d/n', 'l'],
      ['loop', 'loop'],
      ['..', 'd/up'],
      [world.beside, 'away'],
    ] as const)
      symlinkSync(target, join(world.root, path));
    const all = ['d/m', 'd/n', 'n'];
    const but = async (except: string): Promise<readonly string[]> => {
      const { status, output } = await world.call('find_files', { except });
      expect(status).toBe('ok');
      return output
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { readonly path: string }).path);
    };
    for (const path of ['d/n', 'k/n', 'j/n', 'd/up/d/n', 'k/up/j/n', './d//n'])
      expect([path, await but(path)]).toEqual([path, ['d/m', 'n']]);
    expect(await but('d/up/n')).toEqual(['d/m', 'd/n']);
    // A link itself is no file, and what is nowhere leaves nothing out.
    for (const path of ['l', 'gone/n', 'd/gone', 'loop/n', 'away/canary.txt', 'n/n', 'd'])
      expect([path, await but(path)]).toEqual([path, all]);
    expect(await world.call('find_files', { except: '../n' })).toMatchObject({
      status: 'denied',
      code: 'parent_segment',
    });
    expect((await world.call('find_files', { except: './d//n', sort: 'path' })).input).toBe(
      '{"except":"d/n"}',
    );
  });

  it('says the same question in one way', async () => {
    mkdirSync(join(world.root, 'd'));
    const input = async (asking: unknown): Promise<string> => (await world.call('find_files', asking)).input;
    expect(await input({ under: './d//', ext: '.MD', sort: 'path', order: 'up' })).toBe(
      '{"ext":"md","under":"d"}',
    );
    expect(await input({ ext: 'md', under: 'd' })).toBe('{"ext":"md","under":"d"}');
    expect(await input('*.md')).toBe('{"name":"*.md"}');
    expect(await input({ under: '.' })).toBe('{}');
    expect((await world.call('glob', { pattern: '*.md', folders: false })).input).toBe('*.md');
    expect((await world.call('glob', { pattern: '*.md', folders: true })).input).toBe(
      '{"folders":true,"pattern":"*.md"}',
    );
  });

  it('gives equal sizes by path, which is not the order in which folders are gone through', async () => {
    for (const path of ['a/x', 'a b', 'a-b/x']) world.put(path, 'x');
    for (const order of ['up', 'down'])
      expect(
        (await world.call('find_files', { sort: 'size', order })).output.match(/"path":"[^"]*"/g),
      ).toEqual(['"path":"a b"', '"path":"a-b/x"', '"path":"a/x"']);
  });

  it('finds words across the pieces in which a file is read', async () => {
    world.put('a', `${'x'.repeat(65_533)}needle`);
    expect(await world.call('find_files', { contains: 'needle' })).toMatchObject({
      output_bytes: expect.any(Number),
      output: expect.stringContaining('"a"'),
    });
    expect(await world.call('find_files', { contains: 'needles' })).toMatchObject({
      status: 'ok',
      output: '',
    });
  });

  it('finds nothing as an answer, and a folder that is not there as an error', async () => {
    expect(await world.call('find_files', '*.nothing')).toMatchObject({
      status: 'ok',
      output: '',
      output_bytes: 0,
    });
    expect(await world.call('find_files', { under: 'nothing' })).toMatchObject({
      status: 'error',
      code: 'not_found',
    });
    world.put('f', '');
    expect(await world.call('find_files', { under: 'f' })).toMatchObject({
      status: 'denied',
      code: 'not_a_folder',
    });
  });

  it.each([
    { sort: 'name' },
    { limit: 0 },
    { min_size: -1 },
    { min_size: 0.5 },
    { ext: '' },
    { contains: '' },
    { maxdepth: 1 },
  ])('refuses %j', async (asking) => {
    expect(await world.call('find_files', asking)).toMatchObject({ status: 'denied', code: 'bad_input' });
  });
});

describe('a search that cannot be whole says so', () => {
  let bounded: World;
  beforeEach(async () => {
    bounded = await makeWorld({ entries: 20, results: 5, depth: 3, searchBytes: 1_000 });
  });
  afterEach(() => bounded.remove());

  it('by names looked at, lines given, folders gone down and bytes read', async () => {
    for (let index = 0; index < 8; index += 1) bounded.put(`f${index}`, 'x');
    expect(await bounded.call('glob', '*')).toMatchObject({
      status: 'truncated',
      code: 'result_limit',
      why: 'a search gives 5 lines at most',
      output: 'f0\nf1\nf2\nf3\nf4\n',
    });
    expect(await bounded.call('find_files', { limit: 5 })).toMatchObject({ status: 'ok' });
    bounded.put('long', 'y'.repeat(2_000));
    expect(await bounded.call('find_files', { name: 'long', contains: 'z' })).toMatchObject({
      status: 'truncated',
      code: 'search_limit',
    });
    expect(await bounded.call('find_files', { name: 'long', digests: true })).toMatchObject({
      status: 'truncated',
      code: 'search_limit',
      output: '',
    });
    bounded.put('a/b/c/d', 'x');
    expect(await bounded.call('find_files', 'd')).toMatchObject({ status: 'truncated', code: 'depth_limit' });
    for (let index = 0; index < 20; index += 1) bounded.put(`g${index}`, 'x');
    expect(await bounded.call('find_files', 'nothing')).toMatchObject({
      status: 'truncated',
      code: 'entry_limit',
      why: expect.stringMatching(/^a search looks at [0-9]+ names at most$/) as string,
    });
  });

  it('by names looked at, of folders and links too, whatever the bound: exactly so many, the first ones', async () => {
    const at = (index: number): string => String(index).padStart(3, '0');
    for (const entries of [1, 63, 64, 65, 127, 128, 129, 130, 199, 200, 201]) {
      const narrow = await makeWorld({ entries });
      // 200 names or one more, more than are looked at together: every tenth a folder with a file, or a link.
      const files: string[] = [];
      let seen = 0;
      for (let index = 0; seen < 200; index += 1) {
        const [path, names] = index % 20 === 10 ? [`${at(index)}/f`, 2] : [at(index), 1];
        if (index % 20 === 0) symlinkSync(narrow.beside, join(narrow.root, at(index)));
        else narrow.put(path, '');
        seen += names;
        if (seen <= entries && index % 20 !== 0) files.push(path);
      }
      const { output, status } = await narrow.call('glob', '**');
      expect([entries, status, output]).toEqual([
        entries,
        entries < seen ? 'truncated' : 'ok',
        files.map((path) => `${path}\n`).join(''),
      ]);
      narrow.remove();
    }
  });

  it('by a name that is no text', async () => {
    world.put('a', '');
    mkdirSync(Buffer.concat([Buffer.from(`${world.root}/`), Buffer.from([0x61, 0xff])]));
    expect(await world.call('glob', '*')).toMatchObject({
      status: 'truncated',
      code: 'unreadable',
      why: 'a name in "." is no UTF-8: "a\uFFFD"',
      output: 'a\n',
    });
    rmSync(world.root, { recursive: true });
    mkdirSync(world.root);
    world.remove();
    world = await makeWorld();
  });

  it('by time, and stops when asked to', async () => {
    const file = world.put('sparse', '');
    truncateSync(file, 200_000_000_000);
    const slow = await makeWorld({ wallMs: 200, searchBytes: 200_000_000_000 });
    truncateSync(slow.put('sparse', ''), 200_000_000_000);
    expect(await slow.call('find_files', { contains: 'x' })).toMatchObject({
      status: 'timeout',
      code: 'wall_time',
    });
    const call = slow.call('find_files', { contains: 'x' }, { signal: AbortSignal.timeout(50) });
    expect(await call).toMatchObject({ status: 'interrupted', code: 'aborted' });
    slow.remove();
  });

  it('by a folder that may not be opened', async () => {
    world.put('closed/a', 'x');
    world.put('listed/a', 'x');
    chmodSync(join(world.root, 'closed'), 0o000);
    chmodSync(join(world.root, 'listed'), 0o444);
    await asNobody(world, async () => {
      expect(await world.call('find_files', { under: 'listed' })).toMatchObject({
        status: 'truncated',
        code: 'unreadable',
        output: '',
      });
      expect(await world.call('find_files', 'a')).toMatchObject({
        status: 'truncated',
        code: 'unreadable',
        output: '',
      });
      expect(await world.call('read_file', 'closed/a')).toMatchObject({
        status: 'error',
        code: 'no_permission',
      });
    });
    for (const name of ['closed', 'listed']) chmodSync(join(world.root, name), 0o700);
  });
});
