/**
 * What follows from one answer, and who is invited then: whoever may act now has one invitation open, and nobody
 * else. Source: specs/ecology.md, top; B5, B13.
 */
import {
  err,
  InvariantError,
  ok,
  type Answer,
  type Context,
  type Decision,
  type Rejection,
  type Result,
} from '@assay/kernel';
import type { ContractEngine } from '../protocol/engine.js';
import {
  type Bodies,
  type Body,
  type Input,
  type Kind,
  askFor,
  nameRequest,
  STANDING,
} from '../protocol/requests.js';
import { settleCall } from '../services/calls.js';
import { actAgain, actAll, actOnce } from './acting.js';
import { listBalances, makeReport } from './closing.js';
import { blockThinker, crash, fireTimers, invite, settleLives } from './living.js';
import { Draft, type Told } from '../world/draft.js';
import type { EcologyEvent } from '../world/events.js';
import { heardScore, resolveDue } from './minting.js';
import { administer, findOrderFault } from './orders.js';
import { charge, computeCharge, findPrice, NO_BOUND } from '../world/outside.js';
import { isInvited } from '../world/run-state.js';
import { HOLDERS, type EcologyState } from '../world/state.js';

/** An answer to this machine. */
export type EcologyAnswer = Answer<Input, Body>;
/** A decision of this machine. */
type EcologyDecision = Decision<EcologyEvent, Body>;

/** Later times are taken for this one, so that sums with them stay exact. */
const TIME_MAX = 4_503_599_627_370_496;

/**
 * The rules of one kind of request. `fault`: why an answer is not accepted at a time. `hear`: what follows; `said` is
 * null where no acceptable answer came.
 */
type Rules<K extends Kind> = {
  fault?(state: EcologyState, said: Said<K>, now: number): Rejection | null;
  hear?(draft: Draft, said: Said<K> | null, body: Bodies[K], answer: EcologyAnswer): void;
};
type Said<K extends Kind> = Extract<Input, { readonly t: K extends 'effect' ? 'effect' | 'call' : K }>;

const RULES: { readonly [K in Kind]: Rules<K> } = {
  act: {
    fault: ({ config }, { actions }) => countFault(actions, config.machine.act_actions),
    hear: (draft, said, { agent, config_hash }, answer) => {
      const units = Object.keys(answer.spent).length > 0 ? 1 : 0;
      const thought = { price: findPrice(draft.config, 'default'), units, held: NO_BOUND };
      const cost = computeCharge(answer, thought);
      // Who cannot pay all of it has not paid for a think: else income is farmed by the poor.
      if (charge(draft, agent, cost) === cost.uusd && cost.uusd > 0) draft.emit({ t: 'thought', a: agent });
      blockThinker(draft, agent);
      const failure = answer.input._tag === 'Left' ? answer.input.left.code : null;
      if (failure !== null && OWN_FAULTS.includes(failure)) crash(draft, agent, failure);
      settleLives(draft);
      if (said !== null) actAll(draft, agent, config_hash, said.actions);
    },
  },
  turn: {
    fault: ({ config }, { actions }) => countFault(actions, config.machine.turn_actions),
    hear: (draft, said) => {
      for (const [agent, config_hash, action] of said?.actions ?? [])
        actOnce(draft, agent, config_hash, action);
    },
  },
  clock: {},
  operator: {
    fault: (state, { order }, now) => findOrderFault(state, order, now),
    hear: (draft, said) => {
      if (said !== null) administer(draft, said.order);
    },
  },
  score: {
    hear: (draft, said, { resolution, artifact_id }, { request }) =>
      heardScore(draft, resolution, artifact_id, said?.score ?? null, request.id),
  },
  effect: {
    hear: (draft, said, body, answer) => {
      if ('call' in body) return settleCall(draft, body.call, said?.t === 'call' ? said : null, answer);
      const { agent } = body;
      const { request, input } = answer;
      const waiting = draft.state.waiting.get(agent);
      if (waiting === undefined) throw new InvariantError('ecology/effect', `${agent} waits for nothing`);
      draft.close(`effect ${agent}`, request.id);
      draft.emit({ t: 'woke', a: agent });
      const price = findPrice(draft.config, 'default');
      charge(draft, waiting.payer, computeCharge(answer, { price, units: 1, held: waiting }));
      const failure = input._tag === 'Left' ? input.left.code : 'malformed';
      actAgain(draft, agent, waiting, said?.t === 'effect' ? { result: said.result } : { failure });
    },
  },
};

