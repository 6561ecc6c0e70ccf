/**
 * What follows from one answer. Source: specs/ecology.md, top; B13.
 *
 * @module
 */
import {
  absurd,
  err,
  InvariantError,
  ok,
  type Answer,
  type Context,
  type Decision,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { given, isDue } from '../mechanisms/offers.js';
import { expire } from '../mechanisms/window.js';
import type { ContractEngine } from '../protocol/engine.js';
import type { Bodies, Body, Input, Kind, OperatorOrder } from '../protocol/requests.js';
import { giveBack } from '../services/escrow.js';
import { configHash, isGuard } from '../store/writing.js';
import { actAgain, actAll, actOnce, chargeOutside } from './acting.js';
import { balancesOf, reportOf } from './closing.js';
import { Draft, HALF, type Told } from '../world/draft.js';
import type { EcologyEvent } from '../world/events.js';
import { inviteAgain } from './inviting.js';
import { heardScore, mintTo, resolveDue } from './minting.js';
import { HOLDERS, liveOf, type EcologyState } from '../world/state.js';

/** An answer to this machine. */
export type EcologyAnswer = Answer<Input, Body>;
/** A decision of this machine. */
export type EcologyDecision = Decision<EcologyEvent, Body>;

/** Later times are taken for this one, so that sums with them stay exact. */
const TIME_MAX = 4_503_599_627_370_496;

/** The decision; `told` hears each step of each action. Rejections: `too_many_actions` {limit}, `bad_order` {path}. */
export function decideWith(
  engine: ContractEngine | null,
  state: EcologyState,
  answer: EcologyAnswer,
  context: Context,
  told: ((told: Told) => void) | null = null,
): Result<Rejection, EcologyDecision> {
  const name = nameOf(answer);
  const { input } = answer;
  const now = Math.max(state.now_us, Math.min(answer.proposal.at_us ?? 0, TIME_MAX));
  const fault = input._tag === 'Right' ? faultIn(state, now, input.right) : null;
  if (fault !== null) return err(fault);
  const draft = new Draft(state, context, engine, told);
  const isStop = input._tag === 'Right' && input.right.t === 'operator' && input.right.order.op === 'stop';
  if (isStop || isSpent(state)) {
    if (isStop) administer(draft, input.right.order);
    return ok(stopped(draft));
  }
  const begun = draft.save();
  passTime(draft, now);
  hear(draft, answer, name);
  inviteAgain(draft, begun, { name, id: answer.request.id });
  return ok(draft.done());
}

/** What a request is known as in the state. */
function nameOf({ request }: EcologyAnswer): string {
  const { kind, body } = request;
  switch (kind as Kind) {
    case 'act':
      return `act ${(body as Bodies['act']).agent}`;
    case 'effect':
      return `effect ${(body as Bodies['effect']).agent}`;
    case 'score': {
      const { resolution, artifact_id } = body as Bodies['score'];
      return `score ${resolution} ${artifact_id}`;
    }
    default:
      return kind;
  }
}

/** Why an answer is not accepted at a time. */
function faultIn({ config, minters }: EcologyState, now: number, input: Input): Rejection | null {
  if (input.t === 'act' || input.t === 'turn') {
    const limit = input.t === 'act' ? config.machine.act_actions : config.machine.turn_actions;
    return input.actions.length > limit ? { code: 'too_many_actions', detail: { limit } } : null;
  }
  if (input.t !== 'operator' || input.order.op !== 'bounty') return null;
  const { minter, amount } = input.order;
  const known = config.mint.minters.find(({ id }) => id === minter);
  const window = minters.get(minter);
  if (known === undefined || window === undefined) return { code: 'bad_order', detail: { path: '/minter' } };
  const { used } = expire(window, now, known.window_us);
  return used + amount > known.cap ? { code: 'bad_order', detail: { path: '/amount' } } : null;
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
    artifacts: { ...balancesOf(draft.state), report: reportOf(draft.state) },
    outcome: { status: 'success', reasons: [] },
  });
}

