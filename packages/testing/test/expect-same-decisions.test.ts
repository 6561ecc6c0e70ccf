/** `expectSameDecisions`: a changed machine is noticed over the golden runs; an unchanged one passes. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { tally } from '@assay/testing';
import { expectSameDecisions } from '@assay/testing/node';

const GOLDEN = fileURLToPath(new URL('../../../golden-fixtures', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-same-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of ['tally-success', 'tally-refused', 'tally-unicode'])
  cpSync(join(GOLDEN, name), join(folder, 'golden', name), { recursive: true });

test('the machine itself, and a version of it that decides the same', () => {
  expect(expectSameDecisions(join(folder, 'golden'), tally)).toMatchObject({ runs: 3 });
  expect(expectSameDecisions(join(folder, 'golden'), { ...tally, version: 2 }).decisions).toBeGreaterThan(6);
});

test('a machine that decides otherwise is named with the run', () => {
  const strict: typeof tally = {
    ...tally,
    decide: (state, answer, context) => {
      const made = tally.decide(state, answer, context);
      return made._tag === 'Left' || made.right.outcome === undefined
        ? made
        : { _tag: 'Right', right: { ...made.right, outcome: { status: 'refused', reasons: ['strict'] } } };
    },
  };
  expect(() => expectSameDecisions(join(folder, 'golden'), strict)).toThrow(
    /^3 of 3 runs are not decided as recorded\n.*tally-refused.*flipped/,
  );
});

test('nothing to check is no pass', () => {
  mkdirSync(join(folder, 'empty'));
  expect(() => expectSameDecisions(join(folder, 'empty'), tally)).toThrow(/no decision to check/);
  expect(() => expectSameDecisions(join(folder, 'golden'), { ...tally, name: 'poll' })).toThrow(
    /unknown_machine/,
  );
});
