/**
 * One ledger for each run.
 *
 * @module
 */
import assert from 'node:assert/strict';
import { headOfChain, smallChain } from './chain.js';
import { left, lines, readError, right, RUN, texts, type Declare } from './bench.js';

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
