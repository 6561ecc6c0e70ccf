/**
 * What follows from one answer: a row of rules for each kind of request, beside its row in `REQUESTS`. Source:
 * machine interface, `decide`; 003, contracts of R1 to R4b; dec-G3, dec-G10, dec-B9.
 */
import {
  err,
  InvariantError,
  isName,
  ok,
  type Context,
  type Failure,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import { intentSlug, intentTag } from '../memory/tag.js';
import { findCast, type Answers, type AskKind, type Bodies } from '../protocol/requests.js';
import {
  ask,
  planned,
  started,
  stepFrom,
  type ControllerAnswer,
  type ControllerDecision,
  type Step,
  message,
  outcomeNode,
  planNode,
  withNodes,
  type Noted,
} from './asking.js';
import { called, callFailed, confirmed } from './calling.js';
import { dispatchNext } from './dispatch.js';
import { closeRound, evaluateRound } from './evaluating.js';
import {
  gathered,
  merged,
  notMerged,
  PERCEIVER_GAVE_UP,
  PLANNER_GAVE_UP,
  failureCode,
  NO_ANSWER,
} from './fan-in.js';
import { citedFault, judged, judgeFailed, verdictFault } from './judging.js';
import { askForPlan, planFault, takePlan } from './planning.js';
import { stepFault, stepFailed, stepped } from './stepping.js';
import type { ControllerState, Started, Waiting } from './state.js';

/** A request that was answered. `depth`: role calls in a row up to and with it. */
type Asked<K extends AskKind> = {
  readonly body: Bodies[K];
  readonly depth: number;
  readonly context: Context;
};

/**
 * The rules of one kind. `fault`: why a value is not accepted, beyond its shape; `accepted`: what one says;
 * `failed`: what is said where no acceptable answer came; `next`: how the run continues after either.
 */
type Rules<K extends AskKind> = {
  fault?(state: Started, value: Answers[K], asked: Asked<K>): Rejection | null;
  accepted?(step: Step, value: Answers[K], asked: Asked<K>): void;
  failed?(step: Step, failure: Failure, asked: Asked<K>): void;
  next(step: Step, context: Context): ControllerDecision;
};

/** Work fails, a judge that is silent accepts nothing, and a planner that is silent ends the task. */
const RULES: { readonly [K in AskKind]: Rules<K> } = {
  clock: {
    fault: ({ time: { now_us } }, { t_us }) =>
      now_us !== null && t_us < now_us
        ? { code: 'clock_backwards', detail: { last_us: now_us, got_us: t_us } }
        : null,
    next: goOnAt,
  },
  perceive: {
    fault: ({ setup }, { refers_to }) => {
      const turns = setup.input.session.length;
      return refers_to !== null && refers_to >= turns
        ? { code: 'unknown_turn', detail: { refers_to, turns } }
        : null;
    },
    accepted: (step, task) => step.emit(message('R1', 'R2', 'TaskSpec', task)),
    failed: (step, failure) =>
      step.emit(message('R1', 'R7', 'PerceptionFailure', giveUp(PERCEIVER_GAVE_UP, failure))),
    next: (step, context) => (step.state.given_up === null ? askMemory(step) : closeRound(step, context)),
  },
  recall: {
    accepted: (step, recall) => step.emit(message('R5', 'R2', 'MemoryRecall', recall)),
    next: (step) => askForPlan(step, null),
  },
  plan: {
    fault: ({ setup: { policy }, plan }, draft, { body: { must_not, prefer } }) =>
      planFault(draft, must_not, { policy, before: plan, practices: prefer.practices.length }),
    accepted: (step, draft, { context }) => {
      takePlan(step, draft, context);
      dispatchNext(step, 0, context);
    },
    failed: (step, failure, { body: { round } }) =>
      step.emit(message('R2', 'R7', 'PlanFailure', { ...giveUp(PLANNER_GAVE_UP, failure), round })),
    next: (step, context) => (step.state.given_up === null ? goOn : closeRound)(step, context),
  },
  step: {
    fault: (state, move, { body, context }) => stepFault(state, body, move, context),
    accepted: (step, move, { body, context, depth }) => stepped(step, body, move, context, depth),
    failed: (step, failure, { body }) => stepFailed(step, body, failureCode(failure), failure.detail),
    next: goOn,
  },
  call: {
    fault: ({ setup }, { output: { length: got } }) => {
      const limit = setup.policy.limits.output;
      return got > limit ? { code: 'output_too_long', detail: { got, limit } } : null;
    },
    accepted: (step, answer, { body, context, depth }) => called(step, body, answer, context, depth),
    failed: (step, failure, { body, context, depth }) => callFailed(step, body, failure, context, depth),
    next: goOn,
  },
  confirm: {
    accepted: (step, { approved }, { body, depth }) => confirmed(step, body, approved, depth),
    failed: (step, _, { body, depth }) => confirmed(step, body, false, depth),
    next: goOn,
  },
  judge: {
    fault: (state, answer, { body }) =>
      verdictFault(answer.verdicts, body.criteria) ??
      citedFault(state, body, inOrder(answer, body.criteria).verdicts),
    accepted: (step, answer, { body, context, depth }) =>
      judged(step, body, inOrder(answer, body.criteria), context, depth),
    failed: (step, failure, { body }) => judgeFailed(step, body.subtask, failureCode(failure)),
    next: goOn,
  },
  merge: {
    fault: (_, { verdicts }, { body }) => verdictFault(verdicts, body.criteria),
    accepted: (step, answer, { body }) => merged(step, inOrder(answer, body.criteria)),
    failed: (step, failure) => notMerged(step, failureCode(failure)),
    next: closeRound,
  },
};

/**
 * The decision. Rejections beside those of the parser: `wrong_proposer` {role, expected} where the policy
 * binds a role to somebody else, `clock_backwards` {last_us, got_us}, those of a plan and of verdicts. A
 * failure is never rejected.
 */
export function decide(
  before: ControllerState,
  { request: { id, body }, proposal, input, spent }: ControllerAnswer,
  context: Context,
): Result<Rejection, ControllerDecision> {
  const waiting = before.waiting.get(id);
  if (waiting === undefined) throw new InvariantError('controller/decide', `no request ${id} is open`);
  const { kind, depth } = waiting;
  // The kernel gives back what was asked: a body of this kind, and the value that `parse` read for it.
  const rules = RULES[kind] as Rules<never>;
  const asked = { body: body as never, depth, context };
  if (input._tag === 'Right') {
    const state = started(before);
    const fault =
      castFault(state, kind, proposal.proposer) ??
      rules.fault?.(state, input.right.value as never, asked) ??
      null;
    if (fault !== null) return err(fault);
  }
  const step = stepFrom(before, context);
  const at_us = input._tag === 'Right' && input.right.t === 'clock' ? input.right.value.t_us : proposal.at_us;
  step.emit({ t: 'answered', id, at_us, spent });
  if (input._tag === 'Right') rules.accepted?.(step, input.right.value as never, asked);
  else rules.failed?.(step, input.left, asked);
  const decision = rules.next(step, context);
  const withdraw = breachWithdraws(before, step.state, id);
  return ok(withNodes({ ...decision, withdraw }, nodesFrom(before, step.state, waiting, context), context));
}

/** A breach of Law 1 withdraws what is open; no open call is ever withdrawn (calls/C8). */
function breachWithdraws(
  before: ControllerState,
  after: ControllerState,
  answered: string,
): readonly string[] {
  if (before.breach !== null || after.breach === null) return [];
  return before.waiting
    .sorted()
    .flatMap(([id, { kind }]) => (id === answered || kind === 'call' ? [] : [id]));
}

/** A plan that was taken, or what came of the sub-task that was answered for: it rests on its plan's node. */
function nodesFrom(
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

/** A value of somebody else than the policy binds to the role. */
function castFault({ setup }: Started, kind: AskKind, proposer: string): Rejection | null {
  const role = findCast(kind);
  const expected = role === null ? null : setup.policy.roles[role];
  return expected === null || proposer === expected
    ? null
    : { code: 'wrong_proposer', detail: { role, expected } };
}

/** Continues when the time is known: at the start with the user's words, else with the evaluation. */
function goOnAt(step: Step, context: Context): ControllerDecision {
  const { setup, task, given_up } = started(step.state);
  if (task !== null || given_up !== null) return evaluateRound(step, context);
  const { text, session } = setup.input;
  ask(step, 'perceive', { text, session }, null, 0);
  return step.done();
}

/** Asks the memory first, where there is one (002 "Memory Calibration Protocol"), then for a plan. */
function askMemory(step: Step): ControllerDecision {
  const { setup, task } = started(step.state);
  if (!setup.policy.memory || task === null) return askForPlan(step, null);
  const { space: intent } = intentTag(intentSlug(task.intent));
  const tools = setup.policy.tools.map(({ name }) => name);
  step.emit(message('R2', 'R5', 'MemoryQuery', { space: intent, tools }));
  ask(step, 'recall', { intent, tools }, null, step.state.costs.depth);
  return step.done();
}

/** Continues the round, or ends it. After a breach nothing is asked: open calls are waited for. */
function goOn(step: Step, context: Context): ControllerDecision {
  const { breach, waiting } = planned(step.state);
  if (breach !== null)
    return waiting.sorted().length > 0 ? step.done() : closeRound(step, context, { isOver: true });
  return gathered(step, context) ? closeRound(step, context) : step.done();
}

/**
 * That a role gave up, and its own code for it or for what was wrong with its last attempt; or that it was
 * never heard, and how the call failed.
 */
function giveUp(code: string, failure: Failure): { readonly code: string; readonly why: string | null } {
  return failureCode(failure) === NO_ANSWER
    ? { code: NO_ANSWER, why: nameIn(failure, 'class') ?? failure.code }
    : { code, why: nameIn(failure, 'code') };
}

function nameIn({ detail }: Failure, key: string): string | null {
  const name = readText(detail, key);
  return isName(name) ? name : null;
}

/** An answer with its verdicts in the order of the criteria: in which order they were said changes nothing (law-L6). */
function inOrder<A extends { readonly verdicts: readonly { readonly criterion: string }[] }>(
  answer: A,
  criteria: readonly { readonly id: string }[],
): A {
  const verdicts = criteria.flatMap(({ id }) => answer.verdicts.filter(({ criterion }) => criterion === id));
  return { ...answer, verdicts };
}
