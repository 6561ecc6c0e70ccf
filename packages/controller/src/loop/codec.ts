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
  isObject,
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
  integer,
  list,
  nullable,
  oneOf,
  table,
  text,
  type Shape,
} from '@assay/kernel/shape';
import { decodeGgsHistory } from '../ggs/history.js';
import { TRAIL } from '../guard/trail.js';
import { parsePolicy } from '../policy/policy.js';
import { ASK_KINDS } from '../protocol/asks.js';
import { TASK_VERDICT } from '../protocol/answers.js';
import { isLocalId, VERDICTS, WHOLE } from '../protocol/criteria.js';
import { CALL_STATUSES, TARGETS } from '../protocol/tools.js';
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
    recall,
    setup,
    task,
    time,
    trail,
  } = state;
  return {
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
    setup,
    task,
    time,
    trail,
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
  used: TARGETS,
});
const CALL = closed({
  tool: anyText,
  input: anyText,
  status: oneOf(CALL_STATUSES),
  triple: nullable(digest),
});
const FAILED_ACT = closed({
  tool: anyText,
  input: anyText,
  code: oneOf(['primary_call_failed', 'cut_without_completion']),
  line: anyText,
});
const PROGRESS_KEYS = {
  attempt: count,
  confirmed: TARGETS,
  held_back: nullable(count),
  result: nullable(closed({ output: anyText, calls: list(CALL) })),
  trajectory: list(ATTEMPT),
  outcome: nullable(OUTCOME),
};
const NONE_FAILED = closed(PROGRESS_KEYS);
const SOME_FAILED = closed({ ...PROGRESS_KEYS, failed_acts: list(FAILED_ACT, (acts) => acts.length > 0) });
/** Left out where no act failed: what is there says something. */
const PROGRESS: Shape = (value) =>
  (isObject(value) && Object.hasOwn(value, 'failed_acts') ? SOME_FAILED : NONE_FAILED)(value);
const WAITING = closed({ kind: oneOf(ASK_KINDS), subtask: nullable(localId), depth: count });
const SETUP = closed({
  policy: (value) => (parsePolicy(value)._tag === 'Right' ? null : ''),
  input: closed({ text: anyText, session: SESSION }),
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
      verdicts: list(TASK_VERDICT),
      rejected: flag,
      asked: flag,
    }),
  ),
  history: (value) => (decodeGgsHistory(value)._tag === 'Right' ? null : ''),
  directive: nullable(
    closed({ directive: anyText, blocked_tools: list(anyText), blocked_classes: list(anyText) }),
  ),
  trail: TRAIL,
  waiting: pairs(isRequestId, WAITING),
  time: closed({ start_us: nullable(count), now_us: nullable(count) }),
  costs: closed({ calls: count, depth: count, spent: table(isName, count) }),
  node: nullable(digest),
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

const AT_WORK: readonly string[] = ['confirm', 'execute', 'judge'];

function pairs(isKey: (key: string) => boolean, item: Shape): Shape {
  return list((value) => {
    if (!isArray(value) || value.length !== 2 || typeof value[0] !== 'string' || !isKey(value[0])) return '';
    const fault = item(value[1] ?? null);
    return fault === null ? null : `/1${fault}`;
  });
}
