/**
 * What the roles answer, and the parser of each. Total on any JSON; what does not fit is a recorded rejection
 * with its place. Source: 003, contracts of R1 to R4b; machine interface, `parse`.
 *
 * @module
 */
import {
  err,
  isObject,
  ok,
  parseShape,
  type Json,
  type Rejection,
  type Request,
  type Result,
} from '@assay/kernel';
import { closed, flag, integer, list, nullable, oneOf, text, type Shape } from '@assay/kernel/shape';
import type { AskKind } from './asks.js';
import {
  EVIDENCE_MAX,
  FAILURE_CLASSES,
  isLocalId,
  TEXT_MAX,
  VERDICTS,
  WHOLE,
  type Verdict,
} from './criteria.js';
import type { FailureClass } from '../ggs/input.js';
import { OUTPUT_MAX } from './evidence.js';
import { PLAN_DRAFT, type PlanDraft } from './plan.js';
import type { Recall } from '../memory/recall.js';
import { RECALL } from './recall.js';
import { SUMMARY_MAX, TASK_SPEC, type TaskSpec } from './task.js';
import { CALLS_MAX, toolCall, type ToolCall } from './tools.js';

/** What an executor hands in. Source: 003 §R3; dec-B8. */
export type Execution = {
  readonly status: 'completed' | 'uncertain' | 'failed';
  readonly output: string;
  readonly tool_calls: readonly ToolCall[];
};
/**
 * What an agent-validator hands in: one verdict per criterion, and what to do about what is unmet. Source:
 * 003 §R4a.
 */
export type Judgement = {
  readonly verdicts: readonly Verdict[];
  readonly what_was_wrong: string | null;
  readonly what_to_do: string | null;
};
/** A verdict on a criterion of the task: `ambiguous` is a rejection (002 "Key Invariants"). */
export type TaskVerdict = {
  readonly criterion: string;
  readonly verdict: 'pass' | 'fail' | 'ambiguous';
  readonly failure_class: FailureClass | null;
  readonly evidence: string;
};
/**
 * What a meta-validator hands in: the merged output and one verdict per criterion of the task. Source: 003
 * §R4b.
 */
export type Merge = {
  readonly merged_output: Json;
  readonly summary: string;
  readonly verdicts: readonly TaskVerdict[];
};
/** What a person says about an action that cannot be undone. Source: dec-B9. */
export type Confirmation = { readonly approved: boolean; readonly note: string | null };
/** A reading of the clock, in microseconds from an origin of the host's. */
export type ClockReading = { readonly t_us: number };

/** What answers mean, by kind of request. */
export type Input =
  | { readonly t: 'perceive'; readonly value: TaskSpec }
  | { readonly t: 'recall'; readonly value: Recall }
  | { readonly t: 'plan'; readonly value: PlanDraft }
  | { readonly t: 'confirm'; readonly value: Confirmation }
  | { readonly t: 'execute'; readonly value: Execution }
  | { readonly t: 'judge'; readonly value: Judgement }
  | { readonly t: 'merge'; readonly value: Merge }
  | { readonly t: 'clock'; readonly value: ClockReading };

const short = text((value) => value.length <= TEXT_MAX);
const EXECUTION: Shape = closed({
  status: oneOf(['completed', 'uncertain', 'failed']),
  output: text((value) => value.length <= OUTPUT_MAX),
  tool_calls: list(toolCall(OUTPUT_MAX), (calls) => calls.length <= CALLS_MAX),
});
const JUDGEMENT: Shape = closed({
  verdicts: VERDICTS,
  what_was_wrong: nullable(short),
  what_to_do: nullable(short),
});
/** Shape of a {@link TaskVerdict}. */
export const TASK_VERDICT: Shape = closed({
  criterion: text(isLocalId),
  verdict: oneOf(['pass', 'fail', 'ambiguous']),
  failure_class: nullable(oneOf(FAILURE_CLASSES)),
  evidence: text((value) => value.length <= EVIDENCE_MAX),
});
const MERGE: Shape = closed({
  merged_output: WHOLE,
  summary: text((value) => value.length <= SUMMARY_MAX),
  verdicts: list(TASK_VERDICT),
});
const CONFIRMATION: Shape = closed({ approved: flag, note: nullable(short) });
const CLOCK: Shape = closed({ t_us: integer(0) });

const PARSERS: Readonly<Record<AskKind, { readonly shape: Shape; readonly code: string }>> = {
  perceive: { shape: TASK_SPEC, code: 'bad_task' },
  recall: { shape: RECALL, code: 'bad_recall' },
  plan: { shape: PLAN_DRAFT, code: 'bad_plan' },
  confirm: { shape: CONFIRMATION, code: 'bad_confirmation' },
  execute: { shape: EXECUTION, code: 'bad_execution' },
  judge: { shape: JUDGEMENT, code: 'bad_judgement' },
  merge: { shape: MERGE, code: 'bad_merge' },
  clock: { shape: CLOCK, code: 'bad_clock' },
};

/**
 * Reads an answer by the kind of its request. Rejections: `bad_task`, `bad_recall`, `bad_plan`,
 * `bad_confirmation`, `bad_execution`, `bad_judgement`, `bad_merge`, `bad_clock`, each with {path};
 * `bad_answer` to a request this machine does not make.
 */
export function parseAnswer(value: Json, request: Pick<Request, 'kind'>): Result<Rejection, Input> {
  const { kind } = request;
  const kinds: readonly string[] = Object.keys(PARSERS);
  const at = kinds.indexOf(kind);
  const parser = Object.values(PARSERS)[at];
  if (parser === undefined) return err({ code: 'bad_answer', detail: { path: '', kind } });
  const shaped = parseShape<Input>(
    (answer) => (isObject(answer) ? parser.shape(answer['value'] ?? null) : ''),
    { t: kind, value },
  );
  return shaped._tag === 'Left'
    ? err({ code: parser.code, detail: { path: shaped.left.path } })
    : ok(shaped.right);
}
