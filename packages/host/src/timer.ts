/**
 * Time as the host sees it: how long something took, waiting, and deadlines. Injected, so that a simulation
 * owns it. No time from here is recorded: recorded time comes with an answer ({@link clockPort}).
 */
import type { Request, Source } from '@assay/kernel';

/** A monotonic clock and a way to wait on it. Milliseconds; where 0 lies says nothing. */
export type Timer = {
  readonly now: () => number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted. Never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** The runtime's own timer: `performance.now` and `setTimeout`. */
export function systemTimer(): Timer {
  return {
    now: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve();
          return;
        }
        // What setTimeout takes as longer fires at once, so a longer wait wakes early; who sleeps looks at
        // the clock again.
        const handle = setTimeout(finish, Math.min(Math.max(0, ms), SLEEP_MS_MAX));
        signal.addEventListener('abort', finish, { once: true });
        function finish(): void {
          clearTimeout(handle);
          signal.removeEventListener('abort', finish);
          resolve();
        }
      }),
  };
}

const SLEEP_MS_MAX = 2 ** 31 - 1;

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
  const stop = (): void => over.abort(LAPSED);
  signal.addEventListener('abort', stop, { once: true });
  const lapse = timer.sleep(ms, over.signal).then((): typeof LAPSED => LAPSED);
  try {
    // In an async function, so that an action that throws is one that rejects.
    const first = await Promise.race([(async () => action())(), lapse]);
    if (first !== LAPSED) return first;
    signal.throwIfAborted();
    throw new DOMException(`nothing came within ${ms} ms`, 'TimeoutError');
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Also why a wait is ended: without a reason an exception would be made each time. */
const LAPSED = Symbol('lapsed');

/**
 * Deadline of a call where none is given, in milliseconds. A port of source `human` or `clock` has none
 * unless one is given.
 */
export const CALL_DEADLINE_MS = 600_000;

/**
 * Deadlines in milliseconds; null is none. `kinds`: of a call, by the kind of its request. `call`: of every
 * other call. `run`: from the beginning of this drive; then calls are given up, and every request gets the
 * final failure `timeout`, so that the machine ends the run by its policy.
 */
export type Deadlines = {
  readonly kinds?: { readonly [kind: string]: number | null };
  readonly call?: number | null;
  readonly run?: number | null;
};

/** Milliseconds that a call for this request may take, null where it may take for ever. */
export function callDeadlineMs(deadlines: Deadlines, request: Request, source: Source): number | null {
  const { kinds = {}, call } = deadlines;
  const own = Object.hasOwn(kinds, request.kind) ? kinds[request.kind] : call;
  if (own !== undefined) return own;
  return source === 'human' || source === 'clock' ? null : CALL_DEADLINE_MS;
}
