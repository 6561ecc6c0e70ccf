/** The proposers as ports of a host. */
import { isObject, type Json } from '@assay/kernel';
import type { InterpretationsBody } from '@assay/kernel/intent';
import type { Port, PortAnswer, Ports } from '@assay/host';
import { lookUp } from './recorded/look-up.js';
import type { Recording } from './recorded/recording.js';
import { proposeByRules, RULES_PROPOSER } from './language/index.js';

/** The rules as a port: source `rule`, proposer `rules`. */
export const rulesPort: Port = {
  source: 'rule',
  proposer: RULES_PROPOSER,
  perform: async ({ body }) => {
    const { value, failure, provenance } = proposeByRules(body as InterpretationsBody);
    return failure === null ? { value, provenance } : { failure, provenance };
  },
};

/**
 * A recording as ports: the port of a request speaks with the source and the name its entry has. A miss is
 * answered by the proposer `recorded` with the final failure `unavailable` whose detail is the miss.
 */
export function recordedPorts(recording: Recording): Ports {
  return (request) => {
    const found = lookUp(recording, { kind: request.kind, body: request.body });
    if (found._tag === 'Left') {
      const { code, ask_hash, nearest } = found.left;
      const answer: PortAnswer = {
        failure: { code: 'unavailable', final: true, detail: { code, ask_hash, nearest } },
      };
      return { source: 'rule', proposer: RECORDED_PROPOSER, perform: () => Promise.resolve(answer) };
    }
    const { source, proposer, confidence, value, failure, provenance } = found.right;
    const answer: PortAnswer = failure === null ? { confidence, value, provenance } : { failure, provenance };
    return { source, proposer, perform: () => Promise.resolve(answer) };
  };
}

/** Name under which a miss of a recording is recorded. */
const RECORDED_PROPOSER = 'recorded';

/**
 * Ports by slot: who answers the request of each slot of a policy's `proposers`. Nobody answers a slot that
 * is not named.
 */
export function portsBySlot(table: ReadonlyMap<string, Ports>): Ports {
  return (request) => {
    const slot = readSlot(request.body);
    return slot === null ? null : (table.get(slot)?.(request) ?? null);
  };
}

function readSlot(body: Json): string | null {
  return isObject(body) && typeof body['slot'] === 'string' ? body['slot'] : null;
}
