/**
 * Actions of agents, one by one: stale ones are void, what needs something from outside waits, and the agent's
 * list with it. Source: specs/ecology.md, top; B5, B13.
 */
import { field, isObject, type Json } from '@assay/kernel';
import { parseAction } from '../protocol/action.js';
import { askFor } from '../protocol/requests.js';
import type { Refusal } from '../protocol/response.js';
import { measureSize, type Draft, type Size } from '../world/draft.js';
import type { EcologyEvent } from '../world/events.js';
import { refusal, type Frame, type Outcome, type Wanted } from '../world/outcome.js';
import { describeRunState, getRunState } from '../world/run-state.js';
import { crash, settleLives } from './living.js';
import { performIn } from './perform.js';
import { getAccount, findLive, type Waiting } from '../world/state.js';

/** Who acts, what it thought under, and the rest of its list. */
type Actor = { readonly agent: string; readonly config_hash: string; readonly rest: readonly Json[] };

/** One entry: who acts, with what it thought under. */
export function actOnce(draft: Draft, agent: string, config_hash: string, action: Json): void {
  const fault =
    getAccount(draft.state, agent).life?.asked === true
      ? refusal('CONFLICT', 'the agent has an invitation of its own', describeRunState(draft.state, agent))
      : (faultOfActor(draft, agent, config_hash) ?? faultOfState(draft, agent));
  const failure = readFailure(action);
  if (fault !== null) refuse(draft, agent, action, fault);
  else if (failure === null) attempt(draft, { agent, config_hash, rest: [] }, action, []);
  else {
    refuse(draft, agent, action, refusal('EXECUTION_ERROR', 'the mind of the agent failed', { failure }));
    crash(draft, agent, failure);
  }
  settleLives(draft);
}

/** What a driver says of a mind that failed, as an entry of a turn: {op: "failed", code}. */
function readFailure(action: Json): string | null {
  if (!isObject(action) || field(action, 'op') !== 'failed' || Object.keys(action).length !== 2) return null;
  return FAILURES.find((code) => code === field(action, 'code')) ?? null;
}
const FAILURES = ['threw', 'late', 'malformed'] as const;

/** Who sleeps or is frozen does not act; who is blocked may try what it is not blocked for. */
function faultOfState({ state }: Draft, agent: string): Refusal | null {
  const now = getRunState(state, agent);
  return now === 'active' || now === 'blocked'
    ? null
    : refusal('CONFLICT', `the agent is ${now}`, describeRunState(state, agent));
}

/** A list of one agent; it stops where an action waits, and goes on from there. */
export function actAll(draft: Draft, agent: string, config_hash: string, actions: readonly Json[]): void {
  for (const [at, action] of actions.entries()) {
    // What was thought is paid for: it is done, unless the agent went to sleep.
    const isAsleep = getAccount(draft.state, agent).life?.sleep !== null;
    const fault = faultOfActor(draft, agent, config_hash) ?? (isAsleep ? faultOfState(draft, agent) : null);
    if (fault !== null) refuse(draft, agent, action, fault);
    else if (!attempt(draft, { agent, config_hash, rest: actions.slice(at + 1) }, action, [])) return;
    settleLives(draft);
  }
}

/** The answer of an effect is there: the action runs again whole, and the rest of its list after it. */
export function actAgain(draft: Draft, agent: string, waiting: Waiting, answer: Json): void {
  const { action, rest, need_hash, config_hash } = waiting;
  const answers = [...waiting.answers, [need_hash, answer] as const];
  const fault = faultOfActor(draft, agent, config_hash);
  if (fault !== null) refuse(draft, agent, action, fault);
  else if (!attempt(draft, { agent, config_hash, rest }, action, answers)) return;
  settleLives(draft);
  actAll(draft, agent, config_hash, rest);
}

function faultOfActor({ state }: Draft, agent: string, config_hash: string): Refusal | null {
  const actor = findLive(state, agent);
  if (actor === undefined) return refusal('NOT_FOUND', 'there is no such agent');
  if (!actor.has_standing) return refusal('NO_STANDING', 'what has no standing does not act');
  if (state.waiting.has(agent)) return refusal('CONFLICT', 'an action of the agent waits');
  return actor.config_hash === config_hash
    ? null
    : refusal('STALE_CONTEXT', 'the agent changed while it thought');
}

