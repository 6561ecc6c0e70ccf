import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWorld, type World } from './tools/world.ts';

let world: World;
beforeEach(async () => {
  world = await makeWorld({ readBytes: 10_000, wholeBytes: 20_000 });
});
afterEach(() => world.remove());

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const confirmed = { confirmed: true };

describe('read_file', () => {
  it('gives a text byte for byte, and its digest is that of the file', async () => {
    const text = '\ufeffé 😀\r\nno end';
    world.put('a/b.txt', text);
    const call = await world.call('read_file', { path: './a//b.txt' });
    expect(call).toEqual({
      tool: 'read_file',
      input: 'a/b.txt',
      target: 'a/b.txt',
      output: text,
      status: 'ok',
      code: null,
      why: null,
      output_bytes: Buffer.byteLength(text),
      digest: sha256(text),
      class: 'read',
      irreversible: false,
      loses: null,
    });
  });

  it('shows head and tail of a long text and hashes the whole; the call is ok', async () => {
    const text = `${'a'.repeat(5_000)}${'z'.repeat(4_000)}`;
    world.put('long.txt', text);
    const call = await world.call('read_file', 'long.txt');
    expect(call).toMatchObject({ status: 'ok', output_bytes: 9_000, digest: sha256(text) });
    expect(call.output).toMatch(/^a{1900,}\n\[… \d+ characters left out …\]\nz{1900,}$/);
  });

  it('gives the beginning of what is longer than allowed, cut at a character, with the digest of all', async () => {
    for (const [text, kept] of [
      ['é'.repeat(5_001), 5_000],
      [`a${'é'.repeat(5_000)}`, 5_000],
      ['x'.repeat(19_999), 10_000],
    ] as const) {
      world.put('long.txt', text);
      let given = '';
      const onOutput = (output: string): void => void (given = output);
      expect(await world.call('read_file', 'long.txt', { onOutput })).toMatchObject({
        status: 'truncated',
        code: 'file_too_long',
        output_bytes: Buffer.byteLength(text),
        digest: sha256(text),
      });
      expect(given).toBe(text.slice(0, kept));
    }
  });

  it('does not read to the end what is too long for a digest', async () => {
    truncateSync(world.put('long.txt', ''), 1_000_000_000_000);
    const call = await world.call('read_file', 'long.txt');
    expect(call).toMatchObject({ status: 'truncated', code: 'file_too_long', digest: null });
    expect(call.output_bytes).toBeGreaterThan(20_000);
  });

  it('gives lines by their numbers, with their ends', async () => {
    world.put('lines.txt', '1\r\n2\n\n4');
    const lines = async (range: object): Promise<string> =>
      (await world.call('read_file', { path: 'lines.txt', ...range })).output;
    expect(await lines({ from_line: 2 })).toBe('2\n\n4');
    expect(await lines({ to_line: 1 })).toBe('1\r\n');
    expect(await lines({ from_line: 3, to_line: 3 })).toBe('\n');
    expect(await lines({ from_line: 9 })).toBe('');
    expect(await world.call('read_file', { path: 'lines.txt', from_line: 2, to_line: 1 })).toMatchObject({
      code: 'bad_input',
    });
  });

  it('says of bytes that are no text how many they are', async () => {
    world.put('b.bin', Buffer.from([0x61, 0xff, 0x00]));
    expect(await world.call('read_file', 'b.bin')).toMatchObject({
      status: 'error',
      code: 'not_text',
      output: 'not_text: b.bin: 3 bytes that are no UTF-8 text',
    });
  });

  it('gives several texts one behind the other, to the byte, and its digest is that of all of them', async () => {
    world.put('a.txt', 'no end');
    world.put('b/é.txt', '\ufeffé\r\n');
    const text = '\ufeffé\r\nno end\ufeffé\r\n';
    expect(await world.call('read_file', { paths: ['b//é.txt', './a.txt', 'b/é.txt'] })).toMatchObject({
      status: 'ok',
      input: '{"paths":["b/é.txt","a.txt","b/é.txt"]}',
      output: text,
      digest: sha256(text),
      irreversible: false,
    });
  });

  it('reads several files up to the first that it cannot, and all of them together up to the bound', async () => {
    world.put('a.txt', 'a');
    world.put('b.bin', Buffer.from([0xff]));
    world.put('long.txt', 'x'.repeat(9_999));
    const read = (...paths: readonly string[]): Promise<object> => world.call('read_file', { paths });
    expect(await read('a.txt', 'gone.txt')).toMatchObject({ status: 'error', code: 'not_found' });
    expect(await read('a.txt', 'b.bin')).toMatchObject({ status: 'error', code: 'not_text' });
    expect(await read('a.txt', '../canary.txt')).toMatchObject({ status: 'denied', code: 'parent_segment' });
    expect(await read()).toMatchObject({ status: 'denied', code: 'bad_input' });
    expect(await read('a.txt', 'long.txt')).toMatchObject({ status: 'ok', output_bytes: 10_000 });
    expect(await read('a.txt', 'long.txt', 'a.txt')).toMatchObject({
      status: 'truncated',
      code: 'file_too_long',
      output_bytes: 10_001,
      digest: sha256(`a${'x'.repeat(9_999)}a`),
    });
    expect(await world.call('read_file', { paths: ['a.txt'], to_line: 1 })).toMatchObject({
      status: 'denied',
      code: 'bad_input',
    });
  });

  it('follows a link that stays inside', async () => {
    world.put('a/b.txt', 'b');
    symlinkSync('../a', join(world.root, 'a', 'c'));
    symlinkSync(join(world.root, 'a', 'c', 'b.txt'), join(world.root, 'd'));
    expect(await world.call('read_file', 'd')).toMatchObject({ status: 'ok', output: 'b' });
  });

  it('reads a file that has another name, inside or outside: the two cannot be told apart', async () => {
    linkSync(world.canary, join(world.root, 'h'));
    expect(await world.call('read_file', 'h')).toMatchObject({
      status: 'ok',
      output_bytes: lstatSync(world.canary).size,
    });
  });

  it.each([
    ['', 'not_a_file'],
    ['a', 'not_a_file'],
    ['b', 'not_found'],
  ])('has no text of a folder or of nothing (%j)', async (name, code) => {
    world.put('a/x', '');
    expect(await world.call('read_file', { path: `./${name}` })).toMatchObject({ code });
  });
});

