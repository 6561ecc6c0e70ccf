/**
 * A bounded call, and from what the AI SDK raises the failure class the host knows. Nothing of the error is
 * passed on but its status, the provider's own code, and the words it sends as an answer: headers and bodies
 * may quote a key.
 *
 * @module
 */
import { classOfError, classOfStatus, type FailureClass, PortError } from '@assay/host';
import { cutText, type Json, type Spent } from '@assay/kernel';
import { soundUsage } from './sound-usage.js';

/**
 * What is known of a failed call. `status`: of HTTP. `said`: the provider's code or type. `retryAfterMs`: 0
 * where it does not say. `isTooLarge`: an answer, not an error, that was too long to read. `words`: what the
 * server says in a stream or with status 200. `isOfTools`, `isOfFormat`: the server turned the call away and
 * says something of tools, or of a schema for the answer, as those do that have none.
 */
export type CallFailure = {
  readonly class: FailureClass | null;
  readonly status: number | null;
  readonly said: string | null;
  readonly words: string | null;
  readonly retryAfterMs: number;
  readonly isTooLarge: boolean;
  readonly isOfTools: boolean;
  readonly isOfFormat: boolean;
};

/**
 * Reads an error. No getter of it is called; at most 8 causes deep. `nowMs`: for a Retry-After that is a
 * date.
 */
export function failureIn(error: unknown, nowMs: number): CallFailure {
  const chain = listCauses(error);
  const headers = chain
    .map((each) => own(each, 'responseHeaders'))
    .find((each) => typeof each === 'object' && each !== null);
  const raised =
    chain.map((each) => own(each, 'statusCode')).find((code) => typeof code === 'number') ?? null;
  // Of a stream whose first event is an error, a package raises a status of its own; the error itself is in
  // the body.
  const status = raised !== null && own(headers, STATUS_HEADER) === '200' ? 200 : raised;
  if (status === 200) chain.push(...chain.flatMap((each) => bodyIn(own(each, 'responseBody'))));
  const said = chain.map(saidBy).find((word) => word !== null) ?? null;
  // Of an error the status says what is wrong, however much is said beside it.
  const isTooLarge =
    (status === null || status === 200) && chain.some((each) => each instanceof ResponseTooLarge);
  const words =
    status === null || status === 200 ? (chain.map(renderError).find((each) => each !== null) ?? null) : null;
  return {
    class: classify(error, chain, { status, said, words }),
    status,
    said,
    words,
    retryAfterMs: retryAfterIn(headers, nowMs),
    isTooLarge,
    isOfTools: isOfTools(chain, status),
    isOfFormat: (status === 400 || status === 422) && isSaidIn(chain, FORMAT),
  };
}

/** The error a port raises for a failed call; one without a class is tried again. */
export function makePortError(
  { class: failureClass, status, said, words, retryAfterMs }: CallFailure,
  details: { readonly spent: Spent; readonly provenance: { readonly [key: string]: Json } },
): Error {
  const what = status === null ? 'the model was not reached' : `the provider answered with status ${status}`;
  const message = `${words === null ? what : `the provider says: ${words}`}${said === null ? '' : ` (${said})`}`;
  if (failureClass === null) return Object.assign(new Error(message), details);
  return new PortError(failureClass, { ...details, retryAfterMs, message });
}

/** True where the status says that no model was run, so nothing was spent. */
export function isFree({ status }: CallFailure): boolean {
  return status !== null && (status < 200 || status >= 300) && status < 500;
}

function isOfTools(chain: readonly object[], status: number | null): boolean {
  if (chain.some((each) => own(each, 'name') === 'AI_UnsupportedFunctionalityError')) return true;
  return (status === 400 || status === 422 || status === 500 || status === 501) && isSaidIn(chain, TOOLS);
}

const TOOLS = /\btool(?:s|_choice)?\b|\bfunction.calling\b/i;
const FORMAT = /response_format|json_schema|text\.format|output_format|structured.output/i;

function isSaidIn(chain: readonly object[], words: RegExp): boolean {
  return chain.some((each) => {
    const body = own(each, 'responseBody');
    return typeof body === 'string' && words.test(body);
  });
}

