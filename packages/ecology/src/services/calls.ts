/**
 * Metered calls to the outside. Models, tools and memories are artifacts of genesis: content {model: NAME},
 * {mcp: {server, tool}} or {memory: NAME}, each with a price in the config and an access contract that says who may call it. A call
 * holds what it may cost, ends at once, and settles when its answer is there; its agent acts meanwhile.
 *
 * Source: specs/ecology.md B4, B8, B12; 004 L1037, L5270.
 */
import { isDigest, isObject, type Answer } from '@assay/kernel';
import { readField, readText as textAt } from '@assay/kernel/shape';
import { find, makeRefusal, permit } from '../contracts/permit.js';
import { isAmount } from '../protocol/action.js';
import { askFor, type Body, type Input } from '../protocol/requests.js';
import { measureSize, type Draft } from '../world/draft.js';
import { charge, computeCharge, computeCost, findPrice, refuseBound } from '../world/outside.js';
import { done, refused, type Outcome } from '../world/outcome.js';
import { findOwner } from '../world/owned.js';
import type { CallEnd, MeteredCall } from '../world/calls.js';
import { getAccount, findLive, type Artifact } from '../world/state.js';
import { HOLDERS } from '../world/state.js';
import {
  COUNT,
  faultOfHolder,
  ID,
  method,
  readNumber,
  readText,
  refuseShape,
  TEXT,
  type Call,
  type Method,
} from './service.js';

const DIGEST = Object.freeze({ type: 'string', pattern: '^[0-9a-f]{64}$' });
const UNITS = Object.freeze({ type: 'integer', minimum: 1, maximum: 1_000_000 });
/** Requests of all that may be open before a call is made: a run has room for 65,536. */
const OPEN_MAX = 40_000;
const CALL_ID = { call: TEXT };

/** Calls to models and tools that are artifacts. */
export const CALLS: ReadonlyMap<string, Method> = new Map([
  method(
    'begin',
    'Calls a model or a tool with the bytes of a digest, and does not wait: holds what it may cost. `input_bound`: ' +
      'tokens that are sent at most; `max_output`: tokens that come back; `units`: what a call has several of.',
    { target: ID, digest: DIGEST, input_bound: COUNT, 'max_output?': COUNT, 'units?': UNITS },
    begin,
  ),
  method('status', 'What is known of a call of yours.', CALL_ID, status),
  method(
    'cancel',
    'Gives a call up: it is charged at its bound, since it may have been made.',
    CALL_ID,
    cancel,
  ),
]);

/** What a model or tool is called by in the table of prices; null for an artifact that is none. */
export function findCallable({ creator, version, content }: Artifact): string | null {
  if (creator !== 'genesis' || version !== 1 || !isObject(content)) return null;
  const named = textAt(content, 'model') || textAt(content, 'memory');
  const [server, tool] = ['server', 'tool'].map((key) => textAt(readField(content, 'mcp'), key));
  if (named !== '') return named;
  return server === '' || tool === '' ? null : `${server}.${tool}`;
}

/** Scrip that a call of an artifact takes, milli-scrip: it goes to the owner when the answer is there. */
function readScrip({ content }: Artifact): number {
  const price = readField(content, 'price_mscrip');
  return isAmount(price) ? price : 0;
}

function begin({ physics, frame, args }: Call): Outcome {
  const { draft } = physics;
  const agent = frame.payer;
  const target = find(draft, readText(args, 'target'));
  if (!('id' in target)) return target;
  const refusal =
    makeRefusal(permit(physics, frame, target, { action: 'invoke', method: 'call' })) ??
    faultOfHolder(physics, agent);
  if (refusal !== null) return refusal;
  const name = findCallable(target);
  const digest = readText(args, 'digest');
  if (name === null) return refused('INVALID_ARGS', 'the target is no model and no tool');
  if (!isDigest(digest)) return refuseShape('digest');
  const { max } = draft.config.calls;
  const { calls, calling, amounts } = getAccount(draft.state, agent);
  if (max === 0) return refused('LIMIT_EXCEEDED', 'this world makes no calls');
  if (calling >= max || draft.state.open.size >= OPEN_MAX)
    return refused('CONFLICT', 'too many calls are under way', { limit: max });
  const call = boundCall(draft, name, args, { agent, target: target.id, digest, scrip: readScrip(target) });
  if (amounts.scrip < call.scrip) return refused('INSUFFICIENT_FUNDS', 'there is too little scrip');
  // Code of others pays out of what its caller allows.
  if (frame.requester !== agent && call.scrip > frame.purse.left)
    return refused('INSUFFICIENT_FUNDS', 'the call costs more than max_charge', { charge: call.scrip });
  const unfit = refuseBound(draft, agent, call);
  if (unfit !== null) return unfit;
  const id = `${agent}.${calls}`;
  if (call.scrip > 0) draft.emit({ t: 'mv', f: agent, o: `call:${id}`, x: call.scrip });
  if (frame.requester !== agent) {
    frame.purse.left -= call.scrip;
    frame.purse.paid += call.scrip;
  }
  draft.emit({ t: 'called', i: id, v: call }, measureSize(call));
  const body = { agent, by: frame.requester, call: id, target: target.id, digest };
  draft.ask(`call ${id}`, askFor('effect', body, draft.config.net.attempts));
  return done({ call: id });
}

