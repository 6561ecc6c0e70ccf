import { PersistentMap } from '@assay/kernel';
import { expect, it } from 'vitest';

/** Machines encode tables in this order, so state hashes rest on it (decision 0007): it never changes. */
const ORDER = ['\u{1f600}', 'aa', 'constructor', 'a', 'é', '', '12.3', '__proto__', 'b', 'c', '1.1', '1.0'];

it('the order of a persistent map is the one it always was, whatever the order of insertion', () => {
  const keys = (given: readonly string[]): readonly string[] =>
    [...PersistentMap.from(given.map((key) => [key, key] as const))].map(([key]) => key);
  expect(keys(ORDER)).toEqual(ORDER);
  expect(keys(ORDER.toSorted())).toEqual(ORDER);
  expect(keys(ORDER.toReversed())).toEqual(ORDER);
});
