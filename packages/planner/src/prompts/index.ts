/**
 * Language models as planners: constraints, tasks, whether a plan keeps to what no arithmetic checks, other
 * approaches, a preference among equal repairs, and whether an output keeps to its constraints. Source: 000
 * v1, six prompt types.
 *
 * @packageDocumentation
 */
import type { Task } from '@assay/kernel/prompt';
import { decomposeTask } from './decompose.js';
import { extractTask } from './extract.js';
import { feasibilityTask, repairTask, verificationTask } from './judge.js';
import { surveyTask } from './survey.js';

/** What a model is asked in a plan: `extract`, `resolve`, `verify` of a plan and of an output, `survey`, `rank`. */
export const planTasks: readonly Task[] = Object.freeze([
  extractTask,
  decomposeTask,
  feasibilityTask,
  surveyTask,
  repairTask,
  verificationTask,
]);