function boundCall(
  { config }: Draft,
  name: string,
  args: Call['args'],
  rest: Pick<MeteredCall, 'agent' | 'target' | 'digest' | 'scrip'>,
): MeteredCall {
  const price = findPrice(config, name);
  const [input, units] = [readNumber(args, 'input_bound'), readNumber(args, 'units', 1)];
  const output = readNumber(args, 'max_output');
  const uusd = computeCost(price, input, output) + price.call_uusd * units;
  return { ...rest, name, units, tokens: input + output, uusd, ended: null };
}

function status({ physics: { draft }, frame, args }: Call): Outcome {
  const call = findOwn(draft, frame.payer, args);
  if (call === null) return refused('NOT_FOUND', 'there is no such call of yours');
  const { ended, ...begun } = call;
  return done({ ...begun, state: ended === null ? 'under_way' : ended.how, ended });
}

function cancel({ physics: { draft }, frame, args }: Call): Outcome {
  const id = readText(args, 'call');
  const call = findOwn(draft, frame.payer, args);
  if (call === null) return refused('NOT_FOUND', 'there is no such call of yours');
  if (call.ended !== null) return refused('CONFLICT', 'the call has ended');
  const isNew = draft.state.open.get(`call ${id}`)?.startsWith(`${draft.context.sequence}.`) === true;
  if (isNew) return refused('CONFLICT', 'the call is being made');
  endCall(draft, id, call, '', { ...NO_END, how: 'cancelled', tokens: call.tokens, uusd: call.uusd });
  charge(draft, call.agent, call);
  return done({ tokens: call.tokens, uusd: call.uusd });
}

function findOwn({ state }: Draft, agent: string, args: Call['args']): MeteredCall | null {
  const call = state.calls.get(readText(args, 'call'));
  return call?.agent === agent ? call : null;
}

const NO_END: CallEnd = Object.freeze({
  how: 'failed',
  why: '',
  digest: '',
  size: 0,
  result: null,
  tokens: 0,
  uusd: 0,
});

/**
 * The answer of a call, null for a failure: its hold is released, what it cost is charged, its price is paid to the
 * owner of the target or given back.
 */
export function settleCall(
  draft: Draft,
  id: string,
  said: Extract<Input, { readonly t: 'call' }> | null,
  answer: Answer<Input, Body>,
): void {
  const call = draft.state.calls.get(id);
  if (call === undefined) return;
  const price = findPrice(draft.config, call.name);
  const cost = computeCharge(answer, { price, units: call.units, held: call });
  const ended: CallEnd =
    said === null
      ? { ...NO_END, ...cost, why: explainFailure(answer) }
      : { ...NO_END, ...cost, how: 'done', digest: said.digest, size: said.size, result: said.result };
  endCall(draft, id, call, answer.request.id, ended);
  charge(draft, call.agent, cost);
}

function explainFailure({ input }: Answer<Input, Body>): string {
  if (input._tag === 'Right') return 'malformed';
  const { code, detail } = input.left;
  const failureClass = textAt(detail, 'class');
  return failureClass === '' || failureClass === code ? code : `${code} (${failureClass})`.slice(0, 60);
}

/** Ends a call: its scrip goes to whoever owns the target, or back. */
function endCall(draft: Draft, id: string, call: MeteredCall, answered: string, ended: CallEnd): void {
  const target = findLive(draft.state, call.target);
  const owner = target === undefined ? undefined : findLive(draft.state, findOwner(draft.state, target));
  const seller = owner?.has_standing === true ? owner.id : HOLDERS.carry;
  const to = ended.how === 'done' ? seller : call.agent;
  if (call.scrip > 0) draft.emit({ t: 'mv', f: `call:${id}`, o: to, x: call.scrip });
  draft.close(`call ${id}`, answered);
  draft.emit({ t: 'came', i: id, v: ended }, measureSize(ended));
}
