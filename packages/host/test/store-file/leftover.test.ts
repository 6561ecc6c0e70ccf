import { execFileSync } from 'node:child_process';
import { link, lstat, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { chainBytes, smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { fileStore } from '@assay/host/store-file';
import { FaultyDisk } from './tools/faulty-disk.js';

const RUN = 'run';
const chain = smallChain(RUN, 3);

let folder: { readonly path: string; readonly remove: () => Promise<void> };
let making: string;
let other: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  making = join(folder.path, 'run.ledger.jsonl.new');
  other = join(folder.path, 'other.ledger.jsonl');
  await writeFile(other, 'of another run\n');
});
afterEach(() => folder.remove());

const begin = async (disk = new FaultyDisk()): Promise<unknown> => {
  const store = fileStore(folder.path, { disk: disk.disk });
  const appended = await store.append(RUN, null, chain);
  await store.close();
  return appended;
};

describe('the name under which a ledger is made', () => {
  it.skipIf(process.platform === 'win32').each<readonly [what: string, make: () => Promise<unknown> | void]>([
    ['a link to another ledger', () => symlink('other.ledger.jsonl', making)],
    ['a link to nowhere', () => symlink('none', making)],
    ['a pipe', () => void execFileSync('mkfifo', [making])],
    ['a folder', () => mkdir(making)],
  ])('%s there is refused and stays, and nothing is written through it', async (_, make) => {
    await make();
    const before = await lstat(making);
    expect(await begin()).toEqual({
      _tag: 'Left',
      left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'ERR_FOREIGN_NAME' },
    });
    expect((await lstat(making)).ino).toBe(before.ino);
    expect((await readdir(folder.path)).sort()).toEqual(['other.ledger.jsonl', 'run.ledger.jsonl.new']);
    expect(await readFile(other, 'utf8')).toBe('of another run\n');
  });

  it('a file there is what a crash left: its name goes, and what else is called so keeps its bytes', async () => {
    await link(other, making);
    orThrow((await begin()) as never);
    expect(await readFile(other, 'utf8')).toBe('of another run\n');
    expect(await readFile(join(folder.path, 'run.ledger.jsonl'))).toEqual(Buffer.from(chainBytes(chain)));
    expect((await readdir(folder.path)).sort()).toEqual(['other.ledger.jsonl', 'run.ledger.jsonl']);
  });

  it('what is put there after the look is not opened either, and not removed', async () => {
    const disk = new FaultyDisk().disk;
    const racing = {
      ...disk,
      open: async (path: string, mode: 'read' | 'write' | 'create') => {
        if (path === making) await symlink('other.ledger.jsonl', making);
        return disk.open(path, mode);
      },
    };
    const store = fileStore(folder.path, { disk: racing });
    expect(await store.append(RUN, null, chain)).toMatchObject({
      left: { code: 'unavailable', errno: 'EEXIST' },
    });
    await store.close();
    expect([(await lstat(making)).isSymbolicLink(), await readFile(other, 'utf8')]).toEqual([
      true,
      'of another run\n',
    ]);
  });
});

describe('a medium that takes no byte and says no failure', () => {
  it('is one that fails: a new run, a group and a trial end', async () => {
    let isTaking = false;
    const disk = new FaultyDisk().disk;
    const idle = {
      ...disk,
      open: async (path: string, mode: 'read' | 'write' | 'create') => {
        const file = await disk.open(path, mode);
        return {
          ...file,
          write: (bytes: Uint8Array, position: number) =>
            isTaking ? file.write(bytes, position) : Promise.resolve(0),
        };
      },
    };
    const store = fileStore(folder.path, { disk: idle });
    expect(await store.append(RUN, null, chain)).toMatchObject({
      left: { code: 'unavailable', errno: 'EIO' },
    });
    expect(await store.tryWriting()).toMatchObject({ left: { code: 'unavailable', errno: 'EIO' } });
    isTaking = true;
    const head = orThrow(await store.append(RUN, null, chain.slice(0, 1)));
    isTaking = false;
    expect(await store.append(RUN, head, chain.slice(1))).toMatchObject({
      left: { code: 'unavailable', errno: 'EIO' },
    });
    expect(await readFile(join(folder.path, 'run.ledger.jsonl'))).toEqual(
      Buffer.from(chainBytes(chain.slice(0, 1))),
    );
    await store.close();
  });
});
