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
import type { Body, ChooseBody, HireBody, LibraryBody, SurveyBody, VerifyBody } from '../protocol/asks.js';
import { heardConsistency } from './composing.js';
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
  else if (input._tag === 'Left') failed(step, body, waiting, input.left);
  else heard(step, body, waiting, input.right, proposal.source);
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

function heard(step: Step, body: Body, { node: key }: Waiting, input: Input, source: string): void {
  switch (input.t) {
    case 'clock':
      begin(step);
      return;
    case 'library':
      heardReading(step, input.value, gapOf(body) === null);
      wentOn(step, key, gapOf(body));
      return;
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
      step.emit({ t: 'ready', node: key });
      return;
    case 'identify':
      addConstraints(step, key, input.value.constraints, source);
      identified(step, key, [...input.value.apply, ...input.value.constraints.map(({ id }) => id)]);
      step.emit({ t: 'ready', node: key });
      return;
    case 'select':
      if (selected(step, key, input.value.selected, [])) step.emit({ t: 'ready', node: key });
      return;
    case 'route':
      step.emit({ t: 'routed', node: key, steps: input.value.steps, why: 'chosen' });
      step.emit({ t: 'ready', node: key });
      return;
    case 'resolve':
      if (isSplit(input.value)) heardSplit(step, key, input.value);
      else heardMade(step, key, input.value, source);
      return;
    case 'verify':
      heardChecks(step, key, input.value);
      return;
    case 'survey': {
      const file = readSurvey(step, key, input.value);
      const { tasks } = body as SurveyBody;
      const asked = tasks.map(({ id }) => id);
      heardSurvey(step, key, file._tag === 'Left' ? planOf(step.state, key).file : file.right, asked);
      afterSurvey(step, key);
      return;
    }
    case 'rank':
      heardRank(step, key, input.value.order);
      return;
    case 'choose': {
      const read = readChoice(step, key, input.value, (body as ChooseBody).best);
      judgePlan(step, key, read._tag === 'Left' ? null : read.right);
      return;
    }
    case 'feedback':
      step.emit({ t: 'advised', node: key, advice: input.value.advice.slice(0, 400) });
      step.emit({ t: 'ready', node: key });
      return;
    case 'gap':
      heardGap(step, key, input.value);
      return;
    case 'consistency':
      heardConsistency(step, key, input.value);
      return;
    case 'assemble': {
      const { format, summary, content } = input.value.artifact;
      const hash = step.context.hash(content);
      const output = { hash, format, summary: summary.slice(0, 400), leaf_kind: '', resolver: source };
      step.emit({ t: 'made', node: key, output, last: true, checks: [], manifest: null });
      step.emit({ t: 'ready', node: key });
      return;
    }
    case 'capability':
      heardCapability(step, input.value);
      return;
    case 'hire':
      heardPerson(step, key, (body as { readonly reason: string }).reason, input.value);
      return;
    default:
      absurd(input);
  }
}

/** What follows where no acceptable answer came. */
function failed(step: Step, body: Body, { kind, node: key }: Waiting, failure: Failure): void {
  const { code } = failure;
  const node = nodeOf(step.state, key);
  switch (kind) {
    case 'clock':
      goOnWithout(step);
      return;
    case 'library':
      if (gapOf(body) === null) step.emit({ t: 'read', history: '', off: null, aliases: [] });
      step.emit({ t: 'question', node: key, text: `the library was not read: ${code}` });
      wentOn(step, key, gapOf(body));
      return;
    case 'extract':
      if (node.status === 'awaiting') fail(step, key, 'constraint_conflict');
      else {
        step.emit({ t: 'question', node: key, text: 'nobody looked for constraints that are not stated' });
        identified(step, key, node.core);
        step.emit({ t: 'ready', node: key });
      }
      return;
    case 'identify':
      identified(step, key, node.core);
      step.emit({ t: 'ready', node: key });
      return;
    case 'select':
      if (selected(step, key, node.eligible ?? [], [])) step.emit({ t: 'ready', node: key });
      return;
    case 'route': {
      const first = (body as { readonly candidates: readonly { readonly id: string }[] }).candidates[0];
      step.emit({ t: 'routed', node: key, steps: [first?.id ?? ''], why: 'nobody_chose' });
      step.emit({ t: 'ready', node: key });
      return;
    }
    case 'resolve':
      notMade(step, key, failure);
      return;
    case 'verify': {
      const { constraints } = body as VerifyBody;
      const checks = constraints.map(({ id }) => checkOf(id, false, `nobody looked: ${code}`));
      step.emit({ t: 'checked', node: key, checks });
      verifyNode(step, key);
      return;
    }
    case 'survey': {
      const { tasks } = body as SurveyBody;
      const asked = tasks.map(({ id }) => id);
      step.emit({ t: 'surveyed', node: key, file: planOf(step.state, key).file, tasks: asked });
      afterSurvey(step, key);
      return;
    }
    case 'rank':
      heardRank(step, key, [0]);
      return;
    case 'choose':
      judgePlan(step, key);
      return;
    case 'feedback':
      step.emit({ t: 'ready', node: key });
      return;
    case 'gap':
      hire(step, key, 'no_resolver', null);
      return;
    case 'consistency':
      step.emit({ t: 'ending', status: 'refused', reasons: ['consistency_unchecked'] });
      return;
    case 'assemble': {
      const hash = step.context.hash(node.children);
      const output = { hash, format: 'composition', summary: '', leaf_kind: '', resolver: '' };
      step.emit({ t: 'question', node: key, text: 'nobody put the parts together' });
      step.emit({ t: 'made', node: key, output, last: true, checks: [], manifest: null });
      step.emit({ t: 'ready', node: key });
      return;
    }
    case 'capability':
      closeCapability(step, key, 'silent', null, false);
      return;
    case 'hire':
      closeCapability(step, key, 'silent', null, (body as HireBody).reason !== MONEY);
      return;
    default:
      absurd(kind);
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
