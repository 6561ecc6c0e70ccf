/**
 * What a fleet asks of its state. Each call is one step that happens whole or not at all, and comes to the same where
 * it is done twice. Times are microseconds since 1970 by the server's clock, the only one that counts; spans are
 * milliseconds. Every call rejects with the server's condition as `code` where it cannot be reached.
 */

/**
 * `queued`: to be driven, soon or not before a time. `driving`: a worker has it. `waiting`: for a person or a time.
 * `closed`: its ledger has an outcome. `failed`: it can not be driven on; `retry` queues it again.
 */
export type RunState = (typeof RUN_STATES)[number];

/** All of {@link RunState}. */
export const RUN_STATES = ['queued', 'driving', 'waiting', 'closed', 'failed'] as const;

/** Runs to queue: their ids, and the canonical text of the genesis of each. `token`: of this submission alone. */
export type Submission = {
  readonly token: string;
  readonly runs: readonly string[];
  readonly geneses: readonly string[];
  readonly machine: string;
  readonly version: number;
  readonly tenant: string;
  readonly priority: number;
  readonly at: number | null;
  readonly maxQueued: number;
};

/** `other`: a run whose id has another genesis. With it, or where it would be too many, nothing was queued. */
export type Submitted = {
  readonly submitted: number;
  readonly known: number;
  readonly other: string | null;
  readonly queued: number;
};

/** A worker, as its row says it. */
export type WorkerEntry = {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** `machine@version` of each machine it drives. */
  readonly serves: readonly string[];
  readonly concurrency: number;
  readonly engine: string;
  readonly leaseMs: number;
};

/** A run that a worker drives. `ticket`: of this claim alone. */
export type Hold = { readonly run: string; readonly ticket: string; readonly worker: string };

/** What a claim says of its run. `answers`: how many came so far. */
export type Claimed = {
  readonly genesis: string;
  readonly machine: string;
  readonly version: number;
  readonly tenant: string;
  readonly answers: number;
  readonly segments: number;
};

/** A run that may be offered. `segments`: unchanged until a worker takes it up. */
export type Offer = {
  readonly run: string;
  readonly machine: string;
  readonly version: number;
  readonly segments: number;
};

/** A request that a run waits for. `attempt`: how many were used. */
export type OpenEntry = {
  readonly request: string;
  readonly attempt: number;
  readonly kind: string;
  readonly accepts: readonly string[];
  readonly body: string;
  readonly until: number | null;
};

/** An answer that was given to a run. */
export type Given = { readonly value: string; readonly by: string; readonly at: number };

/** A run as it is shown. */
export type RunEntry = {
  readonly run: string;
  readonly machine: string;
  readonly version: number;
  readonly state: RunState;
  readonly held: boolean;
  readonly tenant: string;
  readonly priority: number;
  readonly holder: string | null;
  readonly changed: number;
  readonly segments: number;
  readonly outcome: string | null;
  readonly count: number | null;
  readonly hash: string | null;
  readonly fault: string | null;
  readonly open: readonly Pick<OpenEntry, 'request' | 'kind' | 'until'>[];
};

/** Segments that may die with their worker, one after the other, before a run fails as `poison`. */
export const DEATHS_MAX = 5;
/** Offers that are kept in the engine, for each run that workers could drive at once. */
export const WINDOW = 3;
/** A feeder that was silent so long is followed by another one. */
export const FEEDER_LEASE_MS = 1_000;

/** The state of a fleet. */
export type Table = {
  /** Sees to the tables. Rejects with code `fleet_schema` where they are not ours. */
  readonly make: () => Promise<void>;
  readonly submit: (submission: Submission) => Promise<Submitted>;
  /**
   * What to offer next, null where another worker feeds: for each queue that workers serve, up to {@link WINDOW}
   * times what they drive at once; by priority, then from the tenant with the fewest runs under way, then the oldest.
   */
  readonly feed: (feeder: string, tenantLimit: number | null) => Promise<readonly Offer[] | null>;
  /** Notes that runs are in the engine, but for those that were taken up meanwhile. */
  readonly markOffered: (offers: readonly Offer[]) => Promise<void>;
  /**
   * Takes up a run: a queued one, one that is driven under this ticket, or one whose lease is over. Null where there
   * is nothing to do: it is driven, held, over or gone, its tenant has its fill, or too many workers died of it.
   */
  readonly claim: (hold: Hold, leaseMs: number, tenantLimit: number | null) => Promise<Claimed | null>;
  /**
   * Leaves a run that waits: `waiting` where no answer came since `answers`, else still `driving`. `wakeAt`: when to
   * queue it again, null for by an answer alone. Null where it is another's.
   */
  readonly park: (
    hold: Hold,
    answers: number,
    open: readonly OpenEntry[],
    wakeAt: number | null,
  ) => Promise<{ readonly state: 'waiting' | 'driving'; readonly answers: number } | null>;
  /** Gives a run back, not to be driven before so long. False where it is another's. */
  readonly release: (hold: Hold, delayMs: number) => Promise<boolean>;
  /** Notes how a run ended by its ledger, whichever worker drove it. */
  readonly close: (
    run: string,
    end: { readonly outcome: string; readonly count: number; readonly hash: string },
  ) => Promise<void>;
  /** False where it is another's. */
  readonly fail: (hold: Hold, fault: string) => Promise<boolean>;
  /**
   * A worker is alive and drives these: which of them are still its own, which it must give back, and the time.
   */
  readonly beat: (
    worker: WorkerEntry,
    holds: readonly Hold[],
  ) => Promise<{ readonly own: readonly string[]; readonly held: readonly string[]; readonly now: number }>;
  /**
   * Queues what is due: whose time has come, whose lease is over. `idleMs`: for so long this worker, which serves
   * these, could have taken a run and was brought none; what was offered before is offered again.
   */
  readonly sweep: (serves: readonly string[], idleMs: number | null) => Promise<void>;
  /** Workers whose leases are over. */
  readonly listDead: () => Promise<readonly string[]>;
  readonly removeWorkers: (ids: readonly string[]) => Promise<void>;
  /** `name@version` of queued runs that no living worker serves. */
  readonly listUnserved: () => Promise<readonly string[]>;
  /** Why an answer is not taken, or null. `token`: of this answer alone. */
  readonly answer: (given: {
    readonly run: string;
    readonly request: string;
    readonly value: string;
    readonly by: string;
    readonly token: string;
  }) => Promise<'unknown_run' | 'closed_request' | 'source' | 'answered' | null>;
  readonly findAnswer: (run: string, request: string, attempt: number) => Promise<Given | null>;
  /** The state it was in, null for no such run. Changes nothing where it is over. */
  readonly hold: (run: string) => Promise<RunState | null>;
  /** The state it was in, and whether it was held; null for no such run. Changes only a failed or a held one. */
  readonly retry: (run: string) => Promise<{ readonly state: RunState; readonly held: boolean } | null>;
  readonly list: (query: {
    readonly state: RunState | null;
    readonly tenant: string | null;
    readonly run: string | null;
    readonly after: string;
    readonly limit: number;
  }) => Promise<readonly RunEntry[]>;
  readonly countStates: (tenant: string | null) => Promise<{ readonly [state in RunState]: number }>;
  readonly listWorkers: () => Promise<readonly (WorkerEntry & { readonly at: number })[]>;
};
