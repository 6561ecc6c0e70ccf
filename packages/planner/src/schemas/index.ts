/**
 * zod schemas of plan files and of what `assay plan check` prints; published as JSON Schema too.
 *
 * @packageDocumentation
 */
export { planSchema } from './plan.js';
export { planCheckSchema } from './plan-check.js';
export { PLANNER_PUBLISHED } from './published.js';
