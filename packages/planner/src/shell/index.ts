/**
 * Plans from a file or a template as what a run is asked, and leaves that act: what carries out the goals of a
 * planner's run, and where what they make is kept.
 *
 * @packageDocumentation
 */
export { AGENT_RESOLVER } from './agent-leaf.js';
export type { FilesFault } from './files.js';
export { leafPorts, type Leaves, assembleInto } from './leaf-ports.js';
export { askedOnce, missingPort } from './resolvers.js';
export { planAnswer, planGoal, yamlPlan } from './plans/goal.js';
export { TEMPLATES, templatePlan } from './plans/templates.js';
