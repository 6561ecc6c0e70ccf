import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mountSmall, type Medium, type SmallMedium } from '@assay/testing/store-contract';
import { sqliteStore } from '../../src/index.ts';
import type { SqliteDriver } from '../../src/driver.ts';

/** A file system of 128 KiB: room for a database, its log and the log's index (32 KiB), not for much more. */
export const mountMedium = (): SmallMedium => mountSmall(128, collectGarbage);

/**
 * libsql lets go of the files below a folder when its statements are collected; a medium in use can not be
 * unmounted.
 */
export async function collectGarbage(folder: string): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3 && isOpenBelow(folder); round += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** True where this process has a file below a folder open, or may have. */
function isOpenBelow(folder: string): boolean {
  const open = '/proc/self/fd';
  if (!existsSync(open)) return true;
  const place = realpathSync(folder);
  return readdirSync(open).some((fd) => {
    try {
      return readlinkSync(join(open, fd)).startsWith(place);
    } catch {
      return false;
    }
  });
}

/** Real media: a full one, and one mounted read-only. */
export function media(driver: SqliteDriver): readonly Medium[] {
  const filled = async (fill: Parameters<Medium['make']>[0]): Promise<SmallMedium> => {
    const medium = mountMedium();
    const store = sqliteStore(join(medium.path, 'runs.db'), driver);
    await fill(store);
    await store.close();
    return medium;
  };
  const place = (medium: SmallMedium): Awaited<ReturnType<Medium['make']>> => ({
    open: async () => sqliteStore(join(medium.path, 'runs.db'), driver),
    remove: () => medium.remove(),
  });
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
