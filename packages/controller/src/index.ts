/**
 * The controller of Assay: roles as a protocol, the goal gradient, and the loops around them, as one pure machine.
 *
 * @packageDocumentation
 */
export * from './protocol/roles.js';
export { figureOf, parseRational, ratio, renderRational, type Figure, type Rational } from './ggs/rational.js';
export * from './ggs/policy.js';
export * from './ggs/input.js';
export * from './ggs/history.js';
export * from './ggs/table.js';
export { ATTEMPTS_MAX, type UnmetCriterion } from './ggs/measures.js';
export * from './ggs/evaluation.js';
export * from './ggs/evaluate.js';
