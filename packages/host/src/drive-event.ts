/**
 * What a drive tells while it runs.
 *
 * @module
 */
import type { EvidenceRecord, Head, Request, Spent } from '@assay/kernel';
import type { SnapshotFault } from './resume-snapshot.js';

/**
 * What a drive tells. `append`: a group is durable. `progress`: after each such group, how far the run is.
 * `port_error`: why a port's call failed, or why it was not asked: the ledger says less, or nothing.
 * `snapshot_error`: why a snapshot was not saved, not loaded, or is not used: the run was then derived from
 * its first record. `dropped`: an answer that is not recorded, and what it cost: nothing else knows; may come
 * after the drive ended.
 */
export type DriveEvent =
  | { readonly type: 'append'; readonly records: readonly EvidenceRecord[]; readonly head: Head }
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'port_error'; readonly request: Request; readonly error: unknown }
  | { readonly type: 'snapshot_error'; readonly fault: SnapshotFault | { readonly error: unknown } }
  | {
      readonly type: 'dropped';
      readonly request: Request;
      readonly reason: DropReason;
      readonly spent: unknown;
    };

/**
 * Why an answer is not recorded. `late`: after its deadline; `withdrawn`: the request was closed meanwhile,
 * or the run; `stopped`: the drive ended first, and a later drive makes the call again.
 */
export type DropReason = 'late' | 'withdrawn' | 'stopped';

/**
 * How far a drive is, told after each durable group. Counts of this drive, but `records`, `open` and `head`.
 */
export type Progress = {
  readonly head: Head;
  /** Records in the ledger (of a continuation: those of its base as well). */
  readonly records: number;
  /** Open requests. */
  readonly open: number;
  /** Calls taken up and not recorded. */
  readonly calls: number;
  /** Answers recorded by this drive. */
  readonly steps: number;
  /** Milliseconds since this drive began, by its timer. */
  readonly elapsedMs: number;
  /** Cost recorded by this drive, by unit. */
  readonly spent: Spent;
};
