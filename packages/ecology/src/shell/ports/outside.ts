/**
 * Effects: a prompt of `genesis_llm`, and metered calls of models, MCP tools and memories. What was sent and what came
 * lie beside the ledger; a record names their digests, and holds what is small.
 *
 * @module
 */
import MiniSearch from 'minisearch';
import type { Blobs, Port, PortAnswer, PortCall } from '@assay/host';
import { field, isDigest, type Json, type Request, type Spent, isObject } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import type { Bodies, CallBody, Need } from '../../protocol/requests.js';
import { findLive, type EcologyState } from '../../world/state.js';
import { parseText, readBody, writeBody } from './bodies.js';
import { fillSecrets, guardPort, type Vault } from './vault.js';
import type { Watched } from './watch.js';

type Point = { readonly id: number; readonly text: string; readonly sequence: number };

const LIMIT_MAX = 20;
const RECALL_UNITS_MAX = 1_000;

/** Memories by the name of their artifact. */
class Memories {
  private readonly indexes: Map<string, { readonly index: MiniSearch<Point>; read: number }> = new Map();

  /**
   * What a call of a memory comes to: {store: text} gives {stored: bytes}, {recall: query, limit?} gives
   * {found: [{text, sequence, score}]}, best first, score in ppm of the best one; null for anything else.
   */
  async answer(memory: string, body: Json, { sent }: Pick<Watched, 'sent'>, blobs: Blobs): Promise<Json> {
    if (!isObject(body)) return null;
    const [store, recall, limit] = ['store', 'recall', 'limit'].map((key) => field(body, key));
    if (typeof store === 'string') return { stored: Buffer.byteLength(store, 'utf8') };
    if (typeof recall !== 'string' || recall.length > RECALL_UNITS_MAX) return null;
    const index = await this.upToDate(memory, sent, blobs);
    const most = typeof limit === 'number' ? Math.min(Math.max(1, limit), LIMIT_MAX) : LIMIT_MAX;
    const found = index.search(recall, { prefix: true, fuzzy: 0.2 }).slice(0, most);
    const best = found[0]?.score ?? 1;
    return {
      found: found.map(({ text, sequence, score }) => ({
        text: String(text),
        sequence: Number(sequence),
        score: Math.floor((1_000_000 * score) / best),
      })),
    };
  }

  /** Takes in what was stored since; a text that is not beside the ledger any more is left out. */
  private async upToDate(memory: string, sent: Watched['sent'], blobs: Blobs): Promise<MiniSearch<Point>> {
    const known = this.indexes.get(memory) ?? {
      index: new MiniSearch<Point>({ fields: ['text'], storeFields: ['text', 'sequence'] }),
      read: 0,
    };
    this.indexes.set(memory, known);
    const { read } = known;
    known.read = sent.length;
    for (const [at, { target, digest, sequence }] of sent.slice(read).entries()) {
      if (target !== memory) continue;
      const text = readStored(await readBody(blobs, digest));
      if (text !== null) known.index.add({ id: read + at, text, sequence });
    }
    return known.index;
  }
}

function readStored(body: string | null): string | null {
  const json = parseText(body ?? '');
  const text = json !== undefined && isObject(json) ? field(json, 'store') : undefined;
  return typeof text === 'string' ? text : null;
}

/**
 * What is outside. `model`: by the name that an artifact has for it, `default` for `genesis_llm`, for no more than so
 * many output tokens; asked with `WORLD_TASKS`. `tool`: by server and tool; asked with its arguments as the body. Null: not here.
 */
export type Outside = {
  readonly model: (name: string, outputMax: number) => Port | null;
  readonly tool: (server: string, tool: string) => Port | null;
};

type Place = Outside & {
  readonly blobs: Blobs;
  readonly vault: Vault;
  readonly watched: Watched;
};

/** Bytes of a result that a record holds; the machine takes no more. */
const RESULT_BYTES = 4_096;

/** A port for each effect; null where nobody is there for it: it waits for another drive, or a person. */
export function openEffects(place: Place): (request: Request) => Port | null {
  const memories = new Memories();
  return (request) => {
    const body = request.body as Bodies['effect'];
    if (!('call' in body)) return completion(place, body.need);
    const content = findLive(stateOf(place), body.target)?.content ?? null;
    const model = readText(content, 'model');
    if (model !== '') return called(place, (most) => place.model(model, most), body, true);
    const mcp = readField(content, 'mcp');
    if (mcp !== null)
      return called(place, () => place.tool(readText(mcp, 'server'), readText(mcp, 'tool')), body, false);
    return readText(content, 'memory') === '' ? null : memoryPort(place, memories, body);
  };
}

