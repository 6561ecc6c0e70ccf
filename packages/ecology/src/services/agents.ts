/**
 * What agents do with their own life: sleep until a time, an event or a balance, keep subscriptions, name a memory.
 *
 * Source: specs/ecology.md B6; 004 L709–735, L1978.
 */
import { compareText, field, isArray, type Json, type JsonObject } from '@assay/kernel';
import { findFirst } from '../mechanisms/timers.js';
import { find, makeRefusal, permit } from '../contracts/permit.js';
import { measureSize } from '../world/draft.js';
import { COMPARISONS, makeWatchKey, type BalanceWatch, type Life, type Watch } from '../world/life.js';
import { EVENT_FIELDS, EVENT_TYPES, type EventType } from '../world/log.js';
import { done, refused, type Outcome } from '../world/outcome.js';
import { describeRunState, isDormant } from '../world/run-state.js';
import { getAccount } from '../world/state.js';
import {
  AMOUNT,
  closedObject,
  COUNT,
  method,
  readNumber,
  readText,
  RESOURCE,
  TEXT,
  type Call,
  type Method,
} from './service.js';

/** A sleep is never longer: 365 days. */
const SLEEP_MAX_US = 31_536_000_000_000;
/** Conditions of a sleep, each kind. */
const CONDITIONS_MAX = 16;

const FIELDS = [...new Set(Object.values(EVENT_FIELDS).flat<readonly (readonly string[])[]>())].sort(
  compareText,
);
const TYPE: JsonObject = { type: 'string', enum: EVENT_TYPES };
const WHERE: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(FIELDS.map((name) => [name, TEXT])),
  additionalProperties: false,
};
const EVENTS: JsonObject = { type: 'array', items: closedObject({ event: TYPE, 'where?': WHERE }) };
const OP: JsonObject = { type: 'string', enum: COMPARISONS };
const BALANCES: JsonObject = {
  type: 'array',
  items: closedObject({ resource: RESOURCE, op: OP, value: COUNT }),
};

/** An agent's own life; each method is about who calls it. */
export const AGENTS: ReadonlyMap<string, Method> = new Map([
  method(
    'sleep',
    'Sleeps until the first of: a time, so long, an event, a balance of yours. At most a year.',
    { 'until_us?': COUNT, 'for_us?': AMOUNT, 'events?': EVENTS, 'balances?': BALANCES },
    ofAgents(sleep),
  ),
  method('wake', 'Ends your sleep, called by your own code.', {}, ofAgents(wake)),
  method(
    'subscribe',
    'Is woken from every sleep by an event.',
    { event: TYPE, 'where?': WHERE },
    ofAgents(subscribe),
  ),
  method('unsubscribe', 'Ends a subscription.', { subscription_id: TEXT }, ofAgents(unsubscribe)),
  method(
    'set_memory',
    'Names an artifact you may write as your memory.',
    { 'artifact_id?': TEXT },
    ofAgents(setMemory),
  ),
  method('status', 'Your run state, its reasons, your memory and subscriptions.', {}, ofAgents(status)),
]);

/** A method of the life of who calls; refused where it is no agent. */
function ofAgents(run: (call: Call, life: Life) => Outcome): Method['run'] {
  return (call) => {
    const { life } = getAccount(call.physics.draft.state, call.frame.requester);
    return life === null ? refused('NO_STANDING', 'only an agent has a life') : run(call, life);
  };
}

function sleep({ physics: { draft }, frame, args }: Call, life: Life): Outcome {
  if (life.sleep?.why === 'crash') return refused('CONFLICT', 'the agent waits after a failure');
  const [events, balances] = [listOf(args, 'events'), listOf(args, 'balances')];
  if (Math.max(events.length, balances.length) > CONDITIONS_MAX)
    return refused('LIMIT_EXCEEDED', 'too many conditions', { limit: CONDITIONS_MAX });
  const watches = events.map(readWatch);
  const odd = watches.find(isOdd);
  if (odd !== undefined) return refuseField(odd);
  const now = draft.state.now_us;
  const until = Math.min(
    readNumber(args, 'until_us', Infinity),
    now + readNumber(args, 'for_us', SLEEP_MAX_US),
  );
  const us = Math.min(until, now + SLEEP_MAX_US);
  const v = { events: watches, balances: balances as unknown as readonly BalanceWatch[] };
  draft.emit({ t: 'slept', a: frame.requester, y: 'own', us, v }, measureSize(v));
  return done({ until_us: us });
}

