/**
 * How a call to the outside failed, in the classes on which retries are decided, and how long a retry waits.
 * Source: 004 L8361 (network faults: which are tried again, which are charged).
 */
import { types } from 'node:util';
import { type FailureCode, type Json, type Sha256, type Spent, utf8Bytes } from '@assay/kernel';
import { ownValue } from './proposal.js';

/**
 * Classes of a failed call.
 *
 * - `rate_limited`: too many calls (HTTP 425, 429).
 * - `server_error`: the other side is in trouble (HTTP 5xx but 501 and 505).
 * - `timeout`: no answer in time (HTTP 408, a deadline).
 * - `refused`: no connection, or one that broke.
 * - `dns`: the name is not known.
 * - `denied`: not allowed (HTTP 401, 403, 407, 451).
 * - `permanent`: asking again gives the same (every other HTTP 4xx, 501, 505, a wrong certificate, no TLS
 *   where it is expected).
 * - `malformed`: an answer came and is none.
 * - `cancelled`: somebody outside gave the call up.
 * - `lost`: it was performed, and what came of it is not known.
 */
export type FailureClass =
  | 'rate_limited'
  | 'server_error'
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'denied'
  | 'permanent'
  | 'malformed'
  | 'cancelled'
  | 'lost';

/**
 * What a class means. `code`: as it is recorded. `isFinal`: no further attempt makes sense. `waits`: the next
 * attempt is made after a while. `isCharged`: what the attempt cost counts as spent; of a class that is not
 * charged, a cost that the port states is kept in the proposal's provenance under `uncharged`.
 */
type FailureRule = {
  readonly code: FailureCode;
  readonly isFinal: boolean;
  readonly waits: boolean;
  readonly isCharged: boolean;
};

/** The rule of each class. Source: 004 L8361; `denied` and the classes after `permanent` are ours. */
export const FAILURE_RULES: Readonly<Record<FailureClass, FailureRule>> = {
  rate_limited: { code: 'unavailable', isFinal: false, waits: true, isCharged: true },
  server_error: { code: 'unavailable', isFinal: false, waits: true, isCharged: false },
  timeout: { code: 'timeout', isFinal: false, waits: true, isCharged: true },
  refused: { code: 'unavailable', isFinal: false, waits: true, isCharged: false },
  dns: { code: 'unavailable', isFinal: true, waits: false, isCharged: false },
  denied: { code: 'denied', isFinal: true, waits: false, isCharged: true },
  permanent: { code: 'unavailable', isFinal: true, waits: false, isCharged: true },
  malformed: { code: 'malformed', isFinal: false, waits: false, isCharged: true },
  cancelled: { code: 'cancelled', isFinal: true, waits: false, isCharged: true },
  lost: { code: 'lost', isFinal: true, waits: false, isCharged: true },
};

/** What a port may say of a failed call beside its class. */
type PortErrorDetails = {
  /** What the attempt cost. */
  readonly spent?: Spent;
  /** The other side asks not to be called earlier than in so many milliseconds. */
  readonly retryAfterMs?: number;
  /** Kept in the proposal's provenance; no decision sees it. */
  readonly provenance?: { readonly [key: string]: Json };
  readonly message?: string;
  readonly cause?: unknown;
};

/**
 * What a port raises to say how its call failed. Recorded as the failure of its class, with detail
 * {class}; the message goes to `port_error` only.
 */
export class PortError extends Error {
  override readonly name = 'PortError';
  readonly class: FailureClass;
  readonly spent: Spent;
  readonly retryAfterMs: number;
  readonly provenance: { readonly [key: string]: Json };

  constructor(failureClass: FailureClass, details: PortErrorDetails = {}) {
    super(
      details.message ?? failureClass,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.class = failureClass;
    this.spent = details.spent ?? {};
    this.retryAfterMs = details.retryAfterMs ?? 0;
    this.provenance = details.provenance ?? {};
  }
}

/** The class of an HTTP status; null below 400, which is no failure. */
export function classOfStatus(status: number): FailureClass | null {
  if (!(status >= 400)) return null;
  if (status === 408) return 'timeout';
  if (status === 425 || status === 429) return 'rate_limited';
  if (status === 401 || status === 403 || status === 407 || status === 451) return 'denied';
  return status < 500 || status === 501 || status === 505 ? 'permanent' : 'server_error';
}

/**
 * The class of an error as Node and `fetch` raise them: by the `code` of the error, of its causes and of what
 * an aggregate holds (at most 8 steps down), or by the name TimeoutError. Null for any other value, an abort
 * among them (AbortError, `UND_ERR_ABORTED`), since it does not say who gave the call up, nor why; also for
 * one that throws when it is looked at; no getter of the error is called.
 */
export function classOfError(error: unknown): FailureClass | null {
  let at: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && typeof at === 'object' && at !== null; depth += 1) {
    const stated = ownValue(at, 'class');
    // By its fields, not by its constructor: two copies of this package may be installed.
    if (
      types.isNativeError(at) &&
      ownValue(at, 'name') === 'PortError' &&
      typeof stated === 'string' &&
      isFailureClass(stated)
    )
      return stated;
    const code = ownValue(at, 'code');
    const known = typeof code === 'string' ? classOfErrno(code) : null;
    if (known !== null) return known;
    if (isTimeout(at)) return 'timeout';
    at = ownValue(at, 'cause') ?? ownValue(ownValue(at, 'errors'), '0');
  }
  return null;
}

