import { createHash } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../src/index.ts';
import { makeWorld, type World } from './tools/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  world.put('n.txt', '10 b\n9 a\n9 a\n100 c\n');
  world.put('d/one.md', '# One\nalpha\n');
  world.put('d/two words.md', '# Two\nbeta alpha\n');
  world.put('-n', 'dash\n');
});
afterAll(() => world.remove());

const output = async (command: string): Promise<string> => {
  const call = await world.call('shell', command);
  return call.status === 'ok' ? call.output : `${call.status} ${call.code}: ${call.output}`;
};

describe('each command does what it is allowed for', () => {
  it.each([
    ['cat n.txt', '10 b\n9 a\n9 a\n100 c\n'],
    ['cut -d " " -f2 n.txt', 'b\na\na\nc\n'],
    ['du -b --apparent-size n.txt', '19\tn.txt\n'],
    ['grep -n a n.txt', '2:9 a\n3:9 a\n'],
    ['grep -c -e a -e c n.txt', '3\n'],
    ["grep -E '^(9|10) ' n.txt", '10 b\n9 a\n9 a\n'],
    ['grep -r -l --null alpha d | sort -z', 'd/one.md\0d/two words.md\0'],
    ['grep -HcZ alpha d/one.md', 'd/one.md\x001\n'],
    ['grep -rl alpha d --include=*.md | sort', 'd/one.md\nd/two words.md\n'],
    ['head -2 n.txt', '10 b\n9 a\n'],
    ['head -n -3 n.txt', '10 b\n'],
    ['ls -1 d', 'one.md\ntwo words.md\n'],
    ['sha256sum n.txt', `${createHash('sha256').update('10 b\n9 a\n9 a\n100 c\n').digest('hex')}  n.txt\n`],
    ['sort -n n.txt', '9 a\n9 a\n10 b\n100 c\n'],
    ['sort -k2,2r -u n.txt', '100 c\n10 b\n9 a\n'],
    ["sort -t ' ' --key=1,1nr n.txt", '100 c\n10 b\n9 a\n9 a\n'],
    ['stat -c %s n.txt', '19\n'],
    ['tail -n +3 n.txt', '9 a\n100 c\n'],
    ['tail -1 n.txt', '100 c\n'],
    ['cat n.txt | tr a-c A-C', '10 B\n9 A\n9 A\n100 C\n'],
    ['cut -d" " -f1 n.txt | sort | uniq -c | sort -rn | head -1', '      2 9\n'],
    ['wc -l n.txt', '4 n.txt\n'],
    ['wc -l d/*.md', ' 2 d/one.md\n 2 d/two words.md\n 4 total\n'],
    ['cat "d/two words.md"', '# Two\nbeta alpha\n'],
    ["cat d/two\\ words.md 'n.txt' | wc -l", '6\n'],
    ['cat ./-n', 'dash\n'],
    ['cat -- -n', 'dash\n'],
    ['cat n.txt | sort - | head -1', '10 b\n'],
    ['cat', ''],
    ['grep "#" d/*', 'd/one.md:# One\nd/two words.md:# Two\n'],
    ['ls -d *', '-n\nd\nn.txt\n'],
  ])('%s', async (command, expected) => {
    expect(await output(command)).toBe(expected);
  });

  it('leaves no command out', () => {
    expect(COMMAND_NAMES.length).toBe(13);
  });
});

describe('a file that is called -', () => {
  let named: World;
  beforeAll(async () => {
    named = await makeWorld();
    named.put('-', 'two\nlines\n');
    named.put('z', 'other\n');
    named.put('d/-', 'below\n');
  });
  afterAll(() => named.remove());
  const digest = createHash('sha256').update('two\nlines\n').digest('hex');

  it.each([
    ['cat ./-', 'two\nlines\n'],
    ['cat d/-', 'below\n'],
    ['cat *', 'two\nlines\nother\n'],
    ['cut -c1 ./-', 't\nl\n'],
    ['du -b ./-', '10\t./-\n'],
    ['du -b -', '10\t./-\n'],
    ['grep -c . ./-', '2\n'],
    ['grep -c . [-z]', './-:2\nz:1\n'],
    ['grep -r -l two .', './-\n'],
    ['head -1 ./-', 'two\n'],
    ['ls -1 -', './-\n'],
    ['sha256sum ./-', `${digest}  ./-\n`],
    ['sha256sum -- [-]', `${digest}  ./-\n`],
    ['sort ./-', 'lines\ntwo\n'],
    ['stat -c %s -', '10\n'],
    ['tail -1 ./-', 'lines\n'],
    ['uniq ./-', 'two\nlines\n'],
    ['wc -l ./-', '2 ./-\n'],
    ['wc -c *', '10 ./-\n 6 z\n16 total\n'],
    ['cat z | sort - ./-', 'lines\nother\ntwo\n'],
    ['cat z | cat -- -', 'other\n'],
  ])('%s', async (command, expected) => {
    const call = await named.call('shell', command);
    expect([call.status, call.output]).toEqual(['ok', expected]);
    // What is recorded says the same again.
    expect(await named.call('shell', call.input)).toEqual(call);
  });

  it.each(['cat -', 'cat -- -', 'wc -c z -', 'sha256sum -- - z', 'grep -c x -', 'sort - | head -1'])(
    '%s is refused: there is nothing that - would read',
    async (command) => {
      expect(await named.call('shell', command)).toMatchObject({
        status: 'denied',
        code: 'bad_input',
        output: expect.stringContaining('./-'),
      });
    },
  );
});

