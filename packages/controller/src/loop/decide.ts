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
import {
  ROLE_OF,
  type AskKind,
  type Body,
  type ConfirmBody,
  type ExecuteBody,
  type JudgeBody,
  type MergeBody,
  type PlanBody,
} from '../protocol/asks.js';
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
import { confirmed, dispatchNext } from './dispatch.js';
import { closeRound, evaluateRound } from './evaluating.js';
import { gathered, merged, notMerged } from './fan-in.js';
import { abandonSubTask, checkVerdicts, executed, judged } from './fast.js';
import { message } from './message.js';
import { askForPlan, checkPlan, takePlan } from './planning.js';
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
  const fault = input._tag === 'Left' ? null : faultOf(state, answer, waiting, input.right);
  if (fault !== null) return err(fault);
  const step = stepFrom(state, context);
  step.emit({ t: 'answered', id, at_us: stampOf(answer), spent: answer.spent });
  return ok(
    input._tag === 'Left'
      ? failed(step, answer.request.body, waiting, input.left, context)
      : heard(step, answer.request.body, waiting, input.right, context),
  );
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
      const checked = checkPlan(input.value, given(request.body, isPlan).must_not, {
        policy,
        before: state.plan,
      });
      return checked._tag === 'Left' ? checked.left : null;
    }
    case 'judge':
    case 'merge': {
      const { criteria } = given(request.body, hasCriteria);
      const checked = checkVerdicts<(typeof input.value.verdicts)[number]>(input.value.verdicts, criteria);
      return checked._tag === 'Left' ? checked.left : null;
    }
    case 'perceive': {
      const turns = started(state).setup.input.session.length;
      const { refers_to } = input.value;
      return refers_to !== null && refers_to >= turns
        ? { code: 'unknown_turn', detail: { refers_to, turns } }
        : null;
    }
    case 'recall':
    case 'confirm':
    case 'execute':
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
      takePlan(step, input.value);
      dispatchNext(step, 0);
      return gatheredOr(step, context);
    case 'confirm':
      confirmed(step, given(body, isConfirm), input.value.approved, depth);
      return gatheredOr(step, context);
    case 'execute':
      executed(step, given(body, isExecute), input.value, context, depth);
      return gatheredOr(step, context);
    case 'judge':
      judged(step, given(body, isJudge), inOrder(input.value, given(body, isJudge).criteria), depth);
      return gatheredOr(step, context);
    case 'merge':
      merged(step, inOrder(input.value, given(body, isMerge).criteria));
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
  { kind, subtask, depth }: Waiting,
  failure: Failure,
  context: Context,
): ControllerDecision {
  const { code } = failure;
  switch (kind) {
    case 'clock':
      return timeKnown(step, context);
    case 'perceive':
      step.emit(message('R1', 'R7', 'PerceptionFailure', { code: PERCEIVER_GAVE_UP, why: whyOf(failure) }));
      return closeRound(step, context);
    case 'recall':
      askForPlan(step, null);
      return step.done();
    case 'plan':
      step.emit(
        message('R2', 'R7', 'PlanFailure', {
          code: PLANNER_GAVE_UP,
          why: whyOf(failure),
          round: given(body, isPlan).round,
        }),
      );
      return closeRound(step, context);
    case 'confirm':
      confirmed(step, given(body, isConfirm), false, depth);
      return gatheredOr(step, context);
    case 'execute':
      abandonSubTask(step, subtask ?? '', `executor_${code}`);
      return gatheredOr(step, context);
    case 'judge':
      abandonSubTask(step, subtask ?? '', `validator_${code}`);
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
  const tools = setup.policy.tools.filter(({ available }) => available).map(({ name }) => name);
  step.emit(message('R2', 'R5', 'MemoryQuery', { space: intent, tools }));
  ask(step, 'recall', { intent, tools }, null, step.state.costs.depth);
  return step.done();
}

function gatheredOr(step: Step, context: Context): ControllerDecision {
  const { plan } = planned(step.state);
  return plan !== null && gathered(step) ? closeRound(step, context) : step.done();
}

/** The code inside a failure's detail: why somebody gave up, or what was wrong with the last attempt. */
function whyOf({ detail }: Failure): string | null {
  const code = isObject(detail) ? field(detail, 'code') : undefined;
  return typeof code === 'string' && isName(code) ? code : null;
}

/**
 * A body that is of the kind its request says: this machine asked it, and the kernel gives back what was
 * asked.
 */
function given<B extends Body>(body: Body, is: (body: Body) => body is B): B {
  if (!is(body)) throw new InvariantError('controller/body', 'a request that this machine did not make');
  return body;
}

function isConfirm(body: Body): body is ConfirmBody {
  return 'actions' in body;
}

function isPlan(body: Body): body is PlanBody {
  return 'must_not' in body && 'limits' in body;
}

function isExecute(body: Body): body is ExecuteBody {
  return 'must_not' in body && 'correction' in body;
}

function isJudge(body: Body): body is JudgeBody {
  return 'claim' in body;
}

function isMerge(body: Body): body is MergeBody {
  return 'outcomes' in body;
}

/**
 * An answer with its verdicts in the order of the criteria: in which order they were said changes nothing
 * (law-L6). They fit: {@link checkVerdicts}.
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

function hasCriteria(body: Body): body is JudgeBody | MergeBody {
  return 'claim' in body || 'outcomes' in body;
}
