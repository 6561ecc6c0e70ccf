/** What a law is held against: a machine, where its inputs come from, and the kernel that runs it. */
import {
  admit,
  advance,
  follow,
  followFrom,
  openRequests,
  openRun,
  replayWith,
  resumeRun,
  snapshot,
  type GenesisInput,
  type Json,
  type KernelOptions,
  type Machine,
  type Replayable,
  type Request,
  type Run,
  type EvidenceRecord,
} from '@assay/kernel';
import { forkRun } from '@assay/kernel/fork';
import type fc from 'fast-check';
import { LawViolation } from './law.js';

/** Random inputs of one machine. */
export type MachineArbitraries<S, A extends Json> = {
  /** Genesis inputs the machine opens; without a base. */
  readonly genesis: fc.Arbitrary<GenesisInput>;
  /** Likely values for a request: mostly such as the machine accepts, some that it rejects. */
  readonly answer: (request: Request<A>, state: S) => fc.Arbitrary<Json>;
  /** How many steps a script takes; 12 where not given. */
  readonly stepsMax?: number;
  /**
   * For `run/terminates-within-policy-bound`: after how many answers to requests with bounded attempts the
   * run is closed at the latest.
   */
  readonly bound?: (genesis: GenesisInput) => number;
  /**
   * For `outcome/arrival-order-invariant`: which of the first requests may be answered in any order without a
   * change of outcome or artifacts.
   */
  readonly invariantArrival?: (request: Request<A>) => boolean;
  /** For `version/old-ledger-under-both`: the other versions that are released. */
  readonly versions?: readonly Replayable[];
  /** For `version/old-ledger-under-both`: ledgers of released versions, this one's or others'. */
  readonly ledgers?: readonly (readonly EvidenceRecord[])[];
};

/**
 * The kernel's functions the laws use. Another implementation of the interface can be held to the same laws.
 */
export type Kernel = {
  readonly openRun: typeof openRun;
  readonly advance: typeof advance;
  readonly openRequests: typeof openRequests;
  readonly snapshot: typeof snapshot;
  readonly resumeRun: typeof resumeRun;
  readonly follow: typeof follow;
  readonly followFrom: typeof followFrom;
  readonly forkRun: typeof forkRun;
  readonly replayWith: typeof replayWith;
};

/** This kernel. */
export const KERNEL: Kernel = {
  openRun,
  advance,
  openRequests,
  snapshot,
  resumeRun,
  follow,
  followFrom,
  forkRun,
  replayWith,
};

/** How laws are run: a digest (the runtime's native one is faster, same bytes), and the kernel under test. */
export type LawOptions = KernelOptions & { readonly kernel?: Kernel };

/** A machine with all a law needs. */
export type Setup<S, I, E extends Json, A extends Json> = {
  readonly machine: Machine<S, I, E, A>;
  readonly arbitraries: MachineArbitraries<S, A>;
  readonly kernel: Kernel;
  readonly options: KernelOptions;
};

/** Collects a setup from what a user gives. */
export function makeSetup<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  arbitraries: MachineArbitraries<S, A>,
  given: LawOptions = {},
): Setup<S, I, E, A> {
  const { kernel = KERNEL, ...options } = given;
  return { machine, arbitraries, kernel, options };
}

/** The same setup with another form of its machine, for example one that is watched. */
export function withMachine<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  machine: Machine<S, I, E, A>,
): Setup<S, I, E, A> {
  return { ...setup, machine };
}

/** The canonical text of a value; a violation where it has none. */
export function canonicalizeValue(value: unknown, what: string): string {
  const admitted = admit(value);
  if (admitted._tag === 'Left')
    throw new LawViolation(`${what} is no admitted JSON: ${admitted.left.code} at "${admitted.left.path}"`);
  return admitted.right.text;
}

/**
 * All that is derived at a point of a run, as text: machine state, requests, artifacts, graph, head, outcome.
 */
export function renderView<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>): string {
  const { artifacts, count, graph, hash, machine, open, outcome, state } = run;
  const view = {
    artifacts: artifacts.sorted(),
    count,
    graph: graph.root(run.sha256),
    hash,
    open: open.sorted(),
    outcome,
    state: machine.encode(state),
  };
  return canonicalizeValue(view, 'the run');
}

/** How many steps the scripts of a setup take at most. */
export function countSteps<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): number {
  return setup.arbitraries.stepsMax ?? STEPS_MAX;
}

const STEPS_MAX = 12;
