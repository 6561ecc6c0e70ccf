/**
 * The state as JSON, and back. What is read may come from somebody else's snapshot, so every field is held to
 * its shape. Source: machine interface, `encode`, `decode`.
 *
 * @module
 */
import {
  err,
  isArray,
  isName,
  isRequestId,
  ok,
  parseShape,
  PersistentMap,
  type Json,
  type Rejection,
  type Result,
} from '@assay/kernel';
import {
  closed,
  digest,
  flag,
  free,
  integer,
  list,
  nullable,
  oneOf,
  table,
  text,
  type Shape,
} from '@assay/kernel/shape';
import { decodeGgsHistory } from '../ggs/history.js';
import { ROUNDS } from '../guard/trail.js';
import { parsePolicy } from '../policy/policy.js';
import { ASK_KINDS } from '../protocol/asks.js';
import { TASK_VERDICT } from '../protocol/answers.js';
import { DECIDING_CALL } from '../protocol/bodies.js';
import { CALL_SEEN } from '../protocol/claims.js';
import { isLocalId, VERDICTS, WHOLE } from '../protocol/criteria.js';
import { PLAN } from '../protocol/plan.js';
import { RECALL } from '../protocol/recall.js';
import { SESSION, TASK_SPEC } from '../protocol/task.js';
import type { ControllerState, Progress, Waiting } from './state.js';

type Encoded = Omit<ControllerState, 'progress' | 'waiting'> & {
  readonly progress: readonly (readonly [string, Progress])[];
  readonly waiting: readonly (readonly [string, Waiting])[];
};

/**
 * The state as JSON: tables as arrays of pairs, in the order of their keys. Keys stand in canonical order, so
 * that the runtime's own writer writes it.
 */
export function encode(state: ControllerState): Json {
  const {
    breach,
    costs,
    directive,
    ended,
    given_up,
    group,
    history,
    merged,
    node,
    plan,
    round,
    rounds,
    recall,
    setup,
    task,
    time,
  } = state;
  return {
    breach,
    costs,
    directive,
    ended,
    given_up,
    group,
    history,
    merged,
    node,
    plan,
    progress: state.progress.sorted(),
    recall,
    round,
    rounds,
    setup,
    task,
    time,
    waiting: state.waiting.sorted(),
  };
}

const anyText = text(() => true);
const localId = text(isLocalId);
const count = integer(0);
const ATTEMPT = closed({ attempt: count, score_ppm: count, unmet: list(localId), why: anyText });
const OUTCOME = closed({
  subtask: localId,
  status: oneOf(['matched', 'failed']),
  reason: nullable(anyText),
  infrastructure: flag,
  output: anyText,
  verdicts: VERDICTS,
  trajectory: list(ATTEMPT),
  calls: list(DECIDING_CALL),
});
const PROGRESS = closed({
  attempt: count,
  task: digest,
  seen: closed({ calls: count, digest: nullable(digest), bytes: count }),
  allowed: count,
  queue: list(closed({ tool: anyText, input: free })),
  calls: list(CALL_SEEN),
  asked: nullable(
    closed({
      times: count,
      allowed: nullable(closed({ loses: nullable(digest), target: nullable(anyText) })),
    }),
  ),
  claim: nullable(closed({ output: anyText, rests_on: list(count) })),
  trajectory: list(ATTEMPT),
  outcome: nullable(OUTCOME),
});
const WAITING = closed({ kind: oneOf(ASK_KINDS), subtask: nullable(localId), depth: count });
const SETUP = closed({
  policy: (value) => (parsePolicy(value)._tag === 'Right' ? null : ''),
  input: closed({ text: anyText, session: SESSION, deadline_us: nullable(count) }),
});
const STATE = closed({
  setup: nullable(SETUP),
  task: nullable(TASK_SPEC),
  recall: nullable(RECALL),
  round: count,
  plan: nullable(PLAN),
  group: nullable(count),
  progress: pairs(isLocalId, PROGRESS),
  merged: nullable(
    closed({
      merged_output: WHOLE,
      summary: anyText,
      gap_summary: anyText,
      verdicts: list(TASK_VERDICT),
      rejected: flag,
      asked: flag,
    }),
  ),
  history: (value) => (decodeGgsHistory(value)._tag === 'Right' ? null : ''),
  directive: nullable(
    closed({ directive: anyText, blocked_tools: list(anyText), blocked_classes: list(anyText) }),
  ),
  rounds: ROUNDS,
  waiting: pairs(isRequestId, WAITING),
  time: closed({ start_us: nullable(count), now_us: nullable(count) }),
  costs: closed({ calls: count, tool_calls: count, depth: count, spent: table(isName, count) }),
  node: nullable(digest),
  breach: nullable(closed({ subtask: localId, n: count })),
  given_up: nullable(closed({ code: anyText, why: nullable(anyText) })),
  ended: flag,
});

/** Reads an encoded state. Error `bad_state` with {path}. */
export function decode(json: Json): Result<Rejection, ControllerState> {
  const shaped = parseShape<Encoded>(STATE, json);
  if (shaped._tag === 'Left') return err({ code: 'bad_state', detail: { path: shaped.left.path } });
  const { progress, waiting, ...rest } = shaped.right;
  if (!fits(shaped.right)) return err({ code: 'bad_state', detail: { path: '/waiting' } });
  return ok({ ...rest, progress: PersistentMap.from(progress), waiting: PersistentMap.from(waiting) });
}

/**
 * What a state must hold together: work needs a plan and a task, a plan its setup, and every sub-task at work
 * stands in the plan.
 */
function fits({ setup, task, plan, progress, waiting }: Encoded): boolean {
  if (setup === null) return task === null && plan === null && progress.length === 0 && waiting.length === 0;
  const ids = new Set((plan?.subtasks ?? []).map(({ id }) => id));
  if (plan !== null && task === null) return false;
  const works = waiting.every(([, { kind, subtask }]) =>
    subtask === null
      ? !AT_WORK.includes(kind) &&
        (kind !== 'merge' || plan !== null) &&
        (kind === 'clock' || kind === 'perceive' || task !== null)
      : AT_WORK.includes(kind) && ids.has(subtask),
  );
  return works && progress.every(([id]) => ids.has(id));
}

const AT_WORK: readonly string[] = ['confirm', 'step', 'call', 'judge'];

function pairs(isKey: (key: string) => boolean, item: Shape): Shape {
  return list((value) => {
    if (!isArray(value) || value.length !== 2 || typeof value[0] !== 'string' || !isKey(value[0])) return '';
    const fault = item(value[1] ?? null);
    return fault === null ? null : `/1${fault}`;
  });
}
