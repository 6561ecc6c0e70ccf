/**
 * Why a call is refused, for the model that made it and for doors. Source: gate/G11, gate/G13.
 *
 * @module
 */
import type { GateEvent } from '../machine/events.js';
import { findFlip, renderFlip } from '../machine/flip.js';
import type { GateState } from '../machine/state.js';
import type { Called } from '../policy/judge.js';
import { GateRefused } from './errors.js';

type Denied = Extract<GateEvent, { readonly t: 'denied' }>;

/** The refusal of a call, with the reason of the rule that refuses it. `state`: before the call. */
export function explainRefusal(state: GateState, call: Called, event: Denied): GateRefused {
  const { n, why, rules } = event;
  const would = findFlip(state, call, event);
  const reason = would.t === 'drop' ? would.rules.find((rule) => rule.reason !== '')?.reason : undefined;
  const because = reason === undefined ? '' : `: ${reason}`;
  return new GateRefused(why, `${call.tool} is refused${because}. ${renderFlip(would)}`, { n, rules, would });
}
