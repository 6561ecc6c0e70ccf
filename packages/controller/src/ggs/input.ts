/**
 * What one evaluation of the goal gradient is given: integers, names and verdicts, no text that decides; and what one
 * evaluation hands to the next, since the gradient is a difference between rounds. Plain JSON, part of a machine's
 * state. Source: 002 §R7 "Contract", "Gradient Computation", §R4b; dec-G3, dec-G5 to dec-G7, dec-G12, dec-G15,
 * dec-G16, dec-G19; law-G11, law-G13.
 */
import { compareText } from '@assay/kernel';
import {
  closed,
  integer,
  list,
  nullable,
  oneOf,
  refined,
  text,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';
import { parseRational, RATIONAL_TEXT } from './rational.js';
import { BANDS, DIRECTIVES } from './table.js';

/** Why a criterion failed: the approach was wrong, or the world stood in the way. Source: 002 §R4a. */
export type FailureClass = 'logical' | 'environmental';

/**
 * What was found about a criterion. A failure without a class does not exist (dec-G3). `none`: its sub-task
 * failed and gave no verdict; it counts as failed, environmental (dec-G6). `not_run`: its sub-task waited for
 * one that failed, or it speaks of the combined output and there was none; it is unmet and counts in D, else
 * half a plan could pass for a result, but nothing failed, so not in P.
 */
type GgsVerdict =
  | { readonly verdict: 'pass'; readonly failure_class: null }
  | { readonly verdict: 'fail'; readonly failure_class: FailureClass }
  | { readonly verdict: 'none'; readonly failure_class: null }
  | { readonly verdict: 'not_run'; readonly failure_class: null };

/** One criterion of the round, of a sub-task or of the task (dec-G5). */
export type GgsCriterion = {
  /** Unique within the round. */
  readonly id: string;
  readonly text: string;
  readonly scope: 'subtask' | 'task';
  /** The sub-task it belongs to; null at task scope. */
  readonly subtask: string | null;
  /** `verifiable` unless the plan says otherwise (dec-G7). */
  readonly mode: 'verifiable' | 'plausible';
  /** A hard criterion that is unmet blocks success at any distance (dec-G4). */
  readonly hard: boolean;
  /**
   * How often it was judged; a plausible failure weighs failed_attempts / attempts, each held to 1..1,000 and
   * failed at most all.
   */
  readonly attempts: number;
  readonly failed_attempts: number;
} & GgsVerdict;

/**
 * A loop guard that fired: a code such as `repeated_triple`, `oscillation`, `no_op_loop`. Becomes the reason.
 */
type GgsStop = { readonly code: string };

/** One round of a task. Times are microseconds, counts from 0. Lists may come in any order (law L6). */
export type GgsInput = {
  /** Every criterion of this round's outcomes, and the task criteria that were judged. */
  readonly criteria: readonly GgsCriterion[];
  /**
   * Ids of all sub-tasks that failed. One without an unmet criterion counts as one more, environmental
   * (dec-G6).
   */
  readonly failed_subtasks: readonly string[];
  /** R4b refused the merged output: no success, at any distance (dec-G5). */
  readonly r4b_rejected: boolean;
  /**
   * An OutcomeSummary: R4b accepted, all sub-tasks matched. Without unmet criteria the directive is `accept`
   * (dec-G18).
   */
  readonly all_matched: boolean;
  /** Directives given so far for this task; 0 at the first evaluation (dec-G10). */
  readonly replan_count: number;
  /** From the task's start to this round, from recorded stamps (dec-G19). */
  readonly elapsed_us: number;
  /**
   * Microseconds from the task's start to its deadline, null where it has none; the lesser of it and the
   * policy's budget counts.
   */
  readonly deadline_us: number | null;
  /** Tools that failing sub-tasks of this round used. */
  readonly failing_tools: readonly GgsTool[];
  /** Inputs that failed in this round. */
  readonly failing_targets: readonly GgsTarget[];
  /** Every tool a plan could use. */
  readonly tools: readonly GgsTool[];
  readonly history: GgsHistory;
  /** Abandons after Law 2 and before any action. */
  readonly guard: GgsStop | null;
  /**
   * Abandons whatever else holds: nothing can be planned any more, such as `perception_failed`,
   * `planner_exhausted`.
   */
  readonly abandon_now: GgsStop | null;
};

/** A tool and the class it is of; null where it has none. */
export type GgsTool = { readonly tool: string; readonly class: string | null };

/** A tool and the input it was given. Source: dec-G21. */
export type GgsTarget = { readonly tool: string; readonly target: string };

/** What is kept between the rounds of one task. */
export type GgsHistory = TypeOf<typeof FIELDS>;

/** Before the first evaluation of a task. */
export const initialGgsHistory: GgsHistory = Object.freeze({
  blocked_targets: Object.freeze([]),
  failing_tools: Object.freeze([]),
  last: null,
  prev_directive: 'init',
  rounds: 0,
  worsening_count: 0,
});

/** Shape of a rational's text: `n/d` in lowest terms. */
export const RATIONAL: Shape<string> = text((value) => parseRational(value) !== null, {
  pattern: RATIONAL_TEXT,
});
const any = text();
/** The last evaluation's figures, exact ("n/d"). `task`: αD + βP. */
const ROUND = closed({ loss: RATIONAL, task: RATIONAL, distance: RATIONAL, band: oneOf(BANDS) });
const TARGETS: Shape<readonly GgsTarget[]> = list(closed({ tool: any, target: any }), (items) =>
  isRising((items as readonly GgsTarget[]).map(({ tool, target }) => [tool, target])),
);
const TOOLS: Shape<readonly GgsTool[]> = list(closed({ tool: any, class: nullable(any) }), (items) =>
  isRising((items as readonly GgsTool[]).map((each) => [each.tool, each.class ?? ''])),
);
const FIELDS = closed({
  /** Evaluations so far. */
  rounds: integer(0),
  /** null before the first. */
  last: nullable(ROUND),
  /** Worsening rounds in a row. */
  worsening_count: integer(0),
  prev_directive: oneOf(['init', ...DIRECTIVES]),
  /** Inputs that failed for the environment's sake in any round: sorted, none twice. */
  blocked_targets: TARGETS,
  /** Tools of failing sub-tasks in any round: sorted, none twice. */
  failing_tools: TOOLS,
});

/** Shape of a history, for the state of a machine that holds one. */
export const GGS_HISTORY: Shape<GgsHistory> = refined(FIELDS, ({ rounds, last, prev_directive }) => {
  if ((last === null) !== (rounds === 0)) return '/last';
  return (prev_directive === 'init') === (rounds === 0) ? null : '/prev_directive';
});

/** True for pairs in strictly rising order of their first, then of their second. */
function isRising(pairs: readonly (readonly [string, string])[]): boolean {
  return pairs.every(([first, second], at) => {
    const [before, last] = pairs[at - 1] ?? [];
    return before === undefined || (compareText(before, first) || compareText(last ?? '', second)) < 0;
  });
}
