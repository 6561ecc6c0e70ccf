/**
 * The end of a round: everything that was found is given to the solver, and its directive is carried out.
 * Source: 002 §R7; dec-G5, dec-G6, dec-G9, dec-G10, dec-G19; law-G12.
 *
 * @module
 */
import { nodeIdIn, type Context, type Json } from '@assay/kernel';
import { evaluateGgs } from '../ggs/evaluate.js';

import type { GgsCriterion, GgsInput } from '../ggs/input.js';
import { isTerminal } from '../ggs/table.js';
import { loopIn, roundEnded } from '../guard/trail.js';
import type { Criterion } from '../protocol/criteria.js';
import { wholeCriteria, type SubTask } from '../protocol/plan.js';
import { ask, started, type ControllerDecision, type Step } from './asking.js';
import type { SubTaskOutcome } from './events.js';
import { finalResult } from './final.js';
import { message } from './message.js';
import { askForPlan } from './planning.js';
import { tellMemory } from './to-memory.js';
import type { ControllerState } from './state.js';

/**
 * Closes the round: its trail is compared with the round before, then the time is asked for where the policy
 * says so, else the round is evaluated.
 */
export function closeRound(step: Step, context: Context): ControllerDecision {
  const { setup, round, costs, trail } = started(step.state);
  step.emit({ t: 'round_closed', last_round: roundEnded(trail, (calls) => context.hash(calls)).last_round });
  if (setup.policy.clock === 'stamps') return evaluateRound(step, context);
  ask(step, 'clock', { round }, null, costs.depth);
  return step.done();
}

/** Evaluates the round: a directive that ends the task ends the run; any other goes to the planner. */
export function evaluateRound(step: Step, context: Context): ControllerDecision {
  const state = started(step.state);
  const evaluation = evaluateGgs(state.setup.policy.ggs, roundInput(state));
  const payload: Json = { round: state.round, directive: evaluation.directive, reason: evaluation.reason };
  const node = nodeIdIn(context, 'decision', payload);
  const graph = {
    nodes: [{ kind: 'decision' as const, payload }],
    edges: state.node === null ? [] : [{ kind: 'depends_on' as const, from_id: node, to_id: state.node }],
  };
  if (!isTerminal(evaluation.directive)) {
    step.emit(message('R7', 'R2', 'PlanDirective', { round: state.round, evaluation, node }));
    tellMemory(step, state, evaluation);
    askForPlan(step, evaluation);
    return step.done({ graph });
  }
  const result = finalResult(state, evaluation);
  step.emit(message('R7', 'user', 'FinalResult', result));
  tellMemory(step, state, evaluation);
  const withdraw = step.state.waiting.sorted().map(([id]) => id);
  const outcome =
    evaluation.directive === 'abandon'
      ? { status: 'refused' as const, reasons: [evaluation.reason] }
      : { status: 'success' as const, reasons: [] };
  return step.done({ graph, withdraw, artifacts: { final_result: result, evaluation }, outcome });
}

/** What the solver is given of a round. */
function roundInput(state: ControllerState): GgsInput {
  const { policy } = started(state).setup;
  const { plan, merged, trail, given_up, time, task, history, round } = state;
  const failing = failingOutcomes(state);
  const guard = loopIn(trail, policy.guard);
  const start = time.start_us ?? 0;
  const deadline = task?.constraints.deadline_us ?? null;
  const targets = failing.flatMap(({ used }) => used);
  return {
    criteria: criteriaOf(state),
    failed_subtasks: failing.filter(({ status }) => status === 'failed').map(({ subtask }) => subtask),
    r4b_rejected: merged?.rejected ?? false,
    all_matched: plan !== null && merged !== null && merged.asked && !merged.rejected && failing.length === 0,
    replan_count: round,
    elapsed_us: time.now_us === null ? 0 : time.now_us - start,
    deadline_us: deadline === null ? null : Math.max(0, deadline - start),
    failing_tools: targets.map(({ tool }) => ({
      tool,
      class: policy.tools.find(({ name }) => name === tool)?.class ?? null,
    })),
    failing_targets: targets.filter(({ target }) => target !== '*'),
    tools: policy.tools
      .filter(({ available }) => available)
      .map((tool) => ({ tool: tool.name, class: tool.class })),
    history,
    guard: guard === null ? null : { code: guard },
    abandon_now: given_up === null ? null : { code: given_up.code },
  };
}

