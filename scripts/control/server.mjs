/**
 * A server on the loopback that speaks the wire formats of Anthropic, OpenAI and OpenAI-compatible servers,
 * by a script: each call takes the next step. No model is behind it; all its answers are synthetic.
 *
 * @module
 */
import { createServer } from 'node:http';
import { eventsOf, faultOf, wholeOf } from './wire.mjs';

/**
 * Starts a server on a free port. `script`: the steps of its calls, or one for a call by its number and what
 * came; the last step is repeated.
 */
export async function scripted(wire, script) {
  const received = [];
  const server = createServer((request, response) => {
    void bodyOf(request)
      .then((body) => {
        const call = { path: request.url ?? '', headers: request.headers, body };
        received.push(call);
        const at = received.length - 1;
        const step =
          typeof script === 'function' ? script(at, call) : (script[Math.min(at, script.length - 1)] ?? {});
        return respond(wire, step, response, body);
      })
      .catch(() => response.destroy());
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
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

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text === '' ? null : JSON.parse(text);
}

async function respond(wire, step, response, body) {
  const { status, error, headers = {}, silent, raw, cut } = step;
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
  if (body?.stream !== true) {
    response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(wholeOf(wire, step, body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  if (cut === 'head') {
    response.flushHeaders();
    await afterWritten();
    response.destroy();
    return;
  }
  await stream(wire, step, response, body);
}

async function stream(wire, step, response, body) {
  const { cut, stall, slowMs, fault } = step;
  let pieces = 0;
  for (const { event, data, isPiece = false } of eventsOf(wire, step, body)) {
    if (response.destroyed) return;
    if (slowMs !== undefined && isPiece)
      await new Promise((resolve) => {
        setTimeout(resolve, slowMs);
      });
    if (stall !== undefined && isPiece && pieces >= stall) return;
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
function afterWritten() {
  return new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
}

function drained(response) {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}