function wake({ physics, frame }: Call, life: Life): Outcome {
  if (life.sleep === null) return done(null);
  if (life.sleep.why === 'crash') return refused('CONFLICT', 'the agent waits after a failure');
  physics.draft.emit({ t: 'roused', a: frame.requester, y: 'own' });
  return done(null);
}

/** Adds a subscription; of too many in the world the one goes that woke nobody for the longest time. */
function subscribe({ physics: { draft }, frame, args }: Call, life: Life): Outcome {
  const watch = readWatch(args);
  if (isOdd(watch)) return refuseField(watch);
  const { subs_per_agent, subs_total } = draft.config.events;
  const key = makeWatchKey(watch.event, watch.where);
  const known = life.subscriptions.find(
    ({ event, where }) => event === watch.event && makeWatchKey(event, where) === key,
  );
  if (known === undefined && life.subscriptions.length >= subs_per_agent)
    return refused('LIMIT_EXCEEDED', 'too many subscriptions', { limit: subs_per_agent });
  if (known === undefined && (draft.state.subscribed?.size ?? 0) >= subs_total) {
    const oldest = findFirst(draft.state.subscribed);
    if (oldest === null) return refused('LIMIT_EXCEEDED', 'too many subscriptions', { limit: subs_total });
    const [a = '', i = ''] = oldest.id.split(' ');
    draft.emit({ t: 'unsubbed', a, i, y: 'evicted' });
  }
  const { serial } = draft.state;
  const id = known?.id ?? `s${serial}`;
  const v = { ...watch, id, used: serial };
  draft.emit({ t: 'subbed', a: frame.requester, v }, measureSize(v));
  return done({ subscription_id: id });
}

function unsubscribe({ physics, frame, args }: Call, life: Life): Outcome {
  const id = readText(args, 'subscription_id');
  if (!life.subscriptions.some((own) => own.id === id))
    return refused('NOT_FOUND', 'there is no such subscription of yours');
  physics.draft.emit({ t: 'unsubbed', a: frame.requester, i: id });
  return done(null);
}

/** Names the memory, which the agent has to be allowed to write; none where it is left out. */
function setMemory({ physics, frame, args }: Call, life: Life): Outcome {
  const id = readText(args, 'artifact_id');
  if (id !== '') {
    const artifact = find(physics.draft, id);
    if (!('id' in artifact)) return artifact;
    const refusal = makeRefusal(permit(physics, frame, artifact, { action: 'write' }));
    if (refusal !== null) return refusal;
  }
  if ((life.memory_artifact_id ?? '') !== id)
    physics.draft.emit({ t: 'memory', a: frame.requester, i: id === '' ? null : id });
  return done({ memory_artifact_id: id === '' ? null : id });
}

function status({ physics, frame }: Call, life: Life): Outcome {
  const { state } = physics.draft;
  const { asked, crashes, memory_artifact_id, subscriptions } = life;
  return done({
    ...describeRunState(state, frame.requester),
    asked,
    dormant: isDormant(state, frame.requester),
    crashes,
    memory_artifact_id,
    subscriptions: subscriptions.map(({ id, event, where }) => ({ subscription_id: id, event, where })),
    cursor: state.log.next,
  });
}

function listOf(args: JsonObject, key: string): readonly Json[] {
  const value = field(args, key);
  return value !== undefined && isArray(value) ? value : [];
}

/** A condition with the fields of `where` in order. */
function readWatch(value: Json): Watch {
  const { event, where = {} } = value as unknown as { event: EventType; where?: Watch['where'] };
  return { event, where: Object.fromEntries(Object.entries(where).sort(([a], [b]) => compareText(a, b))) };
}

/** True for a condition on a field that its event does not have: nothing would ever meet it. */
function isOdd({ event, where }: Watch): boolean {
  return Object.keys(where).some((name) => !EVENT_FIELDS[event].some((known) => known === name));
}

function refuseField({ event }: Watch): Outcome {
  return refused('NOT_FOUND', 'the event has no such field', { event, fields: EVENT_FIELDS[event] });
}
