/**
 * A machine that tells how its world stands while it is driven, and what was answered so far: ports are asked with a
 * request alone.
 *
 * @module
 */
import { isDigest, type Digest, type Json } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import type { Ecology } from '../../machine/machine.js';
import type { CallBody } from '../../protocol/requests.js';
import { makeView, type AgentView } from '../../world/agent-view.js';
import type { EcologyState } from '../../world/state.js';
import { ResponseLog } from '../response-log.js';

/** A world that is watched. `machine`: give it to `drive`. A run taken up from a snapshot is seen from there on. */
export type Watched = {
  readonly machine: Ecology;
  /** The world as it stands, and the number of the last decision. Raises a TypeError before there is a world. */
  readonly look: () => { readonly state: EcologyState; readonly sequence: number };
  /** What an agent is shown now. */
  readonly show: (agent: string) => AgentView;
  /** How often a request of a name (`act ann`, `score x`) was answered. */
  readonly count: (name: string) => number;
  /** What artifacts were sent by calls that are done, in their order. */
  readonly sent: readonly { readonly target: string; readonly digest: Digest; readonly sequence: number }[];
};

/** Watches the runs of a machine, one at a time. */
export function watchWorld(machine: Ecology): Watched {
  let [latest, sequence]: [EcologyState | null, number] = [null, 0];
  // A run that is taken up is decided more than once.
  const answered = new Set<string>();
  const counts = new Map<string, number>();
  const sent: { target: string; digest: Digest; sequence: number }[] = [];
  const responses = new ResponseLog();
  const look: Watched['look'] = () => {
    if (latest === null) throw new TypeError('watchWorld: give its machine to drive');
    return { state: latest, sequence };
  };
  return {
    look,
    sent,
    show: (agent) => makeView(look().state, agent, { responses: responses.of(agent) }),
    count: (name) => counts.get(name) ?? 0,
    machine: {
      ...machine,
      decide: (before, answer, context) => {
        const decided = machine.decide(before, answer, context);
        if (decided._tag === 'Left') return decided;
        const { request, input } = answer;
        ({ sequence } = context);
        if (!answered.has(request.id)) {
          answered.add(request.id);
          const name = nameAsked(request.kind, request.body);
          counts.set(name, (counts.get(name) ?? 0) + 1);
          if (input._tag === 'Right' && input.right.t === 'call') {
            const { target, digest } = request.body as CallBody;
            if (isDigest(digest)) sent.push({ target, digest, sequence });
          }
        }
        responses.hear({ before, request, input, events: decided.right.events });
        return decided;
      },
      evolve: (state, event) => {
        latest = machine.evolve(state, event);
        return latest;
      },
      decode: (json) => {
        const read = machine.decode(json);
        if (read._tag === 'Right') latest = read.right;
        return read;
      },
    },
  };
}

/** What a request is counted under: its kind, and whom or what it is about. */
export function nameAsked(kind: string, body: Json): string {
  const about = ['target', 'agent', 'artifact_id']
    .map((key) => readText(body, key))
    .find((text) => text !== '');
  return about === undefined ? kind : `${kind} ${about}`;
}
