/**
 * The ports of a world: who acts, who scores, what is outside. What nobody answers comes later.
 *
 * @module
 */
import { Later, memoryBlobs, type Blobs, type Port, type PortAnswer, type Ports } from '@assay/host';
import { cutText, isArray, type Failure, type Json, type Request } from '@assay/kernel';
import type { Bodies } from '../../protocol/requests.js';
import { findLive } from '../../world/state.js';
import { keepBodies } from './bodies.js';
import { openEffects, type Outside } from './outside.js';
import { recordedMind, type MindRecording } from './recording.js';
import { guardPort, NO_VAULT, type Vault } from './vault.js';
import type { Watched } from './watch.js';

export { readBody } from './bodies.js';
export type { Outside } from './outside.js';
export { makeMindRecording, parseMindRecording, type MindRecording } from './recording.js';
export { WORLD_TASKS } from './tasks.js';
export { commitSecret, parseVault, type Vault } from './vault.js';
export { watchWorld, type Watched } from './watch.js';

/**
 * Who answers in a world. `watched`: its `machine` is the one that is driven. `mind`: a language model with `WORLD_TASKS`. `recording`: served first, before anybody is asked. `scorer`: the same
 * as `mind`, or a function that gives 0 to 100, null for a void score. `outside`: models and tools of artifacts.
 * `vault`: secrets of agents. `blobs`: what lies beside the ledger. `others`: everybody else. What is left out
 * answers nothing.
 */
export type WorldPorts = {
  readonly watched: Watched;
  readonly mind?: Port | null;
  readonly recording?: MindRecording | null;
  readonly scorer?:
    | Port
    | ((work: { readonly artifact_id: string; readonly content: Json }) => number | null)
    | null;
  readonly outside?: Partial<Outside>;
  readonly vault?: Vault;
  readonly blobs?: Blobs;
  readonly others?: Ports;
};

/** Who may say what where nobody is there: `accepts` decides, the answer never comes. */
const SOURCES = { clock: 'clock', operator: 'human', turn: 'rule' } as const;

/** The ports. */
export function openPorts(given: WorldPorts): Ports {
  const { watched, mind = null, recording = null, scorer = null, vault = NO_VAULT, others } = given;
  const blobs = given.blobs ?? memoryBlobs();
  const outside = { model: () => null, tool: () => null, ...given.outside };
  const effects = openEffects({ ...outside, blobs, vault, watched });
  const served = recording === null ? null : recordedMind(recording, watched);
  const acting = mind === null ? null : actPort(mind, watched, blobs);
  const scoring =
    scorer === null
      ? null
      : typeof scorer === 'function'
        ? scriptPort(scorer, watched)
        : scorePort(scorer, watched);
  const find = (request: Request): Port | null => {
    const kept = served?.(request) ?? null;
    if (kept !== null) return request.kind === 'act' ? sealed(kept, blobs) : kept;
    if (request.kind === 'act') return acting;
    if (request.kind === 'score') return scoring;
    return request.kind === 'effect' ? effects(request) : null;
  };
  return (request) => {
    const port = find(request) ?? others?.(request) ?? null;
    return port === null ? later(request) : guardPort(port, vault);
  };
}

function later({ kind, accepts }: Request): Port {
  const own = Object.hasOwn(SOURCES, kind) ? SOURCES[kind as keyof typeof SOURCES] : undefined;
  const source = accepts.find((one) => one === own) ?? accepts[0] ?? 'human';
  return { source, proposer: 'later', perform: () => Promise.reject(new Later()) };
}

/** The model as an agent's mind. What is no list of actions is final: the machine is to hear of it, and charge it. */
function actPort(mind: Port, watched: Watched, blobs: Blobs): Port {
  const ask = (request: Request): Request => {
    const { agent } = request.body as Bodies['act'];
    return { ...request, body: { agent, shown: watched.show(agent) } };
  };
  const asked: Port = {
    ...mind,
    bound: (request) => mind.bound?.(ask(request)) ?? null,
    perform: async (request, call) => {
      const { sequence } = watched.look();
      const answer = await mind.perform(ask(request), call);
      const provenance = { ...answer.provenance, seen_decision: sequence };
      const { actions } = (answer.value ?? {}) as { readonly actions?: Json };
      const most = watched.look().state.config.machine.act_actions;
      const isTooMany = isArray(actions ?? null) && (actions as readonly Json[]).length > most;
      const failure = isTooMany ? TOO_MANY : (answer.failure ?? null);
      return failure?.code === 'malformed'
        ? { ...answer, provenance, failure: { ...failure, final: true } }
        : { ...answer, provenance };
    },
  };
  return sealed(asked, blobs);
}

const TOO_MANY: Failure = { code: 'malformed', final: true, detail: { code: 'too_many_actions' } };

/** Bodies of calls are kept before the answer is recorded. */
function sealed(port: Port, blobs: Blobs): Port {
  return {
    ...port,
    perform: async (request, call) => {
      const answer = await port.perform(request, call);
      const value = answer.value as { readonly actions?: Json } | null | undefined;
      if (value?.actions === undefined) return answer;
      return { ...answer, value: { ...value, actions: await keepBodies(value.actions, blobs) } };
    },
  };
}

/** Units of a work that a scorer is shown. */
const WORK_UNITS_MAX = 200_000;

/** The work that a score is asked for, as long as it is what won; null where it was written over or deleted. */
function findWork(
  { look }: Watched,
  body: Bodies['score'],
): { readonly content: Json; readonly most: number } | null {
  const { state } = look();
  const artifact = findLive(state, body.artifact_id);
  if (artifact?.content_hash !== body.content_hash) return null;
  return { content: artifact.content, most: state.config.mint.score_max_bytes };
}

const GONE: PortAnswer = { failure: { code: 'unavailable', final: true, detail: { code: 'work_changed' } } };

function scorePort(model: Port, watched: Watched): Port {
  const ask = (request: Request): Request | null => {
    const body = request.body as Bodies['score'];
    const work = findWork(watched, body);
    if (work === null) return null;
    const { content, most } = work;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const shown = { artifact_id: body.artifact_id, content: cutText(text, Math.min(most, WORK_UNITS_MAX)) };
    return { ...request, body: { shown } };
  };
  return {
    ...model,
    bound: (request) => {
      const asked = ask(request);
      return asked === null ? null : (model.bound?.(asked) ?? null);
    },
    perform: (request, call) => {
      const asked = ask(request);
      return asked === null ? Promise.resolve(GONE) : model.perform(asked, call);
    },
  };
}

function scriptPort(score: Extract<WorldPorts['scorer'], Function>, watched: Watched): Port {
  return {
    source: 'rule',
    proposer: 'script',
    perform: ({ body }) => {
      const { artifact_id } = body as Bodies['score'];
      const work = findWork(watched, body as Bodies['score']);
      const given = work === null ? null : score({ artifact_id, content: work.content });
      return Promise.resolve(given === null ? GONE : { value: { score: given } });
    },
  };
}