/** Time never goes back. Where it goes on, what is due happens first: exits of offers, then the auction. */
function passTime(draft: Draft, now: number): void {
  const isLater = now > draft.state.now_us;
  if (isLater) draft.emit({ t: 'now', us: now });
  returnDue(draft);
  if (isLater) resolveDue(draft);
}

/** Returns what offers that are due hold: as many as fit half a record, the others with the next answer. */
function returnDue(draft: Draft): void {
  const { now_us, next_due_us, offers } = draft.state;
  if (now_us < next_due_us) return;
  for (const [, offer] of offers.sorted())
    if (isDue(offer, now_us) && draft.hasRoom(HALF)) giveBack(draft, offer, given(offer, offer.maker));
  // The reading again: what is due next is known anew. Not where nothing was due: a bound that is too low says
  // nothing that a state read from a snapshot would not say.
  if (draft.state.offers !== offers) draft.emit({ t: 'now', us: now_us });
}

function hear(draft: Draft, answer: EcologyAnswer, name: string): void {
  const { request, input, spent } = answer;
  switch (request.kind as Kind) {
    case 'act': {
      const { agent, config_hash } = request.body as Bodies['act'];
      if (chargeOutside(draft, agent, spent, NOTHING_HELD)) draft.emit({ t: 'thought', a: agent });
      if (input._tag === 'Right' && input.right.t === 'act')
        actAll(draft, agent, config_hash, input.right.actions);
      return;
    }
    case 'turn':
      if (input._tag === 'Right' && input.right.t === 'turn')
        for (const [agent, config_hash, action] of input.right.actions)
          actOnce(draft, agent, config_hash, action);
      return;
    case 'clock':
      return;
    case 'operator':
      if (input._tag === 'Right' && input.right.t === 'operator') administer(draft, input.right.order);
      return;
    case 'score': {
      const { resolution, artifact_id } = request.body as Bodies['score'];
      const score = input._tag === 'Right' && input.right.t === 'score' ? input.right.score : null;
      heardScore(draft, resolution, artifact_id, score, request.id);
      return;
    }
    case 'effect': {
      const { agent } = request.body as Bodies['effect'];
      const waiting = draft.state.waiting.get(agent);
      if (waiting === undefined) throw new InvariantError('ecology/effect', `${agent} waits for nothing`);
      draft.close(name, request.id);
      draft.emit({ t: 'woke', a: agent });
      chargeOutside(draft, waiting.payer, spent, waiting);
      actAgain(
        draft,
        agent,
        waiting,
        input._tag === 'Right' && input.right.t === 'effect'
          ? { result: input.right.result }
          : { failure: input._tag === 'Left' ? input.left.code : 'malformed' },
      );
      return;
    }
    default:
      absurd(request.kind as never);
  }
}

const NOTHING_HELD = { tokens: 0, uusd: 0 };

/** An operator acts with a reason, seen by all; what is not possible changes nothing. */
function administer(draft: Draft, order: OperatorOrder): void {
  draft.emit({ t: 'admin', op: order.op, why: order.rationale });
  switch (order.op) {
    case 'stop':
      return;
    case 'bounty':
      if (liveOf(draft.state, order.to)?.has_standing === true)
        mintTo(draft, order.minter, order.to, order.amount);
      return;
    case 'admin_rebind': {
      const artifact = liveOf(draft.state, order.artifact_id);
      const { access_contract_id } = order;
      if (artifact === undefined || !isGuard(draft, access_contract_id)) return;
      draft.emit({
        t: 'own',
        i: artifact.id,
        o: artifact.owner,
        k: access_contract_id,
        g: configHash(draft, { ...artifact, access_contract_id }),
        p: artifact.storage_payer,
      });
      return;
    }
    default:
      absurd(order);
  }
}
