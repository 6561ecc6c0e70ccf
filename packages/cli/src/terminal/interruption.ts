/**
 * Being interrupted: by a signal of the system, heeded by work that can stop between two records.
 *
 * @module
 */

/**
 * One process's interruption. Work that heeds it ends by itself; without such work the process is simply
 * ended. `during` does work that stops soon after the signal it is given is aborted, and leaves nothing half
 * done. `raise`: a signal came; true where work under way will stop by itself, false where nothing does, or
 * where it was asked before.
 */
export type Interruption = {
  readonly isRaised: () => boolean;
  readonly during: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  readonly raise: () => boolean;
};

/** An interruption that has not happened. */
export function newInterruption(): Interruption {
  const controller = new AbortController();
  let heeding = 0;
  return {
    isRaised: () => controller.signal.aborted,
    during: async (work) => {
      heeding += 1;
      try {
        return await work(controller.signal);
      } finally {
        heeding -= 1;
      }
    },
    raise: () => {
      const isFirst = !controller.signal.aborted;
      controller.abort();
      return isFirst && heeding > 0;
    },
  };
}
