import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { chainBytes, headOfChain, smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { fileStore } from '../../src/store-file/index.ts';
import type { Repair } from '../../src/store-file/file-store.ts';
import { Crash, FaultyDisk, TestProcesses, type Fault, type Operation } from './tools/faulty-disk.js';

const RUN = 'run';
const chain = smallChain(RUN, 5);
const stored = chain.slice(0, 2);
const group = chain.slice(2);
const before = headOfChain(RUN, stored);

let folder: { readonly path: string; readonly remove: () => Promise<void> };
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** A ledger with two records and no lock. */
async function seed(path = folder.path): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
  await writeFile(join(path, 'run.ledger.jsonl'), chainBytes(stored));
}

/** Appends the group as process 1, which meets a fault; true where it died of it. */
async function appendAndMeet(
  faultAt: (operation: Operation, index: number) => Fault | null,
  disk = new FaultyDisk(faultAt),
  path = folder.path,
): Promise<boolean> {
  const processes = new TestProcesses();
  const store = fileStore(path, { disk: disk.disk, processes: processes.start(1) });
  try {
    await store.append(RUN, before, group);
    await store.close();
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  }
}

/** As the next process does: looks at the head, lets `due` be what is missing, appends it, goes on. */
async function resume(
  path = folder.path,
): Promise<{ readonly found: number; readonly repairs: readonly Repair[] }> {
  const repairs: Repair[] = [];
  const processes = new TestProcesses();
  const store = fileStore(path, {
    disk: new FaultyDisk().disk,
    processes: processes.start(2),
    onRepair: (repair) => repairs.push(repair),
  });
  const head = orThrow(await store.head(RUN));
  const found = head?.count ?? 0;
  orThrow(await store.append(RUN, head, chain.slice(found)));
  await store.close();
  return { found, repairs };
}

async function ledgerText(path = folder.path): Promise<string> {
  return readFile(join(path, 'run.ledger.jsonl'), 'utf8');
}

/** Dies before the sync of what it has written. */
function dyingAtSync(): FaultyDisk {
  const disk: FaultyDisk = new FaultyDisk(({ name }) =>
    name === 'sync' && disk.operations.some((earlier) => earlier.name === 'write') ? { crash: true } : null,
  );
  return disk;
}

const whole = new TextDecoder().decode(chainBytes(chain));
const lineEnds = group.map((_, index) => chainBytes(group.slice(0, index + 1)).length);

describe('a process that dies while it writes a group', () => {
  it('at every byte: a cut line is removed and reported, whole lines stay', async () => {
    const size = chainBytes(group).length;
    const atByte = async (cut: number): Promise<void> => {
      const path = join(folder.path, String(cut));
      await seed(path);
      expect(
        await appendAndMeet(
          () => null,
          new FaultyDisk(({ name }) => (name === 'write' ? { crash: true, after: cut } : null)),
          path,
        ),
      ).toBe(true);
      const wholeLines = lineEnds.filter((end) => end <= cut).length;
      const remnant = cut - (lineEnds[wholeLines - 1] ?? 0);
      const { found, repairs } = await resume(path);
      expect({ cut, found }).toEqual({ cut, found: stored.length + wholeLines });
      expect(repairs).toEqual(
        remnant === 0 ? [] : [{ run_id: RUN, path: join(path, 'run.ledger.jsonl'), bytes: remnant }],
      );
      expect(await ledgerText(path)).toBe(whole);
    };
    for (let cut = 0; cut <= size; cut += 8)
      await Promise.all(
        [0, 1, 2, 3, 4, 5, 6, 7].filter((add) => cut + add <= size).map((add) => atByte(cut + add)),
      );
  });

  it('at every operation: the next process finds a sound ledger, takes the lock and completes it', async () => {
    await seed();
    const probe = new FaultyDisk();
    await appendAndMeet(() => null, probe);
    expect(probe.operations.length).toBeGreaterThan(15);
    for (let at = 0; at < probe.operations.length; at += 1) {
      await seed();
      expect(await appendAndMeet((_, index) => (index === at ? { crash: true } : null))).toBe(true);
      await resume();
      expect({ at, text: await ledgerText() }).toEqual({ at, text: whole });
    }
  });

  it('at every operation of making a new run: the run is there with its whole first group, or not at all', async () => {
    const create = async (disk: FaultyDisk, pid: number): Promise<void> => {
      const store = fileStore(folder.path, { disk: disk.disk, processes: new TestProcesses().start(pid) });
      orThrow(await store.append(RUN, null, chain));
      await store.close();
    };
    const probe = new FaultyDisk();
    await create(probe, 1);
    for (let at = 0; at < probe.operations.length; at += 1) {
      for (const after of probe.operations[at]?.name === 'write'
        ? [0, 1, whole.length - 1, whole.length]
        : [0]) {
        await rm(folder.path, { recursive: true, force: true });
        await expect(
          create(new FaultyDisk((_, index) => (index === at ? { crash: true, after } : null)), 1),
        ).rejects.toThrow(Crash);
        const store = fileStore(folder.path, { processes: new TestProcesses().start(2) });
        const head = orThrow(await store.head(RUN));
        expect(orThrow(await store.list())).toEqual(head === null ? [] : [RUN]);
        orThrow(await store.append(RUN, head, head === null ? chain : []));
        await store.close();
        expect(await ledgerText()).toBe(whole);
        expect((await readdir(folder.path)).filter((name) => !name.startsWith('.'))).toEqual([
          'run.ledger.jsonl',
        ]);
      }
    }
  });
});

