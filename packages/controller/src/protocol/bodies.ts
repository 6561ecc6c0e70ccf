/**
 * The bodies of requests, read from what a host hands over: a port may be asked anything. Source: controller
 * protocol, `asks`.
 *
 * @module
 */
import { parseShape, type Json, type Result } from '@assay/kernel';
import { closed, integer, list, nullable, text } from '@assay/kernel/shape';
import type { ExecuteBody, JudgeBody, MergeBody, PerceiveBody, PlanBody } from './asks.js';
import { CRITERION } from './criteria.js';
import { SESSION } from './task.js';
import { TARGETS, TOOL } from './tools.js';

const any = text(() => true);
const texts = list(any);
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
  keep: list(closed({ id: any, text: any })),
  must_not: closed({ tools: texts, targets: TARGETS, rules: texts }),
  prefer: closed({ tools: texts, practices: texts }),
  caution: TARGETS,
  tools: list(TOOL),
  limits: closed({ subtasks: integer(1), criteria: integer(1) }),
});
const EXECUTE = closed({
  subtask: any,
  intent: any,
  context: any,
  criteria: list(CRITERION),
  uses: TARGETS,
  attempt: integer(0),
  correction: nullable(closed({ what_was_wrong: any, what_to_do: any, avoid: texts })),
  prior: list(closed({ subtask: any, output: any })),
  must_not: closed({ tools: texts, targets: TARGETS }),
  confirmed: TARGETS,
});
const JUDGE = closed({
  subtask: any,
  intent: any,
  criteria: list(CRITERION),
  attempt: integer(0),
  claim: any,
  tool_calls: texts,
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
/** The body of an `execute`. */
export const parseExecuteBody = (body: Json): ExecuteBody | null =>
  whole(parseShape<ExecuteBody>(EXECUTE, body));
/** The body of a `judge`. */
export const parseJudgeBody = (body: Json): JudgeBody | null => whole(parseShape<JudgeBody>(JUDGE, body));
/** The body of a `merge`. */
export const parseMergeBody = (body: Json): MergeBody | null => whole(parseShape<MergeBody>(MERGE, body));

function whole<T>(shaped: Result<unknown, T>): T | null {
  return shaped._tag === 'Left' ? null : shaped.right;
}
