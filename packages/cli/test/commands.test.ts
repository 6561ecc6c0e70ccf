/** diff, tamper, test, doctor: what no scenario can say of them. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import { assay, document, POLL, temporaryFolder } from './lib/assay.ts';
import { describeChange } from '../src/terminal/shown.ts';
import { nodeVersion } from '../src/commands/doctor.ts';

const folder = temporaryFolder();
const read = (path: string): string => readFileSync(path, 'utf8');

describe('diff', () => {
  test('one changed byte anywhere is no defect, and never the same run', async () => {
    const bytes = readFileSync(POLL);
    const path = join(folder, 'mutated.jsonl');
    for (let at = 0; at < bytes.length; at += 397) {
      const mutated = Buffer.from(bytes);
      mutated[at] = (mutated[at] ?? 0) ^ (1 + (at % 7));
      writeFileSync(path, mutated);
      expect([2, 3]).toContain((await assay(['diff', POLL, path])).code);
    }
  });
});

describe('tamper', () => {
  test.each([
    ['edit', 'integrity'],
    ['drop', 'integrity'],
    ['swap', 'integrity'],
    ['truncate', 'completeness'],
    ['rehash', 'rederivation'],
    ['rederive', 'completeness'],
  ])('%s: a labelled copy, caught by %s as announced', async (attack, check) => {
    const copy = join(folder, `${attack}.jsonl`);
    const before = read(POLL);
    const { code, json } = await document(['tamper', POLL, attack, '-o', copy]);
    expect(code).toBe(0);
    expect(json).toMatchObject({ forged: true, attack, caught_by: check, as_announced: true });
    expect(read(POLL)).toBe(before);
    expect(read(copy)).not.toBe(before);
    expect(JSON.parse(read(`${copy}.forged.json`))).toMatchObject({ forged: true, attack });
    const head = (await assay(['head', POLL])).stdout;
    const alone = (await assay(['verify', copy])).code;
    expect(alone).toBe(check === 'completeness' ? 0 : 3);
    expect((await assay(['verify', copy, '--head', head])).code).toBe(3);
  });

  test.each<readonly [string, Json, Json, string]>([
    ['short values whole', 1, 2, '1 → 2'],
    [
      'long texts around the first difference',
      `${'a'.repeat(100)}b`,
      `${'a'.repeat(100)}c`,
      `…${'a'.repeat(16)}b" → …${'a'.repeat(16)}c"`,
    ],
    [
      'a text that goes on',
      'a'.repeat(100),
      `${'a'.repeat(100)} (not so)`,
      `…${'a'.repeat(16)}" → …${'a'.repeat(16)} (not so)"`,
    ],
    ['long lists by number', ['a'.repeat(100), 1], ['a'.repeat(100)], '2 items → 1 item'],
    ['long lists of one length by place', ['a'.repeat(100), 1], ['a'.repeat(100), 2], 'item 2 of 2: another'],
  ])('a change is shown so that it can be seen: %s', (_, from, to, said) => {
    expect(
      describeChange(from, to, 60)
        .parts.map(({ text }) => text)
        .join(''),
    ).toBe(said);
  });
});

describe('test', () => {
  test('--lock writes through no link', async () => {
    const linked = join(folder, 'linked');
    mkdirSync(join(folder, 'elsewhere'));
    mkdirSync(linked);
    cpSync(POLL, join(linked, 'poll.ledger.jsonl'));
    symlinkSync('../elsewhere', join(linked, 'poll'));
    expect((await assay(['test', linked, '--lock', 'new'])).code).toBe(2);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    expect(readdirSync(linked).sort()).toEqual(['poll', 'poll.ledger.jsonl']);
  });
});

describe('doctor', () => {
  test.each([
    ['20.18.9', 2],
    ['20.19.0', 0],
    ['18.20.8', 2],
    ['24.0.0', 0],
  ])('Node %s exits %i', (version, exit) => {
    expect(nodeVersion(version).exit).toBe(exit);
  });
});
