/** Worker threads that are asked one thing at a time. */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { badValue } from '../problems/problem.js';

/** Threads: each is asked by its own function, the next thing when the answer is there. */
export type Threads<T, A> = {
  readonly asks: readonly ((task: T) => Promise<A>)[];
  readonly end: () => void;
};

/** What a thread may be started for. */
export type Job = 'verify' | 'rederive' | 'impact' | 'test' | 'mcp' | 'sweep';

/** Starts a thread for a job. Its module lies beside the bundled command, else in the bundle of this package. */
export function startThread(job: Job, data: unknown): Worker {
  const beside = new URL('thread.js', import.meta.url);
  const module = existsSync(beside) ? beside : new URL('../../dist/bundle/thread.js', import.meta.url);
  return new Worker(module, { workerData: { job, data } });
}

/**
 * Starts so many threads for a job; `data` is given to each. An answer is whatever it posts. `isFresh`: each
 * thing is asked of a thread that was asked nothing before, so that no module keeps anything between two.
 */
export function makeThreads<T, A>(
  count: number,
  job: Job,
  data: unknown,
  isFresh: boolean = false,
): Threads<T, A> {
  const running = new Set<Worker>();
  const start = (): Worker => {
    const thread = startThread(job, data);
    running.add(thread);
    thread.on('exit', () => running.delete(thread));
    return thread;
  };
  return {
    asks: Array.from({ length: count }, () => (isFresh ? freshAsker<A>(start) : makeAsker<A>(start()))),
    end: () => {
      for (const thread of running) void thread.terminate();
    },
  };
}

/** Asks each thing of a new thread. The next one starts while this one works. */
function freshAsker<A>(start: () => Worker): (task: unknown) => Promise<A> {
  let next: Worker | null = null;
  return async (task) => {
    const thread = next ?? start();
    const asked = makeAsker<A>(thread)(task);
    next = start();
    try {
      return await asked;
    } finally {
      void thread.terminate();
    }
  };
}

function makeAsker<A>(thread: Worker): (task: unknown) => Promise<A> {
  const at: {
    waiting: { readonly resolve: (answer: A) => void; readonly reject: (error: Error) => void } | null;
    failure: Error | null;
  } = { waiting: null, failure: null };
  const fail = (error: Error): void => {
    at.failure ??= error;
    at.waiting?.reject(error);
  };
  thread.on('message', (answer: A) => at.waiting?.resolve(answer));
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('a machine ended the thread it runs in')));
  return (task) =>
    new Promise<A>((resolve, reject) => {
      if (at.failure !== null) reject(at.failure);
      at.waiting = { resolve, reject };
      thread.postMessage(task);
    });
}

const WORKERS_MAX = 64;

/** How many threads `ASSAY_THREADS` allows; null where it is not set. Raises `Stop`: `bad_value`. */
export function threadsIn({ ASSAY_THREADS: text }: NodeJS.ProcessEnv): number | null {
  if (text === undefined) return null;
  const count = Number(text);
  if (/^[0-9]+$/.test(text) && count >= 1 && count <= WORKERS_MAX) return count;
  throw badValue('not a number of threads', `ASSAY_THREADS=${text}`, `give 1 to ${WORKERS_MAX}`);
}
