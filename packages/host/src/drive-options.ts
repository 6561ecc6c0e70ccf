/**
 * How a run is driven: all that a drive may be told.
 *
 * @module
 */
import type { Sha256 } from '@assay/kernel';
import type { Budget } from './budget.js';
import type { Deadlines } from './deadlines.js';
import type { DriveEvent } from './drive-event.js';
import type { Order } from './loop.js';
import type { Ports } from './port.js';
import type { Retry } from './retry.js';
import type { SnapshotUse } from './snapshots.js';
import type { Store } from './store.js';
import type { Timer } from './timer.js';

/** Answers recorded by one call of `drive` at most, unless `steps` says otherwise. */
export const STEPS_MAX = 100_000;

/**
 * Rejections after which a standing invitation is asked no more, unless `invitationAttempts` says otherwise.
 */
export const INVITATION_ATTEMPTS_MAX = 3;

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
