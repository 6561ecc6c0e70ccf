/**
 * What the roles are asked. A body holds local ids only, nothing of the run and no reading of its clock, so
 * that recorded answers match across runs. Source: machine interface, `Ask`; 003, contracts of R1 to R4b;
 * calls/C1.
 *
 * @module
 */
import type { Digest, Json, Source } from '@assay/kernel';
import type { Criterion } from './criteria.js';
import type { SessionTurn, TaskSpec } from './task.js';
import type { CallStatus, Target, ToolClass } from './tools.js';
import type { Role } from './roles.js';
import type { RecallQuery } from '../memory/recall.js';

/** R1: what does the user want? `session`: the last turns, oldest first. */
export type PerceiveBody = { readonly text: string; readonly session: readonly SessionTurn[] };
/** What a planner must not use, and what a memory says for and against. Source: 003 §R2 "MUST NOT Set". */
export type MustNot = {
  readonly tools: readonly string[];
  readonly targets: readonly Target[];
  readonly rules: readonly string[];
};
/**
 * The directive of the last round as a planner sees it: what to change, without the figures that depend on
 * time.
 */
export type DirectiveSeen = {
  readonly directive: string;
  readonly failed_criterion: string;
  readonly failure_class: string;
  readonly unmet: readonly string[];
};
/** A hard criterion of the task that a plan before this one named. */
export type Kept = { readonly id: string; readonly text: string };
/** A call that decided how a sub-task ended. `n` counts its calls. */
export type DecidingCall = Target & {
  readonly n: number;
  readonly status: CallStatus;
  readonly code: string | null;
};
/** What came of the last round: each sub-task that ended, and what R4b missed. Source: calls/C7. */
export type LastRound = {
  readonly subtasks: readonly {
    readonly intent: string;
    readonly status: 'matched' | 'failed';
    readonly reason: string | null;
    readonly calls: readonly DecidingCall[];
  }[];
  readonly gap_summary: string;
};
/** A tool as a planner sees it. `about`: the head of what its schema says of it. */
export type ToolSeen = {
  readonly name: string;
  readonly class: ToolClass;
  readonly reversible: boolean;
  readonly about: string;
};
/**
 * R2: which sub-tasks reach the intent? `keep`: what every later plan must name as hard criteria of the task,
 * word for word; ids are those of the plan before. `last`: null in the first round.
 */
export type PlanBody = {
  readonly round: number;
  readonly task: Pick<TaskSpec, 'label' | 'intent' | 'constraints'>;
  readonly text: string;
  readonly directive: DirectiveSeen | null;
  readonly last: LastRound | null;
  readonly keep: readonly Kept[];
  readonly must_not: MustNot;
  readonly prefer: { readonly tools: readonly string[]; readonly practices: readonly string[] };
  readonly caution: readonly Target[];
  readonly tools: readonly ToolSeen[];
  readonly limits: { readonly subtasks: number; readonly criteria: number };
};
/**
 * All that an executor has seen of a sub-task: how many calls, a chain over inputs, statuses, digests of
 * outputs, corrections and outputs of earlier groups, and the size of these in bytes. Other evidence, other
 * body. Source: calls/C1.
 */
export type Seen = { readonly calls: number; readonly digest: Digest | null; readonly bytes: number };
/**
 * R3: the next move of a sub-task. `task`: digest of its intent, context, criteria and tools, and of what it
 * must not use. What there is to read is in the records: see `transcript`. Source: calls/C1.
 */
export type StepBody = {
  readonly subtask: string;
  readonly task: Digest;
  readonly attempt: number;
  readonly seen: Seen;
};
/** What a person agreed to lose, as the tool said it: null where it was not looked at. Source: calls/C8. */
export type Confirmed = Pick<ConfirmBody, 'loses' | 'target'>;
/**
 * The host: make this call. `n` counts the calls of the sub-task over all its attempts; `confirmed`: what a
 * person agreed to lose, and of what target; `not`: blocked targets of this tool, which it compares before it
 * acts. Source: calls/C1, calls/C3.
 */
export type CallBody = {
  readonly subtask: string;
  readonly n: number;
  readonly tool: string;
  readonly input: Json;
  readonly confirmed: Confirmed | null;
  readonly not: readonly string[];
};
/**
 * A person: may this call be made? `target`, `loses`: what the tool found, where it looked before; else null.
 * Source: dec-B9; 003 §9, Law 1; calls/C8.
 */
export type ConfirmBody = {
  readonly subtask: string;
  readonly n: number;
  readonly tool: string;
  readonly input: Json;
  readonly target: string | null;
  readonly loses: Digest | null;
  readonly why: 'irreversible' | 'caution' | 'needs_confirmation';
};
/** What to do differently, and the calls that show what was wrong. Source: 003 §R4a `CorrectionSignal`. */
export type Correction = {
  readonly what_was_wrong: string;
  readonly what_to_do: string;
  readonly calls: readonly number[];
};
/**
 * R4a: which criteria are met? `claim` is the executor's own word; the evidence is in the records: see
 * `judged`. Source: calls/C6.
 */
export type JudgeBody = {
  readonly subtask: string;
  readonly intent: string;
  readonly criteria: readonly Criterion[];
  readonly attempt: number;
  readonly claim: string;
  readonly rests_on: readonly number[];
  readonly seen: Seen;
};
/** R4b: which criteria of the task does the combined output meet? */
export type MergeBody = {
  readonly intent: string;
  readonly criteria: readonly Criterion[];
  readonly outcomes: readonly {
    readonly subtask: string;
    readonly intent: string;
    readonly output: string;
  }[];
};
/** The clock: what time is it? `round`: before which evaluation; -1 at the start. */
export type ClockBody = { readonly round: number };

/** The body of each kind of request. */
export type Bodies = {
  readonly perceive: PerceiveBody;
  readonly recall: RecallQuery;
  readonly plan: PlanBody;
  readonly step: StepBody;
  readonly call: CallBody;
  readonly confirm: ConfirmBody;
  readonly judge: JudgeBody;
  readonly merge: MergeBody;
  readonly clock: ClockBody;
};
/** Kinds of request. */
export type AskKind = keyof Bodies;
/** Any body. */
export type Body = Bodies[AskKind];

/** Kinds of request, in the order a task meets them. */
export const ASK_KINDS = [
  'clock',
  'perceive',
  'recall',
  'plan',
  'step',
  'call',
  'confirm',
  'judge',
  'merge',
] as const;

/** Which role answers which kind; null where it is no role: the host, a person, the clock. */
export const ROLE_OF: Readonly<Record<AskKind, Role | null>> = Object.freeze({
  clock: null,
  perceive: 'R1',
  recall: 'R5',
  plan: 'R2',
  step: 'R3',
  call: null,
  confirm: null,
  judge: 'R4a',
  merge: 'R4b',
});

const PLAYERS: readonly Source[] = ['rule', 'live_model', 'recorded_model', 'human', 'synthetic'];

/** Who may answer with a value. A model never confirms (dec-B9), never calls, and never tells the time. */
export const ACCEPTS: Readonly<Record<AskKind, readonly Source[]>> = Object.freeze({
  clock: ['clock', 'synthetic'],
  perceive: PLAYERS,
  recall: ['run', 'synthetic'],
  plan: PLAYERS,
  step: PLAYERS,
  call: ['tool', 'synthetic'],
  confirm: ['human'],
  judge: PLAYERS,
  merge: PLAYERS,
} satisfies Record<AskKind, readonly Source[]>);
