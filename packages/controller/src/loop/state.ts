/** State of a controller run. Source: machine interface; 003 "System Architecture"; dec-G19, dec-G20. */
import {
  InvariantError,
  isName,
  isRequestId,
  PersistentMap,
  type Json,
  type Rejection,
  type Result,
} from '@assay/kernel';
import {
  closed,
  decodeBy,
  digest,
  flag,
  free,
  integer,
  list,
  mapOf,
  nullable,
  oneOf,
  record,
  table,
  text,
  type TypeOf,
  type ValueOf,
} from '@assay/kernel/shape';
import { GGS_HISTORY, initialGgsHistory } from '../ggs/input.js';
import { NO_ROUNDS, ROUNDS } from '../guard/trail.js';
import { ASK_KINDS, CONFIRMED, SEEN, TASK_VERDICT } from '../protocol/requests.js';
import { CALL_SEEN, fileNotShown } from '../protocol/claims.js';
import { LOCAL_ID, WHOLE, type Criterion, TASK_SPEC, type TaskSpec } from '../protocol/criteria.js';
import { PLAN, type Plan, type SubTask } from '../protocol/plan.js';
import { RECALL } from '../protocol/recall.js';
import type { Tool } from '../protocol/tools.js';
import { ATTEMPT, OUTCOME, SETUP, type Setup } from './events.js';

const anyText = text();
const count = integer(0);

const WAITING = closed({ kind: oneOf(ASK_KINDS), subtask: nullable(LOCAL_ID), depth: count });
/** An open request of this machine. `depth`: role calls in a row up to and with it. */
export type Waiting = TypeOf<typeof WAITING>;

const PROGRESS = closed({
  attempt: count,
  task: digest,
  seen: SEEN,
  allowed: count,
  queue: list(closed({ tool: anyText, input: free })),
  calls: list(CALL_SEEN),
  asked: nullable(closed({ times: count, allowed: nullable(CONFIRMED) })),
  claim: nullable(closed({ output: anyText, rests_on: list(count) })),
  trajectory: list(ATTEMPT),
  outcome: nullable(OUTCOME),
});
/**
 * Where one sub-task stands. `task`, `seen`: as its executor is asked; `allowed`: calls it may make in all;
 * `queue`: calls of one answer from the one under way on, empty where there is one; `asked`: the call under
 * way that a person was asked about, how often, and what may be lost once that is allowed.
 */
export type Progress = TypeOf<typeof PROGRESS>;

/** What the meta-validator made of a round. `asked`: false where the gate kept it from being asked. */
const MERGED = closed({
  merged_output: WHOLE,
  summary: anyText,
  gap_summary: anyText,
  verdicts: list(TASK_VERDICT),
  rejected: flag,
  asked: flag,
});
const COSTS = closed({ calls: count, tool_calls: count, depth: count, spent: table(isName, count) });
/**
 * Counted costs: role calls, those of them in a row (003 §10, time cost), calls of tools, and what answers
 * say they spent, by unit.
 */
export type Costs = TypeOf<typeof COSTS>;

/** What the last directive blocks. Source: dec-G15, dec-G16. */
const BLOCKS = closed({
  directive: anyText,
  blocked_tools: list(anyText),
  blocked_classes: list(anyText),
});
const STATE = record({
  setup: nullable(SETUP),
  task: nullable(TASK_SPEC),
  recall: nullable(RECALL),
  /** Directives issued so far: the round that is planned or worked on. */
  round: count,
  plan: nullable(PLAN),
  /** Sequence number of the group that is worked on; null outside. */
  group: nullable(count),
  progress: mapOf(PROGRESS, LOCAL_ID),
  merged: nullable(MERGED),
  history: GGS_HISTORY,
  /** What the last directive blocks for this round; null in the first. */
  directive: nullable(BLOCKS),
  rounds: ROUNDS,
  waiting: mapOf(WAITING, text(isRequestId)),
  /** First and latest time known, in microseconds. */
  time: closed({ start_us: nullable(count), now_us: nullable(count) }),
  costs: COSTS,
  /** Node of the graph that the next decision rests on. */
  node: nullable(digest),
  /** Why planning or perceiving gave up, where it did. */
  given_up: nullable(closed({ code: anyText, why: nullable(anyText) })),
  /** The call that lost something nobody had confirmed. Source: 003 §9 Law 1; calls/C8. */
  breach: nullable(closed({ subtask: LOCAL_ID, n: count })),
  ended: flag,
});

/** The whole state. */
export type ControllerState = ValueOf<typeof STATE>;

/** The state as JSON: tables as pairs in the order of their keys. */
export function encode(state: ControllerState): Json {
  return STATE.to(state);
}

/** Reads an encoded state. Error `bad_state` with {path}. */
export function decode(json: Json): Result<Rejection, ControllerState> {
  return decodeBy(STATE, json, (state) => (isLinked(state) ? null : '/waiting'));
}

/**
 * What a state must hold together: work needs a plan and a task, a plan its setup, and every sub-task at work
 * stands in the plan.
 */
function isLinked({ setup, task, plan, progress, waiting }: ControllerState): boolean {
  if (setup === null) return task === null && plan === null && progress.size + waiting.size === 0;
  const ids = new Set((plan?.subtasks ?? []).map(({ id }) => id));
  if (plan !== null && task === null) return false;
  const works = [...waiting].every(([, { kind, subtask }]) =>
    subtask === null
      ? !AT_WORK.includes(kind) &&
        (kind !== 'merge' || plan !== null) &&
        (task !== null || ASK_KINDS.indexOf(kind) < ASK_KINDS.indexOf('recall'))
      : AT_WORK.includes(kind) && ids.has(subtask),
  );
  return works && [...progress].every(([id]) => ids.has(id));
}

const AT_WORK: readonly string[] = ['confirm', 'step', 'call', 'judge'];

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
export function describeProgress({ progress }: ControllerState, id: string): Progress {
  return there(progress.get(id), id);
}

/** A sub-task of the plan; a defect where there is none. */
export function getSubTask({ plan }: ControllerState, id: string): SubTask {
  return there(
    plan?.subtasks.find((subtask) => subtask.id === id),
    id,
  );
}

/** A tool of the run; a defect where there is none. */
export function getTool({ setup }: ControllerState, name: string): Tool {
  return there(
    setup?.policy.tools.find((tool) => tool.name === name),
    name,
  );
}

function there<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new InvariantError('controller/state', `there is no ${name}`);
  return found;
}

/** The first file that these criteria name and no call of this round wrote or read last; null where none is. */
export function missingFile(
  { plan, progress }: ControllerState,
  criteria: readonly Criterion[],
): string | null {
  const calls = (plan?.subtasks ?? [])
    .toSorted((a, b) => a.sequence - b.sequence)
    .flatMap(({ id }) => progress.get(id)?.calls ?? []);
  for (const { text } of criteria) {
    const file = fileNotShown(text, calls);
    if (file !== null) return file;
  }
  return null;
}
