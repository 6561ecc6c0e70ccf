/**
 * How long the host waits for an answer. Source: design §7; issue 4.
 *
 * @module
 */
import type { Request, Source } from '@assay/kernel';

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
