/**
 * Trying again: after conflicts, which the server asks for, and after a lost connection, which may come back.
 *
 * @module
 */
import type { Asking } from './connections.js';
import { StatementError, type Failure } from './failure.js';

/**
 * Most tries of one piece of work, and the first pause in milliseconds; each pause is twice the one before.
 */
const CONFLICT = { tries: 10, pauseMs: 4 };
const LOST = { tries: 6, pauseMs: 40 };

/**
 * Does `work` until it succeeds or fails for good, and gives it how many connections it lost before: after
 * one it can not know whether its last try was carried out. Failing to connect at all ends it at once, unless
 * a connection was lost before: then the server may be on its way back. Raises the last
 * {@link StatementError}. No try begins after its time is over. Pauses: 4 ms to 1 s for conflicts (2 s in
 * all), 40 ms to 640 ms for losses (1.2 s in all), half of each by chance.
 */
export async function retried<A>(
  { isOver }: Pick<Asking, 'isOver'>,
  work: (lost: number) => Promise<A>,
): Promise<A> {
  let conflicts = 0;
  let lost = 0;
  for (;;) {
    try {
      return await work(lost);
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      const { kind }: Failure = error.failure;
      const isLoss = kind === 'lost' || (kind === 'unreached' && lost > 0);
      if (kind === 'conflict') conflicts += 1;
      else if (isLoss) lost += 1;
      else throw error;
      const { tries, pauseMs } = isLoss ? LOST : CONFLICT;
      const tried = isLoss ? lost : conflicts;
      if (tried >= tries || isOver()) throw error;
      await pause(pauseMs * 2 ** (tried - 1));
    }
  }
}

/** Between half of so many milliseconds and all of them: rivals that met once do not meet again. */
async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)));
}
