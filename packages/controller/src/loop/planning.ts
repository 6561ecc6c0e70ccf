/**
 * From a task to a plan: what a planner is asked, and which plans are turned away. Source: 003 §R2; 002 "Key
 * Invariants"; dec-G10.
 *
 * @module
 */
import { err, ok, type Rejection, type Result } from '@assay/kernel';
import type { Criterion } from '../protocol/criteria.js';
import { isBlocked } from '../protocol/blocked.js';
import { ANY_TARGET, numbered, type Plan, type PlanDraft, type SubTaskDraft } from '../protocol/plan.js';
import type { DirectiveSeen, MustNot } from '../protocol/asks.js';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import type { Policy } from '../policy/policy.js';
import { ask, started, type Step } from './asking.js';
import { message } from './message.js';
import { bearing, cautionOf } from './must-not.js';

/** Unmet criteria that a planner is told of. */
const UNMET_SHOWN = 32;

/** Asks for the plan of this round. `evaluation`: that of the round before, null in the first. */
export function askForPlan(step: Step, evaluation: GgsEvaluation | null): void {
  const state = started(step.state);
  const { policy, input } = state.setup;
  const { label, intent, constraints } = state.task ?? {
    label: '',
    intent: '',
    constraints: { scope: null, deadline_us: null },
  };
  const bears = bearing(state);
  const body = {
    round: state.round,
    task: { label, intent, constraints },
    text: input.text,
    directive: evaluation === null ? null : directiveSeen(evaluation),
    keep: keptOf(state.plan).map(({ id, text }) => ({ id, text })),
    must_not: { tools: bears.forbidden_tools, targets: bears.forbidden_targets, rules: bears.constraints },
    prefer: { tools: bears.preferred_tools, practices: bears.practices },
    caution: cautionOf(bears),
    tools: policy.tools,
    limits: { subtasks: policy.limits.subtasks, criteria: policy.limits.criteria },
  };
  ask(step, 'plan', body, null, state.costs.depth);
}

/** What a planner sees of a directive: what to change and why, none of the figures that depend on time. */
function directiveSeen({ directive, failed_criterion, failure_class, unmet }: GgsEvaluation): DirectiveSeen {
  return {
    directive,
    failed_criterion: failed_criterion?.text ?? '',
    failure_class,
    unmet: unmet.slice(0, UNMET_SHOWN).flatMap(({ text }) => text ?? []),
  };
}

/** The hard criteria of the task in the plan before: a later plan must have each of them (Law 0). */
function keptOf(before: Plan | null): readonly Criterion[] {
  return before === null ? [] : before.task_criteria.filter(({ hard }) => hard);
}

/** Takes a plan: its ids are the machine's (dec-G20), and the dispatcher has it. */
export function takePlan(step: Step, draft: PlanDraft): void {
  step.emit(message('R2', 'dispatcher', 'DispatchManifest', numbered(draft, step.state.round)));
}

/**
 * Turns a plan away that may not be used, before anything of it is done. The first that applies, in the order
 * of the plan: `no_subtasks`, `too_many_subtasks`, `too_many_criteria`, `criterion_dropped` (a hard criterion
 * of the task stays one in every later plan: Law 0), `no_criteria`, `unknown_tool`, `unavailable_tool`,
 * `irreversible_without_target` (a person confirms one action, 003 §9), `blocked_tool`, `blocked_target`; the
 * detail names sub-task and tool. Source: 002 "Key Invariants"; law-G11.
 */
export function checkPlan(
  draft: PlanDraft,
  must_not: MustNot,
  { policy, before }: { readonly policy: Policy; readonly before: Plan | null },
): Result<Rejection, PlanDraft> {
  const { subtasks, task_criteria } = draft;
  const { limits } = policy;
  if (subtasks.length === 0) return err({ code: 'no_subtasks', detail: null });
  if (subtasks.length > limits.subtasks)
    return err({ code: 'too_many_subtasks', detail: { got: subtasks.length, limit: limits.subtasks } });
  if (task_criteria.length > limits.criteria)
    return err({
      code: 'too_many_criteria',
      detail: { subtask: null, got: task_criteria.length, limit: limits.criteria },
    });
  const dropped = keptOf(before).find(
    ({ text }) => !task_criteria.some((kept) => kept.hard && kept.text === text),
  );
  if (dropped !== undefined) return err({ code: 'criterion_dropped', detail: { text: dropped.text } });
  for (const [index, subtask] of subtasks.entries()) {
    const fault = subtaskFault(subtask, must_not, policy);
    if (fault !== null) return err({ code: fault.code, detail: { subtask: index, ...fault.detail } });
  }
  return ok(draft);
}

type SubTaskFault = { readonly code: string; readonly detail: { readonly [key: string]: string | number } };

function subtaskFault(
  { success_criteria, uses }: SubTaskDraft,
  must_not: MustNot,
  { limits, tools }: Policy,
): SubTaskFault | null {
  if (success_criteria.length === 0) return { code: 'no_criteria', detail: {} };
  if (success_criteria.length > limits.criteria)
    return { code: 'too_many_criteria', detail: { got: success_criteria.length, limit: limits.criteria } };
  for (const { tool, target } of uses) {
    const known = tools.find(({ name }) => name === tool);
    if (known === undefined) return { code: 'unknown_tool', detail: { tool } };
    if (!known.available) return { code: 'unavailable_tool', detail: { tool } };
    if (!known.reversible && target === ANY_TARGET)
      return { code: 'irreversible_without_target', detail: { tool } };
    if (must_not.tools.includes(tool)) return { code: 'blocked_tool', detail: { tool } };
    if (target !== ANY_TARGET && isBlocked({ tool, target }, must_not.targets))
      return { code: 'blocked_target', detail: { tool, target } };
  }
  return null;
}