describe('a file that is called ~', () => {
  let named: World;
  beforeAll(async () => {
    named = await makeWorld();
    named.put('~', 'tilde\n');
    named.put('d/~', 'below\n');
  });
  afterAll(() => named.remove());

  it('is ./~ for every tool, recorded so, and found; ~ itself is the home folder, and refused', async () => {
    for (const [tool, input, said] of [
      ['read_file', './~', './~'],
      ['read_file', './/././~', './~'],
      ['shell', 'cat ./~', "cat './~'"],
      ['shell', 'cat [~]', "cat ['~']"],
    ] as const) {
      const call = await named.call(tool, input);
      expect(call).toMatchObject({ status: 'ok', input: said, output: 'tilde\n' });
      expect(await named.call(tool, call.input)).toEqual(call);
    }
    expect(await named.call('read_file', { paths: ['./~', 'd/~'] })).toMatchObject({
      status: 'ok',
      input: '{"paths":["./~","d/~"]}',
      output: 'tilde\nbelow\n',
    });
    expect(await named.call('glob', '**')).toMatchObject({ output: 'd/~\n~\n' });
    for (const [tool, input] of [
      ['read_file', '~'],
      ['read_file', '~/.profile'],
      ['read_file', { paths: ['~'] }],
      ['write_file', { path: '~/a', content: '' }],
      ['make_dir', '~'],
    ] as const) {
      expect(await named.call(tool, input)).toMatchObject({
        status: 'denied',
        code: 'absolute_path',
        output: expect.stringContaining('./~'),
      });
    }
    await named.call('write_file', { path: './~d/~', content: 'x' });
    expect(named.read('~d/~')).toBe('x');
  });
});

describe('how a pipeline ends', () => {
  it('nothing found is an answer', async () => {
    expect(await world.call('shell', 'grep nothing n.txt')).toMatchObject({
      status: 'ok',
      output: '',
      output_bytes: 0,
    });
  });

  it('an error of any command is an error, with what came before and what was said', async () => {
    const call = await world.call('shell', "grep '[' n.txt | cat");
    expect(call).toMatchObject({ status: 'error', code: 'exit' });
    expect(call.output).toMatch(/^exit: grep: exit 2\n/);
  });

  it('a command whose reader has enough is no error', async () => {
    truncateSync(world.put('long', ''), 50_000_000);
    expect(await world.call('shell', 'cat long | head -c 3')).toMatchObject({
      status: 'ok',
      output: '\0\0\0',
    });
    expect(await world.call('shell', 'cat long | wc -l n.txt')).toMatchObject({
      status: 'ok',
      output: '4 n.txt\n',
    });
  });

  it('a file or a pattern that names nothing is an error before anything is started', async () => {
    expect(await world.call('shell', 'wc nothing.txt')).toMatchObject({ status: 'error', code: 'not_found' });
    expect(await world.call('shell', 'wc *.nothing')).toMatchObject({ status: 'error', code: 'not_found' });
  });

  it('a command that a tool stands for is refused with the name of the tool', async () => {
    for (const [command, tool] of [
      ['find . -name a', 'find_files'],
      ['rm a', 'remove_file'],
      ['mkdir a', 'make_dir'],
      ['mv a b', 'move_file'],
      ['echo x', 'write_file'],
    ]) {
      expect(await world.call('shell', command)).toMatchObject({
        code: 'command_not_allowed',
        output: expect.stringContaining(`use ${tool}`),
      });
    }
  });

  it('is recorded as it was understood, and that can be called again', async () => {
    const call = await world.call('shell', 'sort   -rn  "n.txt" | head -1');
    expect(call.input).toBe('sort -r -n n.txt | head -n 1');
    for (const line of [
      call.input,
      'wc -l d/*.md',
      "grep -e '*|' -- -n 'd/two words.md'",
      'cat -- -n',
      "cut -d '' -f 1 n.txt",
      "ls ['!x']*",
    ]) {
      const once = await world.call('shell', line);
      expect(await world.call('shell', once.input)).toEqual(once);
    }
    expect(
      await world.call('shell', {
        pipeline: [
          ['sort', '-rn', 'n.txt'],
          ['head', '-1'],
        ],
      }),
    ).toEqual(call);
  });

  it('bytes that are no text are shown as such and hashed as they are', async () => {
    world.put('bin', Buffer.from([0xff, 0xfe]));
    expect(await world.call('shell', 'cat bin')).toMatchObject({
      output: '\ufffd\ufffd',
      output_bytes: 2,
      digest: createHash('sha256')
        .update(Buffer.from([0xff, 0xfe]))
        .digest('hex'),
    });
  });
});

