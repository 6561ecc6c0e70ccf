/** One ledger under a change: in this thread or in a worker. */
import type { MessagePort } from 'node:worker_threads';
import type { ImpactRow } from '@assay/kernel/schemas';
import { nativeSha256 } from '@assay/host';
import { impact, impactRow, listCompared, type Change, type RunCompared } from '@assay/verifier/impact';
import { ownRedeciders, redecidersIn } from '../../options/machines.js';
import { makeThreads } from '../../files/threads.js';
import { Stop, type Problem } from '../../problems/problem.js';

/**
 * How ledgers are judged. `modules`: of the user's machines; `isInstead`: they are the change, and decide in
 * the place of who recorded.
 */
export type ImpactOrder = {
  readonly change: Change;
  readonly modules: readonly string[];
  readonly isInstead: boolean;
};

/**
 * A row, what its machine tells beside it, whether the change itself was refused, and the names of `--without` by which
 * somebody answered.
 */
export type JudgedRow = {
  readonly row: Omit<ImpactRow, 'expected'>;
  readonly compared: readonly RunCompared[];
  readonly isRefused: boolean;
  readonly leftOut: readonly string[];
};

/** Judges one ledger after another. Raises `Stop`: those of modules. */
export type Judge = (file: string, bytes: Uint8Array) => Promise<JudgedRow>;

/** Makes ready to judge. Raises `Stop`: those of modules. */
export async function makeJudge({ change, modules, isInstead }: ImpactOrder): Promise<Judge> {
  const own = await ownRedeciders(modules);
  return async (file, bytes) => {
    const ours = await redecidersIn(bytes);
    const judged = impact([bytes], {
      machines: isInstead ? ours : [...own, ...ours],
      ...(isInstead ? { instead: own } : {}),
      change,
      sha256: nativeSha256,
    });
    return {
      row: impactRow(file, judged),
      compared: listCompared(file, judged),
      isRefused: judged._tag === 'Left' && judged.left.why === 'change',
      leftOut: judged._tag === 'Right' ? judged.right.left_out : [],
    };
  };
}

/** The row of a ledger that could not be read. */
export function unreadRow(file: string, code: string): Omit<ImpactRow, 'expected'> {
  const why = { why: 'ledger', code, record: null, detail: null, run_id: null, machine: null } as const;
  return impactRow(file, { _tag: 'Left', left: why });
}

/** What a worker is sent: one ledger. */
export type Task = { readonly file: string; readonly bytes: Uint8Array };

/** What it sends back; a problem of the user's modules instead of a row. */
export type ThreadAnswer =
  | { readonly t: 'row'; readonly judged: JudgedRow }
  | { readonly t: 'problem'; readonly problem: Problem };

/** Judges, each in a thread of its own. `end` gives the threads up. */
type Pool = { readonly judges: readonly Judge[]; readonly end: () => void };

/** Starts so many workers; with modules of the user each ledger has a new one. */
export function makePool(workers: number, order: ImpactOrder): Pool {
  const { asks, end } = makeThreads<Task, ThreadAnswer>(workers, 'impact', order, order.modules.length > 0);
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

/** What a thread does: it is sent ledgers and judges them. */
export function judgeSent(order: ImpactOrder, port: MessagePort): void {
  const judge = makeJudge(order);
  // Whoever asks is told.
  judge.catch(() => undefined);
  port.on('message', ({ file, bytes }: Task) => {
    void judge
      .then((ready) => ready(file, bytes))
      .then(
        (judged): ThreadAnswer => ({ t: 'row', judged }),
        (error: unknown): ThreadAnswer => {
          if (error instanceof Stop) return { t: 'problem', problem: error.problem };
          throw error;
        },
      )
      .then((told) => port.postMessage(told));
  });
}
