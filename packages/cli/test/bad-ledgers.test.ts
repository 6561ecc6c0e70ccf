/** Files that are no sound ledgers, given to every command that reads one. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, document, POLL, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();
const honest = readFileSync(POLL, 'utf8');
const write = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
mkdirSync(join(folder, 'folder.jsonl'));

const FILES: readonly (readonly [
  what: string,
  content: string | Uint8Array,
  code: string,
  record: number,
])[] = [
  ['a missing last newline', honest.slice(0, -1), 'final_newline', 14],
  ['CR LF line ends', honest.replaceAll('\n', '\r\n'), 'encoding', 0],
  ['a byte order mark', `\ufeff${honest}`, 'encoding', 0],
  ['a duplicate key', honest.replace('"value":{', '"value":{"option":"harbour",'), 'encoding', 2],
  ['nesting of 10,000', `${'['.repeat(10_000)}${']'.repeat(10_000)}\n${honest}`, 'depth', 0],
  ['an empty file', '', 'empty', 0],
];

describe('verify says what is wrong: exit 3', () => {
  test.each(FILES)('%s', async (what, content, code, record) => {
    const path = write(`${what.replaceAll(/\W/g, '-')}.jsonl`, content);
    const { code: exit, json } = await document(['verify', path]);
    expect(exit).toBe(3);
    expect(json).toMatchObject({
      results: [
        {
          file: path,
          head: null,
          checks: {
            integrity: { verdict: 'failed', code, record },
            rederivation: { verdict: record > 0 ? expect.any(String) : 'not_checked' },
          },
        },
      ],
    });
    const { stdout, stderr } = await assay(['verify', path]);
    expect(stdout).toContain(`${code}: `);
    expect(stdout).toContain(`(record ${record})`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('a file without a record is no ledger: exit 2', () => {
  test.each<readonly [what: string, content: string | Uint8Array]>([
    ['a binary', Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256)],
    ['JSON that is no record', '{"a":1}\n'],
    ['no JSON', 'hello\n'],
    ['pretty-printed JSON', `${JSON.stringify(JSON.parse(honest.split('\n')[0] ?? ''), null, 2)}\n`],
  ])('%s', async (what, content) => {
    const path = write(`none-${what.replaceAll(/\W/g, '-')}`, content);
    for (const command of ['verify', 'head', 'show', 'audit']) {
      const { code, stdout, stderr } = await assay([command, path]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^assay: not_a_ledger: .*\n {2}place .*none-.*\n {2}remedy /);
    }
  });
});

describe('what a copy or an editor did to the file is named', () => {
  test.each([
    ['CRLF', honest.replaceAll('\n', '\r\n'), 'its lines end in CRLF'],
    ['BOM', `\ufeff${honest}`, 'it begins with a byte order mark'],
    ['BOM and CRLF', `\ufeff${honest.replaceAll('\n', '\r\n')}`, 'it begins with a byte order mark'],
    ['neither', `{"a":1}\n${honest}`, null],
  ])('%s', async (what, content, said) => {
    const path = write(`named-${what.replaceAll(' ', '-')}.jsonl`, content);
    for (const args of [
      ['verify', path],
      ['head', path],
    ]) {
      const { code, stderr } = await assay(args);
      expect(code).toBe(3);
      expect(/its lines end in CRLF|it begins with a byte order mark/.exec(stderr)?.[0] ?? null).toBe(said);
    }
  });
});

describe('what cannot be read is wrong use: exit 2', () => {
  test.each([
    ['a missing file', join(folder, 'none.jsonl'), 'missing_file'],
    ['a folder', join(folder, 'folder.jsonl'), 'is_folder'],
    ['a path through a file', join(POLL, 'x'), 'missing_file'],
    ['a name that is too long', 'x'.repeat(5_000), 'missing_file'],
  ])('%s', async (_, path, code) => {
    for (const command of ['verify', 'head', 'show']) {
      const { code: exit, stdout, stderr } = await assay([command, path]);
      expect([exit, stdout]).toEqual([2, '']);
      expect(stderr.startsWith(`assay: ${code}: `)).toBe(true);
    }
  });
});

describe('size', () => {
  test('a line of 100 MB is refused in bounded memory, at once', async () => {
    const path = write('large.jsonl', Buffer.alloc(100_000_000, 'a'));
    const { code, stdout } = await assay(['verify', path], { heapMiB: 64 });
    expect([code, stdout]).toEqual([2, '']);
    expect((await assay(['head', path], { heapMiB: 64 })).code).toBe(2);
  });

  test('standard input is read like a file', async () => {
    expect((await assay(['verify', '-'], { input: honest })).code).toBe(0);
    const { code, stdout } = await assay(['verify', '-']);
    expect(code).toBe(3);
    expect(stdout).toContain('standard input');
    expect(stdout).toContain('empty: ');
  });
});