/** The class of an error code of Node, its resolver, its TLS or undici; null for any other. */
export function classOfErrno(code: string): FailureClass | null {
  const known = ERRNO.get(code);
  if (known !== undefined) return known;
  if (code.startsWith('EAI_')) return 'dns';
  return PERMANENT.test(code) ? 'permanent' : null;
}

/** A DOMException's name lies on its prototype, whose own getter is asked; AbortSignal.timeout raises one. */
function isTimeout(value: object): boolean {
  try {
    return nameOfDomException?.call(value) === 'TimeoutError';
  } catch {
    return false;
  }
}

const nameOfDomException = Reflect.getOwnPropertyDescriptor(DOMException.prototype, 'name')?.get;

function isFailureClass(name: string): name is FailureClass {
  return Object.hasOwn(FAILURE_RULES, name);
}

const CAUSES_MAX = 8;

/**
 * Certificates (UNABLE_TO_VERIFY_LEAF_SIGNATURE …), what Node says of TLS, what OpenSSL does, and what is no
 * HTTP (HPE_INVALID_CONSTANT …; an answer that was cut off is called otherwise): the two sides do not agree,
 * and will not at the next attempt.
 */
const PERMANENT = /^(?:CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HPE_)/;

const ERRNO: ReadonlyMap<string, FailureClass> = new Map<string, FailureClass>([
  ...[
    'ETIMEDOUT',
    'ESOCKETTIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
  ].map((code) => [code, 'timeout'] as const),
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EHOSTDOWN',
    'ENETDOWN',
    'EADDRNOTAVAIL',
    'UND_ERR_SOCKET',
    'UND_ERR_CLOSED',
    'UND_ERR_DESTROYED',
    'HPE_INVALID_EOF_STATE',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  ].map((code) => [code, 'refused'] as const),
  ['ENOTFOUND', 'dns'],
  ...['EACCES', 'EPERM'].map((code) => [code, 'denied'] as const),
  ...['EPROTO', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_INVALID_URL'].map(
    (code) => [code, 'permanent'] as const,
  ),
]);

/** First wait, in milliseconds, unless `baseMs` says otherwise. Source: 004 L8361. */
const RETRY_BASE_MS = 1_000;
/** Longest wait that is ours, unless `capMs` says otherwise. Source: 004 L8361. */
const RETRY_CAP_MS = 30_000;
/** Longest wait that the other side may ask for. */
export const RETRY_AFTER_MS_MAX = 600_000;

/**
 * Waits between attempts. `seed`: of the jitter; two drives with the same seed and run wait the same. Each
 * run has its own waits by default, since its genesis hash is part of every key. `leaveAfterMs`: what would wait longer
 * is left to a later drive, as if its port had raised `Later`; no limit by default. `read`: microseconds since 1970, by
 * which is said until when; the runtime's own by default.
 */
export type Retry = {
  readonly baseMs?: number;
  readonly capMs?: number;
  readonly seed?: string;
  readonly leaveAfterMs?: number;
  readonly read?: () => number;
};

/**
 * Milliseconds until the attempt with this idempotency key. d = min(cap, base · 2^(used − 1)) for attempts
 * used from 1 on, of which the second half is drawn: from d/2 up to d, rounded down. The draw is SHA-256 of
 * seed and key, so it does not depend on what else was drawn, nor on a crash in between. `retryAfterMs`: what
 * the other side asked for, kept to at most {@link RETRY_AFTER_MS_MAX}.
 */
export function retryWaitMs(
  retry: Retry,
  key: string,
  used: number,
  retryAfterMs: number,
  sha256: Sha256,
): number {
  const full = Math.min(
    retry.capMs ?? RETRY_CAP_MS,
    (retry.baseMs ?? RETRY_BASE_MS) * 2 ** Math.min(52, Math.max(0, used - 1)),
  );
  const drawn =
    Number.parseInt(sha256(utf8Bytes(`retry/${retry.seed ?? ''}/${key}`)).slice(0, 12), 16) / 2 ** 48;
  const ours = Math.floor(full / 2 + (full / 2) * drawn);
  return retryAfterMs > ours ? Math.min(retryAfterMs, RETRY_AFTER_MS_MAX) : ours;
}
