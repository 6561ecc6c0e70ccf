/**
 * What is asked. A body holds local keys only, nothing of the run, its budget or its clock, so that recorded
 * answers match across runs; a person's question about money names what is missing. Source: 000 §1; dec-K71,
 * dec-K72, dec-K75, dec-K85.
 *
 * @module
 */
import type { Json, Source } from '@assay/kernel';
import type { ConstraintDraft } from './constraint.js';
import type { GoalKind } from './library-rows.js';
import type { Bound, Track } from './resolver.js';

/** Why an output was not good enough: what the next try is told. */
export type Feedback = {
  readonly attempt: number;
  readonly resolver: string;
  readonly failed: readonly { readonly constraint: string; readonly detail: string }[];
  readonly advice: string | null;
};
/** A constraint as resolvers and judges see it. */
export type Shown = ConstraintDraft;

/** Step 1: which constraints does the goal state or imply? `conflicts`: pairs that a person must settle. */
export type ExtractBody = {
  readonly goal: string;
  readonly modality: string;
  readonly constraints: readonly Shown[];
  readonly suggestions: readonly string[];
  readonly conflicts: readonly (readonly [string, string])[];
};
/** Step 2: which of these apply here, and which others? */
export type IdentifyBody = {
  readonly node: string;
  readonly goal: string;
  readonly candidates: readonly Shown[];
  readonly inherited: readonly string[];
};
/** Step 3: which are needed? `core` is kept in any case. */
export type SelectBody = {
  readonly node: string;
  readonly goal: string;
  readonly core: readonly string[];
  readonly candidates: readonly Shown[];
};
/** Step 4: which of these resolvers, in which order? */
export type RouteBody = {
  readonly node: string;
  readonly goal: string;
  readonly capability: string;
  readonly candidates: readonly {
    readonly id: string;
    readonly label: string;
    readonly capabilities: readonly string[];
    readonly record: Track;
  }[];
  readonly history: string;
};
/** Step 5: do it, or say which tasks it consists of. `rows`: what an approach must state amounts for. */
export type ResolveBody = {
  readonly node: string;
  readonly goal: string;
  readonly kind: 'goal' | 'build';
  readonly resolver: string;
  readonly step: number;
  readonly steps: number;
  readonly approach: { readonly id: string; readonly method: string | null } | null;
  readonly constraints: readonly Shown[];
  readonly rows: readonly Shown[];
  readonly inherited: readonly string[];
  readonly inputs: readonly string[];
  readonly checks: readonly string[];
  readonly feedback: readonly Feedback[];
  readonly may_split: boolean;
  readonly limits: { readonly tasks: number; readonly alternatives: number };
  readonly history: string;
};
/** Step 6: do these hold of this output? `logic` is asked of tools, `semantic` of judges. */
export type VerifyBody = {
  readonly node: string;
  readonly goal: string;
  readonly judge: 'logic' | 'semantic';
  readonly constraints: readonly Shown[];
  readonly output: string;
  readonly summary: string;
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly approach: string }[];
};
/** Which other ways are there to do these tasks? `missing`: figures that nobody has stated. */
export type SurveyBody = {
  readonly node: string;
  readonly goal: string;
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly kind: string;
    readonly why: readonly string[];
    readonly approach: Json;
  }[];
  readonly violated: readonly Shown[];
  readonly missing: readonly { readonly constraint: string; readonly approaches: readonly string[] }[];
  readonly limits: { readonly alternatives: number };
};
/** Which of these equal repairs first? */
export type RankBody = {
  readonly node: string;
  readonly repairs: readonly (readonly (readonly [task: string, approach: string])[])[];
};
/** A better choice than this, please. Source: dec-K78. */
export type ChooseBody = {
  readonly node: string;
  readonly plan: Json;
  readonly best: readonly (readonly [task: string, approach: string])[];
  readonly unfinished: string;
};
/** Step 9: what is to be done differently? */
export type FeedbackBody = {
  readonly node: string;
  readonly goal: string;
  readonly failed: Feedback['failed'];
  readonly tried: readonly Feedback[];
};
/** Step 10: what is missing to do this? */
export type GapBody = {
  readonly node: string;
  readonly goal: string;
  readonly capability: string;
  readonly tried: readonly Feedback[];
};
/** Step 12: do these outputs contradict each other? */
export type ConsistencyBody = {
  readonly outputs: readonly {
    readonly node: string;
    readonly title: string;
    readonly constraints: readonly string[];
    readonly output: string;
    readonly text: string;
  }[];
};
/** Step 13: put these together. */
export type AssembleBody = {
  readonly goal: string;
  readonly parts: readonly { readonly node: string; readonly title: string; readonly output: string }[];
};
/**
 * What does the library know of goals like this? Asked at the start, and before something is built: then
 * `gap` is what is missing, and only what provides `capability` is wanted.
 */
