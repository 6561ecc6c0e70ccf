/**
 * What the roles answer, and the parser of each. Total on any JSON; what does not fit is a recorded rejection
 * with its place. Source: 003, contracts of R1 to R4b; machine interface, `parse`.
 *
 * @module
 */
import {
  err,
  field,
  isName,
  isObject,
  ok,
  parseShape,
  type Digest,
  type Json,
  type Rejection,
  type Request,
  type Result,
} from '@assay/kernel';
import {
  closed,
  digest,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  sized,
  text,
  type Shape,
} from '@assay/kernel/shape';
import type { AskKind } from './asks.js';
import {
  EVIDENCE_MAX,
  FAILURE_CLASSES,
  LOCAL_ID,
  TEXT_MAX,
  VERDICTS,
  WHOLE,
  type Verdict,
} from './criteria.js';
import type { FailureClass } from '../ggs/input.js';
import { PLAN_DRAFT, type PlanDraft } from './plan.js';
import type { Recall } from '../memory/recall.js';
import { RECALL } from './recall.js';
import { SUMMARY_MAX, TASK_SPEC, type TaskSpec } from './task.js';
import { CALL_STATUSES, CALLS_MAX, TARGET_MAX, type CallStatus, type ToolInput } from './tools.js';

/** Why an executor gives a sub-task up. `input_missing`: what the user named is not there. */
export const GIVE_UP_CODES = ['input_missing', 'cannot'] as const;

/**
 * The next move of a sub-task: calls to be made one by one, of which the first that is not `ok` drops the
 * rest; or its end. `rests_on`, `call`: calls by number. Source: 003 §R3; calls/C1.
 */
export type StepAnswer =
  | { readonly t: 'call'; readonly calls: readonly ToolInput[]; readonly why: string }
  | { readonly t: 'done'; readonly output: string; readonly rests_on: readonly number[] }
  | {
      readonly t: 'give_up';
      readonly code: (typeof GIVE_UP_CODES)[number];
      readonly call: number | null;
      readonly why: string;
    };
/**
 * What a call left behind. `output`: head and tail of what came; `output_bytes` and `digest` speak of all of
 * it. `target`: what it was about, as the tool found it. `irreversible`: what it did, or held back, cannot be
 * undone; `loses`: digest of what that loses. Source: calls/C1, calls/C3, calls/C8.
 */
export type CallAnswer = {
  readonly status: CallStatus;
  readonly code: string | null;
  readonly why: string | null;
  readonly output: string;
  readonly output_bytes: number;
  readonly digest: Digest | null;
  readonly target: string;
  readonly irreversible: boolean;
  readonly loses: Digest | null;
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
  | { readonly t: 'step'; readonly value: StepAnswer }
  | { readonly t: 'call'; readonly value: CallAnswer }
  | { readonly t: 'judge'; readonly value: Judgement }
  | { readonly t: 'merge'; readonly value: Merge }
  | { readonly t: 'clock'; readonly value: ClockReading };

/** Longest output of a call that any policy keeps, in UTF-16 units. */
export const OUTPUT_UNITS_MAX = 65_536;
/** Longest word of an executor on what it did. */
export const CLAIM_MAX = 20_000;
/** Most calls of a task. */
export const CALLS_OF_TASK_MAX = 256;
const NAME_UNITS_MAX = 128;

const short = sized(0, TEXT_MAX);
const callNumber = integer(0, CALLS_OF_TASK_MAX - 1);
/** Shapes of the moves of an executor. */
export const MOVES: Readonly<Record<StepAnswer['t'], Shape>> = {
  call: closed({
    t: oneOf(['call']),
    calls: list(
      closed({ tool: sized(0, NAME_UNITS_MAX), input: WHOLE }),
      (calls) => calls.length >= 1 && calls.length <= CALLS_MAX,
      { min: 1, max: CALLS_MAX },
    ),
    why: short,
  }),
  done: closed({
    t: oneOf(['done']),
    output: sized(0, CLAIM_MAX),
    rests_on: list(callNumber, (calls) => calls.length <= CALLS_OF_TASK_MAX, { max: CALLS_OF_TASK_MAX }),
  }),
  give_up: closed({
    t: oneOf(['give_up']),
    code: oneOf(GIVE_UP_CODES),
    call: nullable(callNumber),
    why: short,
  }),
};
const STEP: Shape = (value) => {
  const t = isObject(value) ? field(value, 't') : undefined;
  return t === 'call' || t === 'done' || t === 'give_up' ? MOVES[t](value) : '/t';
};
const CALL: Shape<CallAnswer> = closed({
  status: oneOf(CALL_STATUSES),
  code: nullable(text(isName)),
  why: nullable(short),
  output: sized(0, OUTPUT_UNITS_MAX),
  output_bytes: integer(0),
  digest: nullable(digest),
  target: sized(0, TARGET_MAX),
  irreversible: flag,
  loses: nullable(digest),
});
const JUDGEMENT: Shape<Judgement> = closed({
  verdicts: VERDICTS,
  what_was_wrong: nullable(short),
  what_to_do: nullable(short),
});
/** Shape of a {@link TaskVerdict}. */
export const TASK_VERDICT: Shape<TaskVerdict> = closed({
  criterion: LOCAL_ID,
  verdict: oneOf(['pass', 'fail', 'ambiguous']),
  failure_class: nullable(oneOf(FAILURE_CLASSES)),
  evidence: sized(0, EVIDENCE_MAX),
});
const MERGE: Shape<Merge> = closed({
  merged_output: WHOLE,
  summary: sized(0, SUMMARY_MAX),
  verdicts: list(TASK_VERDICT),
});
const CONFIRMATION: Shape<Confirmation> = closed({ approved: flag, note: nullable(short) });
const CLOCK: Shape<ClockReading> = closed({ t_us: integer(0) });

/** The shape of an answer and the code of one that departs from it, by the kind of its request. */
export const ANSWERS: Readonly<Record<AskKind, { readonly shape: Shape; readonly code: string }>> = {
  perceive: { shape: TASK_SPEC, code: 'bad_task' },
  recall: { shape: RECALL, code: 'bad_recall' },
  plan: { shape: PLAN_DRAFT, code: 'bad_plan' },
  confirm: { shape: CONFIRMATION, code: 'bad_confirmation' },
  step: { shape: STEP, code: 'bad_step' },
  call: { shape: CALL, code: 'bad_call' },
  judge: { shape: JUDGEMENT, code: 'bad_judgement' },
  merge: { shape: MERGE, code: 'bad_merge' },
  clock: { shape: CLOCK, code: 'bad_clock' },
};

/**
 * Reads an answer by the kind of its request. Rejections: `bad_task`, `bad_recall`, `bad_plan`,
 * `bad_step`, `bad_call`, `bad_confirmation`, `bad_judgement`, `bad_merge`, `bad_clock`, each with {path};
 * `bad_answer` to a request this machine does not make.
 */
export function parseAnswer(value: Json, request: Pick<Request, 'kind'>): Result<Rejection, Input> {
  const { kind } = request;
  const kinds: readonly string[] = Object.keys(ANSWERS);
  const at = kinds.indexOf(kind);
  const parser = Object.values(ANSWERS)[at];
  if (parser === undefined) return err({ code: 'bad_answer', detail: { path: '', kind } });
  const shaped = parseShape<Input>(
    (answer) => (isObject(answer) ? parser.shape(answer['value'] ?? null) : ''),
    { t: kind, value },
  );
  return shaped._tag === 'Left'
    ? err({ code: parser.code, detail: { path: shaped.left.path } })
    : ok(shaped.right);
}