describe('write_file', () => {
  it('writes a new file and the folders above it without asking, and says what it wrote', async () => {
    const call = await world.call('write_file', { path: 'a/b/c.md', content: 'é\n' });
    expect(call).toMatchObject({
      status: 'ok',
      irreversible: false,
      output: `wrote a/b/c.md: 3 bytes, sha256 ${sha256('é\n')}\n`,
    });
    expect(world.read('a/b/c.md')).toBe('é\n');
    expect(readdirSync(join(world.root, 'a/b'))).toEqual(['c.md']);
  });

  it('effector/nothing-lost-unasked: does not replace a file unless that very call was confirmed', async () => {
    world.put('a.txt', 'old');
    const asked = await world.call('write_file', { path: 'a.txt', content: 'new' });
    expect(asked).toMatchObject({ status: 'denied', code: 'needs_confirmation', irreversible: true });
    expect(world.read('a.txt')).toBe('old');
    expect(await world.call('write_file', { path: 'a.txt', content: 'new' }, confirmed)).toMatchObject({
      status: 'ok',
      irreversible: true,
    });
    expect(world.read('a.txt')).toBe('new');
    expect(readdirSync(world.root)).toEqual(['a.txt']);
  });

  it('does nothing where the content is the same, and needs nobody for it', async () => {
    const file = world.put('a.txt', 'same');
    const before = statSync(file).ino;
    expect(await world.call('write_file', { path: 'a.txt', content: 'same' })).toMatchObject({
      status: 'ok',
      irreversible: false,
      output: `unchanged a.txt: 4 bytes, sha256 ${sha256('same')}\n`,
    });
    expect(statSync(file).ino).toBe(before);
  });

  it('keeps the permissions of what it replaces, and leaves its other names alone', async () => {
    const file = world.put('a.txt', 'old');
    chmodSync(file, 0o640);
    linkSync(file, join(world.root, 'b.txt'));
    await world.call('write_file', { path: 'a.txt', content: 'new' }, confirmed);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect([world.read('a.txt'), world.read('b.txt')]).toEqual(['new', 'old']);
  });

  it('of many writers of one new file one writes it, and the others are asked', async () => {
    const calls = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        world.call('write_file', { path: 'a.txt', content: `writer ${index}` }),
      ),
    );
    const wrote = calls.filter(({ status }) => status === 'ok');
    expect(wrote).toHaveLength(1);
    expect(calls.filter(({ code }) => code === 'needs_confirmation')).toHaveLength(15);
    expect(wrote[0]?.digest).toBe(
      sha256(`wrote a.txt: ${world.read('a.txt').length} bytes, sha256 ${sha256(world.read('a.txt'))}\n`),
    );
    expect(readdirSync(world.root)).toEqual(['a.txt']);
  });

  it('puts nothing in the place of a folder', async () => {
    world.put('a/x', '');
    for (const path of ['a', '.', 'a/'])
      expect(await world.call('write_file', { path, content: '' }, confirmed)).toMatchObject({
        status: 'denied',
        code: 'not_a_file',
      });
  });

  it(
    'a long content is recorded cut, with its digest, so that two inputs are equal as texts ' +
      'where they are equal',
    async () => {
      const one = await world.call('write_file', {
        path: 'a',
        content: `${'x'.repeat(5_000)}1${'x'.repeat(5_000)}`,
      });
      const two = await world.call('write_file', {
        path: 'a',
        content: `${'x'.repeat(5_000)}2${'x'.repeat(5_000)}`,
      });
      expect(one.input).not.toBe(two.input);
      expect(one.input).toMatch(/\nsha256 [0-9a-f]{64}$/);
    },
  );
});

