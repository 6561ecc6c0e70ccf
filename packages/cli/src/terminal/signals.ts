/**
 * Signals of the system. While this process decides, a signal ends it at once, as the system does by default:
 * no handler runs before a synchronous stretch is over.
 */
import type { Json, Machine } from '@assay/kernel';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Handler = (signal: NodeJS.Signals) => void;

const heeded: { handler: Handler | null; isLeft: boolean } = { handler: null, isLeft: false };

/** Has a handler for signals from now on, but for times of deciding. Threads receive none. */
export function heedSignals(handler: Handler): void {
  heeded.handler = handler;
  for (const signal of SIGNALS) process.on(signal, handler);
}

/** Leaves signals to the system from now on. */
export function leaveSignals(): void {
  heeded.handler = null;
  ignore();
}

/**
 * Says that this process decides: signals are left to the system until the loop of events turns. What is durable
 * is whole whenever that happens, as after `kill -9`.
 */
export function deciding(): void {
  const { handler, isLeft } = heeded;
  if (handler === null || isLeft) return;
  heeded.isLeft = true;
  ignore();
  setImmediate(() => {
    heeded.isLeft = false;
    if (heeded.handler !== null) heedSignals(heeded.handler);
  });
}

/** The machine, which leaves signals to the system while it decides. */
export function leavingSignals<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
): Machine<S, I, E, A> {
  return {
    ...machine,
    open: (...given) => {
      deciding();
      return machine.open(...given);
    },
    decide: (...given) => {
      deciding();
      return machine.decide(...given);
    },
  };
}

function ignore(): void {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
}

/**
 * One process's interruption. Work that heeds it ends by itself; without such work the process is simply
 * ended. `during` does work that stops soon after the signal it is given is aborted, and leaves nothing half
 * done; `code`: what the process then ends with, null for what the signal says. `raise`: a signal came; true where work under way will stop by itself, false where nothing does, or
 * where it was asked before.
 */
export type Interruption = {
  readonly isRaised: () => boolean;
  readonly during: <T>(work: (signal: AbortSignal) => Promise<T>, code?: number) => Promise<T>;
  readonly code: () => number | null;
  readonly raise: () => boolean;
};

/** Waits until the signal is aborted. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** An interruption that has not happened. */
export function newInterruption(): Interruption {
  const controller = new AbortController();
  let heeding = 0;
  let code: number | null = null;
  return {
    code: () => code,
    isRaised: () => controller.signal.aborted,
    during: async (work, own) => {
      heeding += 1;
      code = own ?? code;
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