const QUOTA = /quota|billing|credit|payment/;

function classify(
  error: unknown,
  chain: readonly object[],
  { status, said, words }: Pick<CallFailure, 'status' | 'said' | 'words'>,
): FailureClass | null {
  // Waiting does not fill an account.
  if (said !== null && QUOTA.test(said)) return 'permanent';
  if (status !== null && status !== 200) return classOfStatus(status) ?? 'permanent';
  // A gateway states the status of the model behind it as a number.
  const stated = chain
    .map((each) => own(own(each, 'error'), 'code'))
    .map((code) => (typeof code === 'number' ? classOfStatus(code) : null))
    .find((each) => each !== null);
  if (stated !== undefined) return stated;
  const known = classOfError(error);
  if (known !== null) return known;
  if (said !== null && /overloaded|server_error|internal|api_error/.test(said)) return 'server_error';
  if (said !== null && /rate_limit/.test(said)) return 'rate_limited';
  if (words !== null) return 'server_error';
  const names = chain.map((each) => own(each, 'name'));
  if (names.some((name) => typeof name === 'string' && MALFORMED.has(name))) return 'malformed';
  if (names.includes('AI_LoadAPIKeyError')) return 'denied';
  return names.includes('AI_UnsupportedFunctionalityError') ? 'permanent' : null;
}

/** Errors of the AI SDK that say that what the server sent is not what it should send. */
const MALFORMED: ReadonlySet<string> = new Set([
  'AI_TypeValidationError',
  'AI_JSONParseError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'ResponseTooLarge',
]);

const WORD = /^[a-z0-9_.-]{1,64}$/i;

/** The provider's code or type, where it is a plain word. */
function saidBy(error: object): string | null {
  const body = own(error, 'data') ?? error;
  const inner = own(body, 'error') ?? body;
  const words = [own(inner, 'code'), own(inner, 'type')].filter(
    (word) => typeof word === 'string' && WORD.test(word) && word !== 'error',
  ) as readonly string[];
  return words[0] ?? null;
}

/** The words of an error as a server sends it, in one line. */
function renderError(error: object): string | null {
  const inner = own(own(error, 'data') ?? error, 'error');
  const words =
    typeof inner === 'string' ? inner : own(inner ?? (error instanceof Error ? null : error), 'message');
  return typeof words === 'string' && words.trim() !== ''
    ? cutText(words.trim().replaceAll(/\s+/g, ' '), WORDS_UNITS_MAX)
    : null;
}

const WORDS_UNITS_MAX = 240;

function retryAfterIn(headers: unknown, nowMs: number): number {
  const ms = Number(own(headers, 'retry-after-ms') ?? Number.NaN);
  if (ms > 0) return ms;
  const after = own(headers, 'retry-after');
  if (typeof after !== 'string') return 0;
  const wait = /^\d+(?:\.\d+)?$/.test(after.trim()) ? Number(after) * 1_000 : Date.parse(after) - nowMs;
  return wait > 0 && Number.isFinite(wait) ? Math.ceil(wait) : 0;
}

function bodyIn(text: unknown): readonly object[] {
  if (typeof text !== 'string') return [];
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? [body] : [];
  } catch {
    return [];
  }
}

function listCauses(error: unknown): object[] {
  const chain: object[] = [];
  let at: unknown = error;
  while (typeof at === 'object' && at !== null && chain.length < CAUSES_MAX) {
    chain.push(at);
    at = own(at, 'cause');
  }
  return chain;
}

const CAUSES_MAX = 8;

function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Reflect.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}

/** Bytes that are read of a response. */
export const RESPONSE_BYTES_MAX = 16_777_216;

/** A response that was larger than {@link RESPONSE_BYTES_MAX}; the rest was not read. */
class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  constructor() {
    super(`the response is larger than ${RESPONSE_BYTES_MAX} bytes`);
  }
}

/**
 * Header under which a response tells its own status: some packages raise an error with a status that no
 * server sent.
 */
const STATUS_HEADER = 'assay-http-status';

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
