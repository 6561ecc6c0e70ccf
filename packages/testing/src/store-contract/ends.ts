/** How runs are told apart and listed, how stores end, and how media fail. */
import assert from 'node:assert/strict';
import type { Store } from '@assay/host';
import {
  atPlace,
  makeChain,
  type Declare,
  headOfChain,
  left,
  lines,
  readError,
  right,
  RUN,
  smallChain,
  type StorePlace,
  texts,
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
  const chain = makeChain(
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
        const other = makeChain('run-2', ['x'.repeat(160_000)]);
        assert.deepEqual(left(await store.append('run-2', null, other)), { ...refused, run_id: 'run-2' });
        assert.deepEqual(right(await store.list()), [RUN]);
      },
    ));
}

/** Declares these cases. */
export function declareRuns(declare: Declare): void {
  declare('many runs are kept apart and listed in order', async ({ store, another }) => {
    const ids = Array.from({ length: 60 }, (_, index) => `r${(index * 37) % 60}.x_y-z~0.1`);
    await Promise.all(ids.map(async (id) => right(await store.append(id, null, smallChain(id, 3)))));
    const reader = await another();
    assert.deepEqual(right(await reader.list()), [...ids].sort());
    for (const id of ids) assert.deepEqual(await lines(reader, id), texts(smallChain(id, 3)), id);
  });

  declare(
    'many runs grow side by side, by several stores, each only by its own groups',
    async ({ store, another }) => {
      const stores = [store, await another(), await another()];
      const ids = Array.from({ length: 30 }, (_, index) => `side-${index}`);
      await Promise.all(
        ids.map(async (id, index) => {
          const own = stores[index % stores.length] ?? store;
          const chain = smallChain(id, 13);
          right(await own.append(id, null, chain.slice(0, 1)));
          for (let at = 1; at < chain.length; at += 4)
            right(await own.append(id, headOfChain(id, chain.slice(0, at)), chain.slice(at, at + 4)));
        }),
      );
      for (const id of ids)
        for (const reader of stores) assert.deepEqual(await lines(reader, id), texts(smallChain(id, 13)), id);
    },
  );

  declare('the longest run id is stored, and what is no run id is refused everywhere', async ({ store }) => {
    const longest = `a${'b'.repeat(127)}`;
    right(await store.append(longest, null, smallChain(longest, 1)));
    for (const id of [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      'a.',
      'CON',
      'con.x',
      'nul',
      'COM1.log',
      '.hidden',
      '-x',
      'a b',
      'é',
      'a\0',
      'a\n',
      `${longest}c`,
    ]) {
      const refusal = { code: 'run_id', run_id: id, detail: 'name' };
      assert.deepEqual(left(await store.append(id, null, smallChain(RUN, 1))), refusal);
      assert.deepEqual(left(await store.head(id)), refusal);
      assert.deepEqual(await readError(store, id), refusal);
    }
    assert.deepEqual(right(await store.list()), [longest]);
  });

  declare('run ids that differ only in case never share a ledger', async ({ store }) => {
    right(await store.append('Run', null, smallChain('Run', 2)));
    const second = await store.append('run', null, smallChain('run', 3));
    assert.deepEqual(await lines(store, 'Run'), texts(smallChain('Run', 2)));
    if (second._tag === 'Right') assert.deepEqual(await lines(store, 'run'), texts(smallChain('run', 3)));
    else assert.ok(second.left.code === 'run_id' || second.left.code === 'locked', second.left.code);
  });
}
