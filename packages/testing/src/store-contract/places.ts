/** Places for tests of stores: folders, and media of their own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own under the system's temporary folder, and how to remove it. */
export async function temporaryFolder(): Promise<{
  readonly path: string;
  readonly remove: () => Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'assay-store-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A small file system in memory. `remount` takes the options of mount(8). */
export type SmallMedium = {
  readonly path: string;
  readonly remount: (options: string) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/**
 * Mounts a file system of so many KiB. `letGo`: called before it is remounted or removed, which nothing open
 * there lets happen. Throws where this process may not.
 */
export function mountSmall(
  kib: number,
  letGo: (path: string) => Promise<void> = async () => undefined,
): SmallMedium {
  const path = mkdtempSync(join(tmpdir(), 'assay-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  return {
    path,
    async remount(options) {
      await letGo(path);
      execFileSync('mount', ['-o', `remount,${options}`, path], { stdio: 'pipe' });
    },
    async remove() {
      await letGo(path);
      unmount(path);
    },
  };
}

/**
 * True if this process may mount a small file system of its own. Under CI it must. `who`: whose tests are
 * left out otherwise.
 */
export function canMount(who: string): boolean {
  try {
    unmount(mountSmall(64).path);
    return true;
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    console.warn(`${who}: full and read-only media are not tested here: no permission to mount tmpfs`);
    return false;
  }
}

function unmount(path: string): void {
  execFileSync('umount', [path], { stdio: 'pipe' });
  rmdirSync(path);
}
