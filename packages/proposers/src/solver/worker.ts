/** HiGHS in a thread of its own: the solver blocks its thread, and a time limit of ours ends it. */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Solved } from './model.js';

/** Source of the thread: solves one model after the other. Plain text, so that it needs no file beside it. */
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const ready = require(workerData)();
parentPort.on('message', async ({ model, options }) => {
  try {
    const { Status, ObjectiveValue, Columns, Rows } = (await ready).solve(model, options);
    const columns = Object.fromEntries(Object.entries(Columns).map(([name, { Primal }]) => [name, Primal ?? 0]));
    const duals = Object.fromEntries(Rows.map(({ Name, Dual }) => [Name, Dual ?? 0]));
    parentPort.postMessage({ status: Status, objective: ObjectiveValue, columns, duals });
  } catch {
    parentPort.postMessage(null);
  }
});
`;

/** Where the solver is installed, or null. */
function solverPath(): string | null {
  try {
    return createRequire(import.meta.url).resolve('highs');
  } catch {
    return null;
  }
}

/** True where `highs`, the optional peer, is installed. */
export function isInstalled(): boolean {
  return solverPath() !== null;
}

/** A solver; `close` ends its thread. */
export type Solver = {
  /** Null where the solver failed, or its time is up. `seconds`: of this model. */
  readonly solve: (model: string, seconds: number) => Promise<Solved | null>;
  readonly close: () => Promise<void>;
};

/** Starts a thread; null where `highs` is not installed. `signal` ends it at once. */
export function newSolver(signal: AbortSignal): Solver | null {
  const path = solverPath();
  if (path === null) return null;
  const thread = new Worker(SOURCE, { eval: true, workerData: path, stdout: true, stderr: true });
  // Nobody waits for a thread that failed between two models.
  thread.on('error', () => undefined);
  const close = async (): Promise<void> => {
    await thread.terminate();
  };
  const solve = (model: string, seconds: number): Promise<Solved | null> =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve(null);
        return;
      }
      const end = (solved: Solved | null): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        thread.off('message', end);
        thread.off('exit', stop);
        resolve(solved);
      };
      const stop = (): void => {
        end(null);
        void close();
      };
      const timer = setTimeout(stop, (seconds + GRACE_SECONDS) * MILLISECONDS);
      signal.addEventListener('abort', stop);
      thread.once('message', end);
      thread.once('exit', stop);
      const options = {
        time_limit: seconds,
        mip_rel_gap: 0,
        mip_abs_gap: 0,
        random_seed: 0,
        threads: 1,
        output_flag: false,
      };
      thread.postMessage({ model, options });
    });
  return { solve, close };
}

/** What the solver may take beyond its own limit, loading included. */
const GRACE_SECONDS = 5;
const MILLISECONDS = 1_000;
