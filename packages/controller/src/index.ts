/**
 * The controller of Assay: roles as a protocol, the goal gradient, and the loops around them, as one pure
 * machine.
 *
 * @packageDocumentation
 */
export { literalGgsPolicy } from './ggs/policy.js';
export {
  type CriterionDraft,
  EVIDENCE_MAX,
  TEXT_MAX,
  SUMMARY_MAX,
  type SessionTurn,
  type TaskSpec,
  USER_TEXT_MAX,
} from './protocol/criteria.js';
export { type CallStatus, CALLS_MAX, type Target, type Tool, type ToolClass } from './protocol/tools.js';
export type { PlanDraft, SubTaskDraft } from './protocol/plan.js';
export {
  type CallAnswer,
  findCast,
  type ConfirmBody,
  type JudgeBody,
  type Judgement,
  type Merge,
  type MergeBody,
  type PerceiveBody,
  type PlanBody,
  readBody,
  type StepAnswer,
  type StepBody,
  type TaskVerdict,
} from './protocol/requests.js';
export { CAST, type CastRole } from './protocol/roles.js';
export { type Policy, defaultPolicy, parsePolicy } from './policy/policy.js';
export type { FinalResult } from './loop/final-result.js';
export type { ControllerState } from './loop/state.js';
export { type RoundSeen, roundsIn } from './whatif/changes.js';
export { controller } from './loop/machine.js';
