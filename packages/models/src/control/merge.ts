/**
 * Which criteria of a task are met, asked of a model as R4b. A pass stands on the output of a sub-task.
 * Source: 003 §R4b.
 *
 * @module
 */
import { cutText, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { EVIDENCE_MAX, FAILURE_CLASSES, SUMMARY_MAX, readBody } from '@assay/controller';
import * as z from 'zod';
import { MERGE_PROMPT_1 } from './merge-1.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { fault, schemaOf, shaped } from '../task/strict.js';

const text = z.nullable(z.string());
const verdict = z.strictObject({
  criterion: z.string(),
  verdict: z.enum(['pass', 'fail', 'ambiguous']),
  subtask: text,
  failure_class: z.nullable(z.enum(FAILURE_CLASSES)),
  why: text,
});
const wire = z.strictObject({ merged_output: z.string(), summary: z.string(), verdicts: z.array(verdict) });

/**
 * The task of kind `merge`. Fault `ungrounded`: a pass that names no sub-task there is, or any verdict a
 * sub-task there is not.
 */
export const mergeTask: Task = { kind: 'merge', prompt: MERGE_PROMPT_1, schema: schemaOf(wire), data, read };

function data(body: Json): JsonObject | null {
  const asked = readBody('merge', body);
  if (asked === null) return null;
  const { intent, criteria, outcomes } = asked;
  return {
    intent,
    criteria: criteria.map(({ id, text: said, mode, hard }) => ({ id, text: said, mode, hard })),
    outcomes: outcomes.map(({ subtask, intent: what, output }) => ({ subtask, intent: what, output })),
  };
}

function read(answer: Json, body: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const outcomes = readBody('merge', body)?.outcomes ?? [];
  const verdicts: JsonObject[] = [];
  for (const [
    index,
    { criterion, verdict: is, subtask, failure_class, why },
  ] of said.right.verdicts.entries()) {
    const shown = outcomes.find((outcome) => outcome.subtask === subtask) ?? null;
    if (shown === null && (is === 'pass' || subtask !== null))
      return fault('ungrounded', `/verdicts/${index}/subtask`, String(subtask));
    const output = shown === null ? null : `${shown.subtask}: ${shown.output}`;
    const evidence =
      is === 'pass' ? (output ?? '') : [why, output].filter((part) => part !== null).join('; ');
    verdicts.push({ criterion, verdict: is, failure_class, evidence: cutText(evidence, EVIDENCE_MAX) });
  }
  const { merged_output, summary } = said.right;
  return ok({ value: { merged_output, summary: cutText(summary, SUMMARY_MAX), verdicts }, confidence: null });
}
