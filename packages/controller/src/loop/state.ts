/**
 * State of a controller run. Source: machine interface; 003 "System Architecture"; dec-G19, dec-G20.
 *
 * @module
 */
import { PersistentMap, type Digest, type Json, type Spent } from '@assay/kernel';
import { initialGgsHistory, type GgsHistory } from '../ggs/history.js';
import { NO_TRAIL, type Trail } from '../guard/trail.js';
import type { AskKind } from '../protocol/asks.js';
import type { TaskVerdict } from '../protocol/answers.js';
import type { Plan } from '../protocol/plan.js';
import type { Recall } from '../memory/recall.js';
import type { TaskSpec } from '../protocol/task.js';
import type { Target } from '../protocol/tools.js';
import type { Attempt, CallSeen, FailedAct, SubTaskOutcome } from './events.js';
import type { Setup } from './setup.js';

/** An open request of this machine. `depth`: role calls in a row up to and with it. */
export type Waiting = { readonly kind: AskKind; readonly subtask: string | null; readonly depth: number };

/**
 * Where one sub-task stands. `confirmed`: what a person allowed; `held_back`: the last attempt in which a
 * person was asked meanwhile; `result`: the last execution; `failed_acts`: of all of them, left out where
 * there is none.
 */
export type Progress = {
  readonly attempt: number;
  readonly confirmed: readonly Target[];
  readonly failed_acts?: readonly FailedAct[];
  readonly held_back: number | null;
  readonly result: { readonly output: string; readonly calls: readonly CallSeen[] } | null;
  readonly trajectory: readonly Attempt[];
  readonly outcome: SubTaskOutcome | null;
};

/** What the meta-validator made of a round. `asked`: false where the gate kept it from being asked. */
export type Merged = {
  readonly merged_output: Json;
  readonly summary: string;
  readonly verdicts: readonly TaskVerdict[];
  readonly rejected: boolean;
  readonly asked: boolean;
};

/**
 * Counted costs: role calls, those of them in a row (003 §10, time cost), and what answers say they spent, by
 * unit.
 */
export type Costs = { readonly calls: number; readonly depth: number; readonly spent: Spent };

/** What the last directive blocks. Source: dec-G15, dec-G16. */
export type Blocks = {
  readonly directive: string;
  readonly blocked_tools: readonly string[];
  readonly blocked_classes: readonly string[];
};

/** The whole state. */
export type ControllerState = {
  readonly setup: Setup | null;
  readonly task: TaskSpec | null;
  readonly recall: Recall | null;
  /** Directives issued so far: the round that is planned or worked on. */
  readonly round: number;
  readonly plan: Plan | null;
  /** Sequence number of the group that is worked on; null outside. */
  readonly group: number | null;
  readonly progress: PersistentMap<Progress>;
  readonly merged: Merged | null;
  readonly history: GgsHistory;
  /** What the last directive blocks for this round; null in the first. */
  readonly directive: Blocks | null;
  readonly trail: Trail;
  readonly waiting: PersistentMap<Waiting>;
  /** First and latest time known, in microseconds. */
  readonly time: { readonly start_us: number | null; readonly now_us: number | null };
  readonly costs: Costs;
  /** Node of the graph that the next decision rests on. */
  readonly node: Digest | null;
  /** Why planning or perceiving gave up, where it did. */
  readonly given_up: { readonly code: string; readonly why: string | null } | null;
  readonly ended: boolean;
};

/** Progress of a sub-task that has not begun. */
export const NOT_BEGUN: Progress = Object.freeze({
  attempt: 0,
  confirmed: [],
  held_back: null,
  outcome: null,
  result: null,
  trajectory: [],
});

/** Before anything. */
export const EMPTY: ControllerState = Object.freeze({
  setup: null,
  task: null,
  recall: null,
  round: 0,
  plan: null,
  group: null,
  progress: PersistentMap.empty<Progress>(),
  merged: null,
  history: initialGgsHistory,
  directive: null,
  trail: NO_TRAIL,
  waiting: PersistentMap.empty<Waiting>(),
  time: Object.freeze({ now_us: null, start_us: null }),
  costs: Object.freeze({ calls: 0, depth: 0, spent: Object.freeze({}) }),
  node: null,
  given_up: null,
  ended: false,
});

/** What a run was started with; a machine that decides before that is broken. */
export type Started = ControllerState & { readonly setup: Setup };
/** A state with a plan. */
export type Planned = Started & { readonly plan: Plan; readonly task: TaskSpec };
