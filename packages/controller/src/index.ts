/**
 * The controller of Assay: roles as a protocol, the goal gradient, and the loops around them, as one pure
 * machine.
 *
 * @packageDocumentation
 */
export * from './protocol/roles.js';
export {
  figureOf,
  parseRational,
  ratio,
  renderRational,
  type Figure,
  type Rational,
} from './ggs/rational.js';
export * from './ggs/policy.js';
export * from './ggs/input.js';
export * from './ggs/history.js';
export * from './ggs/table.js';
export { ATTEMPTS_MAX, type UnmetCriterion } from './ggs/measures.js';
export * from './ggs/evaluation.js';
export * from './ggs/evaluate.js';
export * from './protocol/criteria.js';
export * from './protocol/evidence.js';
export * from './protocol/tools.js';
export * from './protocol/task.js';
export * from './protocol/plan.js';
export { blockOf, isBlocked } from './protocol/blocked.js';
export { isDeclared } from './protocol/declared.js';
export * from './protocol/recall.js';
export * from './protocol/answers.js';
export * from './protocol/asks.js';
export {
  parseExecuteBody,
  parseJudgeBody,
  parseMergeBody,
  parsePerceiveBody,
  parsePlanBody,
} from './protocol/bodies.js';
export * from './guard/trail.js';
export * from './policy/policy.js';
export * from './loop/events.js';
export * from './loop/final-result.js';
export * from './loop/accountability.js';
export type { ControllerState } from './loop/state.js';
export * from './whatif/changes.js';
export * from './whatif/rederived.js';
export * from './whatif/rounds.js';
export * from './whatif/whatif.js';
export { controller, CLOCK_START } from './loop/machine.js';
