import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orThrow, type Head } from '@assay/kernel';
import type { Store } from '@assay/host';
import {
  chainBytes,
  makeChain,
  headOfChain,
  smallChain,
  temporaryFolder,
} from '@assay/testing/store-contract';
import { fileStore } from '@assay/host/store-file';
import { KEPT_MAX } from '../../src/store-file/disk.js';
import { FaultyDisk } from './tools/faulty-disk.js';

const RUN = 'run';
const chain = smallChain(RUN, 6);
const isLinux = process.platform === 'linux';

let folder: { readonly path: string; readonly remove: () => Promise<void> };
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'run.ledger.jsonl');
});
afterEach(() => folder.remove());

/** Files of this test's folder that this process holds open. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(join('/proc/self/fd', name));
      return path.startsWith(folder.path) ? [path.slice(folder.path.length + 1)] : [];
    } catch {
      return [];
    }
  });
}

/** A store that has appended twice, so that its file is kept open. */
async function writing(): Promise<{ readonly store: Store; readonly head: Head }> {
  const store = fileStore(folder.path);
  const first = orThrow(await store.append(RUN, null, chain.slice(0, 2)));
  return { store, head: orThrow(await store.append(RUN, first, chain.slice(2, 4))) };
}

describe('a file that is kept open between appends', () => {
  it.runIf(isLinux)('is let go by the close of the store or of its run, and by a failed append', async () => {
    const { store, head } = await writing();
    expect(openFiles()).toEqual(['run.ledger.jsonl']);
    expect(await store.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2))).toMatchObject({
      left: { code: 'stale_head' },
    });
    expect(openFiles()).toEqual([]);
    orThrow(await store.append(RUN, head, chain.slice(4, 5)));
    expect(openFiles()).toEqual(['run.ledger.jsonl']);
    await store.close();
    expect(openFiles()).toEqual([]);

    const { Ledger, logicalTime } = await import('@assay/kernel');
    const ledger = new Ledger();
    for (const [at, kind] of ['genesis', 'proposal', 'close'].entries())
      orThrow(ledger.append(logicalTime('t0', at), kind, at === 0 ? { run_id: 'closed' } : {}));
    const other = fileStore(folder.path);
    const first = orThrow(await other.append('closed', null, ledger.records.slice(0, 1)));
    orThrow(
      await other.append(
        'closed',
        orThrow(await other.append('closed', first, ledger.records.slice(1, 2))),
        ledger.records.slice(2),
      ),
    );
    expect(openFiles()).toEqual([]);
    await other.close();
  });

  it.runIf(isLinux)('is let go where the lock was removed and another writer has the run', async () => {
    const { store, head } = await writing();
    await rm(join(folder.path, '.locks'), { recursive: true });
    const other = fileStore(folder.path);
    orThrow(await other.append(RUN, head, []));
    expect(await store.append(RUN, head, chain.slice(4))).toMatchObject({ left: { code: 'locked' } });
    await other.close();
    expect(openFiles()).toEqual([]);
    await store.close();
  });

  it.runIf(isLinux)(
    `is one of at most ${KEPT_MAX}, and runs beyond that number are written all the same`,
    async () => {
      const store = fileStore(folder.path);
      const runs = Array.from({ length: KEPT_MAX + 5 }, (_, index) => `run-${index}`);
      for (const run of runs) {
        const records = smallChain(run, 2);
        orThrow(
          await store.append(
            run,
            orThrow(await store.append(run, null, records.slice(0, 1))),
            records.slice(1),
          ),
        );
      }
      expect(openFiles().length).toBe(KEPT_MAX);
      for (const run of runs)
        orThrow(await store.append(run, headOfChain(run, smallChain(run, 2)), smallChain(run, 3).slice(2)));
      for (const run of runs)
        expect(readFileSync(join(folder.path, `${run}.ledger.jsonl`))).toEqual(
          Buffer.from(chainBytes(smallChain(run, 3))),
        );
      expect(openFiles().length).toBe(KEPT_MAX);
      await store.close();
      expect(openFiles()).toEqual([]);
    },
  );

  it('was renamed: its name is no run, and nothing is written to what it is called now', async () => {
    const { store, head } = await writing();
    await rename(file, join(folder.path, 'aside'));
    expect(await store.append(RUN, head, chain.slice(4))).toEqual({
      _tag: 'Left',
      left: { code: 'stale_head', run_id: RUN, expected: head, actual: null },
    });
    expect(await readFile(join(folder.path, 'aside'))).toEqual(Buffer.from(chainBytes(chain.slice(0, 4))));
    await rename(join(folder.path, 'aside'), file);
    orThrow(await store.append(RUN, head, chain.slice(4)));
    await store.close();
    expect(await readFile(file)).toEqual(Buffer.from(chainBytes(chain)));
  });

  it('was replaced by another ledger of the same size: that one is read, and the append is stale', async () => {
    const store = fileStore(folder.path);
    const [ours, theirs] = [makeChain(RUN, ['a', 'a']), makeChain(RUN, ['b', 'b'])] as const;
    const head = orThrow(
      await store.append(RUN, orThrow(await store.append(RUN, null, ours.slice(0, 1))), ours.slice(1, 2)),
    );
    await writeFile(`${file}.other`, chainBytes(theirs.slice(0, 2)));
    await rename(`${file}.other`, file);
    expect(await store.append(RUN, head, ours.slice(2))).toEqual({
      _tag: 'Left',
      left: { code: 'stale_head', run_id: RUN, expected: head, actual: headOfChain(RUN, theirs.slice(0, 2)) },
    });
    await store.close();
    expect(await readFile(file)).toEqual(Buffer.from(chainBytes(theirs.slice(0, 2))));
  });

  it('was replaced by a copy of itself: the copy is made durable and extended', async () => {
    const disk = new FaultyDisk();
    const store = fileStore(folder.path, { disk: disk.disk });
    const head = orThrow(
      await store.append(RUN, orThrow(await store.append(RUN, null, chain.slice(0, 2))), chain.slice(2, 4)),
    );
    await writeFile(`${file}.copy`, chainBytes(chain.slice(0, 4)));
    await rename(`${file}.copy`, file);
    const start = disk.operations.length;
    orThrow(await store.append(RUN, head, chain.slice(4)));
    const names = disk.operations.slice(start).map(({ name }) => name);
    expect(names.indexOf('syncFolder')).toBeGreaterThan(names.indexOf('sync'));
    expect(names.indexOf('write')).toBeGreaterThan(names.indexOf('syncFolder'));
    await store.close();
    expect(await readFile(file)).toEqual(Buffer.from(chainBytes(chain)));
  });

  it('was extended by somebody who cut their write short: what is cut is mended, whole lines are stale', async () => {
    const { store, head } = await writing();
    const rest = chainBytes(chain.slice(4));
    await writeFile(file, rest.subarray(0, 20), { flag: 'a' });
    orThrow(await store.append(RUN, head, chain.slice(4, 5)));
    await writeFile(file, chainBytes(chain.slice(5)), { flag: 'a' });
    expect(await store.append(RUN, headOfChain(RUN, chain.slice(0, 5)), chain.slice(5))).toMatchObject({
      left: { code: 'stale_head', actual: headOfChain(RUN, chain) },
    });
    await store.close();
    expect(await readFile(file)).toEqual(Buffer.from(chainBytes(chain)));
  });
});

describe('what bears the name of a ledger and is no file', () => {
  const refusal = { code: 'torn', run_id: RUN, detail: 'what bears the name of the ledger is no file' };

  /** What the store says of it, without ever waiting for it. */
  async function judged(): Promise<void> {
    const store = fileStore(folder.path);
    expect(await store.head(RUN)).toEqual({ _tag: 'Left', left: refusal });
    expect(await store.append(RUN, null, chain)).toEqual({ _tag: 'Left', left: refusal });
    await expect(store.read(RUN)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ error: refusal });
    expect(orThrow(await store.list())).toEqual([RUN]);
    await store.close();
  }

  it.skipIf(process.platform === 'win32')('a pipe is refused at once, not waited for', async () => {
    execFileSync('mkfifo', [file]);
    await judged();
  });

  it('a folder is refused', async () => {
    await mkdir(file);
    await judged();
  });

  it.skipIf(process.platform === 'win32')('a socket is refused', async () => {
    const server = createServer().listen(file);
    await once(server, 'listening');
    await judged();
    server.close();
  });
});
