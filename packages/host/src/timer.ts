/**
 * Time as the host sees it: how long something took, and waiting. Injected, so that a simulation owns it.
 * No time from here is recorded: recorded time comes with an answer ({@link clockPort}).
 *
 * @module
 */

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