function stateOf({ watched }: Place): EcologyState {
  return watched.look().state;
}

function completion({ model: find, vault }: Place, { args }: Need): Port | null {
  const [shown, most] = [field(args, 'prompt') ?? '', field(args, 'max_tokens')];
  const found = find('default', typeof most === 'number' ? Math.max(1, most) : 1);
  if (found === null) return null;
  const model = guardPort(found, vault);
  return reworded(model, shown, ({ value, ...rest }) => ({ ...rest, value: { result: value ?? null } }));
}

/** A port that is asked with something else in the body; what it costs is known before it is asked. */
function reworded(port: Port, shown: Json, read: (answer: PortAnswer) => PortAnswer): Port {
  const ask = (request: Request): Request => ({ ...request, body: { shown } });
  return {
    source: port.source,
    proposer: port.proposer,
    bound: (request) => port.bound?.(ask(request)) ?? null,
    perform: async (request, call) => {
      charge(port, ask(request), call);
      const answer = await port.perform(ask(request), call);
      return (answer.failure ?? null) === null ? read(answer) : answer;
    },
  };
}

/** A call that ends without an answer is charged what it can cost at most. */
function charge(port: Port, request: Request, { charge: tell }: PortCall): void {
  const bound: Spent | null = port.bound?.(request) ?? null;
  if (bound !== null) tell?.(bound);
}

/** The port of a call. `find`: who answers it with so many output tokens at most. */
function called(
  place: Place,
  find: (outputMax: number) => Port | null,
  body: CallBody,
  isModel: boolean,
): Port | null {
  const { tokens } = stateOf(place).calls.get(body.call) ?? { tokens: 0 };
  const known = find(Math.max(1, tokens));
  if (known === null) return null;
  return {
    source: known.source,
    proposer: known.proposer,
    // The bytes are not read here; the machine holds what the agent said they are at most.
    bound: (request) => known.bound?.({ ...request, body: { shown: '' } }) ?? null,
    perform: async (request, call) => {
      const sent = isDigest(body.digest) ? await readBody(place.blobs, body.digest) : null;
      if (sent === null) return denied('no_body');
      const rest = tokens - Buffer.byteLength(sent, 'utf8');
      if (isModel && rest < 0) return denied('bound');
      const port = guardPort(find(Math.max(1, rest)) ?? known, place.vault);
      const asked = isModel ? ({ right: { shown: sent } } as const) : readArguments(place, body, sent);
      if (asked.right === undefined) return denied(asked.left);
      const own = { ...request, body: asked.right };
      charge(port, own, call);
      const answer = await port.perform(own, call);
      return (answer.failure ?? null) === null ? keepResult(place.blobs, answer) : answer;
    },
  };
}

type Arguments = { readonly left: string; readonly right?: undefined } | { readonly right: Json };

function readArguments(place: Place, { by }: CallBody, sent: string): Arguments {
  const said = parseText(sent);
  if (said === undefined) return { left: 'no_json' };
  const filled = fillSecrets(place.vault, stateOf(place), by, said);
  return filled._tag === 'Right' ? filled : { left: 'no_secret' };
}

/** Keeps a result beside the ledger; what is small stands in the record too. */
async function keepResult(blobs: Blobs, { value = null, ...rest }: PortAnswer): Promise<PortAnswer> {
  const bytes = writeBody(value);
  if (bytes === null)
    return { ...rest, failure: { code: 'malformed', final: true, detail: { code: 'shape' } } };
  const digest = await blobs.put(bytes);
  const isSmall = bytes.length <= RESULT_BYTES - 64 && isIntegral(value);
  return { ...rest, value: { digest, size: bytes.length, ...(isSmall ? { result: value } : {}) } };
}

/** A world's state holds integers only. */
function isIntegral(value: Json): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isIntegral);
}

function memoryPort({ blobs, watched }: Place, memories: Memories, { target, digest }: CallBody): Port {
  return {
    source: 'retrieval',
    proposer: 'minisearch',
    perform: async () => {
      const sent = isDigest(digest) ? await readBody(blobs, digest) : null;
      const body = parseText(sent ?? '') ?? null;
      const value = body === null ? null : await memories.answer(target, body, watched, blobs);
      return value === null ? denied('no_query') : keepResult(blobs, { value });
    },
  };
}

function denied(code: string): PortAnswer {
  return { failure: { code: 'denied', final: true, detail: { code } } };
}
