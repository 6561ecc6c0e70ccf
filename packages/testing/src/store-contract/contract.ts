/**
 * What every store promises, as one suite. Two writers never fork a run. What a dead writer, a torn write
 * and a spoiled record leave: whole records, or a refusal, never half of one. Source: design §7.
 */
import assert from 'node:assert/strict';
import { declareAppending } from './appending.js';
import {
  atPlace,
  type Case,
  type StorePlace,
  makeChain,
  type Declare,
  headOfChain,
  left,
  lines,
  right,
  RUN,
  smallChain,
  texts,
  type Bench,
} from './bench.js';
import { declareEnds, declareMedium, declareRuns, type Medium } from './ends.js';
import type { EvidenceRecord, Head } from '@assay/kernel';

/** The two functions of a test runner that the suite needs. */
export type Runner = {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
};

/**
 * Declares the suite for one kind of store. Every store passes it, unchanged. `media`: ways in which its
 * medium can refuse to take more. Cases of dead writers, torn and spoiled records are declared where `damage`
 * says that the places can bring them about.
 *
 * @example
 * ```ts
 * const makePlace = async () => {
 *   const runs = new Map();
 *   return { open: async () => memoryStore(runs), remove: async () => {} };
 * };
 * storeContract('memory', makePlace, { describe, it });
 * ```
 */
export function storeContract(
  name: string,
  makePlace: () => Promise<StorePlace>,
  { describe, it }: Runner,
  media: readonly Medium[] = [],
  damage: readonly Damage[] = [],
): void {
  const declare = (title: string, body: Case): unknown => it(title, () => atPlace(makePlace, body));
  describe(`store contract: ${name}`, () => {
    describe('append and read back', () => declareAppending(declare));
    describe('one ledger for each run', () => declareRuns(declare));
    describe('two writers', () => declareWriters(declare));
    describe('the end of a store', () => declareEnds(declare));
    if (damage.length > 0)
      describe('what a dead writer or a bad medium left', () => declareDeaths(declare, damage));
    if (media.length > 0)
      describe('media that refuse', () => media.forEach((medium) => declareMedium(medium, it)));
  });
}

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
