/**
 * A stored ledger judged as `assay verify` judges a file, and measured on the way.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { Head, HeadLine, Replayable } from '@assay/kernel';
import { VerifyStream, type VerifyReport } from '@assay/verifier';
import { nativeSha256 } from '../native-sha256.js';
import type { Store } from '../store.js';

/** The bytes of a ledger, line ends included, as a number of lines and a SHA-256. */
export type Measure = { readonly lines: number; readonly sha256: string };

/** The five verdicts, what the ledger measures, and what its first lines do, as many as asked for. */
export type JudgedLedger = VerifyReport & { readonly whole: Measure; readonly prefix: Measure | null };

/**
 * How to judge: `at`, where another ledger of the run ends, and how many lines it has; `onRecord` is told
 * after each.
 */
export type JudgeOptions = {
  readonly machines: readonly Replayable[];
  readonly at: { readonly head: Head; readonly lines: number } | null;
  readonly onRecord: (records: number) => void;
};

const LINE_END = Uint8Array.of(0x0a);

/** Reads a stored ledger through, up to its first fault. Raises `StoreReadError`. */
export async function judgeStored(
  store: Store,
  runId: string,
  { machines, at, onRecord }: JudgeOptions,
): Promise<JudgedLedger> {
  const head: HeadLine | null = at === null ? null : { count: at.head.count, hash: at.head.hash };
  const stream = new VerifyStream(runId, { machines, head, sha256: nativeSha256 });
  const hash = createHash('sha256');
  let prefix: Measure | null = at?.lines === 0 ? { lines: 0, sha256: hash.copy().digest('hex') } : null;
  let lines = 0;
  for await (const line of store.read(runId)) {
    stream.push(line);
    stream.push(LINE_END);
    hash.update(line).update(LINE_END);
    lines += 1;
    if (stream.isDecided) break;
    if (lines === at?.lines) prefix = { lines, sha256: hash.copy().digest('hex') };
    onRecord(lines);
  }
  return { ...stream.end(), whole: { lines, sha256: hash.digest('hex') }, prefix };
}

/** Reads a stored ledger through without judging it. Raises `StoreReadError`. */
export async function measureStored(store: Store, runId: string): Promise<Measure> {
  const hash = createHash('sha256');
  let lines = 0;
  for await (const line of store.read(runId)) {
    hash.update(line).update(LINE_END);
    lines += 1;
  }
  return { lines, sha256: hash.digest('hex') };
}
