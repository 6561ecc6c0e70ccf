import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { chainBytes, headOfChain, smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { fileStore } from '@assay/host/store-file';
import { FaultyDisk } from './tools/faulty-disk.js';

const RUN = 'run';

describe('a full disk', () => {
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

  it('is not made by listing or trying', async () => {
    const { path, remove } = await temporaryFolder();
    const store = fileStore(join(path, 'none'));
    expect(orThrow(await store.list())).toEqual([]);
    expect(await store.tryWriting()).toMatchObject({ left: { code: 'unavailable', errno: 'ENOENT' } });
    await store.close();
    await expect(readFile(join(path, 'none'))).rejects.toThrow('ENOENT');
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
});
