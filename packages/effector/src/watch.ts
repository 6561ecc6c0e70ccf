/**
 * The two reasons to stop in the middle: the caller's signal and the wall time.
 *
 * @module
 */
import type { Refusal } from './refusal.js';

/** Asked between two operations. */
export type Watch = {
  /** Null as long as the call may go on. */
  readonly stop: () => Refusal | null;
  /** Milliseconds left, at least 0. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal | null;
};

/** A watch that began now. */
export function watchFor(wallMs: number, signal: AbortSignal | null): Watch {
  const end = performance.now() + wallMs;
  const leftMs = (): number => Math.max(0, end - performance.now());
  return {
    signal,
    leftMs,
    stop: () => (signal?.aborted === true ? aborted() : leftMs() === 0 ? overtime(wallMs) : null),
  };
}

/** The caller stopped it. */
export function aborted(): Refusal {
  return { status: 'interrupted', code: 'aborted', message: 'stopped by the caller' };
}

/** The wall time is over. */
export function overtime(wallMs: number): Refusal {
  return { status: 'timeout', code: 'wall_time', message: `stopped after ${wallMs} ms` };
}
