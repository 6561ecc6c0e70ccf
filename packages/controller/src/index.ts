/**
 * The controller of Assay: roles as a protocol, the goal gradient, and the loops around them, as one pure
 * machine.
 *
 * @packageDocumentation
 */
export {
  MESSAGE_KINDS,
  type MessageKind,
  PARTIES,
  type Party,
  ROLES,
  ROLE_NAMES,
  ROUTES,
  type Role,
  type Route,
  isRouted,
} from './protocol/roles.js';
export {
  figureOf,
  parseRational,
  ratio,
  renderRational,
  type Figure,
  type Rational,
} from './ggs/rational.js';
export {
  GGS_COUNT_MAX,
  GGS_WEIGHT_MAX,
  type GgsPolicy,
  defaultGgsPolicy,
  evaluationsMax,
  literalGgsPolicy,
  parseGgsPolicy,
} from './ggs/policy.js';
export type { FailureClass, GgsCriterion, GgsInput, GgsStop, GgsVerdict } from './ggs/input.js';
export {
  GGS_HISTORY,
  type GgsHistory,
  type GgsRound,
  decodeGgsHistory,
  encodeGgsHistory,
  initialGgsHistory,
  type GgsTarget,
  type GgsTool,
} from './ggs/history.js';
export {
  type ActionDirective,
  BANDS,
  type Band,
  DIRECTIVES,
  type Directive,
  type Place,
  type TerminalDirective,
  type Thresholds,
  bandOf,
  cellOf,
  isTerminal,
  macroState,
  placeOf,
} from './ggs/table.js';
export { ATTEMPTS_MAX, type UnmetCriterion } from './ggs/measures.js';
export {
  type DistanceFloor,
  GGS_REASONS,
  type GapTrend,
  type GgsEvaluation,
  type GgsReason,
} from './ggs/evaluation.js';
export { evaluateGgs } from './ggs/evaluate.js';
export {
  CRITERION,
  CRITERION_DRAFT,
  CRITERION_MODES,
  type Criterion,
  type CriterionDraft,
  type CriterionMode,
  EVIDENCE_MAX,
  FAILURE_CLASSES,
  TEXT_MAX,
  VERDICT,
  VERDICTS,
  type Verdict,
  WHOLE,
  isLocalId,
  isPhrase,
} from './protocol/criteria.js';
export {
  type CallKind,
  type Contradiction,
  EVIDENCE_RULES,
  OUTPUT_MAX,
  callKind,
  contradictionOf,
  evidenceLine,
  isEnvironmental,
  primaryCall,
} from './protocol/evidence.js';
export {
  CALLS_MAX,
  CALL_STATUSES,
  type CallStatus,
  TARGET,
  TARGETS,
  TARGET_MAX,
  TOOL,
  TOOLS_MAX,
  TOOL_CLASSES,
  type Target,
  type Tool,
  type ToolCall,
  type ToolClass,
  isAmong,
  isToolName,
  plainPath,
  toolCall,
} from './protocol/tools.js';
export {
  SESSION,
  SESSION_MAX,
  SUMMARY_MAX,
  type SessionTurn,
  TASK_SPEC,
  type TaskSpec,
  USER_TEXT_MAX,
} from './protocol/task.js';
export {
  ANY_TARGET,
  CONTEXT_MAX,
  CRITERIA_MAX,
  PLAN,
  PLAN_DRAFT,
  type Plan,
  type PlanDraft,
  SUBTASKS_MAX,
  type SubTask,
  type SubTaskDraft,
  USES_MAX,
  numbered,
  wholeCriteria,
} from './protocol/plan.js';
export { blockOf, isBlocked } from './protocol/blocked.js';
export { isDeclared } from './protocol/declared.js';
export { NO_RECALL, RECALL, RECALL_MAX } from './protocol/recall.js';
export {
  type ClockReading,
  type Confirmation,
  type Execution,
  type Input,
  type Judgement,
  type Merge,
  TASK_VERDICT,
  type TaskVerdict,
  parseAnswer,
} from './protocol/answers.js';
export {
  ACCEPTS,
  ASK_KINDS,
  type AskKind,
  type Bodies,
  type Body,
  type ClockBody,
  type ConfirmBody,
  type Correction,
  type DirectiveSeen,
  type ExecuteBody,
  type JudgeBody,
  type Kept,
  type MergeBody,
  type MustNot,
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
export {
  GUARD_CODES,
  GUARD_POLICY,
  type GuardCode,
  type GuardPolicy,
  NO_TRAIL,
  TRAIL,
  TRAIL_MAX,
  type Trail,
  defaultGuardPolicy,
  followed,
  loopIn,
  roundEnded,
} from './guard/trail.js';
export {
  CAST,
  type CastRole,
  type Limits,
  type Policy,
  type Rank,
  defaultLimits,
  defaultPolicy,
  parsePolicy,
} from './policy/policy.js';
export type {
  Attempt,
  CallSeen,
  ControllerEvent,
  FailedAct,
  Message,
  Messages,
  SubTaskOutcome,
} from './loop/events.js';
export type { Accountable, FinalResult, LossShown, NextMove, Unmet } from './loop/final-result.js';
export { ACCOUNTABILITY, PERCEIVER_GAVE_UP, PLANNER_GAVE_UP, accountableFor } from './loop/accountability.js';
export type { ControllerState } from './loop/state.js';
export { type Change, withChanges } from './whatif/changes.js';
export { rederived } from './whatif/rederived.js';
export { type RoundSeen, roundsIn } from './whatif/rounds.js';
export { type Unknown, type WhatIf, whatIf } from './whatif/whatif.js';
export { controller, CLOCK_START } from './loop/machine.js';
