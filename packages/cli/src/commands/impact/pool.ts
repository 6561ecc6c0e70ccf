/**
 * Ledgers spread over worker threads.
 *
 * @module
 */
import { makeThreads } from '../../files/threads.js';
import { Stop, type Problem } from '../../problems/problem.js';
import type { ImpactOrder, Judge, JudgedRow } from './judge.js';

/** What a worker is sent: one ledger. */
export type Task = { readonly file: string; readonly bytes: Uint8Array };

/** What it sends back; a problem of the user's modules instead of a row. */
export type Told =
  | { readonly t: 'row'; readonly judged: JudgedRow }
  | { readonly t: 'problem'; readonly problem: Problem };

/** Judges, each in a thread of its own. `end` gives the threads up. */
export type Pool = { readonly judges: readonly Judge[]; readonly end: () => void };

/** Starts so many workers; with modules of the user each ledger has a new one. */
export function makePool(workers: number, order: ImpactOrder): Pool {
  const { asks, end } = makeThreads<Task, Told>(workers, 'impact-worker', order, order.modules.length > 0);
  const judges = asks.map(
    (ask): Judge =>
      async (file, bytes) => {
        const told = await ask({ file, bytes });
        if (told.t === 'problem') throw new Stop(told.problem);
        return told.judged;
      },
  );
  return { judges, end };
}
