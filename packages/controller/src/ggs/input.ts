/**
 * What one evaluation of the goal gradient is given: integers, names and verdicts, no text that decides.
 * Source: 002 §R7 "Contract", §R4b; dec-G3, dec-G5, dec-G6, dec-G7, dec-G19.
 *
 * @module
 */
import type { GgsHistory, GgsTarget, GgsTool } from './history.js';

/** Why a criterion failed: the approach was wrong, or the world stood in the way. Source: 002 §R4a. */
export type FailureClass = 'logical' | 'environmental';

/**
 * What was found about a criterion. A failure without a class does not exist (dec-G3). `none`: its sub-task
 * failed and gave no verdict; it counts as failed, environmental (dec-G6). `not_run`: its sub-task waited for
 * one that failed, or it speaks of the combined output and there was none; it is unmet and counts in D, else
 * half a plan could pass for a result, but nothing failed, so not in P.
 */
export type GgsVerdict =
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
export type GgsStop = { readonly code: string };

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
