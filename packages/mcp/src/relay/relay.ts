/**
 * A gate in front of a server: messages pass between client and server as they are. A call of a tool is decided first,
 * and tools that no rule can let through are left out of lists. Source: gate/G17.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { hashCanonical, isArray, isObject, type Digest, type Json } from '@assay/kernel';
import { nativeSha256, PortError, systemTimer } from '@assay/host';
import { type Approval, type Approve, type Gate, type GateRefused } from '@assay/gate';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/**
 * One client's connection to its server. `principal`: who the client is, as the door knows it. `holdMs`: how long a
 * call waits for a person where the client cannot ask one.
 */
export type RelayOptions = {
  readonly gate: Gate;
  readonly principal: string;
  readonly holdMs: number;
  /** Told of what went wrong in the relay itself. */
  readonly onError: (error: unknown) => void;
};

type Forwarded = {
  readonly resolve: (response: Answered) => void;
  readonly reject: (error: Error) => void;
};
/** A server's answer to a call: its result or its error, as it came. */
type Answered = Pick<JSONRPCResultResponse, 'result'> | { readonly error: object };
type Asked = Parameters<Approve>[0];
type Called = { readonly name: string; readonly input: Json; readonly definition: Digest | null };

const PROGRESS_MS = 5_000;
const SHOWN_MAX = 2_000;

/** Links a client to a server, until one of them closes. Resolves once nothing is under way any more. */
export async function relay(client: Transport, server: Transport, options: RelayOptions): Promise<void> {
  const link = new Relay(client, server, options);
  await server.start();
  await client.start();
  return link.closed;
}

class Relay {
  readonly closed: Promise<void>;
  private readonly client: Transport;
  private readonly server: Transport;
  private readonly options: RelayOptions;
  /** Calls that the server has, by the id of their request; requests of the client that wait; their progress tokens. */
  private readonly forwarded: Map<RequestId, Forwarded> = new Map();
  private readonly underWay: Map<RequestId, AbortController> = new Map();
  private readonly requests: Map<RequestId, 'list' | 'other'> = new Map();
  private readonly tokens: Map<unknown, RequestId> = new Map();
  /** Questions to the person at the client. */
  private readonly elicited: Map<RequestId, (answer: JSONRPCMessage) => void> = new Map();
  private readonly definitions: Map<string, Digest> = new Map();
  private readonly calls: Set<Promise<void>> = new Set();
  private name = 'client';
  private canAsk = false;
  private isOver = false;

  constructor(client: Transport, server: Transport, options: RelayOptions) {
    this.client = client;
    this.server = server;
    this.options = options;
    this.closed = new Promise((resolve) => {
      // Transports tell each close, this relay's own too.
      let closing: Promise<void> | null = null;
      const close = (): void => {
        closing ??= this.close().then(resolve, resolve);
      };
      const { onError: onerror } = options;
      const guarded = (pass: (message: JSONRPCMessage) => Promise<void>) => (message: JSONRPCMessage) =>
        this.guard(pass(message));
      Object.assign(client, {
        onmessage: guarded((message) => this.fromClient(message)),
        onclose: close,
        onerror,
      });
      Object.assign(server, {
        onmessage: guarded((message) => this.fromServer(message)),
        onclose: close,
        onerror,
      });
    });
  }

  private guard(done: Promise<void>): void {
    done.catch((error: unknown) => {
      if (this.isOver) return;
      // A message that cannot be passed on is lost, and its sender would wait for ever.
      this.options.onError(error);
      void this.client.close();
    });
  }

  private async close(): Promise<void> {
    const gone = new PortError('lost', { message: 'the server went away before it answered' });
    this.isOver = true;
    for (const [id, abort] of this.underWay) if (!this.forwarded.has(id)) abort.abort(gone);
    for (const { reject } of this.forwarded.values()) reject(gone);
    for (const asked of this.elicited.keys())
      this.elicited.get(asked)?.({ jsonrpc: '2.0', id: asked, result: {} });
    await Promise.allSettled(this.calls);
    await Promise.allSettled([this.client.close(), this.server.close()]);
  }

