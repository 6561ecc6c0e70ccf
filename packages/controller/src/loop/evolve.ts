/**
 * How events change the state. Total; a message changes it by its kind alone.
 *
 * @module
 */
import { absurd, type PersistentMap, type Spent } from '@assay/kernel';
import { followed } from '../guard/trail.js';
import { ROLE_OF } from '../protocol/asks.js';
import type { ControllerEvent, Message, Messages } from './events.js';
import { NOT_BEGUN, type Costs, type ControllerState, type Progress } from './state.js';

/** Folds an event. Total. */
export function evolve(state: ControllerState, event: ControllerEvent): ControllerState {
  switch (event.t) {
    case 'started':
      return { ...state, setup: event.setup, node: event.node };
    case 'continued':
      return { ...state, node: event.node };
    case 'answered':
      return {
        ...state,
        waiting: state.waiting.delete(event.id),
        time: later(state.time, event.at_us),
        costs: { ...state.costs, spent: sum(state.costs.spent, event.spent) },
      };
    case 'asked': {
      const { id, kind, subtask, depth } = event;
      return {
        ...state,
        waiting: state.waiting.set(id, { depth, kind, subtask }),
        costs: counted(state.costs, ROLE_OF[kind] === null || kind === 'recall', depth),
      };
    }
    case 'group_began':
      return { ...state, group: event.sequence };
    case 'round_closed':
      return {
        ...state,
        group: null,
        trail: {
          ...state.trail,
          round: [],
          last_round: event.last_round,
          same_rounds: isSameRound(state, event.last_round) ? state.trail.same_rounds + 1 : 0,
        },
      };
    case 'message':
      return heard(state, event);
    default:
      return absurd(event);
  }
}

function heard(state: ControllerState, message: Message): ControllerState {
  switch (message.kind) {
    case 'TaskSpec':
      return { ...state, task: message.body };
    case 'MemoryRecall':
      return { ...state, recall: message.body };
    case 'DispatchManifest':
      return { ...state, plan: message.body, group: null, merged: null, progress: cleared(state.progress) };
    case 'PerceptionFailure':
    case 'PlanFailure':
      return { ...state, given_up: { code: message.body.code, why: message.body.why } };
    case 'Confirmation':
      return moved(state, message.body.subtask, (progress) => ({
        ...progress,
        confirmed: message.body.approved
          ? [...progress.confirmed, ...message.body.actions]
          : progress.confirmed,
      }));
    case 'ConfirmationRequest':
      return moved(state, message.body.subtask, (progress) => ({
        ...progress,
        held_back: message.body.attempt,
      }));
    case 'SubTask':
      return moved(state, message.body.subtask, (progress) => ({
        ...progress,
        attempt: message.body.attempt,
      }));
    case 'ExecutionResult': {
      const { subtask, output, calls, failed_acts } = message.body;
      const trail = calls.reduce(
        (before, { triple }) => (triple === null ? before : followed(before, triple)),
        state.trail,
      );
      return moved(
        { ...state, trail },
        subtask,
        ({ attempt, confirmed, held_back, outcome, trajectory }) => ({
          attempt,
          confirmed,
          ...(failed_acts === undefined ? {} : { failed_acts }),
          held_back,
          outcome,
          result: { calls, output },
          trajectory,
        }),
      );
    }
    case 'CorrectionSignal':
      return moved(state, message.body.subtask, (progress) => ({
        ...progress,
        trajectory: [...progress.trajectory, message.body.trajectory],
      }));
    case 'SubTaskOutcome':
      return moved(state, message.body.subtask, (progress) => ({
        ...progress,
        trajectory: message.body.trajectory,
        outcome: message.body,
      }));
    case 'ReplanRequest': {
      const { merged_output, summary, verdicts, rejected } = message.body;
      return {
        ...state,
        merged: { asked: verdicts.length > 0 || rejected, merged_output, rejected, summary, verdicts },
      };
    }
    case 'OutcomeSummary': {
      const { merged_output, summary, verdicts } = message.body;
      return { ...state, merged: { asked: true, merged_output, rejected: false, summary, verdicts } };
    }
    case 'PlanDirective':
      return directed(state, message.body);
    case 'FinalResult':
      return { ...state, ended: true };
    case 'UserInput':
    case 'MemoryQuery':
    case 'Megram':
      return state;
    default:
      return absurd(message);
  }
}

/**
 * The work of the round stays until there is another plan: where none comes, it is what the task has reached
 * (Law 2, dec-G17).
 */
function directed(
  state: ControllerState,
  { round, evaluation, node }: Messages['PlanDirective'],
): ControllerState {
  const { directive, blocked_tools, blocked_classes, history, gap_trend } = evaluation;
  // A round that came closer was no loop: what was called until then counts no more (B.3 item 2: progress,
  // not counts).
  const trail = gap_trend === 'improving' ? { ...state.trail, calls: [], same_rounds: 0 } : state.trail;
  return {
    ...state,
    round: round + 1,
    history,
    directive: { blocked_classes, blocked_tools, directive },
    node,
    trail,
    group: null,
    given_up: null,
  };
}

function moved(
  state: ControllerState,
  subtask: string,
  change: (progress: Progress) => Progress,
): ControllerState {
  return {
    ...state,
    progress: state.progress.set(subtask, change(state.progress.get(subtask) ?? NOT_BEGUN)),
  };
}

function cleared(progress: PersistentMap<Progress>): PersistentMap<Progress> {
  return progress.sorted().reduce((left, [id]) => left.delete(id), progress);
}

function isSameRound({ trail }: ControllerState, last_round: string | null): boolean {
  return last_round !== null && last_round === trail.last_round;
}

/** Time only moves forward: a stamp behind the latest one counts as the latest (K42). */
function later(time: ControllerState['time'], at_us: number | null): ControllerState['time'] {
  if (at_us === null || (time.now_us !== null && at_us <= time.now_us)) return time;
  return { now_us: at_us, start_us: time.start_us ?? at_us };
}

function counted(costs: Costs, isFree: boolean, depth: number): Costs {
  return isFree ? costs : { ...costs, calls: costs.calls + 1, depth: Math.max(costs.depth, depth) };
}

/** Amounts by unit, held at the greatest exact integer. */
function sum(before: Spent, more: Spent): Spent {
  if (Object.keys(more).length === 0) return before;
  const total = new Map(Object.entries(before));
  for (const [unit, amount] of Object.entries(more))
    total.set(unit, Math.min((total.get(unit) ?? 0) + amount, Number.MAX_SAFE_INTEGER));
  return Object.fromEntries(total);
}
