/**
 * Tasks in a workspace written as plans, one call a line: what a controller's perceiver, planner and
 * meta-validator answer without any model. Pure. Source: 003 §R1, §R2, §R4b; language/P1 to P5.
 *
 * @packageDocumentation
 */
export { mergeByRules, perceiveByRules, planByRules } from './plan.js';
export { readPlan } from './read.js';
export { findNearest, TEMPLATES } from './templates.js';
