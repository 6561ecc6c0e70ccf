/** What a fleet is asked and says: its runs, its workers, and why something was refused. */
import type { DriveOptions, Port, Ports, StoreError } from '@assay/host';
import type {
  AdmissionError,
  Answer,
  Context,
  Decision,
  Genesis,
  GenesisInput,
  Json,
  Opening,
  Rejection,
  Request,
  Result,
} from '@assay/kernel';
import type { PostgresStore } from '@assay/store-postgres';
import type { Engine } from './engine.js';
import type { RunState, WorkerEntry } from './table/table.js';

/** A machine by its name and version. */
export type MachineName = { readonly name: string; readonly version: number };

/** A machine of any types: with methods, so that machines of different types stand in one list. */
export type AnyMachine = MachineName & {
  readonly engine?: string | null;
  open(genesis: Genesis, context: Context): Result<Rejection, Opening<unknown, Json, Json>>;
  parse(value: Json, request: Request): Result<Rejection, unknown>;
  decide(state: unknown, answer: Answer<unknown>, context: Context): Result<Rejection, Decision>;
  evolve(state: unknown, event: Json): unknown;
  encode(state: unknown): Json;
  decode(json: Json): Result<Rejection, unknown>;
};

/** A run as the fleet's table has it. Times by the server's clock, RFC 3339. */
export type FleetRun = {
  readonly run_id: string;
  readonly machine: string;
  readonly version: number;
  readonly state: RunState;
  readonly held: boolean;
  readonly tenant: string;
  readonly priority: number;
  /** The worker that drives it. */
  readonly holder: string | null;
  /** When it came to this state. */
  readonly since: string;
  /** How often it was taken up. */
  readonly segments: number;
  readonly waiting: readonly {
    readonly request: string;
    readonly kind: string;
    readonly until: string | null;
  }[];
  readonly outcome: string | null;
  readonly head: { readonly count: number; readonly hash: string } | null;
  /** Why it failed, a code such as `poison` or `rejected/policy_shape`. */
  readonly fault: string | null;
};

/** A worker that is alive, or was until a moment ago. `seen`: when it was last heard, RFC 3339. */
export type WorkerRow = Omit<WorkerEntry, 'leaseMs'> & { readonly seen: string };

/** Which runs to give: by id from after `after` on, 100 of them by default, at most 1,000. */
export type RunQuery = {
  readonly state?: RunState;
  readonly tenant?: string;
  readonly limit?: number;
  readonly after?: string;
  readonly run?: string;
};

/** A page of runs. `totals`: of the whole fleet, or of the tenant. `after`: where the next page begins. */
export type RunPage = {
  readonly runs: readonly FleetRun[];
  readonly totals: { readonly [state in RunState]: number };
  readonly after: string | null;
};

/** `at`: microseconds since 1970 before which nothing is driven. `priority`: higher first, 0 by default. */
export type SubmitOptions = { readonly tenant?: string; readonly priority?: number; readonly at?: number };

/** A run that a worker has taken up. `now`: microseconds since 1970 by the server's clock, for a `clockPort`. */
export type TakenRun = {
  readonly run_id: string;
  readonly tenant: string;
  readonly machine: MachineName;
  readonly inbox: Port;
  readonly now: () => number;
};

/** How a worker works. */
export type WorkOptions = {
  readonly machines: readonly AnyMachine[];
  /** Who answers the requests of a run: keys come from the worker's environment. */
  readonly ports: (run: TakenRun) => Ports | Promise<Ports>;
  /** Runs driven at once, 8 by default. */
  readonly concurrency?: number;
  /** Runs of one tenant that all workers drive at once at most; no limit by default. */
  readonly tenantLimit?: number;
  /** A worker that was silent so long is gone: 5,000 by default, from 1,000. */
  readonly leaseMs?: number;
  readonly drive?: Partial<DriveOptions> | ((run: TakenRun) => Partial<DriveOptions>);
  /** Ends the work: what is driven is given back. */
  readonly signal?: AbortSignal;
  /** Awaited before the first call of each segment of a run. Where it rejects, no call is made. */
  readonly opened?: (run: {
    readonly run_id: string;
    readonly genesis_hash: string;
    readonly machine: MachineName;
  }) => Promise<void>;
  readonly onEvent?: (event: FleetEvent) => void;
};

