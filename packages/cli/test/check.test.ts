/** `assay check`: hostile text and files that are none; the verb itself is in `scenarios/check.txt`. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '@assay/kernel';
import { temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
let pack: JsonObject = {};

beforeAll(async () => {
  await called('run', 'The lift must stop within 5 s.', '-o', at('out'));
  const text = readFileSync(at('out/verification-pack.json'), 'utf8');
  pack = JSON.parse(text) as JsonObject;
  writeFileSync(at('pack'), text);
  writeFileSync(at('none'), '[]');
  writeFileSync(at('nested'), '['.repeat(100_000));
  writeFileSync(
    at('binary'),
    Uint8Array.from({ length: 300 }, (_, index) => (index * 89) % 256),
  );
  // A sparse file: its size is there, its bytes are not.
  writeFileSync(at('big'), '');
  truncateSync(at('big'), 104_857_600);
});

test('text from a pack and from evidence is shown, never obeyed', async () => {
  const evil = 'a\u001b[31m\u202e\n::error::b';
  const write = (name: string, value: Json): string => {
    writeFileSync(at(name), JSON.stringify(value));
    return at(name);
  };
  const checks = (pack['checks'] as readonly JsonObject[]).map((one) => ({ ...one, id: evil, text: evil }));
  const seen = (check_id: string): Json => ({ check_id, observed: evil, unit: null, source: evil });
  const { stdout, stderr } = await called(
    'check',
    write('evil', { ...pack, checks }),
    write('seen', [seen(evil), seen(`${evil}2`)]),
  );
  expect(stdout).toContain('\\u{1b}');
  // oxlint-disable-next-line no-control-regex -- what must not be printed
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|^::/m);
});

test.each([
  ['binary', 'none', 'not_text', 'UTF-8'],
  ['pack', 'binary', 'not_text', 'UTF-8'],
  ['big', 'none', 'too_large', '16777216'],
  ['nested', 'none', 'inadmissible', 'levels'],
])('the pack %s with the evidence %s is %s', async (made, evidence, code, words) => {
  const { code: exit, stdout, stderr } = await called('check', at(made), at(evidence));
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`^assay: ${code}: .+\\n(?: {2}place {3}.+\\n)? {2}remedy {2}\\S`));
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/^ +at /m);
});
