/** `verify` with ASSAY_THREADS: several threads print what one prints, of whatever files. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, FORGERIES, POLL, ROOT, spawned } from './lib/assay.ts';

const forged = (name: string, file = 'ledger.jsonl'): string => join(FORGERIES, name, file);
const FILES = [
  POLL,
  join(ROOT, 'golden-fixtures', 'intent-unicode', 'ledger.jsonl'),
  forged('edited-payload'),
  forged('decision-rehashed'),
  forged('unknown-machine-version'),
  // Two ways of one run, and one file twice.
  forged('split-view'),
  forged('split-view', 'other.ledger.jsonl'),
  POLL,
  join(ROOT, 'no', 'such', 'file'),
];

test.each([POLL, forged('decision-rehashed')])('one file, its machine run again beside: %s', async (path) => {
  const one = await spawned(['verify', path, '--json'], { env: { ASSAY_THREADS: '1' } });
  expect(await spawned(['verify', path, '--json'], { env: { ASSAY_THREADS: '2' } })).toEqual(one);
});

test('the same document, notes and exit code for every number of threads', async () => {
  const one = await spawned(['verify', ...FILES, '--json'], { env: { ASSAY_THREADS: '1' } });
  const three = await spawned(['verify', ...FILES, '--json'], { env: { ASSAY_THREADS: '3' } });
  expect(three).toEqual(one);
  expect(one.code).toBe(2);
  expect(one.stdout).toContain('split_view');
  expect(await assay(['verify', POLL], { env: { ASSAY_THREADS: 'many' } })).toMatchObject({ code: 2 });
});
