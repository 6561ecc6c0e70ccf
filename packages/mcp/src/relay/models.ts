/**
 * A gate in front of language models: chat completions of OpenAI's kind. What a request can cost at most is held
 * before it goes out, and settled by the usage that comes back. Bodies pass, and are not recorded. Source: gate/G17b.
 *
 * @module
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Gate, GateRefused, Told } from '@assay/gate';
import { PortError, systemTimer } from '@assay/host';
import { err, ok, type JsonObject, type Result } from '@assay/kernel';
import { createParser } from 'eventsource-parser';
import type { ListenError, Listening } from '../server/http.js';
import { MESSAGE_BYTES_MAX } from '../server/desk.js';
import { serveCallers, type Place } from './callers.js';

/**
 * A gate, and the models behind it. `upstream`: the address that `/chat/completions` is put behind; `key`: what it
 * is asked with, null for nothing. `holdMs`: how long a request waits for a person.
 */
export type ModelsOptions = {
  readonly gate: Gate;
  readonly upstream: string;
  readonly key: string | null;
  readonly holdMs: number;
  readonly onError: (error: unknown) => void;
};

const CHAT = '/v1/chat/completions';
const MODELS = '/v1/models';

/** Serves models over HTTP until it is closed; what is under way then is given up. Errors: `token`, `listen`. */
export function serveModels(options: ModelsOptions, place: Place): Promise<Result<ListenError, Listening>> {
  const underWay = new Map<Promise<void>, AbortController>();
  return serveCallers(place, {
    path: '/v1',
    routes: { [CHAT]: ['POST'], [MODELS]: ['GET'] },
    answer: (request, response, principal) => {
      const left = new AbortController();
      response.once('close', () => left.abort(new PortError('lost', { message: 'the client left' })));
      const caller = { response, principal, signal: left.signal };
      const answering = request.url === MODELS ? list(options, caller) : complete(options, caller, request);
      const done = answering.finally(() => underWay.delete(done));
      underWay.set(done, left);
      return done;
    },
    describe: ({ code }) => describe(code, `the request is refused: ${code}`),
    settle: () => {
      const closed = new PortError('lost', { message: 'the gate was closed' });
      for (const left of underWay.values()) left.abort(closed);
      return Promise.allSettled(underWay.keys());
    },
    onError: options.onError,
  });
}

/** Who waits for an answer, and until when. */
type Caller = {
  readonly response: ServerResponse;
  readonly principal: string;
  readonly signal: AbortSignal;
};

/** One completion: read, decided, passed on. */
async function complete(options: ModelsOptions, caller: Caller, request: IncomingMessage): Promise<void> {
  const { gate, holdMs, onError } = options;
  const { response, principal, signal } = caller;
  const body = await readBody(request);
  const chat: Result<Problem, Chat> =
    body === null
      ? err({ status: 413, code: 'too_large', message: `more than ${MESSAGE_BYTES_MAX} bytes` })
      : readChat(body);
  if (chat._tag === 'Left') return refuse(response, chat.left);
  const { model, input, bound } = chat.right;
  const call = { tool: `model/${model}`, input, principal };
  for (const [unit, most] of Object.entries(bound)) {
    const held = gate.findBound(call, unit);
    if (held !== null && held < most) {
      const message = `this request can cost ${most} ${unit}; the policy bounds one at ${held}`;
      return refuse(response, { status: 413, code: 'bound', message });
    }
  }
  const approve = async (asked: { readonly signal: AbortSignal }): Promise<null> => {
    await systemTimer().sleep(holdMs, asked.signal);
    return null;
  };
  const made = {
    ...call,
    call_id: randomUUID(),
    source: 'rule',
    proposer: 'client',
    signal,
    approve,
  } as const;
  try {
    await gate.call(made, (_, told) => pass(options, caller, chat.right, told));
    if (response.headersSent) response.end();
    else
      refuse(response, {
        status: 409,
        code: 'answered',
        message: 'this request was answered; its body is not kept',
      });
  } catch (error) {
    const problem = explain(error, bound);
    if (problem.status >= 500 && !signal.aborted) onError(error);
    if (response.headersSent || signal.aborted) response.destroy();
    else refuse(response, problem);
  }
}

