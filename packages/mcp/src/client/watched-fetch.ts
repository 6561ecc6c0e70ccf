/**
 * `fetch` as servers are called with it: no more than so many bytes are read, no redirect is followed since
 * headers would go with it, and whoever waits is told when a stream ends.
 *
 * @module
 */
import { RawBody, type MemberFault } from './raw-messages.js';

/**
 * Told of what comes: `tooLarge`, the rest is not read; `unreadable`, a message cannot be recorded whole, and is
 * not passed on; `stray`, a line of a program's output that is no message, and whether it was meant as one;
 * `ended`, the stream of a response is over, whole or not.
 */
export type Watch = {
  readonly tooLarge: () => void;
  readonly unreadable: (fault: MemberFault) => void;
  readonly stray: (line: string, isBroken: boolean) => void;
  readonly ended: () => void;
};

/**
 * `fetch` under watch. A GET is answered by 405, as servers without a stream of their own do: nobody here
 * listens to one.
 */
export function watchedFetch(
  bytesMax: number,
  watch: Omit<Watch, 'stray'>,
): (input: string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    const response = await globalThis.fetch(input, { ...init, redirect: 'manual' });
    // The SDK follows one to the same origin by itself, wherever it finds an address.
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return new Response(null, { status: response.status });
    }
    if (response.body === null) return response;
    return new Response(
      watched(response.body, new RawBody(response.headers.get('content-type')), bytesMax, watch),
      { status: response.status, statusText: response.statusText, headers: response.headers },
    );
  };
}

function watched(
  body: ReadableStream<Uint8Array>,
  raw: RawBody,
  bytesMax: number,
  { tooLarge, unreadable, ended }: Omit<Watch, 'stray'>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) bytes += value.byteLength;
        const isTooLarge = bytes > bytesMax;
        const fault = isTooLarge ? null : done ? raw.end() : raw.push(value);
        if (isTooLarge || fault !== null) {
          controller.error(
            new RangeError(
              isTooLarge ? `the response is larger than ${bytesMax} bytes` : `a message has a ${fault}`,
            ),
          );
          if (fault === null) tooLarge();
          else unreadable(fault);
          await reader.cancel();
        } else if (done) {
          controller.close();
          ended();
        } else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        ended();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
