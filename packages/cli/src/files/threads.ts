/**
 * Worker threads that are asked one thing at a time.
 *
 * @module
 */
import { Worker } from 'node:worker_threads';

/** Threads: each is asked by its own function, the next thing when the answer is there. */
export type Threads<T, A> = {
  readonly asks: readonly ((task: T) => Promise<A>)[];
  readonly end: () => void;
};

/** Starts so many threads of one module; `data` is given to each. An answer is whatever it posts. */
export function threadsOf<T, A>(count: number, module: URL, data: unknown): Threads<T, A> {
  const threads = Array.from({ length: count }, () => new Worker(module, { workerData: data }));
  return {
    asks: threads.map((thread) => askerOf<A>(thread)),
    end: () => {
      for (const thread of threads) void thread.terminate();
    },
  };
}

function askerOf<A>(thread: Worker): (task: unknown) => Promise<A> {
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
