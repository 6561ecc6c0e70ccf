/**
 * Which sub-tasks reach a task, asked of a model as R2: what each is for, its tools and its criteria. How it
 * is done is decided call by call. Source: 003 §R2; calls/C7.
 *
 * @module
 */
import { ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { CRITERION_MODES, readBody } from '@assay/controller';
import * as z from 'zod';
import { PLAN_PROMPT_1 } from './plan-1.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { declined, schemaOf, shaped } from '../task/strict.js';

const criteria = z.array(
  z.strictObject({ text: z.string(), mode: z.enum(CRITERION_MODES), hard: z.boolean() }),
);
const wire = z.strictObject({
  plan: z.nullable(
    z.strictObject({
      follows: z.array(z.number()),
      task_criteria: criteria,
      subtasks: z.array(
        z.strictObject({
          label: z.string(),
          sequence: z.number(),
          intent: z.string(),
          context: z.string(),
          tools: z.array(z.string()),
          words: z.boolean(),
          criteria,
        }),
      ),
    }),
  ),
  why: z.nullable(z.string()),
});

/**
 * The task of kind `plan`. A model may decline: the final failure `denied` {code: "declined"}. Which tools
 * there are, and what is blocked, the machine says.
 */
export const planTask: Task = { kind: 'plan', prompt: PLAN_PROMPT_1, schema: schemaOf(wire), data, read };

function data(body: Json): JsonObject | null {
  const asked = readBody('plan', body);
  if (asked === null) return null;
  const { tools, practices } = asked.prefer;
  return {
    ...(body as JsonObject),
    prefer: { tools, practices: practices.map((says, number) => ({ number, says })) },
  };
}

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const { plan, why } = said.right;
  if (plan === null) return declined(why);
  return ok({
    value: {
      follows: plan.follows,
      task_criteria: plan.task_criteria.map(unchecked),
      subtasks: plan.subtasks.map(({ criteria: own, ...subtask }) => ({
        ...subtask,
        success_criteria: own.map(unchecked),
      })),
    },
    confidence: null,
  });
}

/** What code could look for, rules alone say. */
function unchecked<T extends JsonObject>(criterion: T): T & { readonly check: null } {
  return { ...criterion, check: null };
}
