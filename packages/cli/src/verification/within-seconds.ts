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
import type { Output } from '../output/output.js';
import { misuse } from '../problem.js';
import { verifyFile } from './verify-file.js';

/** What the worker is asked: a file, the user's modules of machines, and the limits it counts itself. */
export type RederiveOrder = {
  readonly path: string;
  readonly modules: readonly string[];
  readonly limits: Partial<VerifyLimits>;
};

type Rederived = {
  readonly due: VerifyDocument['due'];
  readonly rederivation: VerifyDocument['checks']['rederivation'];
};

/**
 * Verifies one file; its re-derivation takes `seconds` at most and is `not_checked limit` beyond them. The
 * other checks are made here, so the file is read twice. Raises `Stop`, and what a machine throws.
 */
export async function verifyWithin(
  seconds: number,
  path: string,
  modules: readonly string[],
  options: VerifyOptions,
  output: Output,
): Promise<VerifyReport> {
  if (path === '-')
    throw misuse('stdin_twice', 'standard input can be read once', '- --limit seconds', 'name a file');
  const report = await verifyFile(path, { ...options, machines: [] }, output);
  const rederived = await rederivedWithin(seconds, { path, modules, limits: options.limits ?? {} });
  const { document, facts } = report;
  const { due, rederivation } = rederived ?? {
    due: null,
    rederivation:
      facts.summary === null
        ? document.checks.rederivation
        : notChecked('limit', 0, facts.summary.records, { seconds }),
  };
  return { facts, document: { ...document, due, checks: { ...document.checks, rederivation } } };
}

/** What the worker found, or null where it was ended. */
function rederivedWithin(seconds: number, order: RederiveOrder): Promise<Rederived | null> {
  const worker = new Worker(new URL('rederive.js', import.meta.url), { workerData: order });
  return new Promise<Rederived | null>((resolve, reject) => {
    const timer = setTimeout(() => void worker.terminate(), seconds * 1_000);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}
