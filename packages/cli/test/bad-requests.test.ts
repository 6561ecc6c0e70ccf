/**
 * Requests that cannot be decided: a refusal with its reason and what would settle it, or exit 2; never a
 * blueprint that pretends.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, document, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
describe('a request that cannot be decided', () => {
  test('10 MiB are wrong use: exit 2 with code and remedy, nothing written', async () => {
    const out = join(folder, 'out-large');
    const large = file('large.txt', 'Uploads must finish within 2 s. '.repeat(330_000));
    const { code, stderr } = await assay(['run', large, '-o', out]);
    expect([code, existsSync(out)]).toEqual([2, false]);
    expect(stderr).toMatch(/^assay: too_large: .+\n(?: {2}place {3}.+\n)? {2}remedy {2}.+/);
  });

  test('a text too long for the rules is refused, and told the limit and what it has', async () => {
    const long = Array.from({ length: 801 }, (_, index) => `Bar ${index} must hold ${index + 1} kg.`);
    const out = join(folder, 'out-long');
    const { code, stdout } = await assay(['run', file('claims.txt', long.join(' ')), '-o', out]);
    expect(code).toBe(1);
    expect(stdout).toContain('the text is too long: "claims 801, at most 800"');
    expect(JSON.parse(readFileSync(join(out, 'refusal.json'), 'utf8'))).toMatchObject({
      reason_codes: ['insufficient_proposals', 'proposer_gave_up'],
    });
  });

  test('a request that quotes code stays a request', async () => {
    const asked = file(
      'asked.txt',
      'Rewrite this so that it handles an empty list. It must return within 5 ms.\n\ndef ' +
        'first(items):\n    return items[0]\n',
    );
    const { code, json } = await document(['run', asked]);
    expect([code, json['status']]).toEqual([0, 'success']);
  });
});
