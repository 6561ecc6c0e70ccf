/**
 * What follows from one answer. Source: machine interface, `decide`; 003, contracts of R1 to R4b; dec-G3,
 * dec-G10, dec-B9.
 *
 * @module
 */
import {
  absurd,
  err,
  field,
  InvariantError,
  isName,
  isObject,
  ok,
  type Context,
  type Failure,
  type Rejection,
  type Result,
} from '@assay/kernel';
import type { Input } from '../protocol/answers.js';
import { ROLE_OF, type AskKind, type Bodies, type Body } from '../protocol/asks.js';
import type { CastRole } from '../policy/policy.js';
import { PERCEIVER_GAVE_UP, PLANNER_GAVE_UP } from './accountability.js';
import {
  ask,
  planned,
  started,
  stepFrom,
  type ControllerAnswer,
  type ControllerDecision,
  type Step,
} from './asking.js';
import { called, callFailed, confirmed } from './calling.js';
import { dispatchNext } from './dispatch.js';
import { closeRound, evaluateRound } from './evaluating.js';
import { gathered, merged, notMerged } from './fan-in.js';
import { citedFault, judged, judgeFailed, verdictFault } from './judging.js';
import { message } from './message.js';
import { failureCode, NO_ANSWER } from './no-answer.js';
import { outcomeNode, planNode, withNodes, type Noted } from './nodes.js';
import { askForPlan, planFault, takePlan } from './planning.js';
import { stepFault, stepFailed, stepped } from './stepping.js';
import { intentSlug, intentTag } from '../memory/tag.js';
import type { ControllerState, Waiting } from './state.js';

/**
 * The decision. Rejections beside those of the parser: `wrong_proposer` {role, expected} where the policy
 * binds a role to somebody else, `clock_backwards` {last_us, got_us}, those of a plan and of verdicts. A
 * failure is never rejected.
 */
export function decide(
  state: ControllerState,
  answer: ControllerAnswer,
  context: Context,
): Result<Rejection, ControllerDecision> {
  const { id } = answer.request;
  const waiting = state.waiting.get(id);
  if (waiting === undefined) throw new InvariantError('controller/decide', `no request ${id} is open`);
  const { input } = answer;
  const fault = input._tag === 'Left' ? null : faultOf(state, answer, waiting, input.right, context);
  if (fault !== null) return err(fault);
  const step = stepFrom(state, context);
  step.emit({ t: 'answered', id, at_us: stampOf(answer), spent: answer.spent });
  const decision =
    input._tag === 'Left'
      ? failed(step, answer.request.body, waiting, input.left, context)
      : heard(step, answer.request.body, waiting, input.right, context);
  return ok(
    withNodes(
      { ...decision, withdraw: withdrawnBy(state, step.state, id) },
      notedBy(state, step.state, waiting, context),
      context,
    ),
  );
}

/** A breach of Law 1 withdraws what is open; no open call is ever withdrawn (calls/C8). */
function withdrawnBy(before: ControllerState, after: ControllerState, answered: string): readonly string[] {
  if (before.breach !== null || after.breach === null) return [];
  return before.waiting
    .sorted()
    .flatMap(([id, { kind }]) => (id === answered || kind === 'call' ? [] : [id]));
}

/** A plan that was taken, or what came of the sub-task that was answered for: it rests on its plan's node. */
function notedBy(
  before: ControllerState,
  after: ControllerState,
  { kind, subtask }: Waiting,
  context: Context,
): readonly Noted[] {
  const { node } = before;
  if (node === null) return [];
  if (kind === 'plan')
    return after.plan === null || after.plan === before.plan
      ? []
      : [{ node: planNode(after.plan, context), on: [node] }];
  const progress = subtask === null ? undefined : after.progress.get(subtask);
  return progress === undefined || progress.outcome === null
    ? []
    : [{ node: outcomeNode(progress.outcome, progress), on: [node] }];
}

