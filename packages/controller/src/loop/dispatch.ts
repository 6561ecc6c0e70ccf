/**
 * Work by groups: sub-tasks of one sequence number run in parallel, the next group gets their outputs. What cannot be undone, and what
 * memory is of two minds about, a person confirms first. Source: 003 §R2 "sequence", §9 Law 1; 002 "Action mapping"; dec-B9.
 *
 * @module
 */
import type { ConfirmBody, Correction } from '../protocol/asks.js';
import type { SubTask } from '../protocol/plan.js';
import type { Target } from '../protocol/tools.js';
import { ask, planned, started, type Step } from './asking.js';
import { message } from './message.js';
import { bearing, cautionOf, touches } from './must-not.js';
import { NOT_BEGUN } from './state.js';
import { failedOutcome } from './outcome.js';

/** Starts the group with the lowest sequence number above `after`; false where there is none. */
export function dispatchNext(step: Step, after: number): boolean {
  const { plan, costs } = planned(step.state);
  const sequences = plan.subtasks.map(({ sequence }) => sequence).filter((sequence) => sequence > after);
  if (sequences.length === 0) return false;
  const next = Math.min(...sequences);
  const depth = costs.depth;
  step.emit({ t: 'group_began', sequence: next });
  for (const subtask of plan.subtasks.filter(({ sequence }) => sequence === next)) beginSubTask(step, subtask, depth);
  return true;
}

function beginSubTask(step: Step, subtask: SubTask, depth: number): void {
  const body = confirmationFor(step, subtask);
  if (body === null) return execute(step, subtask, { attempt: 0, correction: null, depth });
  step.emit(message('dispatcher', 'user', 'ConfirmationRequest', { subtask: subtask.id, actions: body.actions }));
  ask(step, 'confirm', body, subtask.id, depth);
}

/** What a person must allow before this sub-task begins; null where nothing needs it. */
function confirmationFor(step: Step, subtask: SubTask): ConfirmBody | null {
  const { setup } = started(step.state);
  const permanent = subtask.uses.filter(({ tool }) => setup.policy.tools.some(({ name, reversible }) => name === tool && !reversible));
  const doubtful = touches(subtask, cautionOf(bearing(step.state)));
  const actions = subtask.uses.filter((use) => permanent.includes(use) || doubtful.includes(use));
  if (actions.length === 0) return null;
  return { subtask: subtask.id, intent: subtask.intent, actions, why: [...(permanent.length > 0 ? (['irreversible'] as const) : []), ...(doubtful.length > 0 ? (['caution'] as const) : [])] };
}

/** Hears a person's answer: an approval starts the sub-task, anything else ends it for reasons of its surroundings (dec-B9). */
export function confirmed(step: Step, id: string, approved: boolean, depth: number): void {
  const subtask = subTask(step, id);
  step.emit(message('user', 'dispatcher', 'Confirmation', { subtask: id, approved }));
  if (approved) return execute(step, subtask, { attempt: 0, correction: null, depth });
  step.emit(message('dispatcher', 'R4b', 'SubTaskOutcome', failedOutcome(step.state, subtask, { reason: 'not_confirmed', infrastructure: true, verdicts: [] })));
}

/** Hands a sub-task, or another attempt at it, to the executor. */
export function execute(step: Step, subtask: SubTask, { attempt, correction, depth }: { readonly attempt: number; readonly correction: Correction | null; readonly depth: number }): void {
  const { plan, progress } = planned(step.state);
  const { forbidden_tools: tools, forbidden_targets: targets } = bearing(step.state);
  step.emit(message('dispatcher', 'R3', 'SubTask', { subtask: subtask.id, attempt }));
  const { id, intent, context, criteria, uses, sequence } = subtask;
  const prior = plan.subtasks.filter((other) => other.sequence < sequence).map((other) => ({ subtask: other.id, output: progress.get(other.id)?.outcome?.output ?? '' }));
  const allowed = (step.state.progress.get(id) ?? NOT_BEGUN).confirmed;
  ask(step, 'execute', { subtask: id, intent, context, criteria, uses, attempt, correction, prior, must_not: { tools, targets }, confirmed: allowed }, id, depth);
}

/** A sub-task of the plan by its id; a defect where there is none. */
export function subTask(step: Step, id: string): SubTask {
  const found = planned(step.state).plan.subtasks.find((subtask) => subtask.id === id);
  if (found === undefined) throw new RangeError(`no sub-task ${id} in the plan`);
  return found;
}

/** Targets of a list that a call went to. */
export function isAmong({ tool, target }: Target, list: readonly Target[]): boolean {
  return list.some((other) => other.tool === tool && other.target === target);
}
