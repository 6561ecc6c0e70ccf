import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { orThrow } from '@assay/kernel';
import { headOfChain, smallChain, temporaryFolder } from '@assay/testing/store-contract';
import { fileStore, nodeDisk, nodeProcesses } from '../../src/store-file/index.ts';
import type { Disk } from '../../src/store-file/disk.ts';
import type { Owner } from '../../src/store-file/owner.ts';
import { LOCKS, takeLock } from '../../src/store-file/lock.js';
import { describeOwner, parseToken, renderToken } from '../../src/store-file/owner.js';
import { TestProcesses } from './tools/faulty-disk.js';
import { draws } from '../../../kernel/tools/laws.ts';

const RUN = 'run';
const chain = smallChain(RUN, 3);

let folder: { readonly path: string; readonly remove: () => Promise<void> };
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** A lock left by an owner. */
async function leave(owner: Owner | null): Promise<void> {
  const place = join(folder.path, LOCKS, RUN);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await writeFile(join(place, owner === null ? 'something else' : renderToken(owner)), '');
}

async function isTaken(): Promise<boolean> {
  const lock = await takeLock(nodeDisk, nodeProcesses, folder.path, RUN);
  if (lock._tag === 'Left') return false;
  await lock.right.release();
  return true;
}

it.each(['../out', 'a/b', '', '.', '..', 'a\\b', 'a\0b'])(
  'a lock is not taken under what is no name: %j',
  async (name) => {
    await expect(takeLock(nodeDisk, nodeProcesses, folder.path, name)).rejects.toThrow(RangeError);
    expect(await readdir(folder.path)).toEqual([]);
  },
);

describe('an owner', () => {
  const self = nodeProcesses.self();

  it('is named by its token, and two tokens of one owner differ', () => {
    expect(parseToken(renderToken(self))).toEqual(self);
    expect(renderToken(self)).not.toBe(renderToken(self));
    expect(renderToken(self).length).toBeLessThan(200);
  });

  it('is unknown behind every other name', () => {
    for (const name of [
      '',
      'x',
      '1,2,3',
      `${renderToken(self)},`,
      ` ${renderToken(self)}`,
      renderToken(self).toUpperCase(),
    ])
      expect(parseToken(name)).toBeNull();
    expect(describeOwner(null, self)).toBe('an unknown owner');
    expect(describeOwner({ pid: 7, start: '1', boot: 'b-1', namespace: '2', host: 'web-1' }, self)).toBe(
      'process 7 on web-1, boot b-1',
    );
    expect([describeOwner(self, self), describeOwner({ ...self, namespace: '2' }, self)]).toEqual([
      'this process',
      expect.stringMatching(/^process /),
    ]);
  });

  it.runIf(process.platform === 'linux')('carries a start time, a boot and a namespace on Linux', () => {
    expect(self).toEqual({
      pid: process.pid,
      start: expect.stringMatching(/^[0-9]+$/),
      boot: expect.stringMatching(/^[0-9a-f-]{36}$/),
      namespace: expect.stringMatching(/^[0-9]+$/),
      host: expect.any(String),
    });
  });
});

describe('a process that ended and was not yet waited for', () => {
  it.runIf(process.platform === 'linux')('is dead', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as readonly unknown[];
      const owner = { ...nodeProcesses.self(), pid: Number(String(line)), start: '' };
      await expect.poll(() => nodeProcesses.isAlive(owner)).toBe(false);
      expect(() => process.kill(owner.pid, 0)).not.toThrow();
      expect(nodeProcesses.isAlive({ ...owner, pid: parent.pid ?? 0 })).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  });
});

