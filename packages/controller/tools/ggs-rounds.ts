/**
 * Rounds of the goal gradient for tests and benches: criteria by count, and a task followed round by round.
 *
 * @module
 */
import type { GgsEvaluation } from '../src/ggs/evaluation.js';
import { evaluateGgs } from '../src/ggs/evaluate.js';
import {
  initialGgsHistory,
  type GgsHistory,
  type FailureClass,
  type GgsCriterion,
  type GgsInput,
} from '../src/ggs/input.js';
import type { GgsPolicy } from '../src/ggs/policy.js';
import { isTerminal } from '../src/ggs/table.js';

/** A criterion that passed, of sub-task `s1`. */
export function passed(
  id: string,
  more: Partial<Omit<GgsCriterion, 'verdict' | 'failure_class'>> = {},
): GgsCriterion {
  return {
    id,
    text: `criterion ${id}`,
    scope: 'subtask',
    subtask: 's1',
    mode: 'verifiable',
    hard: false,
    attempts: 1,
    failed_attempts: 0,
    ...more,
    verdict: 'pass',
    failure_class: null,
  };
}

/** A criterion that failed. */
export function failed(
  id: string,
  failure_class: FailureClass,
  more: Partial<Omit<GgsCriterion, 'verdict' | 'failure_class'>> = {},
): GgsCriterion {
  return { ...passed(id, { failed_attempts: 1, ...more }), verdict: 'fail', failure_class };
}

/**
 * `total` criteria of which the first `logical` failed logically and the next `environmental` for the
 * environment's sake.
 */
export function criteria(total: number, logical: number, environmental: number): readonly GgsCriterion[] {
  return Array.from({ length: total }, (_, index) => {
    const id = `c${String(index).padStart(3, '0')}`;
    if (index < logical) return failed(id, 'logical');
    return index < logical + environmental ? failed(id, 'environmental') : passed(id);
  });
}

/** A round with nothing in it; give what matters. */
export function round(more: Partial<GgsInput> = {}): GgsInput {
  return {
    criteria: [],
    failed_subtasks: [],
    r4b_rejected: false,
    all_matched: false,
    replan_count: 0,
    elapsed_us: 0,
    deadline_us: null,
    failing_tools: [],
    failing_targets: [],
    tools: [],
    history: initialGgsHistory,
    guard: null,
    abandon_now: null,
    ...more,
  };
}

/**
 * Evaluates round after round until one ends the task or there are no more; the replan count is kept as
 * dec-G10 says.
 */
export function follow(policy: GgsPolicy, rounds: Iterable<Partial<GgsInput>>): readonly GgsEvaluation[] {
  const evaluations: GgsEvaluation[] = [];
  let history: GgsHistory = initialGgsHistory;
  for (const one of rounds) {
    const evaluation = evaluateGgs(policy, round({ replan_count: evaluations.length, ...one, history }));
    evaluations.push(evaluation);
    if (isTerminal(evaluation.directive)) break;
    history = evaluation.history;
  }
  return evaluations;
}
