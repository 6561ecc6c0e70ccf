/**
 * What follows from one answer: a row of rules for each kind of request, beside its row in `REQUESTS`. Source: machine
 * interface, `decide`; 000 §1, §5; dec-K18, dec-K30, dec-K42, dec-K58, dec-K78.
 */
import {
  err,
  InvariantError,
  ok,
  type Context,
  type Failure,
  type Json,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { isSplit } from '../protocol/answers.js';
import type { AskKind, Bodies } from '../protocol/bodies.js';
import type { Answers } from '../protocol/requests.js';
import {
  takeAssembly,
  takeConflicts,
  addConstraints,
  takeDone,
  retryOrFail,
  takeOutput,
  takeSplit,
} from './composing.js';
import { fill, setEligible, setSelected } from './dispatch.js';
import { fail, toGoalKind, hire } from './failing.js';
import { conflictFault, doneFault, draftFault, hireFault, nameFault } from './faults.js';
import { judgePlan, readChoice, readSurvey, takeRank, takeSurvey } from './feasibility.js';
import { finish } from './finishing.js';
import { grow, takeGap } from './growing.js';
import { convertAmounts, refund } from './money.js';
import { closeCapability, MONEY, takeCapability, takeDecision, takeReading } from './people.js';
import { readSplit } from './planning.js';
import { replan } from './settling.js';
import { isOver, getNode, type PlannerState, type Waiting } from './state.js';
import { ask, move, getPlan, refuse, requireSetup, stepFrom } from './step.js';
import type { PlannerAnswer, PlannerDecision, Step } from './step.js';
import { makeCheck, takeChecks, verifyNode } from './verifying.js';

/** A request that was answered: of which node, with what body, and whose answer came. */
type Asked<K extends AskKind> = { readonly key: string; readonly body: Bodies[K]; readonly source: string };

/**
 * The rules of one kind. `fault`: why a value is not accepted, beyond its shape; `step` is only read. `accepted`: what
 * follows from one; `failed`: what follows where no acceptable answer came.
 */
type Rules<K extends AskKind> = {
  fault?(step: Step, value: Answers[K], asked: Asked<K>): Rejection | null;
  accepted(step: Step, value: Answers[K], asked: Asked<K>): void;
  failed(step: Step, failure: Failure, asked: Asked<K>): void;
};

const AUTHORS: readonly string[] = ['human', 'rule'];

const RULES: { readonly [K in AskKind]: Rules<K> } = {
  clock: {
    fault: ({ state: { time } }, { t_us }) =>
      time.now_us !== null && t_us < time.now_us
        ? refuse('clock_backwards', { last_us: time.now_us, got_us: t_us })
        : null,
    accepted: begin,
    failed: (step) => {
      if (requireSetup(step.state).policy.library && !step.state.asked_library) askLibrary(step);
      else step.emit({ t: 'held', node: null });
    },
  },
  library: {
    accepted: (step, reading, { key, body: { gap } }) => {
      takeReading(step, reading, gap === null);
      leaveLibrary(step, key, gap);
    },
    failed: (step, { code }, { key, body: { gap } }) => {
      if (gap === null) step.emit({ t: 'read', history: '', off: [], aliases: [] });
      step.emit({ t: 'question', node: key, text: `the library was not read: ${code}` });
      leaveLibrary(step, key, gap);
    },
  },
  extract: {
    fault: (step, { constraints, drop }, { body: { conflicts } }) =>
      conflictFault(conflicts, drop) ?? draftFault(step, constraints),
    accepted: (step, { constraints, drop, questions }, { key, source }) => {
      addConstraints(step, key, constraints, source);
      for (const text of questions) step.emit({ t: 'question', node: key, text });
      if (getNode(step.state, key).status === 'awaiting') {
        step.emit({ t: 'dropped', node: key, ids: drop });
        move(step, key, 'selecting_constraints', 'settled_by_a_person');
      }
      const ids = constraints.map(({ id }) => id);
      setEligible(step, key, [...(getNode(step.state, key).eligible ?? []), ...ids]);
      wake(step, key);
    },
    failed: (step, _, { key }) => {
      const { status, core } = getNode(step.state, key);
      if (status === 'awaiting') {
        fail(step, key, 'constraint_conflict');
        return;
      }
      step.emit({ t: 'question', node: key, text: 'nobody looked for constraints that are not stated' });
      setEligible(step, key, core);
      wake(step, key);
    },
  },
  identify: {
    fault: (step, { apply, constraints }, { body: { candidates } }) =>
      nameFault(apply, candidates) ?? draftFault(step, constraints),
    accepted: (step, { apply, constraints }, { key, source }) => {
      addConstraints(step, key, constraints, source);
      setEligible(step, key, [...apply, ...constraints.map(({ id }) => id)]);
      wake(step, key);
    },
    failed: (step, _, { key }) => {
      setEligible(step, key, getNode(step.state, key).core);
      wake(step, key);
    },
  },
  select: {
    fault: (_, { selected }, { body: { candidates } }) => nameFault(selected, candidates),
    accepted: (step, { selected }, { key }) => {
      if (setSelected(step, key, selected, [])) wake(step, key);
    },
    failed: (step, _, { key }) => {
      if (setSelected(step, key, getNode(step.state, key).eligible ?? [], [])) wake(step, key);
    },
  },
  route: {
    fault: ({ state }, { steps }, { body: { candidates } }) => {
      const known = candidates.map(({ id }) => id);
      const unknown = steps.find((id, at) =>
        at === steps.length - 1 ? !known.includes(id) : !state.resolvers.has(id),
      );
      return unknown === undefined ? null : refuse('unknown_resolver', { name: unknown });
    },
    accepted: (step, { steps }, { key }) => {
      step.emit({ t: 'routed', node: key, steps, why: 'chosen' });
      wake(step, key);
    },
    failed: (step, _, { key, body: { candidates } }) => {
      step.emit({ t: 'routed', node: key, steps: [candidates[0]?.id ?? ''], why: 'nobody_chose' });
      wake(step, key);
    },
  },
  resolve: {
    fault: ({ state }, made, { key, body, source }) => {
      const node = getNode(state, key);
      if (isSplit(made)) {
        if (!body.may_split) return refuse('too_large', { limit: 'depth' });
        return readLeft(readSplit(state, node, made, AUTHORS.includes(source)));
      }
      const selected = node.selected ?? [];
      const isLeft = selected.some((id) => state.constraints.get(id)?.scope === 'local');
      return made.leaf_kind === 'constraint_exhausted' && isLeft
        ? refuse('not_exhausted', { selected })
        : null;
    },
    accepted: (step, made, { key, source }) =>
      isSplit(made) ? takeSplit(step, key, made) : takeOutput(step, key, made, source),
    failed: (step, failure, { key }) => retryOrFail(step, key, failure),
  },
  survey: {
    fault: (step, survey, { key }) =>
      step.state.plans.has(key) ? readLeft(readSurvey(step, key, survey)) : null,
    accepted: (step, survey, { key, body: { tasks } }) => {
      if (!step.state.plans.has(key)) {
        wake(step, key);
        return;
      }
      const file = readSurvey(step, key, survey);
      const asked = tasks.map(({ id }) => id);
      takeSurvey(step, key, file._tag === 'Left' ? getPlan(step.state, key).file : file.right, asked);
      leaveSurvey(step, key);
    },
    failed: (step, _, { key, body: { tasks } }) => {
      if (!step.state.plans.has(key)) {
        wake(step, key);
        return;
      }
      const asked = tasks.map(({ id }) => id);
      step.emit({ t: 'surveyed', node: key, file: getPlan(step.state, key).file, tasks: asked });
      leaveSurvey(step, key);
    },
  },
  rank: {
    fault: (_, { order }, { body: { repairs } }) => {
      const isWhole = order.length === repairs.length && new Set(order).size === order.length;
      return isWhole && order.every((at) => at < repairs.length) ? null : refuse('not_an_order', null);
    },
    accepted: (step, { order }, { key }) => takeRank(step, key, order),
    failed: (step, _, { key }) => takeRank(step, key, [0]),
  },
  choose: {
    fault: (step, chosen, { key, body: { best } }) =>
      step.state.plans.has(key) ? readLeft(readChoice(step, key, chosen, best)) : null,
    accepted: (step, chosen, { key, body: { best } }) => {
      const read = readChoice(step, key, chosen, best);
      judgePlan(step, key, read._tag === 'Left' ? null : read.right);
    },
    failed: (step, _, { key }) => judgePlan(step, key),
  },
  verify: {
    fault: (_, { checks }, { body: { constraints } }) => {
      const asked = constraints.map(({ id }) => id);
      const told = checks.map(({ constraint }) => constraint);
      const isEach = told.length === asked.length && asked.every((id) => told.includes(id));
      return isEach ? null : refuse('not_each_once', { asked });
    },
    accepted: (step, verified, { key }) => takeChecks(step, key, verified),
    failed: (step, { code }, { key, body: { constraints } }) => {
      const checks = constraints.map(({ id }) => makeCheck(id, false, `nobody looked: ${code}`));
      step.emit({ t: 'checked', node: key, checks });
      verifyNode(step, key);
    },
  },
  feedback: {
    accepted: (step, { advice }, { key }) => {
      step.emit({ t: 'advised', node: key, advice: advice.slice(0, 400) });
      wake(step, key);
    },
    failed: (step, _, { key }) => wake(step, key),
  },
  gap: {
    fault: (step, { constraints }) => draftFault(step, constraints),
    accepted: (step, gap, { key }) => takeGap(step, key, gap),
    failed: (step, _, { key }) => hire(step, key, 'no_resolver', null),
  },
  capability: {
    fault: (_, { fingerprint }, { body: { fingerprint: wanted } }) =>
      fingerprint === wanted ? null : refuse('other_capability', { wanted }),
    accepted: takeCapability,
    failed: (step, _, { key }) => closeCapability(step, key, 'silent', null, false),
  },
  hire: {
    fault: (step, said, { key }) => hireFault(step, key, said),
    accepted: (step, said, { key, body: { reason } }) => takeDecision(step, key, reason, said),
    failed: (step, _, { key, body: { reason } }) =>
      closeCapability(step, key, 'silent', null, reason !== MONEY),
  },
  done: {
    fault: (step, said, { key, body: { rows } }) => doneFault(step.state, key, said, rows),
    accepted: (step, said, { key }) => takeDone(step, key, said),
    failed: (step, _, { key }) => fail(step, key, 'nobody_answered'),
  },
  consistency: {
    fault: (step, { conflicts }, { body: { outputs } }) => {
      const known = outputs.map(({ node }) => ({ id: node }));
      for (const { nodes, constraints } of conflicts) {
        const fault = nodes.length === 0 ? refuse('no_nodes', null) : nameFault(nodes, known);
        if (fault !== null) return fault;
        const draft = draftFault(step, constraints);
        if (draft !== null) return draft;
      }
      return null;
    },
    accepted: (step, found, { key }) => takeConflicts(step, key, found),
    failed: (step) => step.emit({ t: 'ending', status: 'refused', reasons: ['consistency_unchecked'] }),
  },
  assemble: {
    accepted: (step, { artifact: { format, summary, content } }, { key, source }) => {
      takeAssembly(step, key, content, { format, summary: summary.slice(0, 400), resolver: source });
      wake(step, key);
    },
    failed: (step, _, { key }) => {
      step.emit({ t: 'question', node: key, text: 'nobody put the parts together' });
      takeAssembly(step, key, getNode(step.state, key).children);
      wake(step, key);
    },
  },
};

/** The decision. A failure is never rejected. */
export function decide(
  state: PlannerState,
  answer: PlannerAnswer,
  context: Context,
): Result<Rejection, PlannerDecision> {
  const { request, input, proposal } = answer;
  const waiting = state.waiting.get(request.id);
  if (waiting === undefined) throw new InvariantError('planner/decide', `no request ${request.id} is open`);
  const { kind, node: key } = waiting;
  // The kernel gives back what was asked: a body of this kind, and the value that `parse` read for it.
  const rules = RULES[kind] as Rules<AskKind>;
  const asked = { key, body: request.body, source: proposal.source };
  const step = stepFrom(state, context);
  const isMoot = state.ending !== null || isOver(getNode(state, key).status);
  if (input._tag === 'Right' && (!isMoot || kind === 'clock')) {
    const fault = rules.fault?.(step, input.right.value, asked) ?? null;
    if (fault !== null) return err(fault);
  }
  settle(step, request.id, waiting, answer);
  if (!isMoot && input._tag === 'Right') rules.accepted(step, input.right.value, asked);
  else if (!isMoot && input._tag === 'Left') rules.failed(step, input.left, asked);
  else if (isOver(getNode(step.state, key).status)) refund(step, key);
  endInTime(step);
  if (step.state.ending === null) fill(step);
  return ok(finish(step));
}

/** No account may hold more, so that sums over the tree stay exact. */
const SPENT_MAX = 1_125_899_906_842_624;

function settle(step: Step, id: string, waiting: Waiting, { spent, proposal, input }: PlannerAnswer): void {
  const { account } = getNode(step.state, waiting.node);
  const amounts = convertAmounts(step.state, spent).map((amount, unit) =>
    Math.min(amount, SPENT_MAX - (account.spent[unit] ?? 0)),
  );
  const overrun = amounts.some((amount, unit) => amount > (waiting.reserve[unit] ?? 0));
  const said = input._tag === 'Right' && input.right.t === 'clock' ? input.right.value.t_us : proposal.at_us;
  step.emit({ t: 'settled', id, spent: amounts, overrun, at_us: said });
}

function endInTime(step: Step): void {
  const { minutes } = requireSetup(step.state).policy;
  const { start_us, now_us } = step.state.time;
  if (minutes === null || start_us === null || now_us === null) return;
  if (BigInt(now_us - start_us) > BigInt(minutes) * 60_000_000n)
    step.emit({ t: 'ending', status: 'refused', reasons: ['time_over'] });
}

/** The node acts next. */
const wake = (step: Step, key: string): void => step.emit({ t: 'ready', node: key });

/** Before the first node acts: the time and the library, where the policy wants them. */
export function begin(step: Step): void {
  const { policy } = requireSetup(step.state);
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
  ask(step, 'library', root, { ...toGoalKind(step, getNode(step.state, root)), capability: null, gap: null });
}

/** The library has been asked: the run begins, or what is missing is looked for, made or asked for. */
function leaveLibrary(step: Step, key: string, gap: Json): void {
  // It was an answer, so it has its shape.
  if (gap !== null) grow(step, key, gap as unknown as Answers['gap']);
  else if (requireSetup(step.state).policy.clock === 'asked' && step.state.time.now_us === null)
    step.emit({ t: 'held', node: null });
  else begin(step);
}

function leaveSurvey(step: Step, key: string): void {
  if (step.state.held !== key) return judgePlan(step, key);
  step.emit({ t: 'held', node: null });
  replan(step, key);
}

function readLeft(read: Result<Rejection, unknown>): Rejection | null {
  return read._tag === 'Left' ? read.left : null;
}
