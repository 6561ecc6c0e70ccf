import { expect, test } from 'vitest';
import { type Folders, makeDurableFolder } from '../src/files/folder.js';

/** A disk that makes every folder anew, and tells what was synced. */
function noting(first: string | null): { readonly disk: Folders; readonly synced: readonly string[] } {
  const synced: string[] = [];
  const syncFolder = (path: string): Promise<void> => {
    if (synced.length > 9) throw new Error('it does not end');
    synced.push(path);
    return Promise.resolve();
  };
  return { disk: { makeFolder: () => Promise.resolve(first), syncFolder }, synced };
}

test.each([
  ['s', 's', ['.']],
  ['./s', './s', ['.']],
  ['s/deep', 's', ['s', '.']],
  ['/a/b', '/a/b', ['/a']],
  ['/a/b', '/a', ['/a', '/']],
  ['/a/b', null, ['/a']],
  ['s', null, ['.']],
])(
  'the names of a folder and of those made above it are synced: %s, made from %s',
  async (path, first, folders) => {
    const { disk, synced } = noting(first);
    await makeDurableFolder(path, disk);
    expect(synced).toEqual(folders);
  },
);

test('a folder below one that may not be read is used; any other failed sync is an error', async () => {
  const disk = (first: string | null, code: string): Folders => ({
    makeFolder: () => Promise.resolve(first),
    syncFolder: () => Promise.reject(Object.assign(new Error('no'), { code, syscall: 'open' })),
  });
  await expect(makeDurableFolder('/a/b', disk(null, 'EACCES'))).resolves.toBeUndefined();
  await expect(makeDurableFolder('/a/b', disk(null, 'EIO'))).rejects.toThrow('no');
  await expect(makeDurableFolder('/a/b', disk('/a/b', 'EACCES'))).rejects.toThrow('no');
});
