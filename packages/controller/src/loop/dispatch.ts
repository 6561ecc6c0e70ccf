/**
 * Work by groups: sub-tasks of one sequence number run in parallel, the next group gets their outputs. What
 * cannot be undone, and what memory is of two minds about, a person confirms first. Source: 003 §R2
 * "sequence", §9 Law 1; 002 "Action mapping"; dec-B9.
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
  for (const subtask of plan.subtasks.filter(({ sequence }) => sequence === next))
    beginSubTask(step, subtask, depth);
  return true;
}

function beginSubTask(step: Step, subtask: SubTask, depth: number): void {
  const { actions, why } = confirmationFor(step, subtask);
  if (actions.length === 0) return execute(step, subtask, { attempt: 0, correction: null, depth });
  askToConfirm(step, subtask, { attempt: null, actions, why, depth });
}

/** What a person is asked to allow. */
type Asking = {
  readonly attempt: number | null;
  readonly actions: readonly Target[];
  readonly why: ConfirmBody['why'];
  readonly depth: number;
};

/** Asks a person; nothing of what is asked about is done before there is an answer. */
export function askToConfirm(
  step: Step,
  { id, intent }: SubTask,
  { attempt, actions, why, depth }: Asking,
): void {
  step.emit(message('dispatcher', 'user', 'ConfirmationRequest', { subtask: id, attempt, actions }));
  ask(step, 'confirm', { subtask: id, intent, attempt, actions, why }, id, depth);
}

/** What a person must allow before this sub-task begins. */
function confirmationFor(step: Step, subtask: SubTask): Pick<Asking, 'actions' | 'why'> {
  const { setup } = started(step.state);
  const permanent = subtask.uses.filter(({ tool }) =>
    setup.policy.tools.some(({ name, reversible }) => name === tool && !reversible),
  );
  // A tool that only looks or searches changes nothing: being of two minds about it is no reason to keep a
  // person waiting.
  const doubtful = touches(subtask, cautionOf(bearing(step.state))).filter(
    ({ tool }) =>
      !setup.policy.tools.some(({ name, class: of }) => name === tool && (of === 'read' || of === 'search')),
  );
  const actions = subtask.uses.filter((use) => permanent.includes(use) || doubtful.includes(use));
  return {
    actions,
    why: [
      ...(permanent.length > 0 ? (['irreversible'] as const) : []),
      ...(doubtful.length > 0 ? (['caution'] as const) : []),
    ],
  };
}

/**
 * Hears a person's answer: an approval lets the attempt go on, anything else ends the sub-task for reasons of
 * its surroundings (dec-B9).
 */
export function confirmed(
  step: Step,
  { subtask: id, actions, attempt }: ConfirmBody,
  approved: boolean,
  depth: number,
): void {
  const subtask = subTask(step, id);
  step.emit(message('user', 'dispatcher', 'Confirmation', { subtask: id, actions, approved }));
  if (approved) return execute(step, subtask, { attempt: attempt ?? 0, correction: null, depth });
  step.emit(
    message(
      'dispatcher',
      'R4b',
      'SubTaskOutcome',
      failedOutcome(step.state, subtask, { reason: 'not_confirmed', infrastructure: true, verdicts: [] }),
    ),
  );
}

/** Hands a sub-task, or another attempt at it, to the executor. */
export function execute(
  step: Step,
  subtask: SubTask,
  {
    attempt,
    correction,
    depth,
  }: { readonly attempt: number; readonly correction: Correction | null; readonly depth: number },
): void {
  const { plan, progress } = planned(step.state);
  const { forbidden_tools: tools, forbidden_targets: targets } = bearing(step.state);
  step.emit(message('dispatcher', 'R3', 'SubTask', { subtask: subtask.id, attempt }));
  const { id, intent, context, criteria, uses, sequence } = subtask;
  const prior = plan.subtasks
    .filter((other) => other.sequence < sequence)
    .map((other) => ({ subtask: other.id, output: progress.get(other.id)?.outcome?.output ?? '' }));
  const allowed = (step.state.progress.get(id) ?? NOT_BEGUN).confirmed;
  ask(
    step,
    'execute',
    {
      subtask: id,
      intent,
      context,
      criteria,
      uses,
      attempt,
      correction,
      prior,
      must_not: { tools, targets },
      confirmed: allowed,
    },
    id,
    depth,
  );
}

/** A sub-task of the plan by its id; a defect where there is none. */
export function subTask(step: Step, id: string): SubTask {
  const found = planned(step.state).plan.subtasks.find((subtask) => subtask.id === id);
  if (found === undefined) throw new RangeError(`no sub-task ${id} in the plan`);
  return found;
}
