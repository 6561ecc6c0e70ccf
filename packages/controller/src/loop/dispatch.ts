/**
 * Work by groups: sub-tasks of one sequence number run side by side, the next group gets their outputs; the calls
 * that are left are shared out when a group begins. Before that, what bears on a plan: what memory advises and the
 * solver blocked, merged by memory's own rule (dec-M6). Source: 003 §R2 "sequence", "MUST NOT Set"; dec-G15, dec-G16,
 * dec-M4; calls/C1, C4.
 *
 * @module
 */
import { utf8Length, type Context, type Digest } from '@assay/kernel';
import type { SubTask } from '../protocol/plan.js';
import { ask, planned, started, type Step, message } from './asking.js';
import { describeProgress, type ControllerState } from './state.js';
import { findBearing, type Bearing } from './bearing.js';
import { NO_RECALL } from '../protocol/recall.js';
import type { Target } from '../protocol/tools.js';

/** Starts the group with the lowest sequence number above `after`; false where there is none. */
export function dispatchNext(step: Step, after: number, context: Context): boolean {
  const { plan, costs, setup } = planned(step.state);
  const sequences = plan.subtasks.map(({ sequence }) => sequence).filter((sequence) => sequence > after);
  if (sequences.length === 0) return false;
  const next = Math.min(...sequences);
  const group = plan.subtasks.filter(({ sequence }) => sequence === next);
  const { calls, task_calls } = setup.policy.limits;
  const share = Math.floor(Math.max(0, task_calls - costs.tool_calls) / group.length);
  step.emit({ t: 'group_began', sequence: next });
  for (const subtask of group) begin(step, subtask, Math.min(calls, share), context, costs.depth);
  return true;
}

function begin(step: Step, subtask: SubTask, calls: number, context: Context, depth: number): void {
  const { plan, progress } = planned(step.state);
  const { id, sequence } = subtask;
  const prior = plan.subtasks
    .filter((other) => other.sequence < sequence)
    .map((other) => progress.get(other.id)?.outcome?.output ?? '');
  const seen = {
    calls: 0,
    digest: prior.length === 0 ? null : context.hash({ prior }),
    bytes: prior.reduce((sum, output) => sum + utf8Length(output), 0),
  };
  const task = deriveTask(step, subtask, context);
  step.emit(message('dispatcher', 'R3', 'SubTask', { subtask: id, task, calls, seen }));
  askStep(step, id, depth);
}

/** What an executor is told of a sub-task, as a digest: another task, another body (calls/C1). */
function deriveTask(
  step: Step,
  { intent, context: given, criteria, tools }: SubTask,
  context: Context,
): Digest {
  const { forbidden_tools, forbidden_targets } = bearing(started(step.state));
  const must_not = { tools: forbidden_tools, targets: forbidden_targets };
  return context.hash({ intent, context: given, criteria, tools, must_not });
}

/** Asks for the next move of a sub-task. */
export function askStep(step: Step, id: string, depth: number): void {
  const { task, attempt, seen } = describeProgress(step.state, id);
  ask(step, 'step', { subtask: id, task, attempt, seen }, id, depth);
}

/**
 * How memory and the last directive bear on this round. A tool whose class is blocked is blocked by its name:
 * the solver lists both.
 */
export function bearing({
  recall,
  history,
  directive,
}: Pick<ControllerState, 'recall' | 'history' | 'directive'>): Bearing {
  return findBearing(recall ?? NO_RECALL, {
    tools: directive?.blocked_tools ?? [],
    targets: history.blocked_targets,
  });
}

/** Tools about which memory is of two minds, on any input, and single targets: `*` stands for any. */
export function findCaution({ caution_targets, caution_tools }: Bearing): readonly Target[] {
  return [...caution_tools.map((tool) => ({ tool, target: '*' })), ...caution_targets];
}
