/** Stored trees and key files: with the digest and the durable write of whoever calls. */
import { mkdtempSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { orThrow, type Digest } from '@assay/kernel';
import { formatPublicKey, proveInclusion } from '@assay/attest';
import { leadsToRoot, makeKeyFiles, readSecretKey, readTrusted, openTreeFile } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { leaves } from './runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-attest-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const hashes = leaves(5);
const making = (count: number): Parameters<typeof openTreeFile>[2] => ({
  sha256: nativeSha256,
  read: (take: (hash: Digest) => void) => {
    for (const hash of hashes.slice(0, count)) take(hash);
    return Promise.resolve(0);
  },
  last: () => Promise.resolve({ recordHash: hashes[count - 1] as Digest, position: count - 1 }),
  beside: (path) => `${path}.new`,
  moveInto: (temporary, path) => Promise.resolve(renameSync(temporary, path)),
});

test(
  'a tree is made, kept, used again, and made anew where the ledger went on, it was cut, ' +
    'or it was asked for',
  async () => {
    const path = at('tree');
    const origins: string[] = [];
    for (const [count, isAnew] of [
      [4, false],
      [4, false],
      [5, false],
      [5, true],
    ] as const) {
      const tree = orThrow(await openTreeFile(path, isAnew, making(count)));
      expect(leadsToRoot(tree, proveInclusion(tree.tree, 1, count, null))).toBe(true);
      origins.push(tree.origin);
      tree.close();
    }
    truncateSync(path, statSync(path).size - 1);
    const cut = orThrow(await openTreeFile(path, false, making(5)));
    cut.close();
    const aside = orThrow(await openTreeFile(null, false, making(5)));
    aside.close();
    expect([...origins, cut.origin, aside.origin]).toEqual([
      'made',
      'stored',
      'replaced',
      'replaced',
      'replaced',
      'made',
    ]);
  },
);

test('what is no stored tree is left alone', async () => {
  writeFileSync(at('other'), 'something else');
  for (const path of [at('other'), folder])
    expect(await openTreeFile(path, false, making(5))).toEqual({
      _tag: 'Left',
      left: { code: 'other_file' },
    });
  expect(await openTreeFile(join(at('other'), 'below'), false, making(5))).toMatchObject({
    left: { code: 'unreadable', cause: { code: 'ENOTDIR' } },
  });
});

test('a key is written by whoever calls, and read where nobody else may', async () => {
  const made = await makeKeyFiles(at('key'), {
    sha256: nativeSha256,
    createAll: (drafts) => {
      for (const { path, bytes, mode } of drafts)
        writeFileSync(path, bytes, { flag: 'wx', mode: mode ?? 0o644 });
      return Promise.resolve();
    },
  });
  expect(orThrow(readSecretKey(at('key'))).length).toBe(32);
  const reading = { sha256: nativeSha256, read: () => Promise.resolve(Buffer.from('none')) };
  const line = formatPublicKey(made.key.bytes);
  expect(orThrow(await readTrusted([line, line], reading))).toEqual([made.key]);
  expect(await readTrusted([line, 'file'], reading)).toMatchObject({
    left: { code: 'key_line', given: 'file', isLine: false },
  });
  writeFileSync(at('open'), 'x', { mode: 0o644 });
  const codes = [folder, at('none'), at('key.pub'), at('open')].map((path) => readSecretKey(path));
  expect(codes).toMatchObject([
    { left: { code: 'no_file' } },
    { left: { code: 'unreadable', cause: { code: 'ENOENT' } } },
    { left: { code: 'public_key' } },
    process.platform === 'win32' ? {} : { left: { code: 'key_permissions', mode: 0o644 } },
  ]);
});
