/**
 * A server on the loopback that speaks the wire formats of Anthropic, OpenAI and OpenAI-compatible servers,
 * by a script: each call takes the next step. No model is behind it; all its answers are synthetic.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The wire formats. */
export const WIRES = ['anthropic', 'openai', 'compatible'] as const;
export type Wire = (typeof WIRES)[number];

/**
 * What the server does with a call. `text`: answers with it, in `pieces`. `finish`: why the model stopped.
 * `usage`: null for none. `status`: answers with that error. `cut`: ends the connection after so many pieces,
 * with 0 before anything, with `head` once the answer has begun. `silent`: never answers. `slowMs`: before
 * each piece. `bytes`: sends text of so many bytes. `raw`: sends this body as it is. `fault`: an error in the
 * middle of the stream, after its pieces.
 */
export type Step = {
  readonly text?: string;
  readonly pieces?: number;
  readonly finish?: 'stop' | 'length' | 'refusal' | 'filter';
  readonly usage?: { readonly input: unknown; readonly output: unknown } | null;
  readonly model?: string;
  readonly status?: number;
  readonly error?: { readonly type: string; readonly code?: string; readonly message: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly cut?: number | 'head';
  readonly silent?: boolean;
  readonly slowMs?: number;
  readonly bytes?: number;
  readonly raw?: string;
  readonly fault?: string;
};

/** A call as it came. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
};

export type Scripted = {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  readonly close: () => Promise<void>;
};

/** The answer where a step says nothing else. */
export const MODEL_SAID = 'synthetic-model-2026-01-01';

/**
 * Starts a server on a free port. `script`: the steps of its calls, or one for a call by its number and what
 * came; the last step is repeated.
 */
export async function scripted(
  wire: Wire,
  script: readonly Step[] | ((call: number, received: Received) => Step),
): Promise<Scripted> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    void bodyOf(request)
      .then((body) => {
        const call = { path: request.url ?? '', headers: request.headers, body };
        received.push(call);
        const at = received.length - 1;
        const step =
          typeof script === 'function' ? script(at, call) : (script[Math.min(at, script.length - 1)] ?? {});
        return respond(wire, step, response, isToolAsked(body));
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text === '' ? null : (JSON.parse(text) as unknown);
}

async function respond(wire: Wire, step: Step, response: ServerResponse, isTool: boolean): Promise<void> {
  const { status, error, headers = {}, silent, raw, cut, slowMs, fault } = step;
  if (silent === true) return;
  if (raw !== undefined) {
    response.writeHead(status ?? 200, { 'content-type': 'text/html', ...headers }).end(raw);
    return;
  }
  if (status !== undefined) {
    const inner = error ?? { type: 'some_error', message: 'no' };
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(
        JSON.stringify(
          wire === 'anthropic'
            ? { type: 'error', error: inner }
            : { error: { param: null, code: null, ...inner } },
        ),
      );
    return;
  }
  if (cut === 0) {
    response.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  if (cut === 'head') {
    response.flushHeaders();
    await afterWritten();
    response.destroy();
    return;
  }
  const events = eventsOf(wire, step, isTool);
  let pieces = 0;
  for (const { event, data, isPiece = false } of events) {
    if (response.destroyed) return;
    if (slowMs !== undefined && isPiece) await new Promise((resolve) => setTimeout(resolve, slowMs));
    if (cut !== undefined && isPiece && pieces >= cut) {
      await afterWritten();
      response.destroy();
      return;
    }
    if (isPiece) pieces += 1;
    const isRoom = response.write(
      `${event === undefined ? '' : `event: ${event}\n`}data: ` +
        `${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
    if (!isRoom) await drained(response);
  }
  if (fault === undefined) response.end();
  else response.end(faultOf(wire, fault));
}

/** What was written is to arrive before the connection ends. */
function afterWritten(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/** Models that Anthropic's package does not know by name are asked for JSON by a tool. */
function isToolAsked(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'tools' in body;
}

type Sent = { readonly event?: string; readonly data: unknown; readonly isPiece?: boolean };

function* piecesOf({ text = '', pieces = 3, bytes }: Step): Generator<string> {
  if (bytes !== undefined) {
    const block = 'x'.repeat(65_536);
    for (let sent = 0; sent < bytes; sent += block.length) yield block;
    return;
  }
  const size = Math.max(1, Math.ceil(text.length / pieces));
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

function* eventsOf(wire: Wire, step: Step, isTool: boolean): Generator<Sent> {
  const { finish = 'stop', model = MODEL_SAID, usage = { input: 120, output: 45 }, fault } = step;
  if (wire === 'anthropic') {
    yield named('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: usage?.input ?? 0, output_tokens: 1 },
      },
    });
    const isCall = isTool && finish === 'stop';
    yield named('content_block_start', {
      index: 0,
      content_block: isCall
        ? { type: 'tool_use', id: 'toolu_1', name: 'json', input: {} }
        : { type: 'text', text: '' },
    });
    for (const delta of piecesOf(step))
      yield {
        ...named('content_block_delta', {
          index: 0,
          delta: isCall
            ? { type: 'input_json_delta', partial_json: delta }
            : { type: 'text_delta', text: delta },
        }),
        isPiece: true,
      };
    if (fault !== undefined) return;
    yield named('content_block_stop', { index: 0 });
    const reason = {
      stop: isCall ? 'tool_use' : 'end_turn',
      length: 'max_tokens',
      refusal: 'refusal',
      filter: 'refusal',
    }[finish];
    yield named('message_delta', {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: usage?.output ?? 0 },
    });
    yield named('message_stop', {});
  } else if (wire === 'openai') {
    yield typed('response.created', {
      response: { id: 'resp_1', created_at: 1_767_225_600, model, service_tier: 'default' },
    });
    yield typed('response.output_item.added', {
      output_index: 0,
      item: { type: 'message', id: 'item_1', status: 'in_progress', role: 'assistant', content: [] },
    });
    const kind = finish === 'refusal' ? 'response.refusal.delta' : 'response.output_text.delta';
    for (const delta of piecesOf(step))
      yield {
        ...typed(kind, { item_id: 'item_1', output_index: 0, content_index: 0, delta }),
        isPiece: true,
      };
    if (fault !== undefined) return;
    yield typed('response.output_item.done', {
      output_index: 0,
      item: { type: 'message', id: 'item_1', status: 'completed', role: 'assistant', content: [] },
    });
    const counts = usage === null ? null : { input_tokens: usage.input, output_tokens: usage.output };
    const cutShort =
      finish === 'length' ? 'max_output_tokens' : finish === 'filter' ? 'content_filter' : null;
    yield typed(cutShort === null ? 'response.completed' : 'response.incomplete', {
      response: {
        id: 'resp_1',
        created_at: 1_767_225_600,
        model,
        usage: counts ?? { input_tokens: 0, output_tokens: 0 },
        incomplete_details: cutShort === null ? null : { reason: cutShort },
      },
    });
  } else {
    const chunk = (choices: unknown, more: object = {}): Sent => ({
      data: {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_767_225_600,
        model,
        choices,
        ...more,
      },
    });
    yield chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
    for (const delta of piecesOf(step))
      yield {
        ...chunk([
          {
            index: 0,
            delta: finish === 'refusal' ? { refusal: delta } : { content: delta },
            finish_reason: null,
          },
        ]),
        isPiece: true,
      };
    if (fault !== undefined) return;
    yield chunk([
      {
        index: 0,
        delta: {},
        finish_reason: { stop: 'stop', length: 'length', refusal: 'stop', filter: 'content_filter' }[finish],
      },
    ]);
    if (usage !== null)
      yield chunk([], {
        usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 0 },
      });
    yield { data: '[DONE]' };
  }
}

function named(event: string, data: object): Sent {
  return { event, data: { type: event, ...data } };
}

function typed(type: string, data: object): Sent {
  return { event: type, data: { type, sequence_number: 0, ...data } };
}

function faultOf(wire: Wire, type: string): string {
  if (wire === 'anthropic')
    return `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: 'in the middle' } })}\n\n`;
  if (wire === 'openai') {
    const error = { type, code: type, message: 'in the middle', param: null };
    return `event: error\ndata: ${JSON.stringify({ type: 'error', sequence_number: 9, error })}\n\n`;
  }
  return `data: ${JSON.stringify({ error: { message: 'in the middle', type, code: type } })}\n\n`;
}
