/**
 * State of a controller run. Source: machine interface; 003 "System Architecture"; dec-G19, dec-G20.
 *
 * @module
 */
import { InvariantError, PersistentMap, type Digest, type Json, type Spent } from '@assay/kernel';
import { initialGgsHistory, type GgsHistory } from '../ggs/history.js';
import { NO_ROUNDS, type Rounds } from '../guard/trail.js';
import type { AskKind, Confirmed, Seen } from '../protocol/asks.js';
import type { CallSeen } from '../protocol/claims.js';
import type { Criterion } from '../protocol/criteria.js';
import { fileNotShown } from '../protocol/files.js';
import type { TaskVerdict } from '../protocol/answers.js';
import type { Plan, SubTask } from '../protocol/plan.js';
import type { Recall } from '../memory/recall.js';
import type { TaskSpec } from '../protocol/task.js';
import type { Tool, ToolInput } from '../protocol/tools.js';
import type { Attempt, SubTaskOutcome } from './events.js';
import type { Setup } from './setup.js';

/** An open request of this machine. `depth`: role calls in a row up to and with it. */
export type Waiting = { readonly kind: AskKind; readonly subtask: string | null; readonly depth: number };

/**
 * Where one sub-task stands. `task`, `seen`: as its executor is asked; `allowed`: calls it may make in all;
 * `queue`: calls of one answer from the one under way on, empty where there is one; `asked`: the call under
 * way that a person was asked about, how often, and what may be lost once that is allowed.
 */
export type Progress = {
  readonly attempt: number;
  readonly task: Digest;
  readonly seen: Seen;
  readonly allowed: number;
  readonly queue: readonly ToolInput[];
  readonly calls: readonly CallSeen[];
  readonly asked: { readonly times: number; readonly allowed: Confirmed | null } | null;
  readonly claim: { readonly output: string; readonly rests_on: readonly number[] } | null;
  readonly trajectory: readonly Attempt[];
  readonly outcome: SubTaskOutcome | null;
};

/** What the meta-validator made of a round. `asked`: false where the gate kept it from being asked. */
export type Merged = {
  readonly merged_output: Json;
  readonly summary: string;
  readonly verdicts: readonly TaskVerdict[];
  readonly gap_summary: string;
  readonly rejected: boolean;
  readonly asked: boolean;
};

/**
 * Counted costs: role calls, those of them in a row (003 §10, time cost), calls of tools, and what answers
 * say they spent, by unit.
 */
export type Costs = {
  readonly calls: number;
  readonly tool_calls: number;
  readonly depth: number;
  readonly spent: Spent;
};

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
  readonly rounds: Rounds;
  readonly waiting: PersistentMap<Waiting>;
  /** First and latest time known, in microseconds. */
  readonly time: { readonly start_us: number | null; readonly now_us: number | null };
  readonly costs: Costs;
  /** Node of the graph that the next decision rests on. */
  readonly node: Digest | null;
  /** Why planning or perceiving gave up, where it did. */
  readonly given_up: { readonly code: string; readonly why: string | null } | null;
  /** The call that lost something nobody had confirmed. Source: 003 §9 Law 1; calls/C8. */
  readonly breach: { readonly subtask: string; readonly n: number } | null;
  readonly ended: boolean;
};

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
  rounds: NO_ROUNDS,
  waiting: PersistentMap.empty<Waiting>(),
  time: Object.freeze({ now_us: null, start_us: null }),
  costs: Object.freeze({ calls: 0, tool_calls: 0, depth: 0, spent: Object.freeze({}) }),
  node: null,
  given_up: null,
  breach: null,
  ended: false,
});

/** What a run was started with; a machine that decides before that is broken. */
export type Started = ControllerState & { readonly setup: Setup };
/** A state with a plan. */
export type Planned = Started & { readonly plan: Plan; readonly task: TaskSpec };

/** Where a sub-task that has begun stands; a defect where it has not. */
export function progressOf({ progress }: ControllerState, id: string): Progress {
  return there(progress.get(id), id);
}

/** A sub-task of the plan; a defect where there is none. */
export function subTaskOf({ plan }: ControllerState, id: string): SubTask {
  return there(
    plan?.subtasks.find((subtask) => subtask.id === id),
    id,
  );
}

/** A tool of the run; a defect where there is none. */
export function toolOf({ setup }: ControllerState, name: string): Tool {
  return there(
    setup?.policy.tools.find((tool) => tool.name === name),
    name,
  );
}

function there<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new InvariantError('controller/state', `there is no ${name}`);
  return found;
}

/** The calls of this round, in the order of the plan. */
function callsMade({ plan, progress }: ControllerState): readonly CallSeen[] {
  return (plan?.subtasks ?? [])
    .toSorted((a, b) => a.sequence - b.sequence)
    .flatMap(({ id }) => progress.get(id)?.calls ?? []);
}

/** The first file that these criteria name and no call of this round wrote or read last; null where none is. */
export function missingFile(state: ControllerState, criteria: readonly Criterion[]): string | null {
  const calls = callsMade(state);
  for (const { text } of criteria) {
    const file = fileNotShown(text, calls);
    if (file !== null) return file;
  }
  return null;
}