/** How a segment ended. `released`: given back, to be driven again; `lost`: another worker has the run. */
export type SegmentEnd = 'closed' | 'waiting' | 'failed' | 'released' | 'lost';

/** What a worker tells. `error`: what the store or the engine met; the worker continues. */
export type FleetEvent =
  | {
      readonly type: 'segment';
      readonly run_id: string;
      readonly end: SegmentEnd;
      readonly fault: string | null;
      readonly error: unknown;
    }
  | { readonly type: 'error'; readonly from: 'store' | 'engine'; readonly error: unknown }
  | { readonly type: 'unserved'; readonly machines: readonly string[] };

/** What a worker did. `unserved`: machines with queued runs that no living worker drives, as `name@version`. */
export type WorkEnd = {
  readonly segments: number;
  readonly closed: number;
  readonly waiting: number;
  readonly failed: number;
  readonly unserved: readonly string[];
};

/**
 * Why a fleet refused; what is refused changes nothing. `exists`: the id has another genesis; `full`: over
 * `maxQueued`; `state`: not something that is done to a run in this state; `closed_request`: not open, or not any
 * more; `source`: answered by no person; `by`: no name of 1 to 200 characters.
 */
export type FleetError =
  | StoreError
  | { readonly code: 'engine'; readonly errno: string }
  | {
      readonly code: 'fleet_schema';
      readonly detail: 'foreign' | 'version';
      readonly found: number | null;
      readonly expected: number;
    }
  | { readonly code: 'exists'; readonly run_id: string }
  | { readonly code: 'full'; readonly limit: number; readonly queued: number }
  | {
      readonly code: 'genesis';
      readonly index: number;
      readonly run_id: string | null;
      readonly rejection: Rejection | AdmissionError;
    }
  | { readonly code: 'unknown_run'; readonly run_id: string }
  | { readonly code: 'state'; readonly run_id: string; readonly state: RunState }
  | {
      readonly code: 'closed_request' | 'source' | 'answered' | 'by' | 'value';
      readonly run_id: string;
      readonly request: string;
    }
  | {
      readonly code: 'too_large';
      readonly run_id: string;
      readonly request: string;
      readonly bytes: number;
      readonly limit: number;
    };

/** `maxQueued`: runs that may be queued at once, 1,000,000 by default. */
export type FleetOptions = {
  readonly store: PostgresStore;
  readonly engine: Engine;
  readonly maxQueued?: number;
};

/** Runs over many machines. Nothing is made before the first `submit` or `work`. */
export type Fleet = {
  /**
   * Queues runs of a machine, all or none. The same genesis again is `known`. With a whole machine each genesis is
   * opened first; by its name alone, a worker finds out. Errors: `genesis`, `exists`, `full`.
   */
  readonly submit: (
    machine: MachineName | AnyMachine,
    geneses: readonly GenesisInput[],
    options?: SubmitOptions,
  ) => Promise<Result<FleetError, { readonly submitted: number; readonly known: number }>>;
  /** Drives runs until its signal, or for ever. */
  readonly work: (options: WorkOptions) => Promise<Result<FleetError, WorkEnd>>;
  /**
   * Answers a request that a waiting run has open, for its inbox. Errors: `unknown_run`, `closed_request`, `source`,
   * `answered`, `by`, `value`, `too_large`.
   */
  readonly answer: (
    run: string,
    request: string,
    given: { readonly value: Json; readonly by: string },
  ) => Promise<Result<FleetError, null>>;
  readonly runs: (query?: RunQuery) => Promise<Result<FleetError, RunPage>>;
  /** Stops a run until `retry`. Errors: `unknown_run`, `state` where it is over. */
  readonly hold: (run: string) => Promise<Result<FleetError, null>>;
  /** Queues a failed run again, or releases a held one. Errors: `unknown_run`, `state`. */
  readonly retry: (run: string) => Promise<Result<FleetError, null>>;
  readonly workers: () => Promise<Result<FleetError, readonly WorkerRow[]>>;
  /** Closes the engine; the store stays open. */
  readonly close: () => Promise<void>;
};
