/**
 * Language models in the roles of a controller: what is asked of them as R1, R2, R4a and R4b, and for the
 * words of a memory's rules. R3 is no role of a model: its plan is carried out by tools.
 *
 * @packageDocumentation
 */
import type { Task } from '../task.js';
import { distilTask } from '../tasks/distil.js';
import { judgeTask } from '../tasks/control/judge.js';
import { mergeTask } from '../tasks/control/merge.js';
import { perceiveTask } from '../tasks/control/perceive.js';
import { planTask } from '../tasks/control/plan.js';

export { DISTIL_PROMPT_1 } from '../prompts/distil-1.js';
export { JUDGE_PROMPT_1 } from '../prompts/judge-1.js';
export { MERGE_PROMPT_1 } from '../prompts/merge-1.js';
export { PERCEIVE_PROMPT_1 } from '../prompts/perceive-1.js';
export { PLAN_PROMPT_2 } from '../prompts/plan-2.js';
export { distilTask, judgeTask, mergeTask, perceiveTask, planTask };
export { TOOL_ARGUMENTS, type ToolArguments } from '../tasks/control/tool-arguments.js';

/**
 * What a model is asked in the roles of a controller: `perceive`, `plan`, `judge` and `merge`. An `execute`
 * is not among them.
 */
export const controlTasks: readonly Task[] = Object.freeze([perceiveTask, planTask, judgeTask, mergeTask]);
