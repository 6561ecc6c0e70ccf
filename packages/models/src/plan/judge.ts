/**
 * What a model judges of a plan and of an output, and which of equal repairs it prefers. Source: 000 §1 Step 6;
 * 000 v1; dec-K44, dec-K64.
 *
 * @module
 */
import { ok, type Json, type Result } from '@assay/kernel';
import * as z from 'zod';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { schemaOf, shaped } from '../task/strict.js';
import { FEASIBILITY_PROMPT_1 } from './feasibility-1.js';
import { REPAIR_PROMPT_1 } from './repair-1.js';
import { VERIFICATION_PROMPT_1 } from './verification-1.js';
import { bodyWith, ppm } from './wire.js';

const judged = z.strictObject({
  checks: z.array(
    z.strictObject({
      constraint: z.string(),
      passed: z.boolean(),
      confidence: z.number(),
      detail: z.string(),
      repair: z.nullable(z.string()),
    }),
  ),
});
const ordered = z.strictObject({ order: z.array(z.number()) });

/** The task of kind `verify` for a plan: only what no arithmetic checks. */
export const feasibilityTask: Task = {
  kind: 'verify',
  prompt: FEASIBILITY_PROMPT_1,
  schema: schemaOf(judged),
  data: (body) => {
    const asked = bodyWith(body, 'goal', 'constraints[]', 'tasks[]');
    const tasks = asked?.['tasks'];
    return asked === null || !isJudges(asked) || !Array.isArray(tasks) || tasks.length === 0
      ? null
      : { goal: asked['goal'] ?? '', constraints: asked['constraints'] ?? [], tasks };
  },
  read: verdict,
};

/** The task of kind `verify` for an output. */
export const verificationTask: Task = {
  kind: 'verify',
  prompt: VERIFICATION_PROMPT_1,
  schema: schemaOf(judged),
  data: (body) => {
    const asked = bodyWith(body, 'goal', 'constraints[]', 'tasks[]', 'summary', 'output');
    const tasks = asked?.['tasks'];
    if (asked === null || !isJudges(asked) || !Array.isArray(tasks) || tasks.length > 0) return null;
    const { goal = '', constraints = [], summary = '', output = '' } = asked;
    return { goal, constraints, summary, output };
  },
  read: verdict,
};

/** The task of kind `rank`. */
export const repairTask: Task = {
  kind: 'rank',
  prompt: REPAIR_PROMPT_1,
  schema: schemaOf(ordered),
  data: (body) => {
    const asked = bodyWith(body, 'repairs[]');
    return asked === null ? null : { repairs: asked['repairs'] ?? [] };
  },
  read: (answer) => {
    const said = shaped(ordered, answer);
    return said._tag === 'Left' ? said : ok({ value: { order: said.right.order }, confidence: null });
  },
};

/** What a tool must find out is no model's to say. */
function isJudges(asked: { readonly [key: string]: Json }): boolean {
  return asked['judge'] === 'semantic';
}

function verdict(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(judged, answer);
  if (said._tag === 'Left') return said;
  return ok({
    value: {
      verdict: null,
      checks: said.right.checks.map(({ confidence, ...check }) => ({
        ...check,
        sigma_ppm: ppm(confidence),
      })),
    },
    confidence: null,
  });
}