/** Failures of a mind itself; the others are those of who serves it. */
const OWN_FAULTS: readonly string[] = ['malformed', 'exhausted'];

function countFault({ length }: readonly unknown[], limit: number): Rejection | null {
  return length > limit ? { code: 'too_many_actions', detail: { limit } } : null;
}

/** The decision; `told` hears each step of each action. Rejections: `too_many_actions` {limit}, `bad_order` {path}. */
export function decideWith(
  engine: ContractEngine | null,
  state: EcologyState,
  answer: EcologyAnswer,
  context: Context,
  told: ((told: Told) => void) | null = null,
): Result<Rejection, EcologyDecision> {
  const { request, input } = answer;
  const kind = request.kind as Kind;
  // The kernel gives back what was asked: a body of this kind, and the answer that `parse` read for it.
  const rules = RULES[kind] as Rules<Kind>;
  const said = input._tag === 'Right' ? input.right : null;
  const now = Math.max(state.now_us, Math.min(answer.proposal.at_us ?? 0, TIME_MAX));
  const fault = said === null ? null : (rules.fault?.(state, said, now) ?? null);
  if (fault !== null) return err(fault);
  const draft = new Draft(state, context, engine, told);
  const isStop = said?.t === 'operator' && said.order.op === 'stop';
  if (isStop || isSpent(state)) {
    if (isStop) administer(draft, said.order);
    return ok(stopped(draft));
  }
  passTime(draft, now);
  rules.hear?.(draft, said, request.body, answer);
  settleLives(draft);
  inviteAgain(draft, { name: nameRequest(request), id: request.id });
  return ok(draft.done());
}

/** True where a run ends because all money for models is spent. */
function isSpent({ config, accounts }: EcologyState): boolean {
  const { llm_budget_uusd, on_budget_exhausted } = config.resources;
  if (on_budget_exhausted !== 'stop_run' || llm_budget_uusd === 0) return false;
  return accounts.get(HOLDERS.spent)?.amounts.llm_budget === llm_budget_uusd;
}

function stopped(draft: Draft): EcologyDecision {
  draft.emit({ t: 'stopped' });
  return draft.done({
    artifacts: { ...listBalances(draft.state), report: makeReport(draft.state) },
    outcome: { status: 'success', reasons: [] },
  });
}

/** Time never goes back. Where it goes on, what is due happens first: timers, then the auction. */
function passTime(draft: Draft, now: number): void {
  const isLater = now > draft.state.now_us;
  if (isLater) draft.emit({ t: 'now', us: now });
  fireTimers(draft);
  if (isLater) resolveDue(draft);
  settleLives(draft);
}

const STANDING_KINDS = ['turn', 'clock', 'operator'] as const;

/** The invitations of a world that begins. */
export function inviteAll(draft: Draft): void {
  for (const kind of STANDING_KINDS) draft.ask(kind, askFor(kind, STANDING[kind]));
  for (const [id] of draft.state.accounts.sorted()) if (isInvited(draft.state, id)) invite(draft, id, '');
}

/** After an answer: its invitation anew, and those of agents that may act now, or no longer. */
function inviteAgain(draft: Draft, answered: { readonly name: string; readonly id: string }): void {
  const standing = STANDING_KINDS.find((kind) => kind === answered.name);
  if (standing !== undefined) draft.ask(standing, askFor(standing, STANDING[standing]));
  if (answered.name.startsWith('act ')) draft.meet(answered.name.slice(4));
  for (const agent of draft.met) invite(draft, agent, answered.id);
}
