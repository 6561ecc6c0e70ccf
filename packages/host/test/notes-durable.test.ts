/** A note is on the medium before its call is made: its text, its file's name, and the folders above. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { copyNotes, folderNotes } from '@assay/host';

const synced: string[] = [];
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

  it('and so is one that is copied: with its name, and every folder that was made for it, also where an earlier copy died before', async () => {
    const [from, own] = [join(folder, 'source'), join(folder, 'copied', 'to')];
    await folderNotes(from).begin('run', 'key', { usd: 5 });
    synced.splice(0);
    expect(await copyNotes(from, own, 'run')).toBe('copied');
    expect(synced).toEqual([join(folder, 'copied'), folder, join(own, 'run.calls'), own]);
    synced.splice(0);
    expect(await copyNotes(from, own, 'run')).toBe('copied');
    expect(synced).toEqual([join(folder, 'copied'), join(own, 'run.calls'), own]);
  });
});
