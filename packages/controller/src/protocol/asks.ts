/**
 * What the roles are asked. A body holds local ids only, nothing of the run and no reading of its clock, so
 * that recorded answers match across runs and across thresholds. Source: machine interface, `Ask`; 003,
 * contracts of R1 to R4b.
 *
 * @module
 */
import type { Source } from '@assay/kernel';
import type { Criterion } from './criteria.js';
import type { SessionTurn, TaskSpec } from './task.js';
import type { Target, Tool } from './tools.js';
import type { Role } from './roles.js';
import type { RecallQuery } from '../memory/recall.js';

/** R1: what does the user want? `session`: the last turns, oldest first. */
export type PerceiveBody = { readonly text: string; readonly session: readonly SessionTurn[] };
/** R5: what is known of this intent and of these tools? */
export type RecallBody = RecallQuery;
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
/**
 * R2: which sub-tasks reach the intent? `keep`: what every later plan must name as hard criteria of the task,
 * word for word; ids are those of the plan before.
 */
export type PlanBody = {
  readonly round: number;
  readonly task: Pick<TaskSpec, 'label' | 'intent' | 'constraints'>;
  readonly text: string;
  readonly directive: DirectiveSeen | null;
  readonly keep: readonly Kept[];
  readonly must_not: MustNot;
  readonly prefer: { readonly tools: readonly string[]; readonly practices: readonly string[] };
  readonly caution: readonly Target[];
  readonly tools: readonly Tool[];
  readonly limits: { readonly subtasks: number; readonly criteria: number };
};
/**
 * A person: may this be done? `attempt`: null before work begins, else the attempt that a tool held back.
 * Source: dec-B9; 003 §9, Law 1.
 */
export type ConfirmBody = {
  readonly subtask: string;
  readonly intent: string;
  readonly attempt: number | null;
  readonly actions: readonly Target[];
  readonly why: readonly ('irreversible' | 'caution')[];
};
/** What to do differently. Source: 003 §R4a `CorrectionSignal`. */
export type Correction = {
  readonly what_was_wrong: string;
  readonly what_to_do: string;
  readonly avoid: readonly string[];
};
/** R3: do this. `prior`: outputs of the groups before. */
export type ExecuteBody = {
  readonly subtask: string;
  readonly intent: string;
  readonly context: string;
  readonly criteria: readonly Criterion[];
  readonly uses: readonly Target[];
  readonly attempt: number;
  readonly correction: Correction | null;
  readonly prior: readonly { readonly subtask: string; readonly output: string }[];
  readonly must_not: Pick<MustNot, 'tools' | 'targets'>;
  /**
   * What a person confirmed for this sub-task: these actions on these inputs and nothing else (003 §9, Law
   * 1).
   */
  readonly confirmed: readonly Target[];
};
/** R4a: which criteria are met? `claim` is the executor's own word, `tool_calls` the evidence. */
export type JudgeBody = {
  readonly subtask: string;
  readonly intent: string;
  readonly criteria: readonly Criterion[];
  readonly attempt: number;
  readonly claim: string;
  readonly tool_calls: readonly string[];
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
  readonly recall: RecallBody;
  readonly plan: PlanBody;
  readonly confirm: ConfirmBody;
  readonly execute: ExecuteBody;
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
  'confirm',
  'execute',
  'judge',
  'merge',
] as const;

/** Which role answers which kind; null where it is no role: a person, the clock. */
export const ROLE_OF: Readonly<Record<AskKind, Role | null>> = Object.freeze({
  clock: null,
  perceive: 'R1',
  recall: 'R5',
  plan: 'R2',
  confirm: null,
  execute: 'R3',
  judge: 'R4a',
  merge: 'R4b',
});

const JUDGES: readonly Source[] = ['rule', 'live_model', 'recorded_model', 'human', 'synthetic'];

/** Who may answer with a value. A model never confirms (dec-B9), and never tells the time. */
export const ACCEPTS: Readonly<Record<AskKind, readonly Source[]>> = Object.freeze({
  clock: ['clock', 'synthetic'],
  perceive: JUDGES,
  recall: ['run', 'synthetic'],
  plan: JUDGES,
  confirm: ['human'],
  execute: ['tool', ...JUDGES],
  judge: JUDGES,
  merge: JUDGES,
} satisfies Record<AskKind, readonly Source[]>);
