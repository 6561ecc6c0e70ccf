/**
 * Language models in the roles of a controller: what is asked of them as R1, R2, R4a and R4b, and for the
 * words of a memory's rules. R3 is no role of a model: its plan is carried out by tools.
 *
 * @packageDocumentation
 */
import type { Task } from '../task/task.js';
import { judgeTask } from './judge.js';
import { mergeTask } from './merge.js';
import { perceiveTask } from './perceive.js';
import { planTask } from './plan.js';

export { distilTask } from './distil.js';

/**
 * What a model is asked in the roles of a controller: `perceive`, `plan`, `judge` and `merge`. An `execute`
 * is not among them.
 */
export const controlTasks: readonly Task[] = Object.freeze([perceiveTask, planTask, judgeTask, mergeTask]);
