/**
 * Events of a controller run. What roles say to each other is a message with its route: the ledger is the
 * bus, and whoever reads it sees all of it (dec-B1). The rest is bookkeeping of the machine. Events explain
 * all of the state.
 *
 * @module
 */
import type { Digest, Json, Spent } from '@assay/kernel';
import type { AskKind, Correction } from '../protocol/asks.js';
import type { TaskVerdict } from '../protocol/answers.js';
import type { Verdict } from '../protocol/criteria.js';
import type { Plan } from '../protocol/plan.js';
import type { Recall } from '../memory/recall.js';
import type { TaskSpec } from '../protocol/task.js';
import type { CallStatus, Target } from '../protocol/tools.js';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import type { MegramDraft } from '../memory/answers.js';
import type { Setup } from './setup.js';
import type { FinalResult } from './final-result.js';

/**
 * One attempt at a sub-task, as its trajectory shows it. `score_ppm`: share of criteria met. Source: 003 §R4a
 * `gap_trajectory`.
 */
export type Attempt = {
  readonly attempt: number;
  readonly score_ppm: number;
  readonly unmet: readonly string[];
  readonly why: string;
};

/** How a call showed itself, without its output: that stands in the recorded answer. */
export type CallSeen = {
  readonly tool: string;
  readonly input: string;
  readonly status: CallStatus;
  readonly triple: Digest | null;
};

/**
 * An act that failed and was not done again in its sub-task: nothing that looks alone stands for it. `code`:
 * what such a result contradicts; `line`: its line of evidence.
 */
export type FailedAct = {
  readonly tool: string;
  readonly input: string;
  readonly code: 'primary_call_failed' | 'cut_without_completion';
  readonly line: string;
};

/** What came of a sub-task. `reason`: null where it matched. Source: 003 §R4a `SubTaskOutcome`. */
export type SubTaskOutcome = {
  readonly subtask: string;
  readonly status: 'matched' | 'failed';
  readonly reason: string | null;
  readonly infrastructure: boolean;
  readonly output: string;
  readonly verdicts: readonly Verdict[];
  readonly trajectory: readonly Attempt[];
  readonly used: readonly Target[];
};

/** Messages, by kind; the routes are those of `ROUTES`. */
export type Messages = {
  readonly UserInput: { readonly text: string; readonly turns: number };
  readonly TaskSpec: TaskSpec;
  readonly PerceptionFailure: { readonly code: string; readonly why: string | null };
  readonly MemoryQuery: { readonly space: string; readonly tools: readonly string[] };
  readonly MemoryRecall: Recall;
  readonly DispatchManifest: Plan;
  readonly PlanFailure: { readonly code: string; readonly why: string | null; readonly round: number };
  readonly ConfirmationRequest: {
    readonly subtask: string;
    readonly attempt: number | null;
    readonly actions: readonly Target[];
  };
  readonly Confirmation: {
    readonly subtask: string;
    readonly actions: readonly Target[];
    readonly approved: boolean;
  };
  readonly SubTask: { readonly subtask: string; readonly attempt: number };
  readonly SubTaskOutcome: SubTaskOutcome;
  readonly ExecutionResult: {
    readonly subtask: string;
    readonly attempt: number;
    readonly status: string;
    readonly output: string;
    readonly calls: readonly CallSeen[];
    readonly contradiction: { readonly code: string; readonly line: string | null } | null;
    readonly failed_acts?: readonly FailedAct[];
  };
  readonly CorrectionSignal: Correction & {
    readonly subtask: string;
    readonly attempt: number;
    readonly failure_class: string;
    readonly trajectory: Attempt;
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

/** A message on the bus. */
export type Message = {
  readonly [K in keyof Messages]: {
    readonly t: 'message';
    readonly from: string;
    readonly to: string;
    readonly kind: K;
    readonly body: Messages[K];
  };
}[keyof Messages];

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
  | { readonly t: 'round_closed'; readonly last_round: Digest | null }
  | Message;