/**
 * Outcomes whose tools and inputs count as failing; after a rejection by R4b all of them, since then the
 * whole of it failed.
 */
function failingOutcomes({ plan, progress, merged }: ControllerState): readonly SubTaskOutcome[] {
  const outcomes = (plan?.subtasks ?? []).flatMap(({ id }) => progress.get(id)?.outcome ?? []);
  return merged?.rejected === true ? outcomes : outcomes.filter(({ status }) => status === 'failed');
}

/**
 * Every criterion of the plan: those of sub-tasks, then those of the task, judged or not (dec-G5, dec-G6).
 * Where a sub-task failed and R4b was not asked, nobody knows whether the task's criteria are met: left out,
 * they would let a task be close enough that nobody looked at.
 */
function criteriaOf({ plan, progress, merged, task }: ControllerState): readonly GgsCriterion[] {
  if (plan === null) return [];
  const own = plan.subtasks.flatMap((subtask) =>
    subtask.criteria.map((criterion) =>
      subTaskCriterion(subtask, criterion, progress.get(subtask.id)?.outcome ?? null),
    ),
  );
  const isAsked = merged?.asked === true;
  const verdicts = new Map((merged?.verdicts ?? []).map((verdict) => [verdict.criterion, verdict] as const));
  const whole = isAsked ? wholeCriteria(plan, task?.intent ?? '') : plan.task_criteria;
  const ofTask = whole.map((criterion): GgsCriterion => {
    const { id, text, mode, hard } = criterion;
    const base = { id, text, scope: 'task' as const, subtask: null, mode, hard, attempts: 1 };
    if (!isAsked) return { ...base, failed_attempts: 1, verdict: 'not_run', failure_class: null };
    const found = verdicts.get(id);
    if (found?.verdict === 'pass')
      return { ...base, failed_attempts: 0, verdict: 'pass', failure_class: null };
    // What is ambiguous and was given no class failed for want of evidence: the approach did not show it.
    return found === undefined
      ? { ...base, failed_attempts: 1, verdict: 'none', failure_class: null }
      : { ...base, failed_attempts: 1, verdict: 'fail', failure_class: found.failure_class ?? 'logical' };
  });
  return [...own, ...ofTask];
}

function subTaskCriterion(
  { id: subtask }: SubTask,
  { id, text, mode, hard }: Criterion,
  outcome: SubTaskOutcome | null,
): GgsCriterion {
  const attempts = outcome?.trajectory.length ?? 1;
  const verdict = outcome?.verdicts.find(({ criterion }) => criterion === id);
  const base = { id, text, scope: 'subtask' as const, subtask, mode, hard, attempts };
  if (verdict === undefined)
    return {
      ...base,
      failed_attempts: attempts,
      verdict: outcome === null ? 'not_run' : 'none',
      failure_class: null,
    };
  if (verdict.verdict === 'pass')
    return { ...base, failed_attempts: 0, verdict: 'pass', failure_class: null };
  // An attempt that was not judged met nothing.
  const failed = (outcome?.trajectory ?? []).filter(
    ({ unmet, score_ppm }) => unmet.includes(id) || (unmet.length === 0 && score_ppm === 0),
  ).length;
  return {
    ...base,
    failed_attempts: Math.max(1, failed),
    verdict: 'fail',
    failure_class: verdict.failure_class ?? 'logical',
  };
}