  private async fromClient(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) {
      const asked = 'id' in message && message.id !== undefined ? this.elicited.get(message.id) : undefined;
      if (asked === undefined) await this.server.send(message);
      else asked(message);
      return;
    }
    if (message.method === 'tools/call') {
      if ('id' in message) this.take(message);
      return;
    }
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'] as RequestId;
      this.underWay.get(id)?.abort(new PortError('cancelled', { message: 'the client cancelled this call' }));
      // What the server does not have yet it is not told of.
      if (this.underWay.has(id) && !this.forwarded.has(id)) return;
    }
    if ('id' in message) this.note(message);
    await this.server.send(message);
  }

  private async fromServer(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) && 'id' in message && message.id !== undefined) {
      const { id } = message;
      const call = this.forwarded.get(id);
      if (call !== undefined) {
        this.forwarded.delete(id);
        call.resolve('result' in message ? { result: message.result } : { error: message.error });
        return;
      }
      const kind = this.requests.get(id);
      // Of a call that the server was never given it has nothing to say.
      if (kind === undefined) return;
      this.requests.delete(id);
      if ('result' in message) this.learn(message.result);
      await this.client.send(kind === 'list' && 'result' in message ? this.filter(message) : message);
      return;
    }
    const token = 'method' in message ? message.params?.['progressToken'] : undefined;
    const relatedRequestId =
      this.tokens.get(token) ?? [...this.requests.keys(), ...this.forwarded.keys()].at(-1);
    await this.client.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
  }

  /** Remembers a request of the client, and who it says it is. */
  private note({ id, method, params }: JSONRPCRequest): void {
    this.requests.set(id, method === 'tools/list' ? 'list' : 'other');
    if (method !== 'initialize') return;
    const { clientInfo, capabilities } = params as {
      readonly clientInfo?: { readonly name?: unknown };
      readonly capabilities?: { readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } };
    };
    const asks = capabilities?.elicitation;
    this.canAsk = asks !== undefined && (asks.form !== undefined || asks.url === undefined);
    const name =
      typeof clientInfo?.name === 'string' ? clientInfo.name.replaceAll(/[^A-Za-z0-9._-]/g, '_') : '';
    if (name !== '') this.name = name.slice(0, 60);
  }

  /** The version that both sides agreed on, which HTTP states with each message. */
  private learn(result: JSONRPCResultResponse['result']): void {
    const version = result['protocolVersion'];
    if (typeof version === 'string') this.server.setProtocolVersion?.(version);
  }

  /** A list of tools without those that no rule can let through. */
  private filter(message: JSONRPCResultResponse): JSONRPCMessage {
    const tools = message.result['tools'] as Json | undefined;
    if (tools === undefined || !isArray(tools)) return message;
    const named = (tool: Json): string =>
      isObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : '';
    for (const tool of tools) {
      const hashed = hashCanonical(tool, nativeSha256);
      if (hashed._tag === 'Right') this.definitions.set(named(tool), hashed.right);
    }
    const shown = tools.filter((tool) => this.options.gate.canAllow(named(tool), this.options.principal));
    return { ...message, result: { ...message.result, tools: shown } };
  }

  private take(message: JSONRPCRequest): void {
    const { id } = message;
    if (this.underWay.has(id)) return this.refuse(id, ErrorCode.InvalidRequest, 'two calls have this id');
    const { name, arguments: input = {} } = (message.params ?? {}) as { readonly [key: string]: Json };
    if (typeof name !== 'string')
      return this.refuse(id, ErrorCode.InvalidParams, 'expected the name of a tool');
    const token = message.params?._meta?.progressToken;
    if (token !== undefined) this.tokens.set(token, id);
    const done = this.call(message, { name, input, definition: this.definitions.get(name) ?? null }).finally(
      () => {
        this.underWay.delete(id);
        this.tokens.delete(token);
        this.calls.delete(done);
      },
    );
    this.calls.add(done);
    this.guard(done);
  }

  private refuse(id: RequestId, code: number, message: string): void {
    this.guard(this.client.send({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  /** One call: decided, passed on, answered. One that the client gave up gets no answer. */
  private async call(message: JSONRPCRequest, { name, input, definition }: Called): Promise<void> {
    const { gate, principal } = this.options;
    const { id } = message;
    const abort = new AbortController();
    this.underWay.set(id, abort);
    const call = {
      ...{ tool: name, input, principal, proposer: this.name, signal: abort.signal },
      // Ids of JSON-RPC are counted anew by each client.
      call_id: randomUUID(),
      provenance: definition === null ? {} : { definition },
      approve: (asked: Asked) => this.ask(asked, message),
    };
    let answer: Answered;
    try {
      answer = {
        result: (await gate.call(call, () => this.forward(message))) as JSONRPCResultResponse['result'],
      };
    } catch (error) {
      if (abort.signal.aborted) return;
      answer = error instanceof ServerFault ? { error: error.error } : { result: explain(error) };
    }
    if (!abort.signal.aborted) await this.client.send({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage);
  }

  /** Passes a call on. Raises what the server answers as an error. */
  private async forward(message: JSONRPCRequest): Promise<JSONRPCResultResponse['result']> {
    const answered = new Promise<Answered>((resolve, reject) => {
      this.forwarded.set(message.id, { resolve, reject });
    });
    await this.server.send(message);
    const answer = await answered;
    if ('error' in answer) throw new ServerFault(answer.error);
    return answer.result;
  }

  /** Asks the person at the client; where the client cannot, waits for an approval from elsewhere. */
  private async ask(asked: Asked, { id, params }: JSONRPCRequest): Promise<Approval | null> {
    if (this.canAsk) {
      const said = await this.elicit(asked, id);
      if (said !== null) return said;
    }
    const { holdMs } = this.options;
    const token = params?._meta?.progressToken;
    for (let waited = 0; waited < holdMs && !asked.signal.aborted; waited += PROGRESS_MS) {
      await systemTimer().sleep(Math.min(PROGRESS_MS, holdMs - waited), asked.signal);
      if (token === undefined || asked.signal.aborted) continue;
      const progress = { progressToken: token, progress: waited / 1_000, message: 'waiting for a person' };
      await this.client.send(
        { jsonrpc: '2.0', method: 'notifications/progress', params: progress },
        { relatedRequestId: id },
      );
    }
    return null;
  }

  private async elicit(
    { n, tool, input, rules, signal }: Asked,
    related: RequestId,
  ): Promise<Approval | null> {
    const id = `gate-${randomUUID()}`;
    const shown = JSON.stringify(input, null, 1).slice(0, SHOWN_MAX);
    const answered = new Promise<JSONRPCMessage>((resolve) => {
      this.elicited.set(id, resolve);
      signal.addEventListener('abort', () => resolve({ jsonrpc: '2.0', id, result: {} }), { once: true });
    });
    await this.client.send(
      {
        ...{ jsonrpc: '2.0', id, method: 'elicitation/create' },
        params: {
          message: `Allow ${tool}? (call ${n}, asked by ${rules.join(', ')})\n${shown}`,
          requestedSchema: {
            type: 'object',
            properties: { approve: { type: 'boolean', title: 'Allow this call' } },
            required: ['approve'],
          },
        },
      },
      { relatedRequestId: related },
    );
    const answer = await answered;
    this.elicited.delete(id);
    const result = 'result' in answer ? answer.result : {};
    const { action, content } = result as {
      readonly action?: string;
      readonly content?: { readonly approve?: unknown };
    };
    if (action !== 'accept' && action !== 'decline') return null;
    // Whoever sits at the client, as far as the client says.
    return { approved: action === 'accept' && content?.approve === true, by: `elicitation/${this.name}` };
  }
}

/** What a server answered to a call in place of a result. */
class ServerFault extends Error {
  readonly error: object;

  constructor(error: object) {
    super('message' in error ? String(error.message) : 'the server answered with an error');
    this.error = error;
  }
}

/**
 * A refusal as a result, which the model reads. Errors are told by name: the gate may come from a bundle, with classes
 * of its own.
 */
function explain(error: unknown): JSONRPCResultResponse['result'] {
  const {
    name,
    message = String(error),
    code = 'failed',
    rules,
    would,
    n,
  } = Object(error) as Partial<GateRefused>;
  const isOwn = name === 'GateRefused' || name === 'GatePending' || name === 'GateError';
  const told = !isOwn
    ? { code: 'failed' }
    : {
        code,
        ...(rules === undefined ? {} : { rules: [...rules] }),
        ...(would === undefined ? {} : { would: would?.t ?? null }),
        ...(n === undefined ? {} : { call: n }),
      };
  return { content: [{ type: 'text', text: message }], isError: true, _meta: { 'assay/gate': told } };
}
