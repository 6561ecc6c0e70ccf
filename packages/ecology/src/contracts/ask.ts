/**
 * What running code asks: actions in its own name, and questions about the world.
 *
 * Source: specs/ecology.md B3, "Allowed calls".
 */
import { field, isObject, type Json } from '@assay/kernel';
import { isId } from '../config/config.js';
import { refusal, type Frame, type Outcome, type Physics } from '../world/outcome.js';
import { getAccount, findLive, type Artifact, type EcologyState } from '../world/state.js';
import { getRunState } from '../world/run-state.js';
import { makeResponse } from '../protocol/response.js';
import type { Answers } from './code.js';

/** Requests of code and runs of code in one action, whatever their depth. */
const CALLS_MAX = 256;

/** The answers for code that runs in a frame. `charge`: takes a charge down; code that may not has none. */
export function answersFor(
  { draft, perform }: Physics,
  frame: Frame,
  charge: (request: Json) => boolean,
): Answers {
  return (request) => {
    draft.calls += 1;
    if (draft.calls > CALLS_MAX)
      return makeResponse(refusal('LIMIT_EXCEEDED', 'the action makes too many calls'));
    const op = isObject(request) ? field(request, 'op') : null;
    const id = isObject(request) ? field(request, 'id') : null;
    switch (op) {
      case 'now':
        return draft.state.now_us;
      case 'charge':
        return charge(request);
      case 'get_balance':
        return isId(id) ? getAccount(draft.state, id).amounts.scrip : 0;
      case 'get_artifact_info': {
        const artifact = isId(id) ? findLive(draft.state, id) : undefined;
        return artifact === undefined ? null : makeMetadata(draft.state, artifact);
      }
      default: {
        const paid = frame.purse.paid;
        const savepoint = draft.save();
        const outcome = perform(frame, request);
        if (outcome.t === 'ok') draft.give(savepoint);
        return outcome.t === 'need' ? { needs: outcome.need } : responded(outcome, frame.purse.paid - paid);
      }
    }
  };
}

/** An outcome as a response. */
function responded(outcome: Exclude<Outcome, { t: 'need' }>, paid: number): Json {
  return outcome.t === 'ok'
    ? { success: true, result: outcome.result, price_paid: paid }
    : makeResponse(outcome.refusal, paid);
}

/** All that anybody may know of an artifact but its content. Source: specs/ecology.md B7. */
export function makeMetadata(state: EcologyState, artifact: Artifact): { readonly [key: string]: Json } {
  const {
    content: _content,
    config_hash: _hash,
    invoked,
    succeeded,
    interface: described,
    ...rest
  } = artifact;
  const account = getAccount(state, artifact.id);
  return {
    ...rest,
    interface: described,
    invoke_count: invoked,
    success_ppm: invoked === 0 ? null : Math.floor((succeeded * 1_000_000) / invoked),
    last_action_us: account.last_action_us,
    ...(account.life === null
      ? {}
      : {
          run_state: getRunState(state, artifact.id),
          memory_artifact_id: account.life.memory_artifact_id,
        }),
  };
}
