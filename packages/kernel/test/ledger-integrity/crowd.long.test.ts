import { expect, it } from 'vitest';
import { fileOf, LedgerBuilder } from '../../tools/ledger-builder.js';
import { sha256, verdictOf } from './samples.js';
import { OPEN_REQUESTS_MAX } from '../../src/canonical/limits.js';

it(`more than ${OPEN_REQUESTS_MAX} open after a decision`, () => {
  // Three decisions, since a line holds fewer than 32,768 requests.
  const third = Array.from({ length: (OPEN_REQUESTS_MAX + 2) / 3 }, () => 0);
  const full = (extra: number): LedgerBuilder =>
    new LedgerBuilder({}, sha256)
      .decide({ asks: third })
      .propose('1.0', 1)
      .decide({ asks: third })
      .propose('1.1', 1)
      .decide({ asks: [...third, ...third.slice(0, extra)] });
  expect(verdictOf(fileOf(full(0).records()))).toBe('held');
  expect(verdictOf(fileOf(full(1).records()))).toBe('request_id@5');
});
