/**
 * Copying a stored run: its records in pieces that end where a group ends, how they are judged, and why a
 * copy fails.
 */
import { createHash } from 'node:crypto';
import type { EvidenceRecord, Head, HeadLine, Replayable } from '@assay/kernel';
import { type VerifyReport, VerifyStream } from '@assay/verifier';
import { soundRecord, type Store, type StoreError, nativeSha256 } from '../store.js';

/**
 * Bytes of lines after which a piece ends with its group. One append for each group would take a sync of the
 * medium each.
 */
export const BATCH_BYTES = 1_048_576;

/**
 * `count` records of a run from a sequence on, as whole groups: at least one, of at least {@link BATCH_BYTES}
 * but at the end. Memory: one piece. Raises {@link SourceChangedError} where a line is not a sound record any
 * more, and `StoreReadError`.
 */
export async function* readBatches(
  store: Store,
  runId: string,
  from: number,
  count: number,
): AsyncGenerator<readonly EvidenceRecord[]> {
  let batch: EvidenceRecord[] = [];
  let bytes = 0;
  let left = count;
  for await (const line of store.read(runId, from)) {
    if (left === 0) break;
    const record = soundRecord(line);
    if (record === null) throw new SourceChangedError();
    if (bytes >= BATCH_BYTES && record.kind === 'proposal') {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(record);
    bytes += line.length;
    left -= 1;
  }
  if (left > 0) throw new SourceChangedError();
  if (batch.length > 0) yield batch;
}

/** What is stored of a run was changed while it was read. */
export class SourceChangedError extends Error {
  override readonly name = 'SourceChangedError';
}

/** Which of the two stores. */
export type Side = 'from' | 'to';

/**
 * Why what is stored of a run does not hold. `name`: it has no name of a run; `integrity`: at this record;
 * `other_run`: it is the ledger of another run, or of none (null); `missing`: it is listed and cannot be
 * found; `run_id`: the store itself saw that it is another's.
 */
export type Invalid =
  | { readonly why: 'name' | 'missing' }
  | { readonly why: 'integrity'; readonly code: string; readonly record: number }
  | { readonly why: 'other_run'; readonly run_id: string | null }
  | { readonly why: 'run_id'; readonly error: StoreError };

/**
 * What keeps one run from being copied. `not_rederived`: the machine decides otherwise. `exists`: the target
 * has another ledger of this name, with so many records. `source_changed`: it is not what was judged;
 * `copy_differs`: what arrived is not what was sent; `store`: what a store says of this run. `isStored`: it
 * was found after the records were there.
 */
export type CopyFault =
  | { readonly code: 'invalid'; readonly side: Side; readonly isStored: boolean; readonly found: Invalid }
  | { readonly code: 'not_rederived'; readonly found: { readonly code: string; readonly record: number } }
  | { readonly code: 'exists'; readonly count: number }
  | { readonly code: 'source_changed' | 'copy_differs' }
  | { readonly code: 'store'; readonly side: Side; readonly error: StoreError };

/** What ends a copy of many runs: a store that is gone, or a source somebody writes to. */
export type CopyEnd =
  | { readonly code: 'changed_meanwhile' }
  | { readonly code: 'store'; readonly side: Side; readonly error: StoreError };

/** The bytes of a ledger, line ends included, as a number of lines and a SHA-256. */
export type Measure = { readonly lines: number; readonly sha256: string };

/** The five verdicts, what the ledger measures, and what its first lines do, as many as asked for. */
export type JudgedLedger = VerifyReport & { readonly whole: Measure; readonly prefix: Measure | null };

/**
 * How to judge: `at`, where another ledger of the run ends, and how many lines it has; `onRecord` is told
 * after each.
 */
type JudgeOptions = {
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
