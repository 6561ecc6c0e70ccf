/**
 * What a user wants, asked of a model as R1. Source: 003 §R1.
 *
 * @module
 */
import { ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { parsePerceiveBody } from '@assay/controller';
import * as z from 'zod';
import { PERCEIVE_PROMPT_1 } from './perceive-1.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { declined, schemaOf, shaped } from '../task/strict.js';

const wire = z.strictObject({
  task: z.nullable(
    z.strictObject({
      label: z.string(),
      intent: z.string(),
      scope: z.nullable(z.string()),
      refers_to: z.nullable(z.number()),
    }),
  ),
  why: z.nullable(z.string()),
});

/**
 * The task of kind `perceive`. A model may decline: the final failure `denied` {code: "declined"}. It sets no
 * deadline: the run's clock is not shown to it. What else a task may not be, the machine rejects.
 */
export const perceiveTask: Task = {
  kind: 'perceive',
  prompt: PERCEIVE_PROMPT_1,
  schema: schemaOf(wire),
  data,
  read,
};

function data(body: Json): JsonObject | null {
  const asked = parsePerceiveBody(body);
  return asked === null
    ? null
    : {
        text: asked.text,
        session: asked.session.map(({ input, summary }, turn) => ({ turn, input, summary })),
      };
}

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const { task, why } = said.right;
  if (task === null) return declined(why);
  const { label, intent, scope, refers_to } = task;
  return ok({
    value: { label, intent, constraints: { scope, deadline_us: null }, refers_to },
    confidence: null,
  });
}
