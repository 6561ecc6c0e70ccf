/** How a run is driven: all that a drive may be told, what it tells while it works, and why it fails. */
import type { EvidenceRecord, Head, Rejection, Request, Sha256, Spent } from '@assay/kernel';
import type { Budget } from './budget.js';
import type { Retry } from './failure-class.js';
import type { LoadError } from './load.js';
import type { CallNotesFault } from './note.js';
import type { Ports } from './port.js';
import type { SnapshotFault } from './resume-snapshot.js';
import type { SnapshotUse } from './snapshots.js';
import type { Store } from './store.js';
import type { Deadlines, Timer } from './timer.js';

/** Answers recorded by one call of `drive` at most, unless `steps` says otherwise. */
export const STEPS_MAX = 100_000;

/**
 * Rejections after which a standing invitation is asked no more, unless `invitationAttempts` says otherwise.
 */
export const INVITATION_ATTEMPTS_MAX = 3;

/**
 * The order in which answers are recorded. `turn`: as if requests were asked one after the other, by
 * (attempts used, sequence, index); an answer that is early is held. With ports whose answers do not depend
 * on time the bytes are those of concurrency 1. `arrival`: as they come; one slow port holds up nobody.
 */
export type Order = 'turn' | 'arrival';

/** How a run is driven. */
export type DriveOptions = {
  readonly store: Store;
  readonly ports: Ports;
  /**
   * Stops the run between two records; calls under way are aborted and given up unrecorded: they are made
   * again on resume. After the abort nothing is asked and no answer recorded. A run is still taken up, so
   * that there is one to go on with: the first group of a new one is stored, and of a stored one what a crash
   * had cut from its last.
   */
  readonly signal?: AbortSignal;
  /**
   * Calls under way at once, 1 by default, at most `CONCURRENCY_MAX`. A port that does not heed its signal is
   * not counted once it was given up.
   */
  readonly concurrency?: number;
  /**
   * In which order answers are recorded: `arrival` by default where several calls are made at once, else
   * `turn`.
   */
  readonly order?: Order;
  /** How long answers may take. */
  readonly deadlines?: Deadlines;
  /** How long to wait before a failed call is made again. */
  readonly retry?: Retry;
  /**
   * What the run may spend; no limit and no notes by default. A request that it does not cover is not
   * performed: the final failure `denied`, `Shortage`.
   */
  readonly budget?: Budget;
  /** Snapshots to take and to resume from; none by default. */
  readonly snapshots?: SnapshotUse;
  /** Answers to record before pausing, 100,000 by default. */
  readonly steps?: number;
  /**
   * How often a standing invitation (a request with attempts 0) is asked: once so many of its answers in a
   * row were rejected or non-final failures, those in the ledger included, it is left open and not asked.
   * 3 by default; a later drive may give more.
   */
  readonly invitationAttempts?: number;
  /** The digest, the runtime's own by default. */
  readonly sha256?: Sha256;
  /** Time, the runtime's own by default. */
  readonly timer?: Timer;
  /** Told of each event as it happens. */
  readonly onEvent?: (event: DriveEvent) => void;
};

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

/**
 * Why a run can not be driven (on). `rejected`: its genesis is not opened, or (code `unfed`) it is a fork
 * that lacks answers of its parent: call `fork` again, or (`base_mismatch`, `base_closed`, `base_went_on`,
 * `base_under_way`) a continuation whose base, in the same store, is not what it says, was closed, went on,
 * or has calls begun and not answered: see {@link drive}; `exists`: this id has a ledger with another
 * genesis; `notes`: the notes of its calls cannot be read or written, so none is made; else as in
 * {@link LoadError}.
 */
export type DriveError =
  | LoadError
  | { readonly code: 'rejected'; readonly rejection: Rejection }
  | { readonly code: 'exists'; readonly run_id: string }
  | CallNotesFault;