/** When an answer came: its stamp, or what a clock says. */
function stampOf({ proposal, input }: ControllerAnswer): number | null {
  return input._tag === 'Right' && input.right.t === 'clock' ? input.right.value.t_us : proposal.at_us;
}

/** Why a value is not accepted; null where it is. */
function faultOf(
  state: ControllerState,
  { proposal, request }: ControllerAnswer,
  { kind }: Waiting,
  input: Input,
  context: Context,
): Rejection | null {
  const bound = boundTo(state, kind);
  if (bound !== null && proposal.proposer !== bound.proposer)
    return { code: 'wrong_proposer', detail: { role: bound.role, expected: bound.proposer } };
  switch (input.t) {
    case 'clock': {
      const last = state.time.now_us;
      return last !== null && input.value.t_us < last
        ? { code: 'clock_backwards', detail: { last_us: last, got_us: input.value.t_us } }
        : null;
    }
    case 'plan': {
      const { policy } = started(state).setup;
      const { must_not, prefer } = bodyOf('plan', request.body);
      const practices = prefer.practices.length;
      return planFault(input.value, must_not, { policy, before: state.plan, practices });
    }
    case 'step':
      return stepFault(state, bodyOf('step', request.body), input.value, context);
    case 'call': {
      const [got, limit] = [input.value.output.length, started(state).setup.policy.limits.output];
      return got > limit ? { code: 'output_too_long', detail: { got, limit } } : null;
    }
    case 'judge': {
      const body = bodyOf('judge', request.body);
      const { verdicts } = inOrder(input.value, body.criteria);
      return verdictFault(input.value.verdicts, body.criteria) ?? citedFault(state, body, verdicts);
    }
    case 'merge':
      return verdictFault(input.value.verdicts, bodyOf('merge', request.body).criteria);
    case 'perceive': {
      const turns = started(state).setup.input.session.length;
      const { refers_to } = input.value;
      return refers_to !== null && refers_to >= turns
        ? { code: 'unknown_turn', detail: { refers_to, turns } }
        : null;
    }
    case 'recall':
    case 'confirm':
      return null;
    default:
      return absurd(input);
  }
}

/** Who alone may answer a request of this kind, where the policy says so. */
function boundTo(
  state: ControllerState,
  kind: AskKind,
): { readonly role: CastRole; readonly proposer: string } | null {
  const role = ROLE_OF[kind];
  if (role === null || role === 'R5' || role === 'R6' || role === 'R7') return null;
  const proposer = started(state).setup.policy.roles[role];
  return proposer === null ? null : { role, proposer };
}

function heard(
  step: Step,
  body: Body,
  { depth }: Waiting,
  input: Input,
  context: Context,
): ControllerDecision {
  switch (input.t) {
    case 'clock':
      return timeKnown(step, context);
    case 'perceive':
      step.emit(message('R1', 'R2', 'TaskSpec', input.value));
      return perceived(step);
    case 'recall':
      step.emit(message('R5', 'R2', 'MemoryRecall', input.value));
      askForPlan(step, null);
      return step.done();
    case 'plan':
      takePlan(step, input.value, context);
      dispatchNext(step, 0, context);
      return gatheredOr(step, context);
    case 'step':
      stepped(step, bodyOf('step', body), input.value, context, depth);
      return gatheredOr(step, context);
    case 'call':
      called(step, bodyOf('call', body), input.value, context, depth);
      return gatheredOr(step, context);
    case 'confirm':
      confirmed(step, bodyOf('confirm', body), input.value.approved, depth);
      return gatheredOr(step, context);
    case 'judge': {
      const asked = bodyOf('judge', body);
      judged(step, asked, inOrder(input.value, asked.criteria), context, depth);
      return gatheredOr(step, context);
    }
    case 'merge':
      merged(step, inOrder(input.value, bodyOf('merge', body).criteria));
      return closeRound(step, context);
    default:
      return absurd(input);
  }
}

/**
 * What follows where no acceptable answer came: work fails, a judge that is silent accepts nothing, and a
 * planner that is silent ends the task.
 */