export type LibraryBody = GoalKind & { readonly capability: string | null; readonly gap: Json };
/** What became of a request that another run has made? */
export type CapabilityBody = { readonly fingerprint: string; readonly capability: string };
/** Step 11: a person decides: more money, no, or a tool. */
export type HireBody = {
  readonly node: string;
  readonly goal: string;
  readonly reason: 'over_budget' | 'no_resolver' | 'build_failed';
  readonly capability: string;
  readonly constraints: readonly Shown[];
  readonly tried: readonly Feedback[];
  readonly short: Bound | null;
};
/** What time is it? */
export type ClockBody = { readonly before: string };

/** The body of each kind of request. */
export type Bodies = {
  readonly extract: ExtractBody;
  readonly identify: IdentifyBody;
  readonly select: SelectBody;
  readonly route: RouteBody;
  readonly resolve: ResolveBody;
  readonly verify: VerifyBody;
  readonly survey: SurveyBody;
  readonly rank: RankBody;
  readonly choose: ChooseBody;
  readonly feedback: FeedbackBody;
  readonly gap: GapBody;
  readonly consistency: ConsistencyBody;
  readonly assemble: AssembleBody;
  readonly library: LibraryBody;
  readonly capability: CapabilityBody;
  readonly hire: HireBody;
  readonly clock: ClockBody;
};
/** Kinds of request. */
export type AskKind = keyof Bodies;
/** Any body. */
export type Body = Bodies[AskKind];

const JUDGES: readonly Source[] = ['live_model', 'recorded_model', 'rule', 'human', 'synthetic'];

/** Who may answer with a value. */
export const ACCEPTS: Readonly<Record<AskKind, readonly Source[]>> = Object.freeze({
  extract: JUDGES,
  identify: JUDGES,
  select: JUDGES,
  route: JUDGES,
  resolve: ['tool', 'run', ...JUDGES],
  verify: ['tool', ...JUDGES],
  survey: JUDGES,
  rank: JUDGES,
  choose: ['tool', 'synthetic'],
  feedback: JUDGES,
  gap: JUDGES,
  consistency: JUDGES,
  assemble: ['tool', ...JUDGES],
  library: ['run', 'synthetic'],
  capability: ['run', 'synthetic'],
  hire: ['human'],
  clock: ['clock', 'synthetic'],
});

/** The capability that answers a kind; null where nobody is routed to. */
export const CAPABILITY_OF: Readonly<Record<AskKind, string | null>> = Object.freeze({
  extract: 'synthesize_goal',
  identify: 'identify_constraints',
  select: 'select_constraints',
  route: 'select_resolver',
  resolve: null,
  verify: 'verify_semantic',
  survey: 'reason',
  rank: 'reason',
  choose: null,
  feedback: 'generate_feedback',
  gap: 'reason',
  consistency: 'check_global_consistency',
  assemble: 'assemble_artifact',
  library: null,
  capability: null,
  hire: null,
  clock: null,
});

/** Kinds that wait for others and count no slot of `parallel`. */
export const PATIENT: readonly AskKind[] = ['hire', 'capability'];

/** Kinds of request, in the order a goal meets them. */
export const ASK_KINDS = [
  'clock',
  'library',
  'extract',
  'identify',
  'select',
  'route',
  'resolve',
  'survey',
  'rank',
  'choose',
  'verify',
  'feedback',
  'gap',
  'capability',
  'hire',
  'consistency',
  'assemble',
] as const;