/** The models of the server that a rule could let through. */
async function list(
  { gate, upstream, key, onError }: ModelsOptions,
  { response, principal, signal }: Caller,
): Promise<void> {
  try {
    const answer = await fetch(`${upstream}/models`, { headers: authorize(key), redirect: 'manual', signal });
    const listed = (await answer.json()) as { readonly data?: unknown };
    const data = Array.isArray(listed.data) ? (listed.data as readonly { readonly id?: unknown }[]) : null;
    const shown =
      data === null
        ? listed
        : { ...listed, data: data.filter(({ id }) => gate.canAllow(`model/${String(id)}`, principal)) };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(shown));
  } catch (error) {
    if (!signal.aborted) onError(error);
    refuse(response, explain(error, {}));
  }
}

function authorize(key: string | null): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

/** The bytes of a request, null where there are too many. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MESSAGE_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A request as it goes out, what is recorded of it, and what it can cost at most, by unit. */
type Chat = {
  readonly model: string;
  readonly text: string;
  readonly input: JsonObject;
  readonly bound: Readonly<Record<string, number>>;
};

/** Completion tokens of a request that states no number. */
const OUTPUT_TOKENS = 4_096;
const OUTPUT_TOKENS_MAX = 10_000_000;
const CHOICES_MAX = 128;
/** Members that are paid by something else than tokens of this text, or let another model answer. */
const UNMETERED = ['web_search_options', 'audio', 'prediction', 'plugins', 'models', 'fallbacks', 'best_of'];

/** Reads a request. It goes out with a bound on its output, and asks for its usage. */
function readChat(text: string): Result<Problem, Chat> {
  const fault = (code: string, message: string): Result<Problem, never> =>
    err({ status: 400, code, message });
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return fault('not_json', 'the body is not JSON');
  }
  if (!isObject(given)) return fault('not_json', 'the body is not a JSON object');
  const { model, n, max_tokens: older, max_completion_tokens: newer, stream_options: asked } = given;
  if (typeof model !== 'string' || model === '') return fault('model', 'expected the name of a model');
  const unmetered = findUnmetered(given);
  if (unmetered !== null) return fault('not_metered', `${unmetered} cannot be metered here`);
  const choices = readCount(n, 1, CHOICES_MAX);
  const tokens = [older, newer].map((each) => readCount(each, 0, OUTPUT_TOKENS_MAX));
  if (choices === null) return fault('n', `n: expected a whole number from 1 to ${CHOICES_MAX}`);
  if (tokens.includes(null))
    return fault('max_tokens', `max_tokens: expected a whole number from 1 to ${OUTPUT_TOKENS_MAX}`);
  const stated = Math.max(...tokens.map(Number));
  const most = stated === 0 ? OUTPUT_TOKENS : stated;
  const isStream = given['stream'] === true;
  const sent = JSON.stringify({
    ...given,
    ...(stated === 0 ? { max_tokens: most } : {}),
    ...(isStream ? { stream_options: { ...(isObject(asked) ? asked : {}), include_usage: true } } : {}),
  });
  const bytes = Buffer.byteLength(sent);
  const bound = makeAmounts(bytes, choices * most);
  const sha256 = createHash('sha256').update(sent).digest('hex');
  const input = { model, sha256, bytes, n: choices, max_tokens: most, stream: isStream, bound };
  return ok({ model, text: sent, input, bound });
}

/** A token has at least one byte, so the bytes of a request are the most tokens that it has. */
function makeAmounts(input: number, output: number): Record<string, number> {
  return { tokens: input + output, input_tokens: input, output_tokens: output };
}

/** A whole number from 1 to `most`; `absent` where there is none, null for anything else. */
function readCount(value: unknown, absent: number, most: number): number | null {
  if (value === undefined || value === null) return absent;
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most ? Number(value) : null;
}

/** What of a request cannot be bounded by its bytes and its output. */
function findUnmetered(given: Readonly<Record<string, unknown>>): string | null {
  const member = UNMETERED.find((name) => given[name] !== undefined && given[name] !== null);
  if (member !== undefined) return member;
  const { modalities, tools } = given;
  const messages = (Array.isArray(given['messages']) ? given['messages'] : []).filter(isObject);
  if (Array.isArray(modalities) && modalities.some((each) => each !== 'text')) return 'modalities';
  const isPlain = (tool: unknown): boolean =>
    isObject(tool) && ['function', 'custom'].includes(String(tool['type']));
  if (Array.isArray(tools) && !tools.every(isPlain)) return 'a tool that the server runs';
  if (messages.some(({ audio }) => isObject(audio))) return 'audio';
  const parts = messages.flatMap(({ content }): unknown[] => (Array.isArray(content) ? content : []));
  const part = parts.find((each) => isObject(each) && !['text', 'refusal'].includes(String(each['type'])));
  return isObject(part) ? String(part['type']) : null;
}

