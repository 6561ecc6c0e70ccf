/** A note is on the medium before its call is made: its text, its file's name, and the folders above. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { folderNotes } from '../src/index.ts';
import { copyNotes } from './tools.js';

const synced: string[] = [];
const written: Uint8Array[] = [];
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Promises>();
  return {
    ...real,
    open: async (...given: Parameters<typeof real.open>) => {
      const handle = await real.open(...given);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        synced.push(String(given[0]));
      };
      const write = handle.write.bind(handle) as (
        bytes: Uint8Array,
      ) => Promise<{ readonly bytesWritten: number; readonly buffer: Uint8Array }>;
      handle.write = (async (bytes: Uint8Array) => {
        written.push(Buffer.from(bytes));
        return write(bytes);
      }) as typeof handle.write;
      handle.writeFile = () => Promise.reject(new Error('writes in parts'));
      return handle;
    },
  };
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-notes-durable-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => void synced.splice(0));

describe.skipIf(process.platform === 'win32')('a note in a folder is durable', () => {
  it('the first one with its name and every folder that was made for it, a later one with its text alone', async () => {
    const own = join(folder, 'a', 'b');
    const notes = folderNotes(own);
    await notes.begin('run', 'key', { usd: 5 });
    expect(synced).toEqual([join(folder, 'a'), folder, join(own, 'run.calls'), own]);
    synced.splice(0);
    await notes.begin('run', 'key', { usd: 5 });
    expect(synced).toEqual([join(own, 'run.calls')]);
    synced.splice(0);
    await notes.begin('other', 'key', { usd: 5 });
    expect(synced).toContain(own);
  });

  it('also where whoever made folder and file died before their names were synced', async () => {
    const own = join(folder, 'left');
    await folderNotes(own).begin('run', 'key', { usd: 5 });
    synced.splice(0);
    await folderNotes(own).begin('run', 'key', { usd: 5 });
    expect(synced).toEqual([folder, join(own, 'run.calls'), own]);
  });

  it('one that is only read syncs nothing', async () => {
    await folderNotes(join(folder, 'read')).begin('run', 'key', null);
    expect(synced).toEqual([]);
  });

  it('and so is one that is copied, also where an earlier copy died before', async () => {
    const [from, own] = [join(folder, 'source'), join(folder, 'copied', 'to')];
    await folderNotes(from).begin('run', 'key', { usd: 5 });
    synced.splice(0);
    await copyNotes(from, own, 'run');
    expect(synced).toEqual([join(folder, 'copied'), folder, join(own, 'run.calls'), own]);
    synced.splice(0);
    await copyNotes(from, own, 'run');
    expect(synced).toEqual([join(folder, 'copied'), join(own, 'run.calls'), own]);
  });

  it('of a file that was taken away, or with its folder, is durable by name again', async () => {
    const own = join(folder, 'away');
    const notes = folderNotes(own);
    for (let round = 0; round < 3; round += 1) await notes.begin('run', 'key', { usd: 5 });
    for (const gone of [join(own, 'run.calls'), own]) {
      rmSync(gone, { recursive: true });
      synced.splice(0);
      expect(await notes.begin('run', 'key', { usd: 5 })).toEqual([]);
      expect(synced).toContain(own);
      synced.splice(0);
      expect(await notes.begin('run', 'key', { usd: 5 })).toEqual([{ usd: 5 }]);
      expect(synced).toEqual([join(own, 'run.calls')]);
    }
  });
});

it('copied notes are written in blocks of whole lines', async () => {
  const [from, to] = [join(folder, 'many'), join(folder, 'copy')];
  mkdirSync(from);
  writeFileSync(
    join(from, 'run.calls'),
    Array.from({ length: 30_000 }, (_, index) => `${'k'.repeat(40)}/${index}/0 {"usd":${index}}\n`).join(''),
  );
  written.splice(0);
  await copyNotes(from, to, 'run');
  expect(written.length).toBeGreaterThan(10);
  for (const bytes of written) expect([bytes.at(-1), bytes.length <= 131_072]).toEqual([0x0a, true]);
  expect(readFileSync(join(to, 'run.calls'))).toEqual(readFileSync(join(from, 'run.calls')));
});
