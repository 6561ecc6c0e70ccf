/** Stores that say whether they can be written to: they leave everything as it was. */
import assert from 'node:assert/strict';
import type { Result } from '@assay/kernel';
import type { Store, StoreError } from '@assay/host';
import {
  atPlace,
  headOfChain,
  left,
  lines,
  right,
  RUN,
  smallChain,
  type StorePlace,
  texts,
} from './bench.js';
import type { Runner } from './contract.js';
import type { Medium } from './ends.js';

/**
 * Declares the suite for one kind of store with `tryWriting`. `pictureOf`: all that is at a place, to be
 * compared. `media`: those that refuse even a small write.
 */
export function tryingContract<P extends StorePlace>(
  name: string,
  makePlace: () => Promise<P>,
  pictureOf: (place: P) => Promise<unknown>,
  { describe, it }: Runner,
  media: readonly Medium[],
): void {
  describe(`trying contract: ${name}`, () => {
    it('leaves what is stored as it is, while another store writes it too', () =>
      withPlace(makePlace, async (place) => {
        const writer = await place.open();
        const chain = smallChain(RUN, 4);
        right(await writer.append(RUN, null, chain.slice(0, 2)));
        const before = await pictureOf(place);
        const tried = await opened(place);
        for (let turn = 0; turn < 3; turn += 1) assert.equal(right(await tried.tryWriting()), null);
        assert.deepEqual(await pictureOf(place), before);
        assert.deepEqual(right(await tried.list()), [RUN]);
        right(await writer.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2)));
        assert.equal(right(await tried.tryWriting()), null);
        assert.deepEqual(await lines(tried, RUN), texts(chain));
        await tried.close();
        assert.deepEqual(left(await tried.tryWriting()), { code: 'closed' });
        await writer.close();
      }));

    it('makes nothing where nothing is', () =>
      withPlace(makePlace, async (place) => {
        const before = await pictureOf(place);
        const tried = await opened(place);
        const answer = await tried.tryWriting();
        if (answer._tag === 'Left')
          assert.equal(answer.left.code === 'unavailable' && answer.left.errno, 'ENOENT');
        assert.deepEqual(right(await tried.list()), []);
        assert.deepEqual(await pictureOf(place), before);
        await tried.close();
      }));

    for (const medium of media) {
      it(`${medium.what}: cannot be written to (${medium.errno})`, () =>
        atPlace(
          () => medium.make(async (store) => void right(await store.append(RUN, null, smallChain(RUN, 2)))),
          async ({ place }) => {
            const tried = await opened(place);
            assert.deepEqual(left(await tried.tryWriting()), {
              code: 'unavailable',
              run_id: null,
              operation: 'write',
              errno: medium.errno,
            });
            assert.deepEqual(await lines(tried, RUN), texts(smallChain(RUN, 2)));
            await tried.close();
          },
        ));
    }
  });
}

type TriedStore = Store & { readonly tryWriting: () => Promise<Result<StoreError, null>> };

async function opened(place: Pick<StorePlace, 'open'>): Promise<TriedStore> {
  const store = await place.open();
  assert.ok(isTried(store), 'a store with tryWriting');
  return store;
}

function isTried(store: Store): store is TriedStore {
  return 'tryWriting' in store && typeof store.tryWriting === 'function';
}

async function withPlace<P extends StorePlace>(
  makePlace: () => Promise<P>,
  body: (place: P) => Promise<void>,
): Promise<void> {
  const place = await makePlace();
  try {
    await body(place);
  } finally {
    await place.remove();
  }
}
