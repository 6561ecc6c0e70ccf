/**
 * Options of a drive that are no numbers, or no such ones: a NaN compares with nothing, and would wait for ever.
 *
 * @module
 */
import type { DriveOptions } from './drive.js';

/** Calls that one drive may have under way at once, at most. */
export const CONCURRENCY_MAX = 1_024;

/** Throws a RangeError that names the first option that is not what it must be. */
export function checkOptions({ concurrency, deadlines = {}, invitationAttempts, order, retry = {}, snapshots, steps }: DriveOptions): void {
  whole('concurrency', concurrency, 1, CONCURRENCY_MAX);
  whole('steps', steps, 0, Infinity);
  whole('invitationAttempts', invitationAttempts, 0, Infinity);
  milliseconds('deadlines.call', deadlines.call ?? undefined);
  milliseconds('deadlines.run', deadlines.run ?? undefined);
  for (const [kind, ms] of Object.entries(deadlines.kinds ?? {})) milliseconds(`deadlines.kinds.${kind}`, ms ?? undefined);
  milliseconds('retry.baseMs', retry.baseMs);
  milliseconds('retry.capMs', retry.capMs);
  whole('snapshots.every', snapshots?.every, 1, Infinity);
  milliseconds('snapshots.deadlineMs', snapshots?.deadlineMs);
  if (order !== undefined && order !== 'turn' && order !== 'arrival') throw new RangeError(`options.order: expected turn or arrival, got ${String(order)}`);
}

/** `to` Infinity: Infinity itself too, which is how a bound is lifted. */
function whole(name: string, value: number | undefined, from: number, to: number): void {
  const isWhole = Number.isInteger(value) || (value === Infinity && to === Infinity);
  if (value !== undefined && !(isWhole && value >= from && value <= to)) throw new RangeError(`options.${name}: expected an integer from ${from}${to === Infinity ? ' up' : ` to ${to}`}, got ${shown(value)}`);
}

function milliseconds(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isFinite(value) && value >= 0)) throw new RangeError(`options.${name}: expected milliseconds from 0 up, got ${shown(value)}`);
}

/** What was given, which may be no number at all where nothing checked its type. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value;
}
