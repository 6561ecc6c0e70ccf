import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Medium } from '@assay/store-contract';
import { sqliteStore, type SqliteDriver } from '@assay/store-sqlite';

/** True where this process may mount a small file system of its own. Under CI it must. */
export function canMount(): boolean {
  try {
    unmount(mountSmall().path);
    return true;
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    console.warn('store-sqlite: full and read-only media are not tested here: no permission to mount tmpfs');
    return false;
  }
}

/** A file system of 128 KiB in memory: room for a database, its log and the log's index (32 KiB), not for much more. */
export function mountSmall(): { readonly path: string; readonly remount: (options: string) => Promise<void>; readonly remove: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'assay-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  return {
    path,
    async remount(options) {
      await collectGarbage();
      execFileSync('mount', ['-o', `remount,${options}`, path], { stdio: 'pipe' });
    },
    async remove() {
      await collectGarbage();
      unmount(path);
    },
  };
}

function unmount(path: string): void {
  execFileSync('umount', [path], { stdio: 'pipe' });
  rmdirSync(path);
}

/** libsql lets go of its files when its statements are collected; a medium in use can not be unmounted. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Real media: a full one, and one mounted read-only. */
export function media(driver: SqliteDriver): readonly Medium[] {
  const filled = async (fill: Parameters<Medium['make']>[0]): Promise<ReturnType<typeof mountSmall>> => {
    const medium = mountSmall();
    const store = sqliteStore(join(medium.path, 'runs.db'), driver);
    await fill(store);
    await store.close();
    return medium;
  };
  const place = (medium: ReturnType<typeof mountSmall>): Awaited<ReturnType<Medium['make']>> => ({ open: async () => sqliteStore(join(medium.path, 'runs.db'), driver), remove: () => medium.remove() });
  return [
    { what: 'a full disk', errno: 'ENOSPC', make: async (fill) => place(await filled(fill)) },
    {
      what: 'a disk mounted read-only',
      errno: 'EROFS',
      make: async (fill) => {
        const medium = await filled(fill);
        await medium.remount('ro');
        return place(medium);
      },
    },
  ];
}
