/**
 * A note that was written in part, as where the medium is full: it is not acknowledged, and the next one
 * stands by itself.
 */
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { folderDoneCalls, folderNotes } from '@assay/host';

/** Bytes that are still taken; null: all. `isBack`: there is room again after the write that was cut. */
const room: { bytes: number | null; isBack: boolean } = { bytes: null, isBack: false };
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>();
  return {
    ...real,
    open: async (...given: Parameters<typeof real.open>) => {
      const handle = await real.open(...given);
      const write = handle.write.bind(handle) as (
        bytes: Buffer,
      ) => Promise<{ readonly bytesWritten: number }>;
      handle.write = (async (bytes: Buffer) => {
        if (room.bytes === null) return write(bytes);
        const part = bytes.subarray(0, room.bytes);
        room.bytes = room.isBack ? null : 0;
        if (part.length === 0)
          throw Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'write' });
        const written = await write(part);
        // Whoever does not wait for it comes in between.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return written;
      }) as unknown as typeof handle.write;
      return handle;
    },
  };
});

const KEY = `${'ab'.repeat(32)}/7.0/0`;
let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-notes-torn-')))));
afterEach(() => {
  room.bytes = null;
  room.isBack = false;
  rmSync(folder, { recursive: true, force: true });
});
const text = (): string => readFileSync(join(folder, String(readdirSync(folder)[0])), 'utf8');

describe('a note of which not all was written', () => {
  it.each([0, 1, 60, 80])(
    'of what was done, after %i bytes: the next one is found by the next process',
    async (bytes) => {
      const done = folderDoneCalls(folder);
      await done.note(KEY, 0, { made: 0 });
      room.bytes = bytes;
      await expect(done.note(KEY, 1, { made: 1 })).rejects.toMatchObject({ code: 'ENOSPC' });
      room.bytes = null;
      await done.note(KEY, 2, { made: 2 });
      await done.note(KEY, 3, { made: 3 });
      const later = folderDoneCalls(folder);
      expect(await Promise.all([0, 1, 2, 3].map((call) => later.find(KEY, call)))).toEqual([
        { made: 0 },
        null,
        { made: 2 },
        { made: 3 },
      ]);
    },
  );

  it('of what was done, while another waits: that one stands by itself', async () => {
    const done = folderDoneCalls(folder);
    await done.note(KEY, 0, { made: 0 });
    room.bytes = 40;
    room.isBack = true;
    const ended = await Promise.allSettled([1, 2].map((call) => done.note(KEY, call, { made: call })));
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const later = folderDoneCalls(folder);
    for (const [at, { status }] of ended.entries())
      expect(await later.find(KEY, at + 1)).toEqual(status === 'fulfilled' ? { made: at + 1 } : null);
  });

  it('of a call begun: those that begin with it are charged, and the file can be read', async () => {
    const notes = folderNotes(folder);
    await notes.begin('run', KEY, { cents: 1 });
    room.bytes = 40;
    room.isBack = true;
    const calls = [`${KEY}1`, `${KEY}2`, `${KEY}3`].map(
      (key) => [key, notes.begin('run', key, { cents: 2 })] as const,
    );
    const ended = await Promise.allSettled(calls.map(async ([, begun]) => begun));
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    const later = folderNotes(folder);
    for (const [at, [key]] of calls.entries())
      expect(await later.begin('run', key, null)).toEqual(
        ended[at]?.status === 'fulfilled' ? [{ cents: 2 }] : [],
      );
    expect([await later.begin('run', KEY, null), text()]).toEqual([
      [{ cents: 1 }],
      expect.stringContaining('~\n'),
    ]);
  });
});
