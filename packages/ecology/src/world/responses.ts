/**
 * What each action of an answer came to. A response is derived, never stored twice: a result that events do not
 * hold is the content as it stood then. Source: specs/ecology.md B8, B13.
 */
import { field, isObject, type Answer, type Decision, type Json, type JsonObject } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import type { Body, Input } from '../protocol/requests.js';
import { makeResponse, type Response } from '../protocol/response.js';
import type { EcologyEvent, Ended } from './events.js';
import { evolve } from './evolve.js';
import { findLive, type EcologyState } from './state.js';

/** An action that ended: who acted, what it wanted, what it is given. */
export type Responded = { readonly agent: string; readonly action: Json; readonly response: Response };

/**
 * The responses of an answer, in the order in which its actions ended; what waits has none yet, and gets it from the
 * answer of its effect. `before`: the state that the answer found. Results of reads and noops too.
 */
export function responsesOf(
  before: EcologyState,
  { request, input }: Pick<Answer<Input, Body>, 'request' | 'input'>,
  { events }: Pick<Decision<EcologyEvent, Body>, 'events'>,
): readonly Responded[] {
  const actions = listActions(before, request.body, input._tag === 'Right' ? input.right : null);
  const responses: Responded[] = [];
  const changed = new Set(events.map((event) => (CHANGES.has(event.t) && 'i' in event ? event.i : '')));
  let [state, folded, at] = [before, 0, 0];
  for (const [index, event] of events.entries()) {
    if (event.t !== 'did' && event.t !== 'no' && event.t !== 'waits') continue;
    const action = actions[at] ?? null;
    at += 1;
    if (event.t === 'waits') continue;
    const isDerived = event.t === 'did' && event.r === undefined && isObject(action);
    // Of what nobody changed meanwhile, the state before says the same.
    if (isDerived && changed.has(readText(action, 'id')))
      for (; folded < index; folded += 1) state = evolve(state, events[folded] as EcologyEvent);
    const result = isDerived ? deriveResult(state, action) : null;
    responses.push({ agent: event.a, action, response: respond(event, result) });
  }
  return responses;
}

/** Events after which a read gives something else. */
const CHANGES: ReadonlySet<EcologyEvent['t']> = new Set(['made', 'wrote', 'gone']);

/** What agents want by an answer, in order: that of an effect is the action that waited, and the rest of its list. */
function listActions({ waiting }: EcologyState, body: Body, said: Input | null): readonly Json[] {
  if (said?.t === 'act') return said.actions;
  if (said?.t === 'turn') return said.actions.map(([, , action]) => action);
  const waits = 'need' in body ? waiting.get(body.agent) : undefined;
  return waits === undefined ? [] : [waits.action, ...waits.rest];
}

/** What events do not hold: of a read its content, of a write its version; of a noop there is nothing. */
function deriveResult(state: EcologyState, action: JsonObject): Json {
  const [op, name] = [field(action, 'op'), field(action, 'id')];
  const thing = typeof name === 'string' ? findLive(state, name) : undefined;
  if (thing === undefined) return null;
  const { id, version, content, content_hash } = thing;
  return op === 'read' ? { id, version, content } : { id, version, content_hash };
}

function respond(event: Ended, derived: Json): Response {
  const price_paid = event.x ?? 0;
  if (event.t === 'did') return { success: true, result: event.r ?? derived, price_paid };
  const { c: code, m: message, d: details, w: retry_after_us } = event;
  return makeResponse({ code, message, details, retry_after_us }, price_paid);
}
