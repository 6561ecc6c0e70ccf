/**
 * The constraints of a goal, asked of a model. Source: 000 §1 Step 1; dec-K68.
 *
 * @module
 */
import { ok, type Json, type Result } from '@assay/kernel';
import * as z from 'zod';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { fault, schemaOf, shaped } from '../task/strict.js';
import { EXTRACT_PROMPT_1 } from './extract-1.js';
import { bodyWith } from './wire.js';

const draft = z.strictObject({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['cap', 'deadline', 'figure', 'quantity', 'rubric']),
  unit: z.string(),
  op: z.nullable(z.enum(['<', '<=', '>', '>=', '='])),
  bound: z.nullable(z.number()),
  hard: z.boolean(),
  removal: z.nullable(z.string()),
});
const wire = z.strictObject({ constraints: z.array(draft), questions: z.array(z.string()) });

/**
 * The task of kind `extract`, unless constraints contradict each other: that a person settles. Faults: `bound`
 * where a number is no whole one, or an operator or a bound is missing.
 */
export const extractTask: Task = {
  kind: 'extract',
  prompt: EXTRACT_PROMPT_1,
  schema: schemaOf(wire),
  data: (body) => bodyWith(body, 'goal', 'modality', 'constraints[]', 'conflicts[]'),
  read,
};

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const { constraints, questions } = said.right;
  const drafts: Json[] = [];
  for (const [index, each] of constraints.entries()) {
    const payload = payloadOf(each);
    if (payload === null)
      return fault('bound', `/constraints/${index}/bound`, `${each.op ?? ''} ${String(each.bound)}`);
    const isAggregate = each.kind === 'cap' || each.kind === 'deadline';
    drafts.push({
      id: each.id,
      type: each.kind === 'rubric' ? 'semantic' : 'logic',
      domain: each.kind,
      title: each.title,
      scope: isAggregate ? 'aggregate' : 'local',
      hard: each.hard,
      removal: each.removal,
      payload,
    });
  }
  return ok({ value: { constraints: drafts, drop: [], questions }, confidence: null });
}

function payloadOf({ kind, unit, op, bound, title }: z.infer<typeof draft>): Json | null {
  if (kind === 'rubric') return { t: 'rubric', text: title };
  if (op === null || bound === null || !Number.isSafeInteger(bound) || bound < 0) return null;
  switch (kind) {
    case 'cap':
      return { t: 'cap', unit, op, bound, margin: null, otherwise: null };
    case 'deadline':
      return { t: 'deadline', op, bound, margin: null };
    case 'figure':
      return { t: 'figure', unit, op, bound, margin: null };
    case 'quantity':
      return { t: 'quantity', name: unit, op, value: bound };
  }
}
