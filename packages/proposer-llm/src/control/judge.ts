/**
 * Which criteria of a sub-task are met, asked of a model as R4a. A pass stands on a line of evidence: the
 * model names the line, and what is handed in is the line itself, not its words. Source: 003 §R4a, "evidence
 * grounding rule".
 *
 * @module
 */
import { cutText, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { EVIDENCE_MAX, FAILURE_CLASSES, parseJudgeBody, TEXT_MAX } from '@assay/controller';
import * as z from 'zod';
import { JUDGE_PROMPT_1 } from './judge-1.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { fault, schemaOf, shaped } from '../task/strict.js';

const text = z.nullable(z.string());
const verdict = z.strictObject({
  criterion: z.string(),
  verdict: z.enum(['pass', 'fail']),
  line: z.nullable(z.number()),
  failure_class: z.nullable(z.enum(FAILURE_CLASSES)),
  why: text,
});
const wire = z.strictObject({ verdicts: z.array(verdict), what_was_wrong: text, what_to_do: text });

/**
 * The task of kind `judge`. Fault `ungrounded`: a pass that names no line there is, or any verdict a line
 * there is not.
 */
export const judgeTask: Task = { kind: 'judge', prompt: JUDGE_PROMPT_1, schema: schemaOf(wire), data, read };

function data(body: Json): JsonObject | null {
  const asked = parseJudgeBody(body);
  if (asked === null) return null;
  const { intent, criteria, attempt, claim, tool_calls } = asked;
  return {
    intent,
    criteria: criteria.map(({ id, text: said, mode, hard }) => ({ id, text: said, mode, hard })),
    attempt,
    claim,
    lines: tool_calls.map((says, line) => ({ line, says })),
  };
}

function read(answer: Json, body: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const lines = parseJudgeBody(body)?.tool_calls ?? [];
  const verdicts: JsonObject[] = [];
  for (const [index, { criterion, verdict: is, line, failure_class, why }] of said.right.verdicts.entries()) {
    const shown = line === null ? null : (lines[line] ?? null);
    if (shown === null && (is === 'pass' || line !== null))
      return fault('ungrounded', `/verdicts/${index}/line`, String(line));
    const evidence = is === 'pass' ? (shown ?? '') : [why, shown].filter((part) => part !== null).join(': ');
    verdicts.push({ criterion, verdict: is, failure_class, evidence: cutText(evidence, EVIDENCE_MAX) });
  }
  const { what_was_wrong, what_to_do } = said.right;
  return ok({
    value: { verdicts, what_was_wrong: cut(what_was_wrong), what_to_do: cut(what_to_do) },
    confidence: null,
  });
}

function cut(words: string | null): string | null {
  return words === null ? null : cutText(words, TEXT_MAX);
}
