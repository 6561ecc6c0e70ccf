/**
 * Writers in several processes, some of them killed: no fork, nothing lost that was acknowledged. Writers as
 * child processes: started, asked, killed.
 *
 * A writer in a process of its own, driven by messages of its parent: what each kind of store starts for its
 * tests.
 *
 * ```text
 * race   begins the run and goes on, record by record, until somebody else does   → { appended, code }
 * loop   goes on where the run ends, three records at a time, for ever            → { count, hash } after each
 * share  the same, leaving others time to come between
 * claim  claims a run that exists, and keeps it                                   → { code }
 * stop   closes the store and ends
 * ```
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import {
  validateChain,
  encodeLine,
  Ledger,
  logicalTime,
  type EvidenceRecord,
  type Head,
} from '@assay/kernel';
import type { Runner } from './contract.js';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '@assay/host';
import { makeChain } from './bench.js';

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

/** Children of one test file, each running one script (see {@link serveWriter}). */
export class Children {
  private readonly living = new Set<ChildProcess>();

  /** Starts a child, and returns when it is ready. */
  async start(script: string, args: readonly string[]): Promise<ChildProcess> {
    const child = fork(script, [...args], { stdio: 'inherit', execArgv: ['--no-warnings'] });
    this.living.add(child);
    await told(child);
    return child;
  }

  /** Kills a child (SIGKILL), and returns when it has ended. */
  async kill(child: ChildProcess): Promise<void> {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    this.living.delete(child);
  }

  /** Kills those that are left. */
  killAll(): void {
    for (const child of this.living) child.kill('SIGKILL');
    this.living.clear();
  }

  /**
   * Kills `kills` writers one after the other, each while it goes on (`loop`), at moments spread over 28 ms;
   * `look` is called after each with the last append that any of them acknowledged. How many appends were
   * acknowledged in all.
   */
  async killAgainAndAgain(
    kills: number,
    start: () => Promise<ChildProcess>,
    look: (last: Acknowledged) => Promise<void>,
  ): Promise<number> {
    let last: Acknowledged = { count: 0, hash: '' };
    let appends = 0;
    for (let round = 0; round < kills; round += 1) {
      const child = await start();
      child.on('message', (message: Acknowledged) => {
        last = message;
        appends += 1;
      });
      await ask(child, 'loop');
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 29));
      await this.kill(child);
      await look(last);
    }
    return appends;
  }
}

/** Sends a child a message; its answer. */
export async function ask(child: ChildProcess, message: string): Promise<unknown> {
  const answer = told(child);
  child.send(message);
  return answer;
}

/** The next message of a child; one that ends instead is an error. */
async function told(child: ChildProcess): Promise<unknown> {
  return Promise.race([
    once(child, 'message').then(([message]: readonly unknown[]) => message),
    once(child, 'exit').then(([code]: readonly unknown[]) =>
      Promise.reject(new Error(`the child ended: ${String(code)}`)),
    ),
  ]);
}

/** How a race ended: the records appended, and why it went no further, null if it is done. */
export type Raced = { readonly appended: number; readonly code: string | null };
/** Where a run ends, told after each append. */
export type Acknowledged = { readonly count: number; readonly hash: string };

/** Records of a race, its genesis among them. */
export const RACE_RECORDS = 21;
/**
 * How long a writer that shares leaves others, in milliseconds at most: else who reads back never catches up.
 */
const PAUSE_MAX_MS = 40;

/**
 * Serves the parent's messages with a store, for one run; `name` tells the writers' records apart. Says
 * `ready` first.
 */
export function serveWriter(store: Store, runId: string, name: string): void {
  const does: { readonly [message: string]: () => Promise<unknown> } = {
    race: async () => process.send?.(await race(store, runId, name)),
    loop: () => goOn(store, runId, name, 0),
    share: () => goOn(store, runId, name, PAUSE_MAX_MS),
    claim: async () => process.send?.(await claim(store, runId)),
    stop: () => store.close().then(() => process.exit(0)),
  };
  process.on('message', (message) => void does[String(message)]?.());
  process.send?.('ready');
}

async function race(store: Store, runId: string, name: string): Promise<Raced> {
  const chain = makeChain(
    runId,
    Array.from({ length: RACE_RECORDS - 1 }, (_, index) => `${name} ${index}`),
  );
  let expected: Head | null = null;
  for (let at = 0; at < chain.length; at += 1) {
    const result = await store.append(runId, expected, chain.slice(at, at + 1));
    if (result._tag === 'Left') return { appended: at, code: result.left.code };
    expected = result.right;
  }
  return { appended: chain.length, code: null };
}

async function claim(store: Store, runId: string): Promise<{ readonly code: string | null }> {
  const head = await store.head(runId);
  if (head._tag === 'Left' || head.right === null) throw new Error('no run to claim');
  const result = await store.append(runId, head.right, []);
  return { code: result._tag === 'Left' ? result.left.code : null };
}

/** A stale head is looked up again; any other refusal ends the process. */
async function goOn(store: Store, runId: string, name: string, pauseMs: number): Promise<never> {
  for (;;) {
    const { ledger, head } = await readBack(store, runId);
    let expected = head;
    for (let isMine = true; isMine; ) {
      const from = ledger.count;
      if (from === 0) ledger.append(logicalTime('t0', 0), 'genesis', { run_id: runId });
      while (ledger.count % 3 !== 0 || ledger.count === from)
        ledger.append(logicalTime('t0', ledger.count), 'proposal', {
          name,
          text: 'é'.repeat(ledger.count % 500),
        });
      const result = await store.append(runId, expected, ledger.records.slice(from));
      isMine = result._tag === 'Right';
      if (result._tag === 'Right') {
        expected = result.right;
        process.send?.({ count: expected.count, hash: expected.hash });
      } else if (result.left.code !== 'stale_head') throw new Error(JSON.stringify(result.left));
      if (isMine && pauseMs > 0) await sleep(pauseMs * Math.random());
    }
  }
}

/** The stored ledger, made again from its own payloads: any difference ends the process. */
async function readBack(
  store: Store,
  runId: string,
): Promise<{ readonly ledger: Ledger; readonly head: Head | null }> {
  const head = await store.head(runId);
  if (head._tag === 'Left') throw new Error(JSON.stringify(head.left));
  const ledger = new Ledger();
  if (head.right === null) return { ledger, head: null };
  for await (const line of store.read(runId)) {
    if (ledger.count === head.right.count) break;
    const text = new TextDecoder().decode(line);
    const record = JSON.parse(text) as EvidenceRecord;
    const again = ledger.append(record.ts, record.kind, record.payload);
    if (again._tag === 'Left' || encodeLine(again.right) !== text)
      throw new Error('the ledger does not read back');
  }
  return { ledger, head: head.right };
}
