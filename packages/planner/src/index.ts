/**
 * The planner of Assay as one pure machine: what a goal can cost, whether it fits, and the least that makes it
 * fit.
 *
 * @packageDocumentation
 */
export { defaultPolicy, type Limits, parsePolicy, type Policy } from './policy/policy.js';
export type { ConstraintDraft } from './protocol/constraint.js';
export type { Bound, Known, Resolver, Track } from './protocol/resolver.js';
export type { Bodies, Body, Feedback } from './protocol/bodies.js';
export { ASK_KINDS, type Input } from './protocol/requests.js';
export type { PlannerEvent } from './machine/events.js';
export type { GoalInput, PlannerState } from './machine/state.js';
export { planner } from './machine/machine.js';
