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
  const worker = new Rederiving(seconds, { path, modules, limits: options.limits ?? {} });
  try {
    const report = await verifyFile(path, { ...options, machines: [] }, output, (chunk) =>
      worker.feed(chunk),
    );
    const rederived = await worker.end();
    const { document, facts } = report;
    // Where what is kept outside fails a record here, the worker did not see it.
    const isSame = rederived?.checks.integrity.verdict === document.checks.integrity.verdict;
    const own = { due: null, rederivation: document.checks.rederivation };
    const limit = {
      due: null,
      rederivation: notChecked('limit', 0, facts.summary?.records ?? 0, { seconds }),
    };
    const { due, rederivation } =
      rederived !== null && isSame
        ? { due: rederived.due, rederivation: rederived.checks.rederivation }
        : facts.summary === null
          ? own
          : limit;
    return { facts, document: { ...document, due, checks: { ...document.checks, rederivation } } };
  } finally {
    worker.stop();
  }
}

/** A worker that re-derives what it is fed, until its time is over. */
class Rederiving {
  private readonly worker: Worker;
  private readonly timer: NodeJS.Timeout;
  private isOver = false;
  private failure: Error | null = null;
  /** Settle the call that waits: with what the worker says, or null where its time is over. */
  private settle: (told: Rederived | null) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(seconds: number, order: RederiveOrder) {
    this.worker = new Worker(new URL('rederive.js', import.meta.url), { workerData: order });
    this.timer = setTimeout(() => this.stop(), seconds * 1_000);
    this.worker.on('message', (told: Rederived | null) => this.settle(told));
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', () => this.fail(new Error('a machine ended the thread it runs in')));
  }

  /** Hands over the next bytes, and waits until they are verified. */
  async feed(chunk: Uint8Array): Promise<void> {
    await this.ask(chunk);
  }

  end(): Promise<Rederived | null> {
    return this.ask(null);
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.settle(null);
    void this.worker.terminate();
  }

  private fail(error: Error): void {
    if (this.isOver) return;
    this.failure ??= error;
    this.reject(this.failure);
  }

  private ask(chunk: Uint8Array | null): Promise<Rederived | null> {
    if (this.isOver) return Promise.resolve(null);
    return new Promise((settle, reject) => {
      this.settle = settle;
      this.reject = reject;
      if (this.failure === null) this.worker.postMessage(chunk);
      else reject(this.failure);
    });
  }
}
