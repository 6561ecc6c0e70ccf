/** What was done is found again under its key, by whoever comes after a crash; what is no note is passed over. */
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@assay/kernel';
import { folderDoneCalls } from '@assay/host';

const GENESIS = 'ab'.repeat(32);
const KEY = `${GENESIS}/7.0/0`;
const CALL: JsonObject = { number: 0, tool: 'move_file', input: '{"from":"a","to":"b"}' };
const MADE: JsonObject = { output: 'moved', status: 'ok' };

let folder: string;
beforeEach(() => (folder = join(mkdtempSync(join(tmpdir(), 'assay-done-')), 'deep', 'er')));
afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }));

describe('notes of what was done', () => {
  it('are found by another process under the same key and call, and under no other', async () => {
    expect(await folderDoneCalls(folder).find(KEY, CALL)).toBeNull();
    await folderDoneCalls(folder).note(KEY, CALL, MADE);
    const later = folderDoneCalls(folder);
    expect(await later.find(KEY, { ...CALL })).toEqual(MADE);
    expect(await later.find(`${GENESIS}/7.0/1`, CALL)).toBeNull();
    expect(await later.find(`${GENESIS}/7.1/0`, CALL)).toBeNull();
    expect(await later.find(`${'cd'.repeat(32)}/7.0/0`, CALL)).toBeNull();
    expect(await later.find(KEY, { ...CALL, number: 1 })).toBeNull();
    expect(await later.find(KEY, { ...CALL, input: 'else' })).toBeNull();
  });

  it('cut at any byte, a note is found whole or not at all, and the next one stands by itself', async () => {
    await folderDoneCalls(folder).note(KEY, CALL, MADE);
    const path = join(folder, String(readdirSync(folder)[0]));
    const whole = readFileSync(path);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      rmSync(path);
      appendFileSync(path, whole.subarray(0, cut));
      const resumed = folderDoneCalls(folder);
      expect(await resumed.find(KEY, CALL)).toEqual(cut === whole.length ? MADE : null);
      await resumed.note(KEY, { ...CALL, number: 1 }, MADE);
      const next = folderDoneCalls(folder);
      expect(await next.find(KEY, { ...CALL, number: 1 })).toEqual(MADE);
      expect(await next.find(KEY, CALL)).toEqual(cut === whole.length ? MADE : null);
    }
  });

  it('lines that are no notes are passed over', async () => {
    await folderDoneCalls(folder).note(KEY, CALL, MADE);
    const path = join(folder, String(readdirSync(folder)[0]));
    const name = readFileSync(path, 'utf8').slice(0, KEY.length + 65);
    appendFileSync(path, `${name} {"output":\n${name} [1]\n${name}\n\n\u0000\n`);
    expect(await folderDoneCalls(folder).find(KEY, CALL)).toEqual(MADE);
  });

  it.each(['', 'run/7.0/0', `../../x/7.0/0`, `${'AB'.repeat(32)}/7.0/0`])('a key that begins with no hash is refused: %j', async (key) => {
    await expect(folderDoneCalls(folder).find(key, CALL)).rejects.toThrow(RangeError);
  });
});
