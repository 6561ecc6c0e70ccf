/**
 * The tasks of a goal with their estimates, or its output, asked of a model. Source: 000 §1 Steps 5, 6 and 8;
 * dec-K71.
 *
 * @module
 */
import { ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import * as z from 'zod';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { declined, schemaOf, shaped } from '../task/strict.js';
import { DECOMPOSE_PROMPT_1 } from './decompose-1.js';
import { bodyWith, estimate, estimates, ppm, table, triple } from './wire.js';

const task = z.strictObject({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['research', 'build', 'evaluation']),
  after: z.array(z.string()),
  minutes: estimate,
  amounts: estimates,
  confidence: z.number(),
  carries: z.array(z.string()),
  figures: estimates,
});
const wire = z.strictObject({
  tasks: z.nullable(z.array(task)),
  artifact: z.nullable(
    z.strictObject({
      format: z.string(),
      summary: z.string(),
      content: z.string(),
      leaf_kind: z.enum(['atomic', 'off_the_shelf', 'contracted', 'constraint_exhausted']),
      leaf_reason: z.string(),
    }),
  ),
  questions: z.array(z.string()),
  why: z.nullable(z.string()),
});

/**
 * The task of kind `resolve`: tasks where there are any, else an output. A model may decline. Figures of two
 * tasks together are nothing it states. Exit codes and measures of tools are never its own.
 */
export const decomposeTask: Task = {
  kind: 'resolve',
  prompt: DECOMPOSE_PROMPT_1,
  schema: schemaOf(wire),
  data: (body) => bodyWith(body, 'node', 'goal', 'constraints[]', 'rows[]', 'feedback[]'),
  read,
};

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const { tasks, artifact, questions, why } = said.right;
  if (tasks !== null) return ok({ value: splitOf(tasks, questions), confidence: null });
  if (artifact === null) return declined(why);
  const { format, summary, content, leaf_kind, leaf_reason } = artifact;
  return ok({
    value: {
      artifact: { format, summary, content },
      leaf_kind,
      leaf_reason,
      manifest: null,
      checks: [],
      figures: [],
    },
    confidence: null,
  });
}

function splitOf(tasks: readonly z.infer<typeof task>[], questions: readonly string[]): JsonObject {
  return {
    tasks: tasks.map(({ id, title, kind, after, minutes, amounts, confidence, figures }) => ({
      id,
      title,
      kind,
      after,
      minutes: triple(minutes),
      amounts: table(amounts),
      confidence: ppm(confidence),
      ...(figures.length === 0 ? {} : { metrics: table(figures) }),
    })),
    carries: tasks.flatMap(({ id, carries }) => (carries.length === 0 ? [] : [[id, carries]])),
    needs: [],
    measures: tasks.flatMap(({ id, figures }) => figures.map((figure) => [figure.id, id])),
    couples: [],
    questions,
  };
}
