import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import {
  canMount,
  chainBytes,
  makeChain,
  headOfChain,
  smallChain,
  temporaryFolder,
} from '@assay/testing/store-contract';
import { fileStore } from '@assay/host/store-file';
import { FaultyDisk } from './tools/faulty-disk.js';
import { mountMedium } from './tools/media.js';

const RUN = 'run';

describe('a full disk', () => {
  it.skipIf(!canMount('store-file'))(
    'takes nothing half: the ledger is as before, and once there is room the same store goes on',
    async () => {
      const medium = mountMedium();
      try {
        const chain = makeChain(RUN, ['a', 'x'.repeat(50_000)]);
        const store = fileStore(medium.path);
        const ballast = join(medium.path, 'ballast');
        const first = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
        await writeFile(ballast, new Uint8Array(40_000));
        expect(await store.append(RUN, first, chain.slice(2))).toEqual({
          _tag: 'Left',
          left: { code: 'unavailable', run_id: RUN, operation: 'append', errno: 'ENOSPC' },
        });
        expect(await readFile(join(medium.path, 'run.ledger.jsonl'))).toEqual(
          Buffer.from(chainBytes(chain.slice(0, 2))),
        );
        await writeFile(join(medium.path, 'rest'), new Uint8Array(24_000)).catch(() => undefined);
        expect(await store.tryWriting()).toEqual({
          _tag: 'Left',
          left: { code: 'unavailable', run_id: null, operation: 'write', errno: 'ENOSPC' },
        });
        await rm(join(medium.path, 'rest'));
        await rm(ballast);
        expect(orThrow(await store.tryWriting())).toBeNull();
        orThrow(await store.append(RUN, first, chain.slice(2)));
        await store.close();
        expect(await readFile(join(medium.path, 'run.ledger.jsonl'))).toEqual(Buffer.from(chainBytes(chain)));
        expect(await readdir(medium.path)).toEqual(['run.ledger.jsonl']);
      } finally {
        await medium.remove();
      }
    },
  );

  it('at every byte of a group: nothing of it stays, and the next attempt writes it whole', async () => {
    const { path, remove } = await temporaryFolder();
    const chain = smallChain(RUN, 3);
    const size = chainBytes(chain.slice(1)).length;
    let room: number | null = null;
    const disk = new FaultyDisk(({ name }) =>
      name === 'write' && room !== null ? { errno: 'ENOSPC', after: room } : null,
    );
    const store = fileStore(path, { disk: disk.disk });
    const head = orThrow(await store.append(RUN, null, chain.slice(0, 1)));
    for (room = 0; room <= size; room += 1) {
      expect(await store.append(RUN, head, chain.slice(1))).toMatchObject({
        left: { code: 'unavailable', errno: 'ENOSPC' },
      });
      expect(await readFile(join(path, 'run.ledger.jsonl'))).toEqual(
        Buffer.from(chainBytes(chain.slice(0, 1))),
      );
    }
    room = null;
    expect(orThrow(await store.append(RUN, head, chain.slice(1)))).toEqual(headOfChain(RUN, chain));
    await store.close();
    await remove();
  });
});

