/**
 * What follows from one answer. Source: machine interface, `decide`; 000 §5.
 *
 * @module
 */
import {
  absurd,
  err,
  InvariantError,
  ok,
  type Context,
  type Failure,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { isSplit, type Gap, type Input } from '../protocol/answers.js';
import type {
  Body,
  ChooseBody,
  HireBody,
  LibraryBody,
  RouteBody,
  SurveyBody,
  VerifyBody,
} from '../protocol/asks.js';
import { heardConsistency, together } from './composing.js';
import { fill, identified, selected } from './dispatch.js';
import { fail, goalKindOf, hire } from './failing.js';
import { heardRank, heardSurvey, judgePlan, readChoice, readSurvey } from './feasibility.js';
import { finished } from './finishing.js';
import { grow, heardGap } from './growing.js';
import { addConstraints, heardMade, heardSplit, notMade } from './making.js';
import { amountsOf, refund } from './money.js';
import { closeCapability, heardCapability, heardPerson, heardReading, MONEY } from './people.js';
import { faultOf } from './reading.js';
import { replan } from './settling.js';
import { isOver, nodeOf, type PlannerState, type Waiting } from './state.js';
import { ask, move, planOf, setupOf, stepFrom } from './step.js';
import type { PlannerAnswer, PlannerDecision, Step } from './step.js';
import { checkOf, heardChecks, verifyNode } from './verifying.js';

/** The decision. A failure is never rejected. */
export function decide(
  state: PlannerState,
  answer: PlannerAnswer,
  context: Context,
): Result<Rejection, PlannerDecision> {
  const { id, body } = answer.request;
  const waiting = state.waiting.get(id);
  if (waiting === undefined) throw new InvariantError('planner/decide', `no request ${id} is open`);
  const { input, proposal } = answer;
  const step = stepFrom(state, context);
  const isMoot = state.ending !== null || isOver(nodeOf(state, waiting.node).status);
  if (input._tag === 'Right' && (!isMoot || input.right.t === 'clock')) {
    const fault = faultOf(step, answer, waiting, input.right);
    if (fault !== null) return err(fault);
  }
  settle(step, id, waiting, answer);
  if (isMoot) refundIfOver(step, waiting.node);
  else {
    // A survey may come when its plan is gone: the node is planned anew.
    const isLate = waiting.kind === 'survey' && !state.plans.has(waiting.node);
    const goesOn =
      isLate ||
      (input._tag === 'Left'
        ? failed(step, body, waiting, input.left)
        : heard(step, body, waiting, input.right, proposal.source));
    if (goesOn) step.emit({ t: 'ready', node: waiting.node });
  }
  timeUp(step);
  if (step.state.ending === null) fill(step);
  return ok(finished(step));
}

/** No account may hold more, so that sums over the tree stay exact. */
const SPENT_MAX = 1_125_899_906_842_624;

function settle(step: Step, id: string, waiting: Waiting, { spent, proposal, input }: PlannerAnswer): void {
  const { account } = nodeOf(step.state, waiting.node);
  const amounts = amountsOf(step.state, spent).map((amount, unit) =>
    Math.min(amount, SPENT_MAX - (account.spent[unit] ?? 0)),
  );
  const overrun = amounts.some((amount, unit) => amount > (waiting.reserve[unit] ?? 0));
  const said = input._tag === 'Right' && input.right.t === 'clock' ? input.right.value.t_us : proposal.at_us;
  step.emit({ t: 'settled', id, spent: amounts, overrun, at_us: said });
}

function refundIfOver(step: Step, key: string): void {
  if (isOver(nodeOf(step.state, key).status)) refund(step, key);
}

function timeUp(step: Step): void {
  const { minutes } = setupOf(step.state).policy;
  const { start_us, now_us } = step.state.time;
  if (minutes === null || start_us === null || now_us === null) return;
  if (BigInt(now_us - start_us) > BigInt(minutes) * 60_000_000n)
    step.emit({ t: 'ending', status: 'refused', reasons: ['time_over'] });
}

/** Before the first node acts: the time and the library, where the policy wants them. */
export function begin(step: Step): void {
  const { policy } = setupOf(step.state);
  const { root, time, asked_library } = step.state;
  if (policy.clock === 'asked' && time.now_us === null) ask(step, 'clock', root, { before: 'start' });
  else if (policy.library && !asked_library) askLibrary(step);
  else {
    step.emit({ t: 'held', node: null });
    fill(step);
  }
}

function askLibrary(step: Step): void {
  const { root } = step.state;
  ask(step, 'library', root, { ...goalKindOf(step, nodeOf(step.state, root)), capability: null, gap: null });
}

/** The gap that a library was asked about; null at the start. It was an answer, so it has its shape. */
function gapOf(body: Body): Gap | null {
  return (body as LibraryBody).gap as unknown as Gap | null;
}

/** What follows from an accepted answer; true where the node acts next. */
function heard(step: Step, body: Body, { node: key }: Waiting, input: Input, source: string): boolean {
  switch (input.t) {
    case 'clock':
      begin(step);
      return false;
    case 'library':
      heardReading(step, input.value, gapOf(body) === null);
      wentOn(step, key, gapOf(body));
      return false;
    case 'extract':
      addConstraints(step, key, input.value.constraints, source);
      for (const text of input.value.questions) step.emit({ t: 'question', node: key, text });
      if (nodeOf(step.state, key).status === 'awaiting') {
        step.emit({ t: 'dropped', node: key, ids: input.value.drop });
        move(step, key, 'selecting_constraints', 'settled_by_a_person');
      }
      identified(step, key, [
        ...(nodeOf(step.state, key).eligible ?? []),
        ...input.value.constraints.map(({ id }) => id),
      ]);
      return true;
    case 'identify':
      addConstraints(step, key, input.value.constraints, source);
      identified(step, key, [...input.value.apply, ...input.value.constraints.map(({ id }) => id)]);
      return true;
    case 'select':
      return selected(step, key, input.value.selected, []);
    case 'route':
      step.emit({ t: 'routed', node: key, steps: input.value.steps, why: 'chosen' });
      return true;
    case 'resolve':
      if (isSplit(input.value)) heardSplit(step, key, input.value);
      else heardMade(step, key, input.value, source);
      return false;
    case 'verify':
      heardChecks(step, key, input.value);
      return false;
    case 'survey': {
      const file = readSurvey(step, key, input.value);
      const { tasks } = body as SurveyBody;
      const asked = tasks.map(({ id }) => id);
      heardSurvey(step, key, file._tag === 'Left' ? planOf(step.state, key).file : file.right, asked);
      afterSurvey(step, key);
      return false;
    }
    case 'rank':
      heardRank(step, key, input.value.order);
      return false;
    case 'choose': {
      const read = readChoice(step, key, input.value, (body as ChooseBody).best);
      judgePlan(step, key, read._tag === 'Left' ? null : read.right);
      return false;
    }
    case 'feedback':
      step.emit({ t: 'advised', node: key, advice: input.value.advice.slice(0, 400) });
      return true;
    case 'gap':
      heardGap(step, key, input.value);
      return false;
    case 'consistency':
      heardConsistency(step, key, input.value);
      return false;
    case 'assemble': {
      const { format, summary, content } = input.value.artifact;
      together(step, key, content, { format, summary: summary.slice(0, 400), resolver: source });
      return true;
    }
    case 'capability':
      heardCapability(step, input.value);
      return false;
    case 'hire':
      heardPerson(step, key, (body as HireBody).reason, input.value);
      return false;
    default:
      return absurd(input);
  }
}

/** What follows where no acceptable answer came; true where the node acts next. */
function failed(step: Step, body: Body, { kind, node: key }: Waiting, failure: Failure): boolean {
  const { code } = failure;
  const node = nodeOf(step.state, key);
  switch (kind) {
    case 'clock':
      goOnWithout(step);
      return false;
    case 'library':
      if (gapOf(body) === null) step.emit({ t: 'read', history: '', off: null, aliases: [] });
      step.emit({ t: 'question', node: key, text: `the library was not read: ${code}` });
      wentOn(step, key, gapOf(body));
      return false;
    case 'extract':
      if (node.status === 'awaiting') {
        fail(step, key, 'constraint_conflict');
        return false;
      }
      step.emit({ t: 'question', node: key, text: 'nobody looked for constraints that are not stated' });
      identified(step, key, node.core);
      return true;
    case 'identify':
      identified(step, key, node.core);
      return true;
    case 'select':
      return selected(step, key, node.eligible ?? [], []);
    case 'route': {
      const first = (body as RouteBody).candidates[0];
      step.emit({ t: 'routed', node: key, steps: [first?.id ?? ''], why: 'nobody_chose' });
      return true;
    }
    case 'resolve':
      notMade(step, key, failure);
      return false;
    case 'verify': {
      const { constraints } = body as VerifyBody;
      const checks = constraints.map(({ id }) => checkOf(id, false, `nobody looked: ${code}`));
      step.emit({ t: 'checked', node: key, checks });
      verifyNode(step, key);
      return false;
    }
    case 'survey': {
      const { tasks } = body as SurveyBody;
      const asked = tasks.map(({ id }) => id);
      step.emit({ t: 'surveyed', node: key, file: planOf(step.state, key).file, tasks: asked });
      afterSurvey(step, key);
      return false;
    }
    case 'rank':
      heardRank(step, key, [0]);
      return false;
    case 'choose':
      judgePlan(step, key);
      return false;
    case 'feedback':
      return true;
    case 'gap':
      hire(step, key, 'no_resolver', null);
      return false;
    case 'consistency':
      step.emit({ t: 'ending', status: 'refused', reasons: ['consistency_unchecked'] });
      return false;
    case 'assemble':
      step.emit({ t: 'question', node: key, text: 'nobody put the parts together' });
      together(step, key, node.children);
      return true;
    case 'capability':
      closeCapability(step, key, 'silent', null, false);
      return false;
    case 'hire':
      closeCapability(step, key, 'silent', null, (body as HireBody).reason !== MONEY);
      return false;
    default:
      return absurd(kind);
  }
}

/** The library has been asked: the run begins, or what is missing is looked for, made or asked for. */
function wentOn(step: Step, key: string, gap: Gap | null): void {
  if (gap !== null) grow(step, key, gap);
  else if (setupOf(step.state).policy.clock === 'asked' && step.state.time.now_us === null)
    step.emit({ t: 'held', node: null });
  else begin(step);
}

function goOnWithout(step: Step): void {
  if (setupOf(step.state).policy.library && !step.state.asked_library) askLibrary(step);
  else step.emit({ t: 'held', node: null });
}

function afterSurvey(step: Step, key: string): void {
  if (step.state.held !== key) {
    judgePlan(step, key);
    return;
  }
  step.emit({ t: 'held', node: null });
  replan(step, key);
}
