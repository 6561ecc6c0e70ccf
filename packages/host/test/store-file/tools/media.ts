import { mountSmall, temporaryFolder, type Medium, type SmallMedium } from '@assay/testing/store-contract';
import { fileStore } from '@assay/host/store-file';
import { FaultyDisk, type Fault, type Operation } from './faulty-disk.js';

/** A file system of 64 KiB. */
export const mountMedium = (): SmallMedium => mountSmall(64);

/** Real media: a full one, and one mounted read-only. */
export const mounted: readonly Medium[] = [
  {
    what: 'a full disk',
    errno: 'ENOSPC',
    make: async (fill) => {
      const medium = mountMedium();
      await filled(medium.path, fill);
      return { open: async () => fileStore(medium.path), remove: () => medium.remove() };
    },
  },
  {
    what: 'a disk mounted read-only',
    errno: 'EROFS',
    make: async (fill) => {
      const medium = mountMedium();
      await filled(medium.path, fill);
      await medium.remount('ro');
      return { open: async () => fileStore(medium.path), remove: () => medium.remove() };
    },
  },
];

/** The same and worse by injected faults. */
export const injected: readonly Medium[] = [
  faulty('an injected full disk at the first byte', 'ENOSPC', ({ name }) =>
    name === 'write' ? { errno: 'ENOSPC' } : null,
  ),
  faulty('an injected full disk in the middle of a group', 'ENOSPC', ({ name }) =>
    name === 'write' ? { errno: 'ENOSPC', after: 30_000 } : null,
  ),
  faulty('a sync that fails after a write', 'EIO', ({ name }, earlier) =>
    name === 'sync' && earlier.some((operation) => operation.name === 'write') ? { errno: 'EIO' } : null,
  ),
  faulty('a folder that can not be synced', 'EIO', ({ name }) =>
    name === 'syncFolder' ? { errno: 'EIO' } : null,
  ),
  faulty('a folder in which nothing may be made', 'EACCES', ({ name }) =>
    name === 'makeFolder' ? { errno: 'EACCES' } : null,
  ),
];

function faulty(
  what: string,
  errno: string,
  faultAt: (operation: Operation, earlier: readonly Operation[]) => Fault | null,
): Medium {
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
