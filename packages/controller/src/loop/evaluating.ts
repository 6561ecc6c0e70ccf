/**
 * The end of a round: everything that was found is given to the solver, and its directive is carried out.
 * What R7 tells a memory about a round. Fire and forget: whoever hosts the run hands it on, and nothing here
 * waits for it. Source: 002 §R7; dec-G5; dec-G6; dec-G9; dec-G10; dec-G19; law-G12; 002 §R7 "Skills"; §6b;
 * dec-M1 to dec-M3; dec-M18; dec-M20; calls/C11.
 */
import type { Context, Digest } from '@assay/kernel';
import { evaluateGgs } from '../ggs/evaluate.js';
import type { GgsCriterion, GgsInput, GgsTool } from '../ggs/input.js';
import { isTerminal } from '../ggs/table.js';
import { isNoOpLoop, roundEnded } from '../guard/trail.js';
import type { CallSeen } from '../protocol/claims.js';
import type { Criterion } from '../protocol/criteria.js';
import { wholeCriteria, type SubTask } from '../protocol/plan.js';
import {
  ask,
  started,
  type ControllerDecision,
  type Step,
  message,
  deriveId,
  outcomeNode,
  withNodes,
  type Noted,
} from './asking.js';
import type { SubTaskOutcome } from './events.js';
import { finalResult } from './final.js';
import { askForPlan } from './planning.js';
import type { ControllerState, Started } from './state.js';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import { listMegrams } from '../memory/drafts.js';
import { isDirective } from '../memory/quantization.js';
import { intentSlug } from '../memory/tag.js';

/**
 * Closes the round: what it did is compared with the round before, then the time is asked for where the
 * policy says so, else the round is evaluated. `isOver`: nothing is asked any more.
 */
export function closeRound(
  step: Step,
  context: Context,
  { isOver = false }: { readonly isOver?: boolean } = {},
): ControllerDecision {
  const { setup, round, rounds, costs, plan, progress } = started(step.state);
  const acted = (plan?.subtasks ?? []).flatMap(({ id }) =>
    (progress.get(id)?.calls ?? []).flatMap(({ kind, triple }) => (kind === 'look' ? [] : [triple])),
  );
  step.emit({ t: 'round_closed', rounds: roundEnded(rounds, acted, (calls) => context.hash(calls)) });
  if (isOver || setup.policy.clock === 'stamps') return evaluateRound(step, context);
  ask(step, 'clock', { round }, null, costs.depth);
  return step.done();
}

/** Evaluates the round: a directive that ends the task ends the run; any other goes to the planner. */
export function evaluateRound(step: Step, context: Context): ControllerDecision {
  const state = started(step.state);
  const evaluation = evaluateGgs(state.setup.policy.ggs, roundInput(state));
  const decided = {
    kind: 'decision' as const,
    payload: { round: state.round, directive: evaluation.directive, reason: evaluation.reason },
  };
  const node = deriveId(decided, context);
  const noted: Noted = { node: decided, on: restsOn(state, context) };
  if (!isTerminal(evaluation.directive)) {
    step.emit(message('R7', 'R2', 'PlanDirective', { round: state.round, evaluation, node }));
    tellMemory(step, state, evaluation);
    tellMisled(step, state, evaluation);
    return withNodes(askForPlan(step, evaluation), [noted], context);
  }
  const result = finalResult(state, evaluation);
  step.emit(message('R7', 'user', 'FinalResult', result));
  if (evaluation.directive === 'abandon') tellMisled(step, state, evaluation);
  tellMemory(step, state, evaluation);
  const outcome =
    evaluation.directive === 'abandon'
      ? { status: 'refused' as const, reasons: [evaluation.reason] }
      : { status: 'success' as const, reasons: [] };
  const ended = { kind: 'artifact' as const, payload: { final_result: context.hash(result) } };
  return withNodes(
    step.done({ artifacts: { final_result: result, evaluation }, outcome }),
    [noted, { node: ended, on: [node] }],
    context,
  );
}

/** What a decision on a round rests on: what came of its sub-tasks, else what was there before. */
function restsOn({ node, plan, progress }: ControllerState, context: Context): readonly Digest[] {
  const outcomes = (plan?.subtasks ?? []).flatMap(({ id }) => {
    const at = progress.get(id);
    return at === undefined || at.outcome === null ? [] : [deriveId(outcomeNode(at.outcome, at), context)];
  });
  return outcomes.length > 0 || node === null ? outcomes : [node];
}

/** What the solver is given of a round. */
function roundInput(state: ControllerState): GgsInput {
  const begun = started(state);
  const { policy } = begun.setup;
  const { plan, merged, rounds, time, history, round } = state;
  const failing = failingOutcomes(state);
  const start = time.start_us ?? 0;
  const deadline = findDeadline(state);
  const made = failing.flatMap(({ subtask }) => state.progress.get(subtask)?.calls ?? []);
  return {
    criteria: listCriteria(state),
    failed_subtasks: failing.filter(({ status }) => status === 'failed').map(({ subtask }) => subtask),
    r4b_rejected: merged?.rejected ?? false,
    all_matched: plan !== null && merged !== null && merged.asked && !merged.rejected && failing.length === 0,
    replan_count: round,
    elapsed_us: time.now_us === null ? 0 : time.now_us - start,
    deadline_us: deadline === null ? null : Math.max(0, deadline - start),
    failing_tools: failingTools(begun, failing, made),
    failing_targets: made
      .filter(({ status }) => status === 'error' || status === 'timeout' || status === 'interrupted')
      .map(({ tool, target }) => ({ tool, target })),
    tools: policy.tools.map((tool) => ({ tool: tool.name, class: tool.class })),
    history,
    guard: isNoOpLoop(rounds, policy.guard) ? { code: 'no_op_loop' } : null,
    abandon_now: findStop(state),
  };
}

