/**
 * One file verified by two threads: integrity here, re-derivation beside it. A machine runs synchronously, so
 * only another thread can end it after some seconds.
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
import { startThread, makeThreads } from '../../files/threads.js';
import { machinesFor } from '../../options/machines.js';
import { Stop, type Problem } from '../../problems/problem.js';
import type { Output } from '../../call/output.js';
import { verifyFile } from './verify-file.js';
import { plainOptions, type VerifyFlags } from '../../options/verify.js';

/** What the worker is asked: a file, the user's modules of machines, and the limits it counts itself. */
type RederiveOrder = {
  readonly path: string;
  readonly modules: readonly string[];
  readonly limits: Partial<VerifyLimits>;
};

/** What it is sent: bytes, with the number of records found sound so far; and what the file came to. */
type RederiveTask =
  | { readonly t: 'chunk'; readonly chunk: Uint8Array; readonly sound: number }
  | { readonly t: 'end'; readonly summary: RunSummary | null };

type Rederived = ReturnType<RederiveStream['end']>;
/** What it tells: a chunk was taken, what re-derivation came to, or what is wrong with a module. */
type RederiveTold =
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

/** What each thread is given. */
type VerifyOrder = { readonly files: readonly string[]; readonly flags: VerifyFlags };

/**
 * The reports of files, by their place in the list, without the indexes that comparing two files needs.
 * Missing: what has to be verified in this thread: files of one run, which are compared, and those with which
 * something went wrong, so that it is told as ever.
 */
export async function verifiedInThreads(
  workers: number,
  order: VerifyOrder,
): Promise<ReadonlyMap<number, VerifyReport>> {
  const { files } = order;
  const { asks, end } = makeThreads<string, VerifyReport | null>(workers, 'verify', order);
  const reports = new Map<number, VerifyReport>();
  const at = { next: 0 };
  const work = async (ask: (path: string) => Promise<VerifyReport | null>): Promise<void> => {
    for (let index = at.next; index < files.length; index = at.next) {
      at.next += 1;
      const path = files[index] ?? '-';
      const report = path === '-' ? null : await ask(path);
      if (report !== null) reports.set(index, report);
    }
  };
  try {
    await Promise.all(asks.map(work)).catch(() => undefined);
  } finally {
    end();
  }
  const runs = [...reports.values()].map(genesisIn);
  return new Map(
    [...reports].filter(([, report]) => {
      const own = genesisIn(report);
      return own === null || runs.filter((one) => one === own).length === 1;
    }),
  );
}

function genesisIn({ facts }: VerifyReport): string | null {
  return facts.summary?.genesis_hash ?? null;
}

/** What a thread does: it is sent names of files and verifies them. */
export function verifySent({ files, flags }: VerifyOrder, port: MessagePort): void {
  const options = plainOptions(files, flags);
  // Whoever asks is told.
  options.catch(() => undefined);
  port.on('message', (path: string) => {
    void options
      .then((given) => verifyFile(path, { ...given, keepIndex: false }, { progress: () => undefined }))
      // The thread that asked does it again, and tells.
      .catch((): VerifyReport | null => null)
      .then((report) => port.postMessage(report));
  });
}
