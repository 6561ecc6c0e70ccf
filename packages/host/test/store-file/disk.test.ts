import {
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { orThrow, type EvidenceRecord } from '@assay/kernel';
import type { Store } from '@assay/host';
import { chainBytes, headOfChain, smallChain } from '@assay/testing/store-contract';
import { fileStore, nodeDisk } from '../../src/store-file/index.ts';
import type { Disk } from '../../src/store-file/disk.ts';

const RUN = 'run';
const isLinux = process.platform === 'linux';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-disk-'));
  path = join(folder, 'run.ledger.jsonl');
  writeFileSync(path, chainBytes(chain.slice(0, 2)));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** The calls that wait for the medium from now on. */
async function syncs(): Promise<() => number> {
  const handle = await open(path, 'r');
  const spy = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync');
  await handle.close();
  return () => spy.mock.calls.length;
}

/** The flags with which this process has the file open. */
function flagsOfOpen(): readonly number[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
        ? [
            Number.parseInt(
              /flags:\s*([0-7]+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0',
              8,
            ),
          ]
        : [];
    } catch {
      return [];
    }
  });
}

const chain = smallChain(RUN, 8);

/** Appends what is missing, record by record. */
async function appendAll(store: Store, run: string, from: number): Promise<void> {
  for (let at = from; at < chain.length; at += 1)
    orThrow(await store.append(run, headOfChain(run, chain.slice(0, at)), [chain[at] as EvidenceRecord]));
}

describe('a ledger that was opened to be extended', () => {
  it.runIf(isLinux)('is written through to the medium: a write returns when it is there', async () => {
    const file = await nodeDisk.open(path, 'write');
    expect(file.writesThrough).toBe(true);
    expect(flagsOfOpen().map((flags) => flags & constants.O_DSYNC)).toEqual([constants.O_DSYNC]);
    await file.close();
  });

  it('is synced once for what another writer left in it', async () => {
    const count = await syncs();
    const store = fileStore(folder);
    await appendAll(store, RUN, 2);
    expect(count()).toBe(isLinux ? 1 : 1 + chain.length - 2);
    await store.close();
    expect(readFileSync(path)).toEqual(Buffer.from(chainBytes(chain)));
  });

  it('is synced by each append where its writes are not there when they return', async () => {
    const count = await syncs();
    const plain: Disk = {
      ...nodeDisk,
      open: async (name, mode) => ({ ...(await nodeDisk.open(name, mode)), writesThrough: false }),
    };
    const store = fileStore(folder, { disk: plain });
    await appendAll(store, RUN, 2);
    expect(count()).toBe(1 + chain.length - 2);
    await store.close();
  });
});

describe('a group that found no room', () => {
  it('is cut off again, and the cut is on the medium before the append returns', async () => {
    let isFull = false;
    const calls: string[] = [];
    const full: Disk = {
      ...nodeDisk,
      open: async (name, mode) => {
        const file = await nodeDisk.open(name, mode);
        const write = (bytes: Uint8Array, position: number): Promise<number> => {
          calls.push('write');
          if (!isFull) return file.write(bytes, position);
          if (calls.at(-2) === 'write')
            return Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'write' }));
          return file.write(bytes.subarray(0, bytes.length - 7), position);
        };
        return {
          ...file,
          write,
          truncate: (size) => {
            calls.push('truncate');
            return file.truncate(size);
          },
          sync: () => {
            calls.push('sync');
            return file.sync();
          },
        };
      },
    };
    const store = fileStore(folder, { disk: full });
    await appendAll(store, RUN, 2);
    const head = headOfChain(RUN, chain);
    isFull = true;
    calls.length = 0;
    const more = smallChain(RUN, 10).slice(8);
    expect(await store.append(RUN, head, more)).toMatchObject({
      _tag: 'Left',
      left: { code: 'unavailable', errno: 'ENOSPC' },
    });
    expect(calls).toEqual(['write', 'write', 'truncate', 'sync']);
    expect(readFileSync(path)).toEqual(Buffer.from(chainBytes(chain)));
    isFull = false;
    calls.length = 0;
    orThrow(await store.append(RUN, head, []));
    expect(calls).toEqual(['sync']);
    await store.close();
  });
});

describe('a file that is only read, and one that is made', () => {
  it('is not written through: the first group of a ledger is synced', async () => {
    for (const [name, mode] of [
      [path, 'read'],
      [join(folder, 'new'), 'create'],
    ] as const) {
      const file = await nodeDisk.open(name, mode);
      expect(file.writesThrough).toBe(false);
      await file.close();
    }
    const count = await syncs();
    const store = fileStore(join(folder, 'other'));
    orThrow(await store.append(RUN, null, chain.slice(0, 2)));
    expect(count()).toBe(1);
    await store.close();
  });
});