/** Passes a request on and its answer back, piece by piece. Gives what is recorded of the answer. */
async function pass(
  { upstream, key }: ModelsOptions,
  { response, signal }: Caller,
  { text }: Chat,
  told: Told,
): Promise<JsonObject> {
  const answer = await fetch(`${upstream}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorize(key) },
    ...{ body: text, redirect: 'manual', signal },
  });
  const { status, headers } = answer;
  const kept = ['content-type', 'retry-after', 'x-request-id'].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(status, Object.fromEntries(kept)).flushHeaders();
  const usage = new UsageReader(headers.get('content-type') ?? '');
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    usage.push(chunk);
    hash.update(chunk);
    bytes += chunk.byteLength;
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
  const isError = status >= 400;
  // What the server refused, or failed at, costs nothing.
  const spent = usage.end() ?? (isError ? makeAmounts(0, 0) : null);
  if (spent !== null) told.spend(spent);
  return { status, bytes, sha256: hash.digest('hex'), ...(isError ? { isError } : {}) };
}

/** Finds the usage in the body of an answer, which is JSON or a stream of events. */
class UsageReader {
  private readonly decoder: InstanceType<typeof TextDecoder> = new TextDecoder();
  private readonly events: ReturnType<typeof createParser> | null;
  private text = '';
  private found: Record<string, number> | null = null;

  constructor(contentType: string) {
    this.events = /^text\/event-stream\b/i.test(contentType)
      ? createParser({ onEvent: ({ data }) => this.read(data) })
      : null;
  }

  push(chunk: Uint8Array): void {
    const piece = this.decoder.decode(chunk, { stream: true });
    if (this.events !== null) this.events.feed(piece);
    else if (this.text.length <= MESSAGE_BYTES_MAX) this.text += piece;
  }

  /** What was used, null where it does not say. */
  end(): Record<string, number> | null {
    if (this.events === null) this.read(this.text);
    else this.events.reset({ consume: true });
    return this.found;
  }

  private read(text: string): void {
    if (!text.includes('"usage"')) return;
    try {
      const { usage } = JSON.parse(text) as { readonly usage?: unknown };
      if (!isObject(usage)) return;
      const [input, output, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
        readCount(usage[name] === 0 ? null : usage[name], 0, Number.MAX_SAFE_INTEGER),
      );
      if (input === null || output === null || input === undefined || output === undefined) return;
      const amounts = makeAmounts(input, output);
      this.found = { ...amounts, tokens: Math.max(input + output, total ?? 0) };
    } catch {
      // What is no JSON says nothing of what it cost.
    }
  }
}

/** Why a request gets no completion, as HTTP says it. `retryS`: when it may be tried again, seconds. */
type Problem = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryS?: number;
};

/** Errors are told by name: the gate may come from a bundle, with classes of its own. */
function explain(error: unknown, bound: Readonly<Record<string, number>>): Problem {
  const { code = 'failed', message = '', would = null } = Object(error) as Partial<GateRefused>;
  switch ((error as Error).name) {
    case 'GateRefused': {
      if (would?.t === 'none' && would.why === 'in_flight') return { status: 429, code, message, retryS: 1 };
      if (would?.t !== 'raise' && would?.t !== 'wait') return { status: 403, code, message };
      const { budget } = would;
      if (budget.max < (bound[budget.unit] ?? 1)) return { status: 413, code, message };
      if (would.t === 'raise' || would.until_us === null) return { status: 402, code, message };
      return { status: 429, code, message, retryS: Math.ceil((would.until_us - would.at) / 1_000_000) };
    }
    case 'GatePending':
      return { status: 409, code: 'pending', message };
    case 'GateError':
      return { status: 503, code, message };
    default:
      return { status: 502, code: 'upstream', message: 'the model could not be asked' };
  }
}

function refuse(response: ServerResponse, { status, code, message, retryS }: Problem): void {
  const headers = {
    'content-type': 'application/json',
    ...(status === 413 ? { connection: 'close' } : {}),
    ...(retryS === undefined ? {} : { 'retry-after': String(retryS) }),
  };
  response.writeHead(status, headers).end(JSON.stringify(describe(code, message)));
}

/** An error as clients of this interface read it. */
function describe(code: string, message: string): object {
  return { error: { message, type: 'assay_gate', param: null, code } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