describe('a sync that fails', () => {
  it('is not believed the second time: the group is written again before it counts as durable', async () => {
    const { path, remove } = await temporaryFolder();
    const chain = smallChain(RUN, 3);
    let isFailing = false;
    const disk = new FaultyDisk(({ name }) => (name === 'sync' && isFailing ? { errno: 'EIO' } : null));
    const store = fileStore(path, { disk: disk.disk });
    const head = orThrow(await store.append(RUN, null, chain.slice(0, 1)));
    isFailing = true;
    expect(await store.append(RUN, head, chain.slice(1))).toMatchObject({
      left: { code: 'unavailable', errno: 'EIO' },
    });
    isFailing = false;
    const start = disk.operations.length;
    expect(orThrow(await store.head(RUN))).toEqual(head);
    orThrow(await store.append(RUN, head, chain.slice(1)));
    expect(disk.operations.slice(start).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['write', 'sync']),
    );
    await disk.losePower(0);
    expect(await readFile(join(path, 'run.ledger.jsonl'))).toEqual(Buffer.from(chainBytes(chain)));
    await store.close();
    await remove();
  });

  it('a head asked for meanwhile waits, and is the old one', async () => {
    const { path, remove } = await temporaryFolder();
    const chain = smallChain(RUN, 3);
    const { disk } = new FaultyDisk();
    let isGated = false;
    let reached = (): void => undefined;
    let release = (): void => undefined;
    const atSync = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const gated: typeof disk = {
      ...disk,
      open: async (...given) => {
        const file = await disk.open(...given);
        return {
          ...file,
          sync: async () => {
            if (!isGated) return file.sync();
            reached();
            await released;
            throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' });
          },
        };
      },
    };
    const store = fileStore(path, { disk: gated });
    const before = orThrow(await store.append(RUN, null, chain.slice(0, 1)));
    isGated = true;
    const appending = store.append(RUN, before, chain.slice(1));
    await atSync;
    const asked = store.head(RUN);
    expect(await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 30, 'waiting'))])).toBe(
      'waiting',
    );
    release();
    expect(await appending).toMatchObject({ left: { code: 'unavailable', errno: 'EIO' } });
    expect(orThrow(await asked)).toEqual(before);
    await store.close();
    await remove();
  });

  it('and a cut back that fails too leave a ledger that says itself where it ends', async () => {
    const { path, remove } = await temporaryFolder();
    const chain = smallChain(RUN, 3);
    let isFailing = false;
    const disk = new FaultyDisk(({ name }) =>
      isFailing && (name === 'sync' || name === 'truncate') ? { errno: 'EIO' } : null,
    );
    const store = fileStore(path, { disk: disk.disk });
    const head = orThrow(await store.append(RUN, null, chain.slice(0, 1)));
    isFailing = true;
    expect(await store.append(RUN, head, chain.slice(1))).toMatchObject({ left: { code: 'unavailable' } });
    isFailing = false;
    expect(await store.append(RUN, head, chain.slice(1))).toMatchObject({
      left: { code: 'stale_head', actual: headOfChain(RUN, chain) },
    });
    await store.close();
    await remove();
  });
});

describe('a place that can not hold a store', () => {
  it('a file where the folder should be is unavailable, and is left as it was', async () => {
    const { path, remove } = await temporaryFolder();
    const place = join(path, 'file');
    await writeFile(place, 'text');
    const store = fileStore(place);
    expect(await store.append(RUN, null, smallChain(RUN, 1))).toMatchObject({
      left: { code: 'unavailable', operation: 'append' },
    });
    expect(await store.list()).toMatchObject({
      left: { code: 'unavailable', operation: 'list', errno: 'ENOTDIR' },
    });
    expect(await readFile(place, 'utf8')).toBe('text');
    await store.close();
    await remove();
  });

  it('a defect of the disk is thrown on, never reported as a state of the medium', async () => {
    const { path, remove } = await temporaryFolder();
    const disk = { ...new FaultyDisk().disk, open: () => Promise.reject(new TypeError('a defect')) };
    const store = fileStore(path, { disk });
    await expect(store.append(RUN, null, smallChain(RUN, 1))).rejects.toThrow('a defect');
    await writeFile(join(path, 'run.ledger.jsonl'), chainBytes(smallChain(RUN, 1)));
    await expect(store.head(RUN)).rejects.toThrow('a defect');
    await store.close();
    await remove();
  });

  it('opening, listing and reading make nothing', async () => {
    const { path, remove } = await temporaryFolder();
    const store = fileStore(join(path, 'none'));
    expect(orThrow(await store.list())).toEqual([]);
    expect(orThrow(await store.head(RUN))).toBeNull();
    await store.close();
    expect(await store.tryWriting()).toEqual({ _tag: 'Left', left: { code: 'closed' } });
    const again = fileStore(join(path, 'none'));
    expect(await again.tryWriting()).toEqual({
      _tag: 'Left',
      left: { code: 'unavailable', run_id: null, operation: 'write', errno: 'ENOENT' },
    });
    await again.close();
    expect(await readdir(path)).toEqual([]);
    await remove();
  });

  it.each(['makeFolder', 'open'])(
    'a folder without the right to write is unavailable (EACCES, injected at %s)',
    async (refused) => {
      const { path, remove } = await temporaryFolder();
      const store = fileStore(path, {
        disk: new FaultyDisk(({ name }) => (name === refused ? { errno: 'EACCES' } : null)).disk,
      });
      expect(await store.append(RUN, null, smallChain(RUN, 1))).toMatchObject({
        left: { code: 'unavailable', errno: 'EACCES' },
      });
      await store.close();
      await remove();
    },
  );
});
