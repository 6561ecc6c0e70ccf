/**
 * Two writers never fork a run.
 *
 * @module
 */
import assert from 'node:assert/strict';
import type { EvidenceRecord, Head } from '@assay/kernel';
import { makeChain, type Declare, headOfChain, left, lines, right, RUN, smallChain, texts } from './bench.js';

/** Declares these cases. */
export function declareWriters(declare: Declare): void {
  declare(
    'a head that is behind, ahead, of another ledger or of no run is stale, and says where the ledger ends',
    async ({ store }) => {
      const chain = smallChain(RUN, 4);
      const fork = makeChain(RUN, ['fork', 'fork', 'fork']);
      const actual = right(await store.append(RUN, null, chain.slice(0, 2)));
      const stale = async (expected: Head | null, group: readonly EvidenceRecord[]): Promise<void> => {
        assert.deepEqual(left(await store.append(RUN, expected, group)), {
          code: 'stale_head',
          run_id: RUN,
          expected,
          actual,
        });
      };
      await stale(null, chain.slice(0, 2));
      await stale(headOfChain(RUN, chain.slice(0, 1)), chain.slice(1, 2));
      await stale(headOfChain(RUN, chain.slice(0, 3)), chain.slice(3));
      await stale(headOfChain(RUN, fork.slice(0, 2)), fork.slice(2));
      await stale({ ...actual, count: 7 }, []);
      const nowhere = headOfChain('run-2', smallChain('run-2', 1));
      assert.deepEqual(left(await store.append('run-2', nowhere, smallChain('run-2', 2).slice(1))), {
        code: 'stale_head',
        run_id: 'run-2',
        expected: nowhere,
        actual: null,
      });
      assert.deepEqual(await lines(store, RUN), texts(chain.slice(0, 2)));
    },
  );

  declare('of appends to one head at the same time, one wins and the others are stale', async ({ store }) => {
    const forks = Array.from({ length: 8 }, (_, index) => makeChain(RUN, [`fork ${index}`]));
    const results = await Promise.all(forks.map((fork) => store.append(RUN, null, fork)));
    const winners = results.flatMap((result, index) => (result._tag === 'Right' ? [index] : []));
    assert.equal(winners.length, 1);
    for (const result of results) if (result._tag === 'Left') assert.equal(result.left.code, 'stale_head');
    assert.deepEqual(await lines(store, RUN), texts(forks[winners[0] ?? 0] ?? []));
  });

  declare(
    'of two stores at one place, one wins each append and nothing forks',
    async ({ store, another }) => {
      const rival = await another();
      const forks = [makeChain(RUN, ['a', 'a', 'a']), makeChain(RUN, ['b', 'b', 'b'])] as const;
      const results = await Promise.all([
        store.append(RUN, null, forks[0].slice(0, 2)),
        rival.append(RUN, null, forks[1].slice(0, 2)),
      ]);
      const winner = results[0]._tag === 'Right' ? 0 : 1;
      assert.equal(results.filter((result) => result._tag === 'Right').length, 1);
      assert.ok(['locked', 'stale_head'].includes(left(results[1 - winner] ?? results[0]).code));
      const [won, lost] = winner === 0 ? [store, rival] : [rival, store];
      const chain = forks[winner];
      right(await won.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2)));
      assert.ok(
        ['locked', 'stale_head'].includes(
          left(await lost.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2))).code,
        ),
      );
      assert.deepEqual(await lines(lost, RUN), texts(chain));
    },
  );

  declare(
    'a writer that only came with a stale head does not shut others out',
    async ({ store, another }) => {
      const chain = smallChain(RUN, 3);
      right(await store.append(RUN, null, chain.slice(0, 2)));
      await store.close();
      const late = await another();
      assert.equal(left(await late.append(RUN, null, chain.slice(0, 2))).code, 'stale_head');
      right(await (await another()).append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2)));
    },
  );

  declare('when a store is closed another one goes on', async ({ store, another }) => {
    const chain = smallChain(RUN, 4);
    right(await store.append(RUN, null, chain.slice(0, 2)));
    await store.close();
    right(await (await another()).append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2)));
  });
}
