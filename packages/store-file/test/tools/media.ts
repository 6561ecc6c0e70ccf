import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Medium } from '@assay/store-contract';
import { fileStore } from '@assay/store-file';
import { FaultyDisk, type Fault, type Operation } from './faulty-disk.js';
import { temporaryFolder } from './folder.js';

/** True where this process may mount a small file system of its own. Under CI it must. */
export function canMount(): boolean {
  try {
    const medium = mountSmall();
    medium.remove();
    return true;
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    console.warn('store-file: full and read-only media are not tested here: no permission to mount tmpfs');
    return false;
  }
}

/** A file system of 64 KiB in memory. */
export function mountSmall(): { readonly path: string; readonly remount: (options: string) => void; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'assay-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  return {
    path,
    remount: (options) => void execFileSync('mount', ['-o', `remount,${options}`, path], { stdio: 'pipe' }),
    remove: () => {
      execFileSync('umount', [path], { stdio: 'pipe' });
      rmdirSync(path);
    },
  };
}

/** Real media: a full one, and one mounted read-only. */
export const mounted: readonly Medium[] = [
  {
    what: 'a full disk',
    errno: 'ENOSPC',
    make: async (fill) => {
      const medium = mountSmall();
      await filled(medium.path, fill);
      return { open: async () => fileStore(medium.path), remove: async () => medium.remove() };
    },
  },
  {
    what: 'a disk mounted read-only',
    errno: 'EROFS',
    make: async (fill) => {
      const medium = mountSmall();
      await filled(medium.path, fill);
      medium.remount('ro');
      return { open: async () => fileStore(medium.path), remove: async () => medium.remove() };
    },
  },
];

/** The same and worse by injected faults. */
export const injected: readonly Medium[] = [
  faulty('an injected full disk at the first byte', 'ENOSPC', ({ name }) => (name === 'write' ? { errno: 'ENOSPC' } : null)),
  faulty('an injected full disk in the middle of a group', 'ENOSPC', ({ name }) => (name === 'write' ? { errno: 'ENOSPC', after: 30_000 } : null)),
  faulty('a sync that fails after a write', 'EIO', ({ name }, earlier) => (name === 'sync' && earlier.some((operation) => operation.name === 'write') ? { errno: 'EIO' } : null)),
  faulty('a folder that can not be synced', 'EIO', ({ name }) => (name === 'syncFolder' ? { errno: 'EIO' } : null)),
  faulty('a folder in which nothing may be made', 'EACCES', ({ name }) => (name === 'makeFolder' ? { errno: 'EACCES' } : null)),
];

function faulty(what: string, errno: string, faultAt: (operation: Operation, earlier: readonly Operation[]) => Fault | null): Medium {
  return {
    what,
    errno,
    make: async (fill) => {
      const { path, remove } = await temporaryFolder();
      await filled(path, fill);
      const disk: FaultyDisk = new FaultyDisk((operation) => faultAt(operation, disk.operations));
      return { open: async () => fileStore(path, { disk: disk.disk }), remove };
    },
  };
}

async function filled(path: string, fill: Parameters<Medium['make']>[0]): Promise<void> {
  const store = fileStore(path);
  await fill(store);
  await store.close();
}
