/**
 * How long the host waits before it asks again. Source: 004 L8361: base 1 s, cap 30 s, jitter from a seeded
 * stream.
 *
 * @module
 */
import { utf8Bytes, type Sha256 } from '@assay/kernel';

/** First wait, in milliseconds, unless `baseMs` says otherwise. Source: 004 L8361. */
const RETRY_BASE_MS = 1_000;
/** Longest wait that is ours, unless `capMs` says otherwise. Source: 004 L8361. */
const RETRY_CAP_MS = 30_000;
/** Longest wait that the other side may ask for. */
export const RETRY_AFTER_MS_MAX = 600_000;

/**
 * Waits between attempts. `seed`: of the jitter; two drives with the same seed and run wait the same. Each
 * run has its own waits by default, since its genesis hash is part of every key.
 */
export type Retry = { readonly baseMs?: number; readonly capMs?: number; readonly seed?: string };

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
