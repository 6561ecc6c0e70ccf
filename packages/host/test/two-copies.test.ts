/**
 * A store may bring a copy of the host of its own: the command is bundled, a store for it is installed beside
 * it.
 */
import { expect, test, vi } from 'vitest';
import { intent } from '@assay/kernel/intent';
import * as own from '@assay/host';

test("an error that a store of another copy raises while it is read is a store's error", async () => {
  vi.resetModules();
  const other = await import('@assay/host');
  expect(other.StoreReadError).not.toBe(own.StoreReadError);
  const store = other.memoryStore();
  const records = store.read('nobody')[Symbol.asyncIterator]();
  const raised: unknown = await records.next().catch((error: unknown) => error);
  expect(raised).toBeInstanceOf(own.StoreReadError);
  expect(await own.loadRun(intent, 'nobody', store)).toEqual({
    _tag: 'Left',
    left: { code: 'store', error: { code: 'not_found', run_id: 'nobody' } },
  });
});

test.each([
  [new Error('another')],
  [Object.assign(new Error('of the same name only'), { name: 'StoreReadError' })],
  [{ name: 'StoreReadError', error: { code: 'closed' } }],
  [null],
])('nothing else is one: %o', (value) => {
  expect(value).not.toBeInstanceOf(own.StoreReadError);
});
