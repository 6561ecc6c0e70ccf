/**
 * How this machine asks: every request with its role, its sources, its attempts and its depth in the chain of
 * role calls. Source: machine interface, `Ask`; 003 §10; dec-B9.
 *
 * @module
 */
import {
  deciding,
  InvariantError,
  type Answer,
  type Context,
  type Decision,
  type Deciding,
} from '@assay/kernel';
import { castOf, REQUESTS, type AskKind, type Bodies, type Body, type Input } from '../protocol/requests.js';
import type { ControllerEvent } from './events.js';
import { evolve } from './evolve.js';
import type { ControllerState, Planned, Started } from './state.js';

/** A decision under construction. */
export type Step = Deciding<ControllerState, ControllerEvent, Body>;
/** A decision of this machine. */
export type ControllerDecision = Decision<ControllerEvent, Body>;
/** An answer to this machine. */
export type ControllerAnswer = Answer<Input, Body>;

/** Starts a decision. */
export function stepFrom(state: ControllerState, context: Context): Step {
  return deciding<ControllerState, ControllerEvent, Body>(state, evolve, context);
}

/**
 * Asks a role, a person or the clock. `after`: depth of the role call that this one waits for; a role call
 * lies one below it, what is no role call lies beside it (003 §10 counts role calls in a row).
 */
export function ask<K extends AskKind>(
  step: Step,
  kind: K,
  body: Bodies[K],
  subtask: string | null,
  after: number,
): void {
  const { limits } = started(step.state).setup.policy;
  const { accepts, attempts } = REQUESTS[kind];
  const id = step.ask({
    kind,
    body,
    accepts,
    attempts: typeof attempts === 'number' ? attempts : limits[attempts],
  });
  step.emit({ t: 'asked', id, kind, subtask, depth: castOf(kind) === null ? after : after + 1 });
}

/** A state that has been started; anything else is a defect of this machine. */
export function started(state: ControllerState): Started {
  if (!isStarted(state))
    throw new InvariantError('controller/started', 'an answer before the run was started');
  return state;
}

function isStarted(state: ControllerState): state is Started {
  return state.setup !== null;
}

/** A state with a task and a plan; anything else is a defect of this machine. */
export function planned(state: ControllerState): Planned {
  if (!isPlanned(state)) throw new InvariantError('controller/planned', 'work without a plan');
  return state;
}

function isPlanned(state: ControllerState): state is Planned {
  return state.plan !== null && state.task !== null && state.setup !== null;
}
