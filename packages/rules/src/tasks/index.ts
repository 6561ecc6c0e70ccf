/**
 * Tasks in a workspace, read and planned by a grammar of English: what a controller's perceiver, planner and
 * meta-validator answer without any model. Source: 003 §R1, §R2, §R4b.
 *
 * @packageDocumentation
 */
export { FAMILY_EXAMPLES } from './examples.js';
export { CONTROL_GRAMMAR_VERSION } from './phrases.js';
export { mergeByRules } from './merge.js';
export { perceiveByRules } from './perceive.js';
export { planByRules } from './plan.js';
