/**
 * Re-derivation that ends after some seconds: a machine runs synchronously, so only another thread can end
 * it.
 *
 * @module
 */
import { Worker } from 'node:worker_threads';
import {
  notChecked,
  type VerifyDocument,
  type VerifyLimits,
  type VerifyOptions,
  type VerifyReport,
} from '@assay/verifier';
import type { Output } from '../output.js';
import { verifyFile } from './verify-file.js';

/** What the worker is asked: a file, the user's modules of machines, and the limits it counts itself. */
export type RederiveOrder = {
  readonly path: string;
  readonly modules: readonly string[];
  readonly limits: Partial<VerifyLimits>;
};

type Rederived = Pick<VerifyDocument, 'due' | 'checks'>;

/**
 * Verifies one file; its re-derivation takes `seconds` at most and is `not_checked limit` beyond them. The file
 * is read once: what is judged here is what the worker is fed. Raises `Stop`, and what a machine throws.
 */
export async function verifyWithin(
  seconds: number,
  path: string,
  modules: readonly string[],
  options: VerifyOptions,
  output: Output,
): Promise<VerifyReport> {
  const order: RederiveOrder = { path, modules, limits: options.limits ?? {} };
  const worker = new Worker(new URL('rederive.js', import.meta.url), { workerData: order });
  let timer: NodeJS.Timeout | undefined;
  /** Null where its time is over; rejects where a machine throws or ends the thread. */
  const over = new Promise<null>((resolve, reject) => {
    timer = setTimeout(() => {
      resolve(null);
      void worker.terminate();
    }, seconds * 1_000);
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('a machine ended the thread it runs in')));
  });
  // Whoever asks is told.
  over.catch(() => undefined);
  const ask = (chunk: Uint8Array | null): Promise<Rederived | null> => {
    const told = new Promise<Rederived | null>((resolve) => worker.once('message', resolve));
    worker.postMessage(chunk);
    return Promise.race([told, over]);
  };
  try {
    const feed = async (chunk: Uint8Array): Promise<void> => void (await ask(chunk));
    const report = await verifyFile(path, { ...options, machines: [] }, output, feed);
    return withRederived(report, await ask(null), seconds);
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}

function withRederived(report: VerifyReport, rederived: Rederived | null, seconds: number): VerifyReport {
  const { document, facts } = report;
  // Where integrity fails here alone (what is kept outside), the worker did not see it.
  if (facts.summary === null && rederived?.checks.integrity.verdict !== 'failed') return report;
  const limit = notChecked('limit', 0, facts.summary?.records ?? 0, { seconds });
  const { due, rederivation } =
    rederived === null
      ? { due: null, rederivation: limit }
      : { due: rederived.due, rederivation: rederived.checks.rederivation };
  return { facts, document: { ...document, due, checks: { ...document.checks, rederivation } } };
}
