/**
 * What each role answers, by kind of request. The machine reads answers with parsers of its own; a law holds
 * both equal. Source: 003, contracts of R1 to R4b; dec-B8, dec-B9.
 *
 * @module
 */
import * as z from 'zod';
import { CONTENT_UNITS_MAX } from '../memory/megram.js';
import { ACTIONS } from '../memory/potentials.js';
import type { Recall } from '../memory/recall.js';
import { ENTITY_UNITS_MAX, SPACE_UNITS_MAX } from '../memory/tag.js';
import type { ClockReading, Confirmation, Execution, Judgement, Merge } from '../protocol/answers.js';
import type { AskKind } from '../protocol/asks.js';
import { TEXT_MAX } from '../protocol/criteria.js';
import { OUTPUT_MAX } from '../protocol/evidence.js';
import { CONTEXT_MAX, CRITERIA_MAX, SUBTASKS_MAX, USES_MAX, type PlanDraft } from '../protocol/plan.js';
import { RECALL_MAX } from '../protocol/recall.js';
import { SESSION_MAX, SUMMARY_MAX, type TaskSpec } from '../protocol/task.js';
import { CALL_STATUSES, CALLS_MAX, TARGET_MAX, type ToolCall } from '../protocol/tools.js';
import {
  count,
  criterionDraftSchema,
  digestSchema,
  evidence,
  failureClass,
  localId,
  phrase,
  targetSchema,
  textTo,
  toolName,
  whole,
} from './parts.js';

/** R1: what the user wants. */
export const taskSpecSchema: z.ZodType<TaskSpec> = z.strictObject({
  label: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  intent: phrase,
  constraints: z.strictObject({ scope: z.nullable(textTo(TEXT_MAX)), deadline_us: z.nullable(count) }),
  refers_to: z.nullable(
    z
      .int()
      .min(0)
      .max(SESSION_MAX - 1),
  ),
});

const space = textTo(SPACE_UNITS_MAX);
const entity = textTo(ENTITY_UNITS_MAX);
const content = textTo(CONTENT_UNITS_MAX);

/** R5: what is remembered. Potentials in units of 10^-9 of a whole Megram. */
export const recallSchema: z.ZodType<Recall> = z.strictObject({
  at_us: count,
  tags: z
    .array(
      z.strictObject({
        space,
        entity,
        attention_nano: count,
        decision_nano: z.int(),
        action: z.enum(ACTIONS),
      }),
    )
    .max(RECALL_MAX),
  rules: z
    .array(
      z.strictObject({
        space,
        entity,
        id: digestSchema,
        content,
        sigma_ppm: z.int().min(-1_000_000).max(1_000_000),
      }),
    )
    .max(RECALL_MAX),
  failures: z.array(content).max(RECALL_MAX),
  left_out: z.strictObject({ tags: count, rules: count }),
});

const criteria = z.array(criterionDraftSchema).max(CRITERIA_MAX);

/** R2: sub-tasks, in groups by `sequence`, with what shows that each is done. */
export const planDraftSchema: z.ZodType<PlanDraft> = z.strictObject({
  task_criteria: criteria,
  subtasks: z
    .array(
      z.strictObject({
        label: textTo(200),
        sequence: z.int().min(1).max(1_000),
        intent: phrase,
        context: textTo(CONTEXT_MAX),
        success_criteria: criteria,
        uses: z.array(targetSchema).max(USES_MAX),
      }),
    )
    .max(SUBTASKS_MAX),
});

/** A person: whether it may be done. */
export const confirmationSchema: z.ZodType<Confirmation> = z.strictObject({
  approved: z.boolean(),
  note: z.nullable(textTo(TEXT_MAX)),
});

/** One call of a tool, as the executor saw it. */
export const toolCallSchema: z.ZodType<ToolCall> = z.strictObject({
  tool: toolName,
  input: textTo(TARGET_MAX),
  output: textTo(OUTPUT_MAX),
  status: z.enum(CALL_STATUSES),
  output_bytes: count,
  digest: z.nullable(digestSchema),
  irreversible: z.boolean(),
});

/** R3: what was done. */
export const executionSchema: z.ZodType<Execution> = z.strictObject({
  status: z.enum(['completed', 'uncertain', 'failed']),
  output: textTo(OUTPUT_MAX),
  tool_calls: z.array(toolCallSchema).max(CALLS_MAX),
});

const advice = z.nullable(textTo(TEXT_MAX));
/** A verdict on a criterion of a sub-task. */
export const verdictSchema: z.ZodType<Judgement['verdicts'][number]> = z.strictObject({
  criterion: localId,
  verdict: z.enum(['pass', 'fail']),
  failure_class: failureClass,
  evidence,
});
/** R4a: which criteria of a sub-task are met. */
export const judgementSchema: z.ZodType<Judgement> = z.strictObject({
  verdicts: z.array(verdictSchema),
  what_was_wrong: advice,
  what_to_do: advice,
});

/** A verdict on a criterion of the task. */
export const taskVerdictSchema: z.ZodType<Merge['verdicts'][number]> = z.strictObject({
  criterion: localId,
  verdict: z.enum(['pass', 'fail', 'ambiguous']),
  failure_class: failureClass,
  evidence,
});
/** R4b: the merged output, and which criteria of the task it meets. */
export const mergeSchema: z.ZodType<Merge> = z.strictObject({
  merged_output: whole,
  summary: textTo(SUMMARY_MAX),
  verdicts: z.array(taskVerdictSchema),
});

/** The clock. */
export const clockReadingSchema: z.ZodType<ClockReading> = z.strictObject({ t_us: count });

/** The schema of an answer by the kind of its request. */
export const controllerAnswerSchemas: Readonly<Record<AskKind, z.ZodType>> = Object.freeze({
  clock: clockReadingSchema,
  perceive: taskSpecSchema,
  recall: recallSchema,
  plan: planDraftSchema,
  confirm: confirmationSchema,
  execute: executionSchema,
  judge: judgementSchema,
  merge: mergeSchema,
});
