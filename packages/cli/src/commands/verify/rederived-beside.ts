/**
 * One file verified by two threads: integrity here, re-derivation beside it. A machine runs synchronously, so
 * only another thread can end it after some seconds.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import { nativeSha256 } from '@assay/host';
import type { RunSummary } from '@assay/kernel';
import {
  notChecked,
  RederiveStream,
  type VerifyLimits,
  type VerifyOptions,
  type VerifyReport,
} from '@assay/verifier';
import { startThread } from '../../files/threads.js';
import { machinesFor } from '../../options/machines.js';
import { Stop, type Problem } from '../../problems/problem.js';
import type { Output } from '../../call/output.js';
import { verifyFile } from './verify-file.js';

/** What the worker is asked: a file, the user's modules of machines, and the limits it counts itself. */
export type RederiveOrder = {
  readonly path: string;
  readonly modules: readonly string[];
  readonly limits: Partial<VerifyLimits>;
};

/** What it is sent: bytes, with the number of records found sound so far; and what the file came to. */
export type RederiveTask =
  | { readonly t: 'chunk'; readonly chunk: Uint8Array; readonly sound: number }
  | { readonly t: 'end'; readonly summary: RunSummary | null };

type Rederived = ReturnType<RederiveStream['end']>;
/** What it tells: a chunk was taken, what re-derivation came to, or what is wrong with a module. */
export type RederiveTold =
  | { readonly t: 'taken' }
  | { readonly t: 'ended'; readonly rederived: Rederived }
  | { readonly t: 'problem'; readonly problem: Problem };

/** Chunks that may wait for the worker. */
const WAITING_MAX = 4;

/**
 * Verifies one file. `seconds`: re-derivation takes so long at most and is `not_checked limit` beyond them;
 * null is no limit. The file is read once: what is judged here is what the worker is fed. Raises `Stop`, and
 * what a machine throws.
 */
export async function verifyBeside(
  seconds: number | null,
  path: string,
  modules: readonly string[],
  options: VerifyOptions,
  output: Output,
): Promise<VerifyReport> {
  const order: RederiveOrder = { path, modules, limits: options.limits ?? {} };
  const worker = startThread('rederive', order);
  let timer: NodeJS.Timeout | undefined;
  /** Null where its time is over; rejects where a machine throws or ends the thread. */
  const over = new Promise<null>((resolve, reject) => {
    if (seconds !== null)
      timer = setTimeout(() => {
        resolve(null);
        void worker.terminate();
      }, seconds * 1_000);
    worker.on('error', reject);
    worker.on('message', (told: RederiveTold) => {
      if (told.t === 'problem') reject(new Stop(told.problem));
    });
    worker.on('exit', () => reject(new Error('a machine ended the thread it runs in')));
  });
  // Whoever asks is told.
  over.catch(() => undefined);
  const at = { waiting: 0, wake: (): void => undefined };
  const ended = new Promise<Rederived>((resolve) => {
    worker.on('message', (told: RederiveTold) => {
      if (told.t === 'ended') resolve(told.rederived);
      at.waiting -= 1;
      at.wake();
    });
  });
  const send = (task: RederiveTask): void => {
    at.waiting += 1;
    worker.postMessage(task);
  };
  try {
    const feed = async (chunk: Uint8Array, sound: number): Promise<void> => {
      send({ t: 'chunk', chunk, sound });
      if (at.waiting < WAITING_MAX) return;
      const woken = new Promise<void>((resolve) => {
        at.wake = resolve;
      });
      await Promise.race([woken, over]);
    };
    const report = await verifyFile(path, { ...options, machines: [] }, output, feed);
    send({ t: 'end', summary: report.facts.summary });
    return withRederived(report, await Promise.race([ended, over]), seconds);
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}

/** `rederived`: null where its time was over. */
function withRederived(
  { document, facts }: VerifyReport,
  rederived: Rederived | null,
  seconds: number | null,
): VerifyReport {
  if (rederived === null && facts.summary === null) return { document, facts };
  const { due, rederivation } = rederived ?? {
    due: null,
    rederivation: notChecked('limit', 0, facts.summary?.records ?? 0, { seconds }),
  };
  return { facts, document: { ...document, due, checks: { ...document.checks, rederivation } } };
}

/**
 * What a thread does: it is fed bytes whose integrity was judged, runs the machine again, and tells what
 * re-derivation came to.
 */
export function rederiveSent({ path, modules, limits }: RederiveOrder, port: MessagePort): void {
  const tell = (told: RederiveTold): void => port.postMessage(told);
  const failed = (error: unknown): void => {
    if (!(error instanceof Stop)) throw error;
    tell({ t: 'problem', problem: error.problem });
  };
  /** One task after the other: once something is wrong, nothing that follows is looked at. */
  let stream = machinesFor(modules, [path]).then(
    (machines) => new RederiveStream({ machines, sha256: nativeSha256, limits }),
  );
  stream.catch(failed);
  port.on('message', (task: RederiveTask) => {
    stream = stream.then((ready) => {
      if (task.t === 'chunk') {
        ready.push(task.chunk, task.sound);
        tell({ t: 'taken' });
      } else {
        tell({ t: 'ended', rederived: ready.end(task.summary) });
        port.close();
      }
      return ready;
    });
    stream.catch(failed);
  });
}