describe('append_file', () => {
  it('adds at the end and says how long the file was; a file that is not there is made', async () => {
    expect(await world.call('append_file', { path: 'l/a.txt', content: 'one\n' })).toMatchObject({
      status: 'ok',
      irreversible: false,
    });
    expect(await world.call('append_file', { path: 'l/a.txt', content: 'two\n' })).toMatchObject({
      output: 'appended 4 bytes to l/a.txt, which had 4\n',
    });
    expect(world.read('l/a.txt')).toBe('one\ntwo\n');
  });

  it('loses no line of many that come at once', async () => {
    await world.call('write_file', { path: 'a.txt', content: '' });
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    await Promise.all(lines.map((content) => world.call('append_file', { path: 'a.txt', content })));
    expect(
      world
        .read('a.txt')
        .split(/(?<=\n)/)
        .sort(),
    ).toEqual([...lines].sort());
  });
});

describe('make_dir, move_file, remove_file', () => {
  it('makes folders; one that is there is no fault', async () => {
    expect(await world.call('make_dir', 'a/b')).toMatchObject({ status: 'ok', output: 'made a/b\n' });
    expect(await world.call('make_dir', 'a/b/')).toMatchObject({
      status: 'ok',
      output: 'a/b is there already\n',
      input: 'a/b',
    });
    world.put('f', '');
    expect(await world.call('make_dir', 'f')).toMatchObject({ status: 'denied', code: 'not_a_folder' });
    expect(await world.call('make_dir', 'f/g')).toMatchObject({ status: 'denied', code: 'not_a_folder' });
  });

  it('moves a file to a free path without asking', async () => {
    world.put('a.txt', 'a');
    expect(await world.call('move_file', { from: 'a.txt', to: 'd/b.txt' })).toMatchObject({
      status: 'ok',
      irreversible: false,
    });
    expect([existsSync(join(world.root, 'a.txt')), world.read('d/b.txt')]).toEqual([false, 'a']);
  });

  it('effector/nothing-lost-unasked: does not move a file over another unless confirmed', async () => {
    world.put('a.txt', 'a');
    world.put('b.txt', 'b');
    expect(await world.call('move_file', { from: 'a.txt', to: 'b.txt' })).toMatchObject({
      status: 'denied',
      code: 'needs_confirmation',
      irreversible: true,
    });
    expect([world.read('a.txt'), world.read('b.txt')]).toEqual(['a', 'b']);
    expect(await world.call('move_file', { from: 'a.txt', to: 'b.txt' }, confirmed)).toMatchObject({
      status: 'ok',
      irreversible: true,
    });
    expect(readdirSync(world.root)).toEqual(['b.txt']);
    expect(world.read('b.txt')).toBe('a');
  });

  it('moves no folder, nothing onto a folder, and no file onto itself', async () => {
    world.put('d/a.txt', 'a');
    expect(await world.call('move_file', { from: 'd', to: 'e' }, confirmed)).toMatchObject({
      code: 'not_a_file',
    });
    expect(await world.call('move_file', { from: 'd/a.txt', to: 'd' }, confirmed)).toMatchObject({
      code: 'not_a_file',
    });
    expect(await world.call('move_file', { from: 'd/a.txt', to: '.' }, confirmed)).toMatchObject({
      code: 'not_a_file',
    });
    expect(await world.call('move_file', { from: 'd/a.txt', to: 'd/a.txt' }, confirmed)).toMatchObject({
      code: 'exists',
    });
    expect(await world.call('move_file', { from: 'x', to: 'y' })).toMatchObject({ code: 'not_found' });
    expect(world.read('d/a.txt')).toBe('a');
  });

  it('effector/nothing-lost-unasked: removes nothing unless confirmed, and then one file', async () => {
    world.put('a.txt', 'a');
    world.put('d/b.txt', 'b');
    expect(await world.call('remove_file', 'a.txt')).toMatchObject({
      status: 'denied',
      code: 'needs_confirmation',
      irreversible: true,
    });
    expect(existsSync(join(world.root, 'a.txt'))).toBe(true);
    expect(await world.call('remove_file', 'a.txt', confirmed)).toMatchObject({
      status: 'ok',
      irreversible: true,
    });
    expect(await world.call('remove_file', 'd', confirmed)).toMatchObject({ code: 'not_a_file' });
    expect(await world.call('remove_file', '.', confirmed)).toMatchObject({ code: 'not_a_file' });
    expect(readdirSync(world.root)).toEqual(['d']);
  });
});

describe('a call that is stopped', () => {
  it('is interrupted before it does anything', async () => {
    expect(
      await world.call('write_file', { path: 'a', content: 'a' }, { signal: AbortSignal.abort() }),
    ).toMatchObject({ status: 'interrupted', code: 'aborted' });
    expect(readdirSync(world.root)).toEqual([]);
  });
});
