/**
 * Waiting for what may never come.
 *
 * @module
 */
import type { Timer } from './timer.js';

/**
 * What an action gives within so many milliseconds. Rejects with what it rejects with, else with a
 * `TimeoutError`, or with the signal's reason once that is aborted; what it does afterwards is nobody's
 * concern.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  timer: Timer,
  action: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const over = new AbortController();
  const stop = (): void => over.abort();
  signal.addEventListener('abort', stop, { once: true });
  const lapse = timer.sleep(ms, over.signal).then((): never => {
    signal.throwIfAborted();
    throw new DOMException(`nothing came within ${ms} ms`, 'TimeoutError');
  });
  try {
    // In an async function, so that an action that throws is one that rejects.
    return await Promise.race([(async () => action())(), lapse]);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
