/**
 * Calls of tools, each done by a thread of its own: the server answers others meanwhile, and a call that is given
 * up ends its thread.
 *
 * @module
 */
import { Worker } from 'node:worker_threads';
import type { Desk } from '@assay/mcp';
import { threadModule } from '../../files/threads.js';
import type { ModelFlags } from '../../options/llm.js';
import { storeAnswers, type StoreAsk } from './remote-store.js';

type Apart = NonNullable<Desk['apart']>;
type Answer = Awaited<ReturnType<Apart>>;
type Client = Parameters<Apart>[2]['client'];

/** The options of `mcp` that say what is offered. */
export type DeskFlags = ModelFlags & {
  readonly store?: string;
  readonly proposer: readonly string[];
  readonly machine: readonly string[];
  readonly allowAdvance?: boolean;
  readonly workspace?: string;
};

/** What each thread is given: what the server was, and what it made of it. */
export type ApartOrder = {
  readonly flags: DeskFlags;
  readonly session: string | null;
  readonly isVerbose: boolean;
};
/** What a thread is sent: its call, then what the store gave, in the order in which it was asked; to stop. */
export type ApartTask =
  | { readonly t: 'call'; readonly tool: string; readonly args: unknown; readonly client: Client }
  | { readonly t: 'store'; readonly id: number; readonly gave: unknown }
  | { readonly t: 'stop' };
/** What it sends. */
export type ApartTold =
  | { readonly t: 'store'; readonly id: number; readonly ask: StoreAsk }
  | { readonly t: 'answer'; readonly answer: Answer };

/** Threads that wait for a call at most. */
const IDLE_MAX = 2;
/** Milliseconds that a call which is given up has to stop by itself, between two records. */
const PATIENCE_MS = 250;

/**
 * The hook of a desk. A thread serves one call after the other, with modules of the user one call alone. Raises
 * the signal's reason where a call is given up, and what is nobody's mistake.
 */
export function makeApart(order: ApartOrder, stores: Pick<Desk, 'store' | 'writing'>): Apart {
  const idle: Worker[] = [];
  const isFresh = order.flags.machine.length > 0;
  const wait = (thread: Worker): void => {
    const leave = (): void => void idle.splice(0, idle.length, ...idle.filter((one) => one !== thread));
    thread.removeAllListeners().once('error', leave).once('exit', leave).unref();
    idle.push(thread);
  };
  const start = (): Worker => new Worker(threadModule('mcp-worker'), { workerData: order });
  // A thread takes a while to start: one is ready before the first call, and one before the next.
  wait(start());
  return async (tool, args, { client, signal }) => {
    signal.throwIfAborted();
    const thread = (idle.pop() ?? start()).removeAllListeners();
    thread.ref();
    if (isFresh && idle.length === 0) wait(start());
    const { answer, end } = storeAnswers(stores);
    const send = (task: ApartTask): void => thread.postMessage(task);
    let isDone = false;
    try {
      const found = await new Promise<Answer>((resolve, reject) => {
        const giveUp = (): void => {
          send({ t: 'stop' });
          setTimeout(() => reject(signal.reason as Error), PATIENCE_MS).unref();
        };
        signal.addEventListener('abort', giveUp, { once: true });
        thread.on('error', reject);
        thread.on('exit', () => reject(new Error('a machine ended the thread it runs in')));
        thread.on('message', (told: ApartTold) => {
          if (told.t === 'answer') resolve(told.answer);
          else answer(told.ask).then((gave) => send({ t: 'store', id: told.id, gave }), reject);
        });
        send({ t: 'call', tool, args, client });
      });
      isDone = !signal.aborted;
      return found;
    } finally {
      if (isDone && !isFresh && idle.length < IDLE_MAX) wait(thread);
      else void thread.removeAllListeners().terminate();
      await end();
    }
  };
}
