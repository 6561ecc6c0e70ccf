/**
 * Requests of the machine and their answers. `act`, `turn`, `clock` and `operator` are standing invitations.
 *
 * Source: specs/ecology.md, top; B13.
 */
import {
  admit,
  err,
  field,
  isArray,
  isDigest,
  isObject,
  ok,
  type Ask,
  type Json,
  type JsonObject,
  type Rejection,
  type Request,
  type Result,
  type Source,
} from '@assay/kernel';
import { isAmount, isStorable } from './action.js';
import { parseOrder, type OperatorOrder } from './orders.js';

/** Something that code needs from outside. */
export type Need = { readonly service: string; readonly method: string; readonly args: JsonObject };

/** Bodies by kind. `config_hash`: 32 hex digits of what an agent thinks with. */
export type Bodies = {
  readonly act: { readonly agent: string; readonly config_hash: string };
  readonly turn: { readonly population: 'scripted' };
  readonly clock: { readonly why: 'time' };
  readonly operator: { readonly who: 'operator' };
  readonly score: {
    readonly resolution: number;
    readonly artifact_id: string;
    readonly content_hash: string;
  };
  readonly effect: { readonly agent: string; readonly need: Need } | CallBody;
};
/**
 * A metered call as a request: what is sent lies beside the ledger under its digest. `by`: whose code or action began
 * it; only its secrets are filled in. `agent` pays.
 */
export type CallBody = {
  readonly agent: string;
  readonly by: string;
  readonly call: string;
  readonly target: string;
  readonly digest: string;
};
/** A kind of request. */
export type Kind = keyof Bodies;
/** A body of some kind. */
export type Body = Bodies[Kind];

/** One entry of a turn. */
export type Entry = readonly [agent: string, config_hash: string, action: Json];

/** What `parse` makes of an answer. Actions stay as they came: a bad one is refused alone. */
export type Input =
  | { readonly t: 'act'; readonly actions: readonly Json[] }
  | { readonly t: 'turn'; readonly actions: readonly Entry[] }
  | { readonly t: 'clock' }
  | { readonly t: 'operator'; readonly order: OperatorOrder }
  | { readonly t: 'score'; readonly score: number }
  | { readonly t: 'effect'; readonly result: Json }
  | { readonly t: 'call'; readonly digest: string; readonly size: number; readonly result: Json };

const MINDS: readonly Source[] = ['rule', 'synthetic', 'live_model', 'recorded_model', 'human', 'run'];

/** Who may answer what; `operator` takes a person's word only. */
const ACCEPTS: { readonly [kind in Kind]: readonly Source[] } = {
  act: MINDS,
  turn: ['rule', 'synthetic', 'human'],
  clock: ['clock', 'synthetic'],
  operator: ['human'],
  score: ['rule', 'synthetic', 'live_model', 'recorded_model', 'human'],
  effect: ['rule', 'synthetic', 'live_model', 'recorded_model', 'tool', 'retrieval', 'human', 'run'],
};

/** An ask of a kind; invitations have no last attempt. */
export function askFor<K extends Kind>(kind: K, body: Bodies[K], attempts: number = 0): Ask<Body> {
  return { kind, body, accepts: ACCEPTS[kind], attempts };
}

/** A request by what the state calls it. */
export function nameRequest({ kind, body }: { readonly kind: string; readonly body: Body }): string {
  if ('resolution' in body) return `score ${body.resolution} ${body.artifact_id}`;
  if ('call' in body) return `call ${body.call}`;
  return 'agent' in body ? `${kind} ${body.agent}` : kind;
}

/** The invitations that stand all the time: each says who is meant. */
export const STANDING: { readonly [kind in 'turn' | 'clock' | 'operator']: Bodies[kind] } = {
  turn: { population: 'scripted' },
  clock: { why: 'time' },
  operator: { who: 'operator' },
};

/** Entries of a turn at most, whatever the config says. */
const TURN_MAX = 4_096;
const ACT_MAX = 32;

/**
 * Reads an answer:
 *
 *     act       {actions: [action, …]}                         1 to 32
 *     turn      {actions: [[agent, config_hash, action], …]}   1 to 4,096
 *     clock     {}
 *     operator  {op: "grant" | "provision" | "rebind" | "bounty" | "note" | "stop", …, rationale}
 *     score     {score: 0 to 100, …}                           what else is there is evidence
 *     effect    {result, …}; of a metered call {digest, size, result?}, the result where it has at most 4 KiB
 *
 * Rejections: `bad_act`, `bad_turn`, `bad_clock`, `bad_order`, `bad_score`, `bad_effect`, each with {path}.
 */
export function parseAnswer(
  value: Json,
  { kind, body }: Pick<Request, 'kind' | 'body'>,
): Result<Rejection, Input> {
  if (!isObject(value)) return bad(`bad_${kind === 'operator' ? 'order' : kind}`, '');
  switch (kind as Kind) {
    case 'act': {
      const actions = field(value, 'actions');
      return isArray(actions) && isBetween(actions.length, ACT_MAX)
        ? ok({ t: 'act', actions })
        : bad('bad_act', '/actions');
    }
    case 'turn': {
      const actions = field(value, 'actions');
      if (!isArray(actions) || !isBetween(actions.length, TURN_MAX)) return bad('bad_turn', '/actions');
      const odd = actions.findIndex((entry) => !isEntry(entry));
      return odd < 0
        ? ok({ t: 'turn', actions: actions as unknown as readonly Entry[] })
        : bad('bad_turn', `/actions/${odd}`);
    }
    case 'clock':
      return Object.keys(value).length === 0 ? ok({ t: 'clock' }) : bad('bad_clock', '');
    case 'operator': {
      const order = parseOrder(value);
      return typeof order === 'string' ? bad('bad_order', order) : ok({ t: 'operator', order });
    }
    case 'score': {
      const score = field(value, 'score');
      return isAmount(score) && score <= 100 ? ok({ t: 'score', score }) : bad('bad_score', '/score');
    }
    case 'effect': {
      if (isObject(body) && 'call' in body) return parseCallAnswer(value);
      const result = field(value, 'result');
      return result !== undefined && isStorable(result) && isSmall(result, RESULT_MAX)
        ? ok({ t: 'effect', result })
        : bad('bad_effect', '/result');
    }
  }
}

function parseCallAnswer(value: JsonObject): Result<Rejection, Input> {
  const [digest, size, result] = [
    field(value, 'digest'),
    field(value, 'size'),
    field(value, 'result') ?? null,
  ];
  if (!isDigest(digest)) return bad('bad_effect', '/digest');
  if (!isAmount(size)) return bad('bad_effect', '/size');
  return isStorable(result) && isSmall(result, CALL_RESULT_MAX)
    ? ok({ t: 'call', digest, size, result })
    : bad('bad_effect', '/result');
}

/** What an action may carry along while it waits, and what a settled call keeps of its result. */
const RESULT_MAX = { bytes: 65_536, marks: 8_192 };
const CALL_RESULT_MAX = { bytes: 4_096, marks: 512 };

function isSmall(value: Json, { bytes, marks }: { readonly bytes: number; readonly marks: number }): boolean {
  const admitted = admit(value);
  return admitted._tag === 'Right' && admitted.right.bytes <= bytes && admitted.right.structure <= marks;
}

function isEntry(entry: Json): boolean {
  return isArray(entry) && entry.length === 3 && typeof entry[0] === 'string' && typeof entry[1] === 'string';
}

function isBetween(length: number, most: number): boolean {
  return length >= 1 && length <= most;
}

function bad(code: string, path: string): Result<Rejection, never> {
  return err({ code, detail: { path } });
}
