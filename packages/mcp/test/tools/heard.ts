/**
 * What the SDK's own client makes of a body that comes in pieces: the judge of how ours are looked at.
 *
 * @module
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes in pieces, cut at these places. */
export const cut = (bytes: Uint8Array, at: readonly number[]): readonly Uint8Array[] => {
  const places = [
    0,
    ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

/**
 * The messages, as JSON, that the SDK hears in a body, a piece a chunk, up to one whose method is `last`, or
 * until it refuses the body. Without a network.
 */
export async function heardBySdk(
  contentType: string,
  pieces: readonly Uint8Array[],
): Promise<readonly string[]> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': contentType } })),
  });
  const heard: string[] = [];
  await transport.start();
  await new Promise<void>((resolve) => {
    const onmessage = (message: JSONRPCMessage): void => {
      heard.push(JSON.stringify(message));
      if ('method' in message && message.method === 'last') resolve();
    };
    Object.assign(transport, { onmessage });
    transport.send({ jsonrpc: '2.0', id: 1, method: 'x' }).catch(() => resolve());
  });
  await transport.close();
  return heard;
}
