/**
 * From a task to a plan: what a planner is asked, and which plans are turned away. Source: 003 §R2; 002 "Key
 * Invariants"; dec-G10.
 */
import { cutText, type Context, type Rejection } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import type { Criterion } from '../protocol/criteria.js';
import { filesNamed } from '../protocol/claims.js';
import { numbered, type Plan, type PlanDraft, type SubTaskDraft } from '../protocol/plan.js';
import { UNMET_SHOWN, type LastRound, type MustNot, type PlanBody } from '../protocol/requests.js';
import type { Tool } from '../protocol/tools.js';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import type { Policy } from '../policy/policy.js';
import { ask, started, type ControllerDecision, type Step, message, deriveId, planNode } from './asking.js';
import type { ControllerState } from './state.js';
import { bearing, findCaution } from './dispatch.js';

/** Asks for the plan of this round. `evaluation`: that of the round before, null in the first. */
export function askForPlan(step: Step, evaluation: GgsEvaluation | null): ControllerDecision {
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
    last: evaluation === null ? null : lastRound(state),
    keep: listKept(state.plan).map(({ id, text }) => ({ id, text })),
    must_not: { tools: bears.forbidden_tools, targets: bears.forbidden_targets, rules: bears.constraints },
    prefer: { tools: bears.preferred_tools, practices: bears.practices },
    caution: findCaution(bears),
    tools: policy.tools.map(toolSeen),
    limits: { subtasks: policy.limits.subtasks, criteria: policy.limits.criteria },
  };
  ask(step, 'plan', body, null, state.costs.depth);
  return step.done();
}

/** What a planner sees of a directive: what to change and why, none of the figures that depend on time. */
function directiveSeen({
  directive,
  failed_criterion,
  failure_class,
  unmet,
}: GgsEvaluation): PlanBody['directive'] {
  return {
    directive,
    failed_criterion: failed_criterion?.text ?? '',
    failure_class,
    unmet: unmet.slice(0, UNMET_SHOWN).flatMap(({ text }) => text ?? []),
  };
}

/** What came of the round before, for whoever plans the next (calls/C7). */
function lastRound({ plan, progress, merged }: ControllerState): LastRound {
  const subtasks = (plan?.subtasks ?? []).flatMap(({ id, intent }) => {
    const outcome = progress.get(id)?.outcome ?? null;
    return outcome === null
      ? []
      : [{ intent, status: outcome.status, reason: outcome.reason, calls: outcome.calls }];
  });
  return { subtasks, gap_summary: merged?.gap_summary ?? '' };
}

function toolSeen({ name, class: of, reversible, schema }: Tool): PlanBody['tools'][number] {
  return { name, class: of, reversible, about: cutText(readText(schema, 'description'), ABOUT_UNITS) };
}

/** Units of a tool's description that a planner reads. */
const ABOUT_UNITS = 200;

/** The hard criteria of the task in the plan before: a later plan must have each of them (Law 0). */
function listKept(before: Plan | null): readonly Criterion[] {
  return before === null ? [] : before.task_criteria.filter(({ hard }) => hard);
}

/** Takes a plan: its ids are the machine's (dec-G20), and the dispatcher has it. */
export function takePlan(step: Step, draft: PlanDraft, context: Context): void {
  const plan = numbered(draft, step.state.round);
  step.emit(message('R2', 'dispatcher', 'DispatchManifest', plan));
  step.emit({ t: 'rests_on', node: deriveId(planNode(plan, context), context) });
}

/**
 * Why a plan may not be used, before anything of it is done; null where it may. The first that applies, in the order
 * of the plan: `no_subtasks`, `too_many_subtasks`, `too_many_criteria`, `criterion_dropped` (a hard criterion of the
 * task stays one in every later plan: Law 0), `unknown_practice`, `no_criteria`, `no_tools` (unless words are enough),
 * `words_of_file` (words alone, where a criterion names a file), `unknown_tool`, `blocked_tool`; the detail names
 * sub-task and tool. Source: 002 "Key Invariants"; law-G11.
 */
export function planFault(
  draft: PlanDraft,
  must_not: MustNot,
  {
    policy,
    before,
    practices,
  }: {
    readonly policy: Policy;
    readonly before: Plan | null;
    readonly practices: number;
  },
): Rejection | null {
  const { subtasks, task_criteria, follows } = draft;
  const { limits } = policy;
  if (subtasks.length === 0) return { code: 'no_subtasks', detail: null };
  if (subtasks.length > limits.subtasks)
    return { code: 'too_many_subtasks', detail: { got: subtasks.length, limit: limits.subtasks } };
  if (task_criteria.length > limits.criteria)
    return {
      code: 'too_many_criteria',
      detail: { subtask: null, got: task_criteria.length, limit: limits.criteria },
    };
  const dropped = listKept(before).find(
    ({ text }) => !task_criteria.some((kept) => kept.hard && kept.text === text),
  );
  if (dropped !== undefined) return { code: 'criterion_dropped', detail: { text: dropped.text } };
  const unknown = follows.find((practice) => practice >= practices);
  if (unknown !== undefined) return { code: 'unknown_practice', detail: { practice: unknown, practices } };
  for (const [index, subtask] of subtasks.entries()) {
    const fault = subtaskFault(subtask, must_not, policy);
    if (fault !== null) return { code: fault.code, detail: { subtask: index, ...fault.detail } };
  }
  return null;
}

type SubTaskFault = { readonly code: string; readonly detail: { readonly [key: string]: string | number } };

function subtaskFault(
  { success_criteria, tools: used, words }: SubTaskDraft,
  must_not: MustNot,
  { limits, tools }: Policy,
): SubTaskFault | null {
  if (success_criteria.length === 0) return { code: 'no_criteria', detail: {} };
  if (success_criteria.length > limits.criteria)
    return { code: 'too_many_criteria', detail: { got: success_criteria.length, limit: limits.criteria } };
  if (words && success_criteria.some(({ text }) => filesNamed(text).length > 0))
    return { code: 'words_of_file', detail: {} };
  if (used.length === 0 && !words) return { code: 'no_tools', detail: {} };
  for (const tool of used) {
    if (!tools.some(({ name }) => name === tool)) return { code: 'unknown_tool', detail: { tool } };
    if (must_not.tools.includes(tool)) return { code: 'blocked_tool', detail: { tool } };
  }
  return null;
}
