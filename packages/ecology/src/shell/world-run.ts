/**
 * A run of a world that one process drives: answers are decided at once, and written in groups.
 *
 * @module
 */
import { loadRun, nativeSha256, type LoadError, type Store, type StoreError } from '@assay/host';
import {
  advance,
  type Answer,
  err,
  ok,
  openRun,
  type DecisionPayload,
  type EvidenceRecord,
  type GenesisInput,
  type Head,
  type Proposal,
  type Refused,
  type Rejection,
  type Request,
  type Result,
  type Run,
  type Step,
} from '@assay/kernel';
import type { Ecology } from '../machine/machine.js';
import type { Body, Input } from '../protocol/requests.js';
import type { EcologyEvent } from '../world/events.js';
import type { EcologyState } from '../world/state.js';

/** A run of the machine. */
export type EcologyRun = Run<EcologyState, Input, EcologyEvent, Body>;
/** A step of it. */
export type EcologyStep = Step<EcologyState, Input, EcologyEvent, Body>;

/** An answer without what names its request. */
export type WorldAnswer = Partial<Omit<Proposal, 'request_id'>> & Pick<Proposal, 'source' | 'value'>;

/** One answer as it was decided, with the state before it. */
export type Decided = {
  readonly before: EcologyState;
  readonly after: EcologyState;
  /** Null where it was not open. */
  readonly request: Request<Body> | null;
  readonly input: Answer<Input, Body>['input'];
  readonly proposal: Proposal;
  readonly events: readonly EcologyEvent[];
};

/** What an answer came to. */
export type Given = EcologyStep & Decided;

/** Why a world cannot be opened. */
export type WorldFault =
  | { readonly code: 'rejected'; readonly rejection: Rejection }
  | { readonly code: 'load'; readonly error: LoadError }
  | { readonly code: 'store'; readonly error: StoreError };

/** How a world is opened. `store`: null keeps nothing. `told` hears every decision, those that are stored too. */
export type WorldOptions = {
  readonly machine: Ecology;
  /** The first record; the id of a stored run is enough where there is one. */
  readonly start: GenesisInput | string;
  readonly store: Store | null;
  readonly told?: (decided: Decided) => void;
};

/** Milliseconds of answers that are written together at least, and how many times longer than writing took before. */
const TOGETHER_MS = 50;
const SHARE = 8;

const PLAIN: Omit<Proposal, 'request_id' | 'source' | 'value'> = {
  proposer: 'file',
  confidence: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};

/** A world that goes on answer by answer. */
export class WorldRun {
  run: EcologyRun;
  private readonly options: WorldOptions;
  private head: Head | null = null;
  private due: EvidenceRecord[];
  private dueAt: number = performance.now() + TOGETHER_MS;

  private constructor(
    run: EcologyRun,
    head: Head | null,
    due: readonly EvidenceRecord[],
    options: WorldOptions,
  ) {
    this.run = run;
    this.head = head;
    this.due = [...due];
    this.options = options;
  }

  /** Opens a run, or takes up the stored one, and claims it for this writer. Errors: `WorldFault`. */
  static async open(options: WorldOptions): Promise<Result<WorldFault, WorldRun>> {
    const { machine, start, store, told } = options;
    const runId = typeof start === 'string' ? start : start.run_id;
    const stored = store === null ? ok(null) : await store.head(runId);
    if (stored._tag === 'Left') return err({ code: 'store', error: stored.left });
    let world: WorldRun;
    if (store === null || stored.right === null) {
      if (typeof start === 'string')
        return err({ code: 'store', error: { code: 'not_found', run_id: start } });
      const opened = openRun(machine, start, { sha256: nativeSha256 });
      if (opened._tag === 'Left') return err({ code: 'rejected', rejection: opened.left });
      world = new WorldRun(opened.right.run, null, opened.right.records, options);
    } else {
      const loaded = await loadRun(machine, runId, store, { sha256: nativeSha256 }, (before, step) => {
        told?.(makeDecided(before, step));
      });
      if (loaded._tag === 'Left') return err({ code: 'load', error: loaded.left });
      world = new WorldRun(loaded.right.run, stored.right, loaded.right.due, options);
    }
    const written = await world.write();
    world.dueAt = performance.now() + TOGETHER_MS;
    return written._tag === 'Left' ? err({ code: 'store', error: written.left }) : ok(world);
  }

  /** The state as it was decided last. */
  get state(): EcologyState {
    return this.run.state;
  }

  /** Records so far, those that are not written yet too. */
  get count(): number {
    return this.run.count;
  }

  /** True where a group is due to be written. */
  get isDue(): boolean {
    return performance.now() >= this.dueAt;
  }

  /**
   * Gives the request of a name an answer. Null: no such request is open, or the run has ended. Left: nothing was
   * recorded, since the value is none that a ledger holds.
   */
  give(name: string, answer: WorldAnswer): Result<Refused, Given> | null {
    const before = this.run;
    const id = before.state.open.get(name);
    if (id === undefined || before.outcome !== null) return null;
    const step = advance(before, { ...PLAIN, ...answer, request_id: id });
    if (step._tag === 'Left') return step;
    this.run = step.right.run;
    if (this.options.store !== null) this.due.push(...step.right.records);
    const decided = makeDecided(before, step.right);
    this.options.told?.(decided);
    return ok({ ...step.right, ...decided });
  }

  /** Ends the run at a time of the world. */
  stop(at_us: number): void {
    const rationale = 'the time of the world is over';
    this.give('operator', { source: 'human', value: { op: 'stop', rationale }, at_us });
  }

  /** Writes what is due, and gives where the ledger ends. */
  async write(): Promise<Result<StoreError, Head>> {
    const from = performance.now();
    const { store } = this.options;
    const { run_id } = this.run.genesis;
    if (store === null) this.head = { run_id, count: this.run.count, hash: this.run.hash };
    else if (this.due.length > 0 || this.head === null) {
      const appended = await store.append(run_id, this.head, this.due);
      if (appended._tag === 'Left') return appended;
      this.head = appended.right;
      this.due = [];
    }
    const now = performance.now();
    this.dueAt = now + Math.max(TOGETHER_MS, SHARE * (now - from));
    return ok(this.head);
  }
}

/** What a step came to, from its records. */
export function makeDecided(before: EcologyRun, { run, records }: Omit<EcologyStep, 'rejection'>): Decided {
  const decision = records.find(({ kind }) => kind === 'decision')?.payload as unknown as
    | DecisionPayload
    | undefined;
  const proposal = records[0]?.payload as unknown as Proposal;
  // The kernel gives back what this machine asked.
  const request = (before.open.get(proposal.request_id)?.request ?? null) as Request<Body> | null;
  const { failure, value } = proposal;
  const parsed = request === null || failure !== null ? null : before.machine.parse(value, request);
  return {
    before: before.state,
    after: run.state,
    request,
    input: parsed?._tag === 'Right' ? parsed : err({ code: 'malformed', final: true, detail: null }),
    proposal,
    events: (decision?.events ?? []) as unknown as readonly EcologyEvent[],
  };
}