describe('a pipeline is held', () => {
  it('in its output: the rest is summed up, and beyond a bound not waited for', async () => {
    const bounded = await makeWorld({ outputBytes: 10_000, wholeBytes: 2_000_000 });
    truncateSync(bounded.put('long', ''), 1_000_000_000_000);
    const start = performance.now();
    expect(await bounded.call('shell', 'cat long')).toMatchObject({
      status: 'truncated',
      code: 'output_limit',
      digest: null,
    });
    bounded.put('longer', 'x'.repeat(2_000_000));
    expect(await bounded.call('shell', 'cat longer')).toMatchObject({
      status: 'truncated',
      code: 'output_limit',
      output: expect.stringContaining(' characters left out') as string,
      output_bytes: 2_000_000,
      digest: createHash('sha256').update('x'.repeat(2_000_000)).digest('hex'),
    });
    expect(performance.now() - start).toBeLessThan(5_000);
    bounded.put('exact', 'x'.repeat(10_000));
    expect(await bounded.call('shell', 'cat exact')).toMatchObject({ status: 'ok', output_bytes: 10_000 });
    bounded.remove();
  });

  it('in its wall time, with what came until then', async () => {
    const bounded = await makeWorld({ wallMs: 500 });
    truncateSync(bounded.put('long', ''), 1_000_000_000_000);
    const start = performance.now();
    expect(await bounded.call('shell', 'sha256sum long | cat')).toMatchObject({
      status: 'timeout',
      code: 'wall_time',
      output: 'wall_time: stopped after 500 ms',
    });
    expect(performance.now() - start).toBeLessThan(5_000);
    bounded.remove();
  });

  it('in its processor time', async () => {
    const bounded = await makeWorld({ cpuSeconds: 1, wallMs: 30_000 });
    truncateSync(bounded.put('long', ''), 1_000_000_000_000);
    expect(await bounded.call('shell', 'sha256sum long')).toMatchObject({
      status: 'timeout',
      code: 'cpu_time',
    });
    bounded.remove();
  });

  it('in its memory', async () => {
    const bounded = await makeWorld({ memoryBytes: 32_000_000, wallMs: 30_000 });
    truncateSync(bounded.put('one-line', ''), 200_000_000);
    expect(await bounded.call('shell', 'sort one-line')).toMatchObject({ status: 'error', code: 'exit' });
    // What does not fit is not put into a file elsewhere.
    bounded.put('many-lines', 'a line of text\n'.repeat(3_000_000));
    const spilled = await bounded.call('shell', 'sort many-lines | head -1');
    expect(spilled).toMatchObject({
      status: 'error',
      code: 'exit',
      output: expect.stringContaining('temporary file in'),
    });
    bounded.remove();
  });

  it('by whoever started it', async () => {
    const bounded = await makeWorld({ wallMs: 30_000 });
    truncateSync(bounded.put('long', ''), 1_000_000_000_000);
    const start = performance.now();
    expect(
      await bounded.call('shell', 'cat long | sha256sum', { signal: AbortSignal.timeout(200) }),
    ).toMatchObject({ status: 'interrupted', code: 'aborted' });
    expect(performance.now() - start).toBeLessThan(5_000);
    bounded.remove();
  });
});
