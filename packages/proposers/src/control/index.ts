/**
 * A controller's roles without a model: a grammar of tasks in a workspace as perceiver, planner and
 * validators, and an executor that carries out the steps they write.
 *
 * @packageDocumentation
 */
export * from './ports.js';
export * from './executor.js';
export * from './goal.js';
export { parseGoal, type Misunderstood } from './grammar/parse.js';
export { FAMILY_EXAMPLES, type FamilyExample } from './grammar/examples.js';
export { restated } from './grammar/restate.js';
export { CONTROL_GRAMMAR_VERSION } from './grammar/phrases.js';
export { perceiveByRules, type NotPerceived } from './perceive.js';
export { planByRules } from './plan/plan.js';
export type { NoPlan } from './plan/writing.js';
export { mergeByRules } from './merge.js';
