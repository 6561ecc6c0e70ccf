import { expect, test } from 'vitest';
import { makeDurableFolder, type Disk } from '../src/disk.ts';

/** A disk that makes every folder anew, and tells what was synced. */
function noting(first: string | null): { readonly disk: Disk; readonly synced: readonly string[] } {
  const synced: string[] = [];
  const syncFolder = (path: string): Promise<void> => {
    if (synced.length > 9) throw new Error('it does not end');
    synced.push(path);
    return Promise.resolve();
  };
  return { disk: { makeFolder: () => Promise.resolve(first), syncFolder } as unknown as Disk, synced };
}

test.each([
  ['s', 's', ['.']],
  ['./s', './s', ['.']],
  ['s/deep', 's', ['s', '.']],
  ['/a/b', '/a/b', ['/a']],
  ['/a/b', '/a', ['/a', '/']],
  ['/a/b', null, []],
])('the folders above a new one are synced, also where its name is relative and one letter long: %s, made from %s', async (path, first, folders) => {
  const { disk, synced } = noting(first);
  await makeDurableFolder(disk, path);
  expect(synced).toEqual(folders);
});
