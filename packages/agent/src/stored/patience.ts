/**
 * Waiting for a run that other processes write.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import type { Result } from '@assay/kernel';
import { nativeSha256, retryWaitMs, systemTimer, type StoreError, type Timer } from '@assay/host';

/**
 * How long such a run is waited for in all, in milliseconds. A writer holds it for as long as it tells, not for
 * as long as its run takes.
 */
export const PATIENCE_MS = 5_000;
/**
 * Waits grow from `baseMs` to `capMs`. Each call draws its own jitter, or those that met once would meet
 * again.
 */
const WAITS = { baseMs: 40, capMs: 500 };

/**
 * Tries again where another process holds the run (`locked`) or wrote to it meanwhile (`stale_head`), for so
 * long ({@link PATIENCE_MS}). Left: the last refusal.
 */
export async function patiently<T>(
  attempt: () => Promise<Result<StoreError, T>>,
  {
    timer = systemTimer(),
    patienceMs = PATIENCE_MS,
  }: { readonly timer?: Timer; readonly patienceMs?: number } = {},
): Promise<Result<StoreError, T>> {
  const seed = randomUUID();
  const until = timer.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    const done = await attempt();
    if (done._tag === 'Right' || (done.left.code !== 'locked' && done.left.code !== 'stale_head'))
      return done;
    const wait = retryWaitMs({ ...WAITS, seed }, 'memory', tries, 0, nativeSha256);
    if (timer.now() + wait > until) return done;
    await timer.sleep(wait, NEVER);
  }
}

const NEVER = new AbortController().signal;
