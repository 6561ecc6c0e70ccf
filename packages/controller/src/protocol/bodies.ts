/**
 * The bodies of requests, read from what a host hands over: a port may be asked anything. Source: controller
 * protocol, `asks`.
 *
 * @module
 */
import { parseShape, type Json, type Result } from '@assay/kernel';
import {
  closed,
  digest,
  flag,
  free,
  integer,
  list,
  nullable,
  oneOf,
  text,
  type Shape,
} from '@assay/kernel/shape';
import type {
  CallBody,
  ConfirmBody,
  Confirmed,
  DecidingCall,
  JudgeBody,
  MergeBody,
  PerceiveBody,
  PlanBody,
  Seen,
  StepBody,
} from './asks.js';
import { CRITERION } from './criteria.js';
import { SESSION } from './task.js';
import { CALL_STATUSES, TARGETS, TOOL_CLASSES } from './tools.js';

const any = text(() => true);
const texts = list(any);
/** Shape of a `DecidingCall`. */
export const DECIDING_CALL: Shape<DecidingCall> = closed({
  n: integer(0),
  tool: any,
  target: any,
  status: oneOf(CALL_STATUSES),
  code: nullable(any),
});
const PERCEIVE = closed({ text: any, session: SESSION });
const PLAN = closed({
  round: integer(0),
  task: closed({
    label: any,
    intent: any,
    constraints: closed({ scope: nullable(any), deadline_us: nullable(integer(0)) }),
  }),
  text: any,
  directive: nullable(closed({ directive: any, failed_criterion: any, failure_class: any, unmet: texts })),
  last: nullable(
    closed({
      subtasks: list(
        closed({
          intent: any,
          status: oneOf(['matched', 'failed']),
          reason: nullable(any),
          calls: list(DECIDING_CALL),
        }),
      ),
      gap_summary: any,
    }),
  ),
  keep: list(closed({ id: any, text: any })),
  must_not: closed({ tools: texts, targets: TARGETS, rules: texts }),
  prefer: closed({ tools: texts, practices: texts }),
  caution: TARGETS,
  tools: list(closed({ name: any, class: oneOf(TOOL_CLASSES), reversible: flag, about: any })),
  limits: closed({ subtasks: integer(1), criteria: integer(1) }),
});
/** Shape of a `Seen`. */
export const SEEN: Shape<Seen> = closed({ calls: integer(0), digest: nullable(digest), bytes: integer(0) });
/** Shape of a `Confirmed`. */
export const CONFIRMED: Shape<Confirmed> = closed({ loses: nullable(digest), target: nullable(any) });
const STEP = closed({ subtask: any, task: digest, attempt: integer(0), seen: SEEN });
const CALL = closed({
  subtask: any,
  n: integer(0),
  tool: any,
  input: free,
  confirmed: nullable(CONFIRMED),
  not: texts,
});
const CONFIRM = closed({
  subtask: any,
  n: integer(0),
  tool: any,
  input: free,
  target: nullable(any),
  loses: nullable(digest),
  why: oneOf(['irreversible', 'caution', 'needs_confirmation']),
});
const JUDGE = closed({
  subtask: any,
  intent: any,
  criteria: list(CRITERION),
  attempt: integer(0),
  claim: any,
  rests_on: list(integer(0)),
  seen: SEEN,
});
const MERGE = closed({
  intent: any,
  criteria: list(CRITERION),
  outcomes: list(closed({ subtask: any, intent: any, output: any })),
});

/** The body of a `perceive`; null where it is none. */
export const parsePerceiveBody = (body: Json): PerceiveBody | null =>
  whole(parseShape<PerceiveBody>(PERCEIVE, body));
/** The body of a `plan`. */
export const parsePlanBody = (body: Json): PlanBody | null => whole(parseShape<PlanBody>(PLAN, body));
/** The body of a `step`. */
export const parseStepBody = (body: Json): StepBody | null => whole(parseShape<StepBody>(STEP, body));
/** The body of a `call`. */
export const parseCallBody = (body: Json): CallBody | null => whole(parseShape<CallBody>(CALL, body));
/** The body of a `confirm`. */
export const parseConfirmBody = (body: Json): ConfirmBody | null =>
  whole(parseShape<ConfirmBody>(CONFIRM, body));
/** The body of a `judge`. */
export const parseJudgeBody = (body: Json): JudgeBody | null => whole(parseShape<JudgeBody>(JUDGE, body));
/** The body of a `merge`. */
export const parseMergeBody = (body: Json): MergeBody | null => whole(parseShape<MergeBody>(MERGE, body));

function whole<T>(shaped: Result<unknown, T>): T | null {
  return shaped._tag === 'Left' ? null : shaped.right;
}
