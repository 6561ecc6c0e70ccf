/** The port of an engine: what carries "drive this run now" to a worker. All it knows can be made again. */

/** One offer of a run. `ticket`: a name never used before, so that no engine drops it as a double. */
export type Job = { readonly run_id: string; readonly ticket: string; readonly queue: string };

/** What takes jobs. `worker`: its name, unlike that of any other process. `leaseMs`: after it a silent worker is gone. */
export type Taking = {
  readonly queues: readonly string[];
  readonly concurrency: number;
  readonly worker: string;
  readonly leaseMs: number;
  /** Drives one segment. Rejects where the job is to come again. */
  readonly handle: (job: Job) => Promise<void>;
  /** Told of what the engine meets, such as a server that is away; it goes on by itself. */
  readonly onError: (error: unknown) => void;
};

/** An engine. Each call rejects where its server cannot be reached. */
export type Engine = {
  /** Such as `dbos`, with its version and no secret. */
  readonly name: string;
  /** Puts jobs in their queues, durably. */
  readonly offer: (jobs: readonly Job[]) => Promise<void>;
  /** Takes jobs from now on. `stop`: takes no more, and waits for no handler. */
  readonly take: (taking: Taking) => Promise<{ readonly stop: () => Promise<void> }>;
  /** Workers whose processes are gone: what they held is of no use any more. */
  readonly forget: (workers: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
};
