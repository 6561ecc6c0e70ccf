/**
 * Other ways to do tasks, asked of a model. Source: 000 v1 "approach survey"; dec-K60 to dec-K62.
 *
 * @module
 */
import { ok, type Json, type Result } from '@assay/kernel';
import * as z from 'zod';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { schemaOf, shaped } from '../task/strict.js';
import { SURVEY_PROMPT_1 } from './survey-1.js';
import { bodyWith, estimate, estimates, ppm, table, triple } from './wire.js';

const wire = z.strictObject({
  approaches: z.array(
    z.strictObject({
      task: z.string(),
      id: z.string(),
      method: z.string(),
      minutes: estimate,
      amounts: estimates,
      confidence: z.number(),
      figures: estimates,
    }),
  ),
  figures: z.array(
    z.strictObject({ constraint: z.string(), task: z.string(), approach: z.string(), value: estimate }),
  ),
});

/** The task of kind `survey`. */
export const surveyTask: Task = {
  kind: 'survey',
  prompt: SURVEY_PROMPT_1,
  schema: schemaOf(wire),
  data: (body) => bodyWith(body, 'node', 'goal', 'tasks[]', 'violated[]', 'missing[]'),
  read,
};

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const { approaches, figures } = said.right;
  return ok({
    value: {
      approaches: approaches.map(({ task, id, method, minutes, amounts, confidence, figures: own }) => ({
        task,
        approach: {
          id,
          method,
          minutes: triple(minutes),
          amounts: table(amounts),
          confidence: ppm(confidence),
          ...(own.length === 0 ? {} : { metrics: table(own) }),
        },
      })),
      figures: figures.map(({ value, ...rest }) => ({ ...rest, value: triple(value) })),
      values: [],
    },
    confidence: null,
  });
}
