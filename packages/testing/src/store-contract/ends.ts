/**
 * How stores end, and how media fail.
 *
 * @module
 */
import assert from 'node:assert/strict';
import type { Store } from '@assay/host';
import { chainOf, headOfChain, smallChain } from './chain.js';
import {
  atPlace,
  left,
  lines,
  readError,
  right,
  RUN,
  texts,
  type Declare,
  type StorePlace,
} from './bench.js';

/** A medium that takes nothing more. `make`: fills a place while it still works, then breaks it. */
export type Medium = {
  readonly what: string;
  readonly errno: string;
  readonly make: (fill: (store: Store) => Promise<void>) => Promise<StorePlace>;
};

/** Declares these cases. */
export function declareEnds(declare: Declare): void {
  declare('a closed store refuses everything, and closing it again does nothing', async ({ store }) => {
    const chain = smallChain(RUN, 2);
    right(await store.append(RUN, null, chain.slice(0, 1)));
    await store.close();
    await store.close();
    const closed = { code: 'closed' };
    assert.deepEqual(
      left(await store.append(RUN, headOfChain(RUN, chain.slice(0, 1)), chain.slice(1))),
      closed,
    );
    assert.deepEqual(left(await store.head(RUN)), closed);
    assert.deepEqual(left(await store.list()), closed);
    assert.deepEqual(await readError(store, RUN), closed);
  });

  declare(
    'closing waits for the append under way, and then another store may go on',
    async ({ store, another }) => {
      const chain = smallChain(RUN, 3);
      const appending = store.append(RUN, null, chain);
      await store.close();
      const next = await another();
      assert.deepEqual(await lines(next, RUN), texts(chain));
      right(await next.append(RUN, headOfChain(RUN, chain), []));
      right(await appending);
    },
  );
}

/** Declares that a medium which takes nothing says why, and that what it holds stays readable. */
export function declareMedium(
  medium: Medium,
  it: (title: string, body: () => Promise<void>) => unknown,
): void {
  const chain = chainOf(
    RUN,
    Array.from({ length: 8 }, () => 'x'.repeat(20_000)),
  );
  const stored = chain.slice(0, 1);
  const fill = async (store: Store): Promise<void> => {
    right(await store.append(RUN, null, stored));
  };

  it(`${medium.what}: appending is unavailable (${medium.errno}), and what is stored stays readable`, () =>
    atPlace(
      () => medium.make(fill),
      async ({ store }) => {
        const refused = { code: 'unavailable', run_id: RUN, operation: 'append', errno: medium.errno };
        assert.deepEqual(left(await store.append(RUN, headOfChain(RUN, stored), chain.slice(1))), refused);
        assert.deepEqual(right(await store.head(RUN)), headOfChain(RUN, stored));
        assert.deepEqual(await lines(store, RUN), texts(stored));
        const other = chainOf('run-2', ['x'.repeat(160_000)]);
        assert.deepEqual(left(await store.append('run-2', null, other)), { ...refused, run_id: 'run-2' });
        assert.deepEqual(right(await store.list()), [RUN]);
      },
    ));
}