/** The first deadline there is: what R1 read, or what the run was given. */
function findDeadline({ setup, task }: ControllerState): number | null {
  const given = [task?.constraints.deadline_us, setup?.input.deadline_us].flatMap((at) => at ?? []);
  return given.length === 0 ? null : Math.min(...given);
}

/**
 * Tools that failing sub-tasks used: those of the calls that decided them. An act that ended well did what R3
 * decided, and speaks not against its tool (calls/C7). Literally: of all their calls.
 */
function failingTools(
  { setup, progress }: Started,
  failing: readonly SubTaskOutcome[],
  made: readonly CallSeen[],
): readonly GgsTool[] {
  const { tools, ggs } = setup.policy;
  const findClass = (name: string): string | null => tools.find((tool) => tool.name === name)?.class ?? null;
  const used =
    ggs.blocking_mode === 'literal'
      ? made
      : failing.flatMap(({ subtask, calls }) =>
          calls.filter(({ n, status }) => status !== 'ok' || progress.get(subtask)?.calls[n]?.kind !== 'act'),
        );
  return used.map(({ tool }) => ({ tool, class: findClass(tool) }));
}

/** What ends the task with this round, whatever its figures: Law 1 first. Source: calls/C7, calls/C8. */
function findStop({ breach, given_up, plan, progress }: ControllerState): GgsInput['abandon_now'] {
  if (breach !== null) return { code: 'law1_breach' };
  if (given_up !== null) return { code: given_up.code };
  const reasons = (plan?.subtasks ?? []).flatMap(({ id }) => progress.get(id)?.outcome?.reason ?? []);
  const code = ['not_confirmed', 'input_missing'].find((reason) => reasons.includes(reason));
  return code === undefined ? null : { code };
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
function listCriteria({ plan, progress, merged, task }: ControllerState): readonly GgsCriterion[] {
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

/** Tells memory about a round. `before`: the state in which the round was evaluated. */
export function tellMemory(step: Step, before: ControllerState, evaluation: GgsEvaluation): void {
  const { task, directive: last } = before;
  if (task === null) return;
  const { directive, blocked_tools, blocked_targets_added, failed_criterion, gap_trend } = evaluation;
  const prev =
    last !== null && isDirective(last.directive)
      ? { directive: last.directive, blocked_tools: last.blocked_tools }
      : null;
  const megrams = listMegrams({
    directive,
    intent: intentSlug(task.intent),
    blocked_tools,
    blocked_targets: blocked_targets_added,
    content: describeEnding(before, evaluation) ?? failed_criterion?.text ?? task.intent,
    prev,
    d_fell: gap_trend === 'improving',
  });
  if (megrams.length > 0) step.emit(message('R7', 'R5', 'Megram', { task: task.label, megrams }));
}

/** Tells which rules the plan of a round followed in vain. `before`: as for {@link tellMemory}. */
export function tellMisled(
  step: Step,
  { plan, recall, round }: ControllerState,
  { reason, failed_criterion }: GgsEvaluation,
): void {
  const practices = (recall?.rules ?? []).filter(({ sigma_ppm }) => sigma_ppm > 0);
  const rules = (plan?.follows ?? []).flatMap((at) => {
    const rule = practices[at];
    return rule === undefined ? [] : [{ rule: rule.id, space: rule.space, entity: rule.entity }];
  });
  if (rules.length === 0) return;
  const content = `${reason}: ${failed_criterion?.text ?? ''}`;
  step.emit(message('R2', 'R7', 'NegativeFeedback', { round, rules, content }));
}

/**
 * How a task ended, without any value of an input: of one that was done, the tools of each sub-task in order
 * with the shapes of their inputs, the rounds, and what was blocked; of one that was not, why and at which
 * tool. Null for a round that ends nothing.
 */
function describeEnding(
  { plan, progress, round, history }: ControllerState,
  { directive, reason }: GgsEvaluation,
): string | null {
  const subtasks = plan?.subtasks ?? [];
  if (directive === 'abandon') {
    const failed = subtasks.flatMap(({ id }) => progress.get(id)?.outcome ?? []);
    const [call] = failed.filter(({ status }) => status === 'failed').flatMap(({ calls }) => calls);
    return call === undefined ? reason : `${reason} at ${call.tool}`;
  }
  if (directive !== 'accept' && directive !== 'success') return null;
  const ways = subtasks.map(({ id }) => {
    const calls = (progress.get(id)?.calls ?? []).filter(({ status }) => status === 'ok');
    const steps = calls.map(({ tool, shape }) => `${tool}(${shape})`);
    return steps.filter((step, at) => step !== steps[at - 1]).join(' → ');
  });
  const blocked = history.blocked_targets.map(({ tool }) => tool);
  const parts = [
    ...ways.filter((way) => way !== ''),
    `rounds: ${round + 1}`,
    ...(blocked.length === 0 ? [] : [`blocked: ${[...new Set(blocked)].join(' ')}`]),
  ];
  return parts.join('; ');
}
