/**
 * The words of a rule, asked of a model for the memory machine: that there is a rule, and which way it
 * points, is decided there. Source: 002 §6e "Upward flow"; dec-M12, dec-M15.
 *
 * @module
 */
import { field, isArray, isObject, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { DISTIL_KIND } from '@assay/controller/memory';
import * as z from 'zod';
import { DISTIL_PROMPT_1 } from './distil-1.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { schemaOf, shaped } from '../task/strict.js';

const wire = z.strictObject({ text: z.string() });

/** The task of kind `distil`. The machine rejects a text that is empty or too long. */
export const distilTask: Task = {
  kind: DISTIL_KIND,
  prompt: DISTIL_PROMPT_1,
  schema: schemaOf(wire),
  data,
  read,
};

/** The numbers of the rule are not shown: no word depends on them. */
function data(body: Json): JsonObject | null {
  if (!isObject(body)) return null;
  const [space, entity, polarity, evidence] = [
    field(body, 'space'),
    field(body, 'entity'),
    field(body, 'polarity'),
    field(body, 'evidence'),
  ];
  if (
    typeof space !== 'string' ||
    typeof entity !== 'string' ||
    typeof polarity !== 'string' ||
    evidence === undefined ||
    !isArray(evidence)
  )
    return null;
  return { space, entity, polarity, evidence };
}

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  return said._tag === 'Left' ? said : ok({ value: { text: said.right.text }, confidence: null });
}
