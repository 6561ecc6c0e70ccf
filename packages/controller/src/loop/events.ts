/**
 * What a controller run starts with, and its events. What roles say to each other is a message with its route: the
 * ledger is the bus, and whoever reads it sees all of it (dec-B1). The rest is bookkeeping of the machine. Events
 * explain all of the state. Source: 003 "System Architecture".
 */
import type { Digest, Json, Spent } from '@assay/kernel';
import {
  closed,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  text,
  type TypeOf,
  sized,
  type Shape,
} from '@assay/kernel/shape';
import {
  type AskKind,
  type ConfirmBody,
  type Correction,
  DECIDING_CALL,
  type Seen,
  type TaskVerdict,
} from '../protocol/requests.js';
import { LOCAL_ID, VERDICTS, type TaskSpec, SESSION, USER_TEXT_MAX } from '../protocol/criteria.js';
import type { Plan } from '../protocol/plan.js';
import type { Recall } from '../memory/recall.js';
import type { TagName } from '../memory/tag.js';
import type { CallSeen, Contradiction } from '../protocol/claims.js';
import type { ToolInput } from '../protocol/tools.js';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import type { MegramDraft } from '../memory/writing.js';
import type { Rounds } from '../guard/trail.js';
import type { FinalResult } from './final-result.js';
import { parsePolicy, type Policy } from '../policy/policy.js';

const anyText = text();
export const ATTEMPT = closed({
  attempt: integer(0),
  score_ppm: integer(0),
  unmet: list(LOCAL_ID),
  why: anyText,
});
/**
 * One attempt at a sub-task, as its trajectory shows it. `score_ppm`: share of criteria met. Source: 003 §R4a
 * `gap_trajectory`.
 */
export type Attempt = TypeOf<typeof ATTEMPT>;

export const OUTCOME = closed({
  subtask: LOCAL_ID,
  status: oneOf(['matched', 'failed']),
  reason: nullable(anyText),
  infrastructure: flag,
  output: anyText,
  verdicts: VERDICTS,
  trajectory: list(ATTEMPT),
  /** The calls that decided it: see `DecidingCall`. */
  calls: list(DECIDING_CALL),
});
/** What came of a sub-task. `reason`: null where it matched. Source: 003 §R4a `SubTaskOutcome`. */
export type SubTaskOutcome = TypeOf<typeof OUTCOME>;

/** Messages, by kind; the routes are those of `ROUTES`. */
export type Messages = {
  readonly UserInput: { readonly text: string; readonly turns: number };
  readonly TaskSpec: TaskSpec;
  readonly PerceptionFailure: { readonly code: string; readonly why: string | null };
  readonly MemoryQuery: { readonly space: string; readonly tools: readonly string[] };
  readonly MemoryRecall: Recall;
  readonly DispatchManifest: Plan;
  /** Rules of the memory that the plan followed and that did not help (dec-M18, calls/C11). */
  readonly NegativeFeedback: {
    readonly round: number;
    readonly rules: readonly (TagName & { readonly rule: Digest })[];
    readonly content: string;
  };
  readonly PlanFailure: { readonly code: string; readonly why: string | null; readonly round: number };
  readonly ConfirmationRequest: Omit<ConfirmBody, 'input'>;
  readonly Confirmation: {
    readonly subtask: string;
    readonly n: number;
    readonly target: string | null;
    readonly loses: Digest | null;
    readonly approved: boolean;
  };
  readonly SubTask: {
    readonly subtask: string;
    readonly task: Digest;
    readonly calls: number;
    readonly seen: Seen;
  };
  readonly SubTaskOutcome: SubTaskOutcome;
  readonly ExecutionResult: {
    readonly subtask: string;
    readonly attempt: number;
    readonly output: string;
    readonly rests_on: readonly number[];
    readonly contradiction: Contradiction | null;
  };
  readonly CorrectionSignal: Correction & {
    readonly subtask: string;
    readonly attempt: number;
    readonly failure_class: string;
    readonly trajectory: Attempt;
    readonly seen: Seen;
  };
  readonly ReplanRequest: {
    readonly round: number;
    readonly failed: readonly string[];
    readonly rejected: boolean;
    readonly gap_summary: string;
    readonly verdicts: readonly TaskVerdict[];
    readonly merged_output: Json;
    readonly summary: string;
  };
  readonly OutcomeSummary: {
    readonly round: number;
    readonly merged_output: Json;
    readonly summary: string;
    readonly verdicts: readonly TaskVerdict[];
  };
  readonly PlanDirective: {
    readonly round: number;
    readonly evaluation: GgsEvaluation;
    readonly node: Digest;
  };
  readonly Megram: { readonly task: string; readonly megrams: readonly MegramDraft[] };
  readonly FinalResult: FinalResult;
};

/** A message of one kind. */
export type MessageOf<K extends keyof Messages> = {
  readonly t: 'message';
  readonly from: string;
  readonly to: string;
  readonly kind: K;
  readonly body: Messages[K];
};
/** A message on the bus. */
export type Message = { readonly [K in keyof Messages]: MessageOf<K> }[keyof Messages];

/** Everything that happens. */
export type ControllerEvent =
  | { readonly t: 'started'; readonly setup: Setup; readonly node: Digest }
  | { readonly t: 'continued'; readonly node: Digest | null }
  | { readonly t: 'answered'; readonly id: string; readonly at_us: number | null; readonly spent: Spent }
  | {
      readonly t: 'asked';
      readonly id: string;
      readonly kind: AskKind;
      readonly subtask: string | null;
      readonly depth: number;
    }
  | { readonly t: 'group_began'; readonly sequence: number }
  /** Several calls of one answer, made one by one: those from the next on. */
  | { readonly t: 'queued'; readonly subtask: string; readonly calls: readonly ToolInput[] }
  | {
      readonly t: 'called';
      readonly subtask: string;
      readonly n: number;
      readonly call: CallSeen;
      readonly seen: Seen;
    }
  /** Something was lost that nobody had confirmed (Law 1): what is open and no call is withdrawn. */
  | { readonly t: 'breached'; readonly subtask: string; readonly n: number }
  /** What the next node of the graph rests on. */
  | { readonly t: 'rests_on'; readonly node: Digest }
  | { readonly t: 'round_closed'; readonly rounds: Rounds }
  | Message;

export const INPUT = closed({
  text: sized(0, USER_TEXT_MAX),
  session: SESSION,
  deadline_us: nullable(integer(0)),
});
/**
 * What the user gave: words, the turns before, and until when it must be done, in microseconds of the run's
 * clock (calls/C13).
 */
export type ControllerInput = TypeOf<typeof INPUT>;

const POLICY: Shape<Policy> = (value) => (parsePolicy(value)._tag === 'Right' ? null : '');
export const SETUP = closed({ policy: POLICY, input: INPUT });
/** What a run starts with. */
export type Setup = TypeOf<typeof SETUP>;