function failed(
  step: Step,
  body: Body,
  { kind, depth }: Waiting,
  failure: Failure,
  context: Context,
): ControllerDecision {
  const code = failureCode(failure);
  switch (kind) {
    case 'clock':
      return timeKnown(step, context);
    case 'perceive':
      step.emit(message('R1', 'R7', 'PerceptionFailure', givenUp(PERCEIVER_GAVE_UP, failure)));
      return closeRound(step, context);
    case 'recall':
      askForPlan(step, null);
      return step.done();
    case 'plan':
      step.emit(
        message('R2', 'R7', 'PlanFailure', {
          ...givenUp(PLANNER_GAVE_UP, failure),
          round: bodyOf('plan', body).round,
        }),
      );
      return closeRound(step, context);
    case 'step':
      stepFailed(step, bodyOf('step', body), code, failure.detail);
      return gatheredOr(step, context);
    case 'call':
      callFailed(step, bodyOf('call', body), failure, context, depth);
      return gatheredOr(step, context);
    case 'confirm':
      confirmed(step, bodyOf('confirm', body), false, depth);
      return gatheredOr(step, context);
    case 'judge':
      judgeFailed(step, bodyOf('judge', body).subtask, code);
      return gatheredOr(step, context);
    case 'merge':
      notMerged(step, code);
      return closeRound(step, context);
    default:
      return absurd(kind);
  }
}

/** Goes on after the clock: at the start with the user's words, else with the evaluation. */
function timeKnown(step: Step, context: Context): ControllerDecision {
  const { setup, task, given_up } = started(step.state);
  if (task !== null || given_up !== null) return evaluateRound(step, context);
  const { text, session } = setup.input;
  ask(step, 'perceive', { text, session }, null, 0);
  return step.done();
}

/** Goes on after perceiving: memory first, where there is one (002 "Memory Calibration Protocol"). */
function perceived(step: Step): ControllerDecision {
  const { setup, task } = started(step.state);
  if (!setup.policy.memory || task === null) {
    askForPlan(step, null);
    return step.done();
  }
  const { space: intent } = intentTag(intentSlug(task.intent));
  const tools = setup.policy.tools.map(({ name }) => name);
  step.emit(message('R2', 'R5', 'MemoryQuery', { space: intent, tools }));
  ask(step, 'recall', { intent, tools }, null, step.state.costs.depth);
  return step.done();
}

/** Goes on with the round, or ends it. After a breach nothing is asked: open calls are waited for. */
function gatheredOr(step: Step, context: Context): ControllerDecision {
  const { breach, waiting } = planned(step.state);
  if (breach !== null)
    return waiting.sorted().length > 0 ? step.done() : closeRound(step, context, { isOver: true });
  return gathered(step, context) ? closeRound(step, context) : step.done();
}

/**
 * That a role gave up, and its own code for it or for what was wrong with its last attempt; or that it was
 * never heard, and how the call failed.
 */
function givenUp(code: string, failure: Failure): { readonly code: string; readonly why: string | null } {
  return failureCode(failure) === NO_ANSWER
    ? { code: NO_ANSWER, why: nameIn(failure, 'class') ?? failure.code }
    : { code, why: nameIn(failure, 'code') };
}

function nameIn({ detail }: Failure, key: string): string | null {
  const name = isObject(detail) ? field(detail, key) : undefined;
  return typeof name === 'string' && isName(name) ? name : null;
}

/** The body of a request that this machine made: the kernel gives back what was asked. */
function bodyOf<K extends AskKind>(_kind: K, body: Body): Bodies[K] {
  return body as Bodies[K];
}

/**
 * An answer with its verdicts in the order of the criteria: in which order they were said changes nothing
 * (law-L6). They fit: {@link verdictFault}.
 */
function inOrder<A extends { readonly verdicts: readonly { readonly criterion: string }[] }>(
  answer: A,
  criteria: readonly { readonly id: string }[],
): A {
  return {
    ...answer,
    verdicts: criteria.flatMap(({ id }) => answer.verdicts.filter(({ criterion }) => criterion === id)),
  };
}
