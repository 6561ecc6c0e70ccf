/**
 * What may go wrong in a simulated world, and how often.
 *
 * @module
 */

/**
 * Faults, each in parts per million of its occasions. Delays are drawn up to their maximum in milliseconds.
 * A group under way when its process is killed is stored up to any of its records.
 */
export type Faults = {
  /** A process is killed, at any event. */
  readonly crash: number;
  /** The drive's signal is aborted, at any event. */
  readonly interrupt: number;
  /** An append, head or read is `unavailable`; of an append's group any first part is stored. */
  readonly storeError: number;
  /** A call fails, with a class drawn from the seed or with none. */
  readonly portError: number;
  /** The first call with a key raises `Later`; the drive that then ends `waiting` is begun again. */
  readonly later: number;
  /** A call is never answered. */
  readonly silent: number;
  /** A call is answered after its deadline. */
  readonly late: number;
  /**
   * An answer is delivered twice, the second time another one. A group that is stored is sent once more by
   * its store; a second copy of it comes later, when its sender may be dead, and is stored then if the run
   * still ends as it did.
   */
  readonly duplicate: number;
  readonly storeMsMax: number;
  readonly portMsMax: number;
  /** Milliseconds after which a late answer comes: more than the deadline of a call. */
  readonly lateMs: number;
};

/** Nothing fails; everything takes its time. */
export const NO_FAULTS: Faults = {
  crash: 0,
  interrupt: 0,
  storeError: 0,
  portError: 0,
  later: 0,
  silent: 0,
  late: 0,
  duplicate: 0,
  storeMsMax: 20,
  portMsMax: 900,
  lateMs: 1_500,
};

/** A bad day. */
export const FAULTS: Faults = {
  ...NO_FAULTS,
  crash: 40_000,
  interrupt: 10_000,
  storeError: 30_000,
  portError: 150_000,
  silent: 50_000,
  late: 50_000,
  duplicate: 150_000,
};