describe('a lock left behind', () => {
  const self = nodeProcesses.self();
  const gone: Owner = { ...self, pid: 4_194_305 };

  it('is taken over where its process is gone, started at another time, or ran before this boot', async () => {
    for (const owner of [gone, { ...self, start: '1' }, { ...gone, boot: 'a-b' }, { ...self, boot: 'a-b' }]) {
      await leave(owner);
      expect({ owner, isTaken: await isTaken() }).toEqual({ owner, isTaken: true });
    }
  });

  const unknown: readonly (Owner | null)[] = [
    { ...self, start: '' },
    { ...gone, host: 'another-host' },
    { ...gone, namespace: '7' },
    { ...gone, host: 'another-host', boot: 'a-b' },
    null,
  ];

  it('is never taken over where nothing can be known of its owner, who is not called alive', async () => {
    for (const owner of unknown) {
      await leave(owner);
      const store = fileStore(folder.path);
      expect(await store.append(RUN, null, chain)).toEqual({
        _tag: 'Left',
        left: { code: 'locked', run_id: RUN, owner: describeOwner(owner, self) },
      });
      await store.close();
    }
  });

  it('by a writer that lives is named in the error, and the ledger is untouched', async () => {
    await leave(self);
    const store = fileStore(folder.path);
    expect(await store.append(RUN, null, chain)).toEqual({
      _tag: 'Left',
      left: {
        code: 'locked',
        run_id: RUN,
        owner: 'this process',
        ...(process.platform === 'linux' ? { isAlive: true } : {}),
      },
    });
    expect(await readdir(folder.path)).toEqual([LOCKS]);
    await store.close();
    expect(await readdir(join(folder.path, LOCKS, RUN))).toHaveLength(1);
  });

  it('by hand, empty, is free', async () => {
    await mkdir(join(folder.path, LOCKS, RUN), { recursive: true });
    expect(await isTaken()).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('links in the place of folders', () => {
  it('where all locks are a link to a folder, it is used, and stays when the last lock is let go of', async () => {
    const elsewhere = join(folder.path, 'elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, join(folder.path, LOCKS));
    for (const round of [1, 2])
      expect([round, await isTaken(), await readdir(elsewhere)]).toEqual([round, true, []]);
    expect(await readdir(folder.path)).toContain(LOCKS);
  });

  it.each(['ENOTDIR', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'])(
    'a folder of locks that cannot be removed (%s) is left, and the lock is released',
    async (code) => {
      const disk: Disk = {
        ...nodeDisk,
        removeFolder: (path) =>
          path.endsWith(LOCKS)
            ? Promise.reject(Object.assign(new Error(code), { code, syscall: 'rmdir' }))
            : nodeDisk.removeFolder(path),
      };
      await orThrow(await takeLock(disk, nodeProcesses, folder.path, RUN)).release();
      expect([await readdir(join(folder.path, LOCKS)), await isTaken()]).toEqual([[], true]);
    },
  );

  it('a lock that is a link to a folder is no lock, and nothing in that folder is removed', async () => {
    const self = nodeProcesses.self();
    for (const name of ['something else', renderToken(self), renderToken({ ...self, pid: 4_194_305 })]) {
      const elsewhere = join(folder.path, `of ${name}`);
      await mkdir(elsewhere);
      await writeFile(join(elsewhere, name), '');
      await mkdir(join(folder.path, LOCKS));
      await symlink(elsewhere, join(folder.path, LOCKS, RUN));
      await expect(takeLock(nodeDisk, nodeProcesses, folder.path, RUN)).rejects.toMatchObject({
        code: 'ERR_NO_LOCK',
      });
      expect(await readdir(elsewhere)).toEqual([name]);
      await rm(join(folder.path, LOCKS), { recursive: true });
    }
  });
});

describe('a store', () => {
  it('keeps a run for itself from its first append to its close, and leaves no lock behind', async () => {
    const one = fileStore(folder.path);
    const two = fileStore(folder.path);
    const head = orThrow(await one.append(RUN, null, chain.slice(0, 2)));
    expect(await two.append(RUN, head, chain.slice(2))).toMatchObject({ left: { code: 'locked' } });
    orThrow(await two.append('other', null, smallChain('other', 1)));
    await one.close();
    orThrow(await two.append(RUN, head, chain.slice(2)));
    await two.close();
    expect((await readdir(folder.path)).sort()).toEqual(['other.ledger.jsonl', 'run.ledger.jsonl']);
  });

  it('lets go of a run with its close record', async () => {
    const { Ledger, logicalTime } = await import('@assay/kernel');
    const ledger = new Ledger();
    orThrow(ledger.append(logicalTime('t0', 0), 'genesis', { run_id: RUN }));
    orThrow(ledger.append(logicalTime('t0', 1), 'close', {}));
    const one = fileStore(folder.path);
    const head = orThrow(await one.append(RUN, null, ledger.records));
    expect(await readdir(folder.path)).toEqual(['run.ledger.jsonl']);
    const two = fileStore(folder.path);
    orThrow(await two.append(RUN, head, []));
    await two.close();
    await one.close();
  });

  it('whose lock was removed by hand takes it again, or stops where another has it', async () => {
    const one = fileStore(folder.path);
    const first = orThrow(await one.append(RUN, null, chain.slice(0, 1)));
    await rm(join(folder.path, LOCKS), { recursive: true });
    const second = orThrow(await one.append(RUN, first, chain.slice(1, 2)));
    await rm(join(folder.path, LOCKS), { recursive: true });
    const two = fileStore(folder.path);
    orThrow(await two.append(RUN, second, chain.slice(2)));
    expect(await one.append(RUN, second, chain.slice(2))).toMatchObject({ left: { code: 'locked' } });
    await two.close();
    expect(await one.append(RUN, second, chain.slice(2))).toMatchObject({
      left: { code: 'stale_head', actual: headOfChain(RUN, chain) },
    });
    await one.close();
  });
});

/** So many operations of one contender without a break. */
type Burst = { readonly actor: number; readonly length: number };

/** Disks of several contenders that go one operation at a time, in drawn bursts. */
function interleaved(bursts: readonly Burst[]): (actor: number) => Disk {
  const waiting: { readonly actor: number; readonly go: () => void }[] = [];
  const left = bursts.map((burst) => ({ ...burst }));
  let isBusy = false;

  const next = (): void => {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    while (
      left[0] !== undefined &&
      (left[0].length === 0 || !waiting.some(({ actor }) => actor === left[0]?.actor))
    )
      left.shift();
    const drawn = left[0] === undefined ? 0 : waiting.findIndex(({ actor }) => actor === left[0]?.actor);
    if (left[0] !== undefined) left[0].length -= 1;
    waiting.splice(drawn, 1)[0]?.go();
  };
  const inTurn =
    <A extends readonly unknown[], T>(actor: number, action: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      await new Promise<void>((resolve) => {
        waiting.push({ actor, go: resolve });
        if (!isBusy) setImmediate(next);
      });
      try {
        return await action(...given);
      } finally {
        // The contender comes back with its next operation before the next is drawn.
        setImmediate(() => {
          isBusy = false;
          next();
        });
      }
    };
  return (actor) => ({
    open: inTurn(actor, nodeDisk.open),
    look: inTurn(actor, nodeDisk.look),
    lookAtName: inTurn(actor, nodeDisk.lookAtName),
    rename: inTurn(actor, nodeDisk.rename),
    remove: inTurn(actor, nodeDisk.remove),
    list: inTurn(actor, nodeDisk.list),
    makeFolder: inTurn(actor, nodeDisk.makeFolder),
    removeFolder: inTurn(actor, nodeDisk.removeFolder),
    syncFolder: inTurn(actor, nodeDisk.syncFolder),
  });
}

describe('lock/one-holder', () => {
  it('holds in every drawn interleaving of contenders that take over a dead lock, hold and let go', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ actor: fc.integer({ min: 1, max: 4 }), length: fc.integer({ min: 1, max: 12 }) }),
          { minLength: 5, maxLength: 40 },
        ),
        fc.integer({ min: 2, max: 4 }),
        async (bursts, contenders) => {
          const processes = new TestProcesses();
          const dead = processes.start(99).self();
          processes.kill(99);
          await leave(dead);
          const diskOf = interleaved(bursts);
          let holders = 0;
          let taken = 0;
          const contend = async (pid: number): Promise<void> => {
            const disk = diskOf(pid);
            for (let round = 0; round < 2; round += 1) {
              const lock = await takeLock(disk, processes.start(pid), folder.path, RUN);
              if (lock._tag === 'Left') continue;
              holders += 1;
              taken += 1;
              // Long enough for a contender that looked before to act on what it saw.
              for (let look = 0; look < 10; look += 1)
                expect([holders, await lock.right.isHeld()]).toEqual([1, true]);
              holders -= 1;
              await lock.right.release();
            }
          };
          await Promise.all(Array.from({ length: contenders }, (_, index) => contend(index + 1)));
          expect(taken).toBeGreaterThan(0);
          expect(await readdir(folder.path)).toEqual([]);
        },
      ),
      { numRuns: draws(120), ...(process.env['CI'] === 'true' ? { seed: 20_260_101 } : {}) },
    );
  });
});
