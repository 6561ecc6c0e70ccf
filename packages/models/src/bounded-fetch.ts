/**
 * `fetch` as models are called with it: no more than so many bytes are read, no redirect is followed, since
 * the key would go with it, and of what an answer says of its usage the counts are left.
 *
 * @module
 */
import { soundUsage } from './sound-usage.js';

/** Bytes that are read of a response. */
export const RESPONSE_BYTES_MAX = 16_777_216;

/** A response that was larger than {@link RESPONSE_BYTES_MAX}; the rest was not read. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  constructor() {
    super(`the response is larger than ${RESPONSE_BYTES_MAX} bytes`);
  }
}

/**
 * Header under which a response tells its own status: some packages raise an error with a status that no
 * server sent.
 */
export const STATUS_HEADER = 'assay-http-status';

/** Calls `fetch`, the runtime's own by default. */
export const boundedFetch: typeof globalThis.fetch = async (input, init) => {
  const response = await globalThis.fetch(input, { ...init, redirect: 'manual' });
  const headers = new Headers(response.headers);
  headers.set(STATUS_HEADER, String(response.status));
  if (response.body === null)
    return new Response(null, { status: response.status, statusText: response.statusText, headers });
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > RESPONSE_BYTES_MAX) controller.error(new ResponseTooLarge());
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(response.ok ? counted.pipeThrough(soundUsage()) : counted, {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
};
