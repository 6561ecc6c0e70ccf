/**
 * The controller of Assay: roles as a protocol, the goal gradient, and the loops around them, as one pure
 * machine.
 *
 * @packageDocumentation
 */
export { literalGgsPolicy } from './ggs/policy.js';
export {
  CRITERION_MODES,
  type CriterionDraft,
  type CriterionMode,
  EVIDENCE_MAX,
  FAILURE_CLASSES,
  TEXT_MAX,
  isPhrase,
} from './protocol/criteria.js';
export { OUTPUT_MAX } from './protocol/evidence.js';
export {
  type CallStatus,
  TARGET_MAX,
  type Target,
  type Tool,
  type ToolCall,
  isAmong,
  plainPath,
} from './protocol/tools.js';
export { SESSION_MAX, SUMMARY_MAX, type SessionTurn, type TaskSpec, USER_TEXT_MAX } from './protocol/task.js';
export { ANY_TARGET, CONTEXT_MAX, type PlanDraft, type SubTaskDraft } from './protocol/plan.js';
export { blockOf, isBlocked } from './protocol/blocked.js';
export { isDeclared } from './protocol/declared.js';
export type { Execution, Merge, TaskVerdict } from './protocol/answers.js';
export {
  ACCEPTS,
  ASK_KINDS,
  type AskKind,
  type ConfirmBody,
  type ExecuteBody,
  type JudgeBody,
  type MergeBody,
  type PerceiveBody,
  type PlanBody,
  ROLE_OF,
  type RecallBody,
} from './protocol/asks.js';
export {
  parseExecuteBody,
  parseJudgeBody,
  parseMergeBody,
  parsePerceiveBody,
  parsePlanBody,
} from './protocol/bodies.js';
export { CAST, type CastRole, type Policy, defaultPolicy, parsePolicy } from './policy/policy.js';
export type { FinalResult } from './loop/final-result.js';
export type { ControllerState } from './loop/state.js';
export { type RoundSeen, roundsIn } from './whatif/rounds.js';
export { controller } from './loop/machine.js';
