/**
 * What was done is found again under its key, by whoever comes after a crash; what is no note is passed over.
 */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@assay/kernel';
import { folderDoneCalls } from '@assay/host';

const GENESIS = 'ab'.repeat(32);
const KEY = `${GENESIS}/7.0/0`;
const MADE: JsonObject = { output: 'moved', status: 'ok' };

let folder: string;
beforeEach(() => (folder = join(mkdtempSync(join(tmpdir(), 'assay-done-')), 'deep', 'er')));
afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }));

describe('notes of what was done', () => {
  it('made by another process before the first record stay, also where this one begins anew', async () => {
    await folderDoneCalls(folder).note(KEY, 0, MADE);
    const late = folderDoneCalls(folder);
    const begin = await late.anew(KEY.slice(0, KEY.indexOf('/')));
    await folderDoneCalls(folder).note(KEY, 1, MADE);
    await begin();
    for (const done of [late, folderDoneCalls(folder)])
      expect([await done.find(KEY, 0), await done.find(KEY, 1)]).toEqual([null, MADE]);
  });

  it.skipIf(process.platform === 'win32')(
    'that cannot be marked are removed where a run begins anew',
    async () => {
      await folderDoneCalls(folder).note(KEY, 0, MADE);
      const path = join(folder, String(readdirSync(folder)[0]));
      rmSync(path);
      symlinkSync('/dev/full', path);
      const anew = folderDoneCalls(folder);
      await (await anew.anew(KEY.slice(0, KEY.indexOf('/'))))();
      expect([await anew.find(KEY, 0), readdirSync(folder)]).toEqual([null, []]);
      await anew.note(KEY, 1, MADE);
      expect(await folderDoneCalls(folder).find(KEY, 1)).toEqual(MADE);
    },
  );

  it('that cannot be set aside are not used', async () => {
    await folderDoneCalls(folder).note(KEY, 0, MADE);
    const path = join(folder, String(readdirSync(folder)[0]));
    const told: string[] = [];
    const anew = folderDoneCalls(folder, { onUnusable: (_, why) => told.push(why) });
    const begin = await anew.anew(KEY.slice(0, KEY.indexOf('/')));
    rmSync(path);
    mkdirSync(path);
    await begin();
    // Nobody asks for a while: what failed must not end the process.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(anew.find(KEY, 0)).rejects.toThrow(/./);
    expect(told).toEqual([expect.stringMatching(/EISDIR/)]);
  });

  it('cut at any byte, a note is found whole or not at all, and the next one stands by itself', async () => {
    await folderDoneCalls(folder).note(KEY, 0, MADE);
    const path = join(folder, String(readdirSync(folder)[0]));
    const whole = readFileSync(path);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      rmSync(path);
      appendFileSync(path, whole.subarray(0, cut));
      const resumed = folderDoneCalls(folder);
      expect(await resumed.find(KEY, 0)).toEqual(cut === whole.length ? MADE : null);
      await resumed.note(KEY, 1, MADE);
      const next = folderDoneCalls(folder);
      expect(await next.find(KEY, 1)).toEqual(MADE);
      expect(await next.find(KEY, 0)).toEqual(cut === whole.length ? MADE : null);
    }
  });

  it('lines that are no notes are passed over', async () => {
    await folderDoneCalls(folder).note(KEY, 0, MADE);
    const path = join(folder, String(readdirSync(folder)[0]));
    appendFileSync(path, `${KEY} 0 {"output":\n${KEY} 0 [1]\n${KEY} 0\n${KEY} x {}\n\n\u0000\n`);
    expect(await folderDoneCalls(folder).find(KEY, 0)).toEqual(MADE);
  });

  it.each(['', 'run/7.0/0', `../../x/7.0/0`, `${'AB'.repeat(32)}/7.0/0`])(
    'a key that begins with no hash is refused: %j',
    async (key) => {
      await expect(folderDoneCalls(folder).find(key, 0)).rejects.toThrow(RangeError);
    },
  );
});
