/** What a note costs does not grow with the notes there are: bytes that are read from the file, counted. */
import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { folderNotes } from '@assay/host';

const seen = { bytes: 0, syncs: 0 };
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>();
  return {
    ...real,
    readFile: async (...given: Parameters<typeof real.readFile>) => {
      const read = await real.readFile(...given);
      seen.bytes += read.length;
      return read;
    },
    open: async (...given: Parameters<typeof real.open>) => {
      const handle = await real.open(...given);
      const read = handle.read.bind(handle) as (
        ...args: readonly unknown[]
      ) => Promise<{ readonly bytesRead: number }>;
      handle.read = (async (...args: readonly unknown[]) => {
        const result = await read(...args);
        seen.bytes += result.bytesRead;
        return result;
      }) as unknown as typeof handle.read;
      // A test about reading need not wait for the medium ten thousand times.
      handle.sync = () => {
        seen.syncs += 1;
        return Promise.resolve();
      };
      return handle;
    },
  };
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-notes-growth-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('notes in a folder', () => {
  it('host/note-costs-the-same: what 2,000 calls read grows as the file does; each is synced', async () => {
    const notes = folderNotes(folder);
    const calls = 2_000;
    for (let call = 0; call < calls; call += 1)
      expect(await notes.begin('run', `key/${call}/0`, { cents: call })).toEqual([]);
    const { size } = statSync(join(folder, 'run.calls'));
    expect(size).toBeGreaterThan(calls * 20);
    // Each byte once, and at each call the last 128 again, by which the file is known.
    expect(seen.bytes).toBeLessThanOrEqual(size + calls * 128);
    expect(seen.syncs).toBeGreaterThanOrEqual(calls);
    // Nothing was forgotten on the way: neither by this process nor by the next.
    for (const each of [notes, folderNotes(folder)])
      expect([await each.begin('run', 'key/0/0', null), await each.begin('run', 'key/1999/0', null)]).toEqual(
        [[{ cents: 0 }], [{ cents: 1_999 }]],
      );
  });

  it('see what others note meanwhile, also in a file that was put in its place', async () => {
    const [notes, others] = [folderNotes(join(folder, 'two')), folderNotes(join(folder, 'two'))];
    await notes.begin('run', 'key', { cents: 1 });
    expect(await others.begin('run', 'key', { cents: 2 })).toEqual([{ cents: 1 }]);
    expect(await notes.begin('run', 'key', { cents: 3 })).toEqual([{ cents: 1 }, { cents: 2 }]);
    const path = join(folder, 'two', 'run.calls');
    writeFileSync(`${path}.new`, `${readFileSync(path, 'utf8')}key {"cents":9}\nother {"cents":4}\n`);
    renameSync(`${path}.new`, path);
    expect(await notes.begin('run', 'other', null)).toEqual([{ cents: 4 }]);
    expect(await notes.begin('run', 'key', null)).toEqual([1, 2, 3, 9].map((cents) => ({ cents })));
    rmSync(path);
    expect(await notes.begin('run', 'key', { cents: 5 })).toEqual([]);
    expect(await others.begin('run', 'key', null)).toEqual([{ cents: 5 }]);
  });

  it('of calls that begin together are each counted once, and of many runs are kept apart', async () => {
    const notes = folderNotes(join(folder, 'together'));
    await Promise.all(
      Array.from({ length: 20 }, async (_, call) => notes.begin('run', `key/${call % 2}`, { cents: 1 })),
    );
    expect((await notes.begin('run', 'key/0', null)).length).toBe(10);
    for (let run = 0; run < 200; run += 1) await notes.begin(`run-${run}`, 'key', { cents: run });
    for (let run = 0; run < 200; run += 1)
      expect(await notes.begin(`run-${run}`, 'key', null)).toEqual([{ cents: run }]);
  });
});