/** One action with the answers so far; false where it waits. */
function attempt(draft: Draft, actor: Actor, action: Json, answers: Waiting['answers']): boolean {
  const { agent } = actor;
  draft.tell('action', () => ({ agent, action }));
  const savepoint = draft.begin();
  const purse = { payer: agent, left: getAccount(draft.state, agent).amounts.scrip, paid: 0 };
  const frame: Frame = {
    requester: agent,
    payer: agent,
    purse,
    invokes: [],
    checks: [],
    answers: new Map(answers),
  };
  const performed: Outcome = draft.hasRoom(ROOM)
    ? performIn(draft).perform(frame, action)
    : { t: 'no', refusal: TOO_MUCH };
  const isOwed = performed.t === 'ok' && draft.owes;
  if (isOwed) draft.undo(savepoint);
  const outcome: Outcome = isOwed ? { t: 'no', refusal: OWED } : performed;
  if (outcome.t === 'no') refuse(draft, agent, action, outcome.refusal, draft.keptSince(savepoint, agent));
  else if (outcome.t === 'ok') {
    draft.tell('done', () => ({ agent, price_paid: purse.paid }));
    const paid = purse.paid > 0 ? { x: purse.paid } : {};
    if (!isTold(action)) draft.emit({ t: 'did', a: agent, ...paid });
    else {
      const size = measureSize(outcome.result);
      if (draft.hasRoom(size)) draft.emit({ t: 'did', a: agent, r: outcome.result, ...paid }, size);
      else {
        draft.undo(savepoint);
        refuse(draft, agent, action, TOO_MUCH, draft.keptSince(savepoint, agent));
      }
    }
  } else if (answers.length >= draft.config.contracts.max_suspends)
    refuse(
      draft,
      agent,
      action,
      refusal('LIMIT_EXCEEDED', 'the action needs too much from outside'),
      draft.keptSince(savepoint, agent),
    );
  else {
    draft.undoWhole(savepoint);
    suspend(draft, actor, action, answers, outcome.need);
    return false;
  }
  return true;
}

/** What a refusal of an answer says whose consequences do not fit a record. */
const TOO_MUCH = refusal('LIMIT_EXCEEDED', 'one answer leads to too much');

/** What a refusal says of an action inside which something failed that stays paid, and cannot be paid now. */
const OWED = refusal('INSUFFICIENT_FUNDS', 'what was paid inside was given away');

/** Room that an action may need besides contents: events of its calls. */
const ROOM: Size = { bytes: 262_144, marks: 20_000 };

/** A read's result is the content as the state has it, a noop's is null: only an invoke's is written down. */
function isTold(action: Json): boolean {
  return isObject(action) && field(action, 'op') === 'invoke';
}

function suspend(
  draft: Draft,
  { agent, config_hash, rest }: Actor,
  action: Json,
  answers: Waiting['answers'],
  { need, hash, payer, tokens, uusd }: Wanted,
): void {
  draft.tell('waits', () => ({ agent, for: need.service }));
  // What is no action may hold what no state can: it is refused all the same when its turn comes.
  const later = rest.map((each) => (typeof parseAction(each) === 'string' ? null : each));
  const waiting: Waiting = {
    payer,
    config_hash,
    need_hash: hash,
    tokens,
    uusd,
    action,
    rest: later,
    answers,
  };
  draft.emit({ t: 'waits', a: agent, v: waiting }, measureSize(waiting));
  draft.ask(`effect ${agent}`, askFor('effect', { agent, need }, draft.config.net.attempts));
}

function refuse(
  draft: Draft,
  agent: string,
  action: Json,
  { code, message, details, retry_after_us }: Refusal,
  paid: number = 0,
): void {
  draft.tell('refused', () => ({ agent, code, message, details: details ?? null, price_paid: paid }));
  const failed = code === 'EXECUTION_ERROR' || code === 'TIMEOUT';
  const id = failed && isObject(action) ? field(action, 'id') : undefined;
  const ended: EcologyEvent = {
    t: 'no',
    a: agent,
    c: code,
    m: message,
    ...(details === undefined ? {} : { d: details }),
    ...(retry_after_us === undefined ? {} : { w: retry_after_us }),
    ...(typeof id === 'string' ? { i: id } : {}),
    ...(paid > 0 ? { x: paid } : {}),
  };
  draft.emit(ended, measureSize([message, details ?? null]));
}
