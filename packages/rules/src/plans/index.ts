/**
 * Plans without a model: from a file in YAML, or from a template of a software goal. What they give is a plan
 * value for `parsePlan` of the planner. Source: dec-K87; format: docs/formats/plan.md.
 *
 * @packageDocumentation
 */
export { planAnswer, planGoal } from './goal.js';
export { yamlPlan } from './yaml.js';
export { TEMPLATES, templatePlan } from './templates.js';
