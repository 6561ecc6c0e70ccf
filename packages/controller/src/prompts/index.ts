/**
 * Language models in the roles of a controller: what is asked of them as R1, R2, R3, R4a and R4b, and for the
 * words of a memory's rules.
 *
 * @packageDocumentation
 */
import type { Task } from '@assay/kernel/prompt';
import { judgeTask } from './judge.js';
import { mergeTask } from './merge.js';
import { perceiveTask } from './perceive.js';
import { planTask } from './plan.js';
import { stepTask, type RoleContext } from './step.js';

export { distilTask } from './distil.js';
export type { RoleContext } from './step.js';

/** What a model is asked in the roles of one run: `perceive`, `plan`, `step`, `judge` and `merge`. */
export function controlTasks(context: RoleContext): readonly Task[] {
  return [perceiveTask(context), planTask, stepTask(context), judgeTask(context), mergeTask];
}
