/**
 * What a dead writer, a torn write and a spoiled record leave: whole records, or a refusal, never half of
 * one.
 *
 * @module
 */
import assert from 'node:assert/strict';
import type { EvidenceRecord, Head } from '@assay/kernel';
import {
  type Bench,
  makeChain,
  type Declare,
  headOfChain,
  left,
  lines,
  right,
  RUN,
  smallChain,
  type StorePlace,
  texts,
} from './bench.js';

/** What a kind of place can bring about; each needs the hook of that name in its {@link StorePlace}. */
export type Damage = 'die' | 'tear' | 'spoil';

/** Declares the cases of these damages. */
export function declareDeaths(declare: Declare, damage: readonly Damage[]): void {
  if (damage.includes('die')) declareDie(declare);
  if (damage.includes('tear')) declareTear(declare);
  if (damage.includes('spoil')) declareSpoil(declare);
}

function declareDie(declare: Declare): void {
  const group = 5;
  for (let after = 0; after <= group; after += 1) {
    declare(
      `a writer that dies after ${after} of ${group} records of a group leaves whole records, ` +
        'and only their rest continues them',
      async (bench) => {
        const chain = makeChain(
          RUN,
          Array.from({ length: group + 1 }, (_, index) => `é ${index} ${'x'.repeat(3_000)}`),
        );
        const stored = chain.slice(0, 2);
        const before = headOfChain(RUN, stored);
        await written(bench, stored);
        await hook(bench, 'die')(before, chain.slice(2), after);
        const next = await bench.another();
        const found = right(await next.head(RUN))?.count ?? 0;
        assert.ok(found >= stored.length && found <= stored.length + after, `${found} records`);
        const actual = headOfChain(RUN, chain.slice(0, found));
        assert.deepEqual(await lines(next, RUN), texts(chain.slice(0, found)));
        if (found > stored.length)
          assert.deepEqual(left(await next.append(RUN, before, chain.slice(2))), {
            code: 'stale_head',
            run_id: RUN,
            expected: before,
            actual,
          });
        assert.deepEqual(right(await next.append(RUN, actual, chain.slice(found))), headOfChain(RUN, chain));
        await next.close();
        assert.deepEqual(await lines(await bench.another(), RUN), texts(chain));
      },
    );
  }
}

function declareTear(declare: Declare): void {
  declare(
    'a torn last write is never read: the ledger ends before it, and goes on from there',
    async (bench) => {
      const chain = makeChain(
        RUN,
        Array.from({ length: 6 }, (_, index) => `${index} ${'漢'.repeat(2_000)}`),
      );
      const other = smallChain('run-2', 3);
      await written(bench, chain.slice(0, 3), other);
      await written(bench, chain.slice(3), [], headOfChain(RUN, chain.slice(0, 3)));
      await hook(bench, 'tear')(RUN);
      const next = await bench.another();
      const head = right(await next.head(RUN));
      assert.ok(head !== null && head.count >= 3 && head.count < chain.length, `${head?.count} records`);
      assert.deepEqual(head, headOfChain(RUN, chain.slice(0, head.count)));
      assert.deepEqual(await lines(next, RUN), texts(chain.slice(0, head.count)));
      right(await next.append(RUN, head, chain.slice(head.count)));
      await next.close();
      const reader = await bench.another();
      assert.deepEqual(await lines(reader, RUN), texts(chain));
      assert.deepEqual(await lines(reader, 'run-2'), texts(other));
    },
  );
}

function declareSpoil(declare: Declare): void {
  declare(
    'a ledger whose last record is spoiled is torn: it has no head, nothing is appended, and it reads as it stands',
    async (bench) => {
      const chain = smallChain(RUN, 4);
      const other = smallChain('run-2', 2);
      await written(bench, chain, other);
      await hook(bench, 'spoil')(RUN, 3);
      const next = await bench.another();
      const asItStands = await lines(next, RUN);
      assert.deepEqual(asItStands.slice(0, 3), texts(chain.slice(0, 3)));
      assert.notEqual(asItStands[3], texts(chain)[3]);
      assert.equal(left(await next.head(RUN)).code, 'torn');
      assert.equal(left(await next.append(RUN, headOfChain(RUN, chain), [])).code, 'torn');
      assert.equal(
        left(await next.append(RUN, headOfChain(RUN, chain.slice(0, 3)), chain.slice(3))).code,
        'torn',
      );
      assert.deepEqual(await lines(next, RUN), asItStands);
      right(await next.append('run-2', headOfChain('run-2', other), []));
      assert.deepEqual(right(await next.list()), [RUN, 'run-2']);
    },
  );

  declare(
    'a ledger whose earlier record is spoiled reads as it stands, for a verifier to say where',
    async (bench) => {
      const chain = smallChain(RUN, 4);
      await written(bench, chain);
      await hook(bench, 'spoil')(RUN, 1);
      const read = await lines(await bench.another(), RUN);
      assert.deepEqual(
        read.map((line, index) => line === texts(chain)[index]),
        [true, false, true, true],
      );
    },
  );
}

/** Appends by a store that is closed again, as is the case's own. */
async function written(
  bench: Bench,
  chain: readonly EvidenceRecord[],
  other: readonly EvidenceRecord[] = [],
  expected: Head | null = null,
): Promise<void> {
  await bench.store.close();
  const store = await bench.another();
  right(await store.append(RUN, expected, chain));
  if (other.length > 0) right(await store.append('run-2', null, other));
  await store.close();
}

function hook<K extends Damage>({ place }: Bench, name: K): NonNullable<StorePlace[K]> {
  const found = place[name];
  assert.ok(found !== undefined, `the place has no hook ${name}`);
  return found;
}
