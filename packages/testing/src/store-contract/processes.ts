/**
 * Writers in several processes, some of them killed: no fork, nothing lost that was acknowledged.
 *
 * @module
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { validateChain } from '@assay/kernel';
import { ask, type Children } from './children.js';
import type { Runner } from './contract.js';
import { RACE_RECORDS, type Raced } from './writer.js';

/**
 * Where writers meet. `start`: a child that serves a writer of a run. `ledger`: the stored records of a run,
 * once the store has finished what killed writers began.
 */
type Meeting = {
  readonly children: Children;
  readonly start: (runId: string, name: string) => Promise<ChildProcess>;
  readonly ledger: (runId: string) => Promise<readonly unknown[]>;
};

/**
 * What differs between stores. `losers`: what a writer that comes too late may be told. `isWhole`: a killed
 * writer leaves whole groups only.
 */
type MeetingOptions = {
  readonly kills: number;
  readonly losers: readonly string[];
  readonly isWhole: boolean;
};

type LongRunner = {
  readonly describe: Runner['describe'];
  readonly it: (name: string, body: () => Promise<void>, timeoutMs?: number) => unknown;
};

/** Declares the suite for one kind of store. `meeting` is asked for within each case. */
export function processesContract(
  name: string,
  meeting: () => Meeting,
  { describe, it }: LongRunner,
  { kills, losers, isWhole }: MeetingOptions,
): void {
  describe(`writers in several processes: ${name}`, () => {
    it(
      'that begin one run at the same time: one writes its whole ledger, the others get ' +
        `${losers.join(' or ')}`,
      async () => {
        const { children, start, ledger } = meeting();
        for (let round = 0; round < 4; round += 1) {
          const runId = `race-${round}`;
          const rivals = await Promise.all(['a', 'b', 'c', 'd'].map((rival) => start(runId, rival)));
          const ends = (await Promise.all(rivals.map((rival) => ask(rival, 'race')))) as readonly Raced[];
          assert.deepEqual(
            ends.filter(({ code }) => code === null),
            [{ appended: RACE_RECORDS, code: null }],
          );
          for (const { appended, code } of ends)
            if (code !== null) assert.deepEqual([appended, losers.includes(code)], [0, true], code);
          assert.equal(chainLength(await ledger(runId)), RACE_RECORDS);
          await Promise.all(rivals.map((rival) => children.kill(rival)));
        }
      },
    );

    it('that write different runs at one place at the same time: each gets all of its own', async () => {
      const { start, ledger } = meeting();
      const names = ['a', 'b', 'c', 'd'];
      const writers = await Promise.all(names.map((own) => start(`own-${own}`, own)));
      assert.deepEqual(
        await Promise.all(writers.map((writer) => ask(writer, 'race'))),
        names.map(() => ({ appended: RACE_RECORDS, code: null })),
      );
      for (const own of names) assert.equal(chainLength(await ledger(`own-${own}`)), RACE_RECORDS);
    });

    it(
      `killed again and again at any moment (${kills} times): nothing that was acknowledged is ` +
        `lost, nothing is doubled${isWhole ? ' or cut' : ''}`,
      async () => {
        const { children, start, ledger } = meeting();
        const appends = await children.killAgainAndAgain(
          kills,
          () => start('killed', 'x'),
          async ({ count, hash }) => {
            const records = (await ledger('killed')) as readonly { readonly record_hash: string }[];
            assert.equal(chainLength(records), records.length);
            if (isWhole) assert.equal(records.length % 3, 0);
            // At most one group was under way.
            assert.ok(
              records.length >= count && records.length <= count + 3,
              `${records.length} records after ${count}`,
            );
            if (count > 0) assert.equal(records[count - 1]?.record_hash, hash);
          },
        );
        assert.ok(appends > kills, `${appends} appends were acknowledged`);
        console.log(`${name}: killed ${kills} times, ${appends} groups acknowledged`);
      },
      60_000 + kills * 3_000,
    );
  });
}

/** Records of a chain that holds. */
function chainLength(records: readonly unknown[]): number {
  const chain = validateChain(records);
  if (chain._tag === 'Right') return chain.right.count;
  assert.fail(`the stored chain does not hold: ${JSON.stringify(chain.left)}`);
}
