/** How events change the state. Total; a message changes it by its kind alone. */
import { absurd, PersistentMap, type Digest, type Spent } from '@assay/kernel';
import { findCast, type Seen } from '../protocol/requests.js';
import type { ControllerEvent, Message, Messages } from './events.js';
import type { Costs, ControllerState, Progress } from './state.js';

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
        costs: findCast(kind) === null ? state.costs : counted(state.costs, depth),
      };
    }
    case 'group_began':
      return { ...state, group: event.sequence };
    case 'round_closed':
      return { ...state, group: null, rounds: event.rounds };
    case 'queued':
      return moved(state, event.subtask, (progress) => ({ ...progress, queue: event.calls }));
    case 'called': {
      const { subtask, call, seen } = event;
      const next = moved(state, subtask, (progress) => ({
        ...progress,
        asked: null,
        calls: [...progress.calls, call],
        queue: call.status === 'ok' ? progress.queue.slice(1) : [],
        seen,
      }));
      return { ...next, costs: { ...next.costs, tool_calls: next.costs.tool_calls + 1 } };
    }
    case 'breached': {
      const { subtask, n } = event;
      const waiting = state.waiting.sorted().filter(([, { kind }]) => kind === 'call');
      return { ...state, breach: { subtask, n }, waiting: PersistentMap.from(waiting) };
    }
    case 'rests_on':
      return { ...state, node: event.node };
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
      return { ...state, plan: message.body, group: null, merged: null, progress: PersistentMap.empty() };
    case 'PerceptionFailure':
    case 'PlanFailure':
      return { ...state, given_up: { code: message.body.code, why: message.body.why } };
    case 'ConfirmationRequest':
      return moved(state, message.body.subtask, (progress) => ({
        ...progress,
        asked: { times: (progress.asked?.times ?? 0) + 1, allowed: null },
      }));
    case 'Confirmation': {
      const { subtask, approved, loses, target } = message.body;
      return moved(state, subtask, (progress) => ({
        ...progress,
        asked: { times: progress.asked?.times ?? 1, allowed: approved ? { loses, target } : null },
      }));
    }
    case 'SubTask': {
      const { subtask, task, calls, seen } = message.body;
      return { ...state, progress: state.progress.set(subtask, begun(task, calls, seen)) };
    }
    case 'ExecutionResult': {
      const { subtask, output, rests_on } = message.body;
      return moved(state, subtask, (progress) => ({ ...progress, claim: { output, rests_on } }));
    }
    case 'CorrectionSignal': {
      const { subtask, trajectory, seen } = message.body;
      return moved(state, subtask, (progress) => ({
        ...progress,
        attempt: progress.attempt + 1,
        queue: [],
        seen,
        trajectory: [...progress.trajectory, trajectory],
      }));
    }
    case 'SubTaskOutcome':
      return moved(state, message.body.subtask, (progress) => ({
        ...progress,
        asked: null,
        queue: [],
        trajectory: message.body.trajectory,
        outcome: message.body,
      }));
    case 'ReplanRequest': {
      const { merged_output, summary, verdicts, rejected, gap_summary } = message.body;
      const asked = verdicts.length > 0 || rejected;
      return { ...state, merged: { asked, gap_summary, merged_output, rejected, summary, verdicts } };
    }
    case 'OutcomeSummary': {
      const { merged_output, summary, verdicts } = message.body;
      const gap_summary = '';
      return {
        ...state,
        merged: { asked: true, gap_summary, merged_output, rejected: false, summary, verdicts },
      };
    }
    case 'PlanDirective':
      return directed(state, message.body);
    case 'FinalResult':
      return { ...state, ended: true };
    case 'UserInput':
    case 'MemoryQuery':
    case 'NegativeFeedback':
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
  // A round that came closer was no loop (B.3 item 2: progress, not counts).
  const rounds = gap_trend === 'improving' ? { ...state.rounds, same_rounds: 0 } : state.rounds;
  return {
    ...state,
    round: round + 1,
    history,
    directive: { blocked_classes, blocked_tools, directive },
    node,
    rounds,
    group: null,
    given_up: null,
  };
}

function moved(
  state: ControllerState,
  subtask: string,
  change: (progress: Progress) => Progress,
): ControllerState {
  const before = state.progress.get(subtask);
  return before === undefined ? state : { ...state, progress: state.progress.set(subtask, change(before)) };
}

function begun(task: Digest, allowed: number, seen: Seen): Progress {
  return {
    allowed,
    asked: null,
    attempt: 0,
    calls: [],
    claim: null,
    outcome: null,
    queue: [],
    seen,
    task,
    trajectory: [],
  };
}

/** Time only moves forward: a stamp behind the latest one counts as the latest (K42). */
function later(time: ControllerState['time'], at_us: number | null): ControllerState['time'] {
  if (at_us === null || (time.now_us !== null && at_us <= time.now_us)) return time;
  return { now_us: at_us, start_us: time.start_us ?? at_us };
}

function counted(costs: Costs, depth: number): Costs {
  return { ...costs, calls: costs.calls + 1, depth: Math.max(costs.depth, depth) };
}

/** Amounts by unit, held at the greatest exact integer. */
function sum(before: Spent, more: Spent): Spent {
  if (Object.keys(more).length === 0) return before;
  const total = new Map(Object.entries(before));
  for (const [unit, amount] of Object.entries(more))
    total.set(unit, Math.min((total.get(unit) ?? 0) + amount, Number.MAX_SAFE_INTEGER));
  return Object.fromEntries(total);
}