describe('a power cut', () => {
  it('between write and sync: whatever was kept, also zeros, the ledger is completed', async () => {
    const size = chainBytes(group).length;
    for (const zeros of [false, true]) {
      for (let kept = 0; kept <= size; kept += 7) {
        await seed();
        const disk = dyingAtSync();
        expect(await appendAndMeet(() => null, disk)).toBe(true);
        await disk.losePower(kept, zeros);
        await resume();
        expect({ kept, zeros, text: await ledgerText() }).toEqual({ kept, zeros, text: whole });
      }
    }
  });

  it('after append returned: nothing of the group is lost', async () => {
    await seed();
    const disk = new FaultyDisk();
    const store = fileStore(folder.path, { disk: disk.disk, processes: new TestProcesses().start(1) });
    orThrow(await store.append(RUN, before, group));
    await disk.losePower(0);
    expect(await ledgerText()).toBe(whole);
    await store.close();
  });

  it('after a new run was appended: neither its bytes nor its name are lost', async () => {
    const disk = new FaultyDisk();
    const store = fileStore(join(folder.path, 'new', 'folder'), { disk: disk.disk });
    orThrow(await store.append(RUN, null, chain));
    await disk.losePower(0);
    expect(await readFile(join(folder.path, 'new', 'folder', 'run.ledger.jsonl'), 'utf8')).toBe(whole);
    const synced = disk.operations
      .filter((operation) => operation.name === 'syncFolder')
      .map((operation) => operation.file);
    expect(synced).toEqual(expect.arrayContaining(['folder', 'new']));
    await store.close();
  });

  it('after a resumed run was claimed: what the dead writer left unsynced is durable', async () => {
    await seed();
    const disk = dyingAtSync();
    expect(await appendAndMeet(() => null, disk)).toBe(true);
    const next = new FaultyDisk();
    const store = fileStore(folder.path, { disk: next.disk, processes: new TestProcesses().start(2) });
    orThrow(await store.append(RUN, headOfChain(RUN, chain), []));
    expect(next.operations.map(({ name, file }) => `${name} ${file}`)).toContain('sync run.ledger.jsonl');
    expect(next.operations.filter(({ name }) => name === 'write')).toEqual([]);
    await store.close();
  });
});

describe('a group', () => {
  it('is one look at the file that was kept open, one write, then one sync', async () => {
    await seed();
    const disk = new FaultyDisk();
    const store = fileStore(folder.path, { disk: disk.disk });
    const first = orThrow(await store.append(RUN, before, group.slice(0, 2)));
    const start = disk.operations.length;
    orThrow(await store.append(RUN, first, group.slice(2)));
    const names = disk.operations
      .slice(start)
      .filter(({ file }) => file === 'run.ledger.jsonl')
      .map(({ name }) => name);
    expect(names).toEqual(['look', 'write', 'sync']);
    await store.close();
  });

  it('is written to its end where the system takes less than it is given', async () => {
    await seed();
    const { disk } = new FaultyDisk();
    const short = {
      ...disk,
      open: async (...given: Parameters<typeof disk.open>) => {
        const file = await disk.open(...given);
        return {
          ...file,
          write: (bytes: Uint8Array, position: number) => file.write(bytes.subarray(0, 5), position),
        };
      },
    };
    const store = fileStore(folder.path, { disk: short });
    orThrow(await store.append(RUN, before, group));
    await store.close();
    expect(await ledgerText()).toBe(whole);
  });
});
