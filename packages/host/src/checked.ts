/**
 * What a timer, a store or a keeper of snapshots of the caller's gives, looked at: a reading that is no
 * number compares with nothing and would be waited on for ever, and an answer that is no result would pass
 * for success.
 *
 * @module
 */
import type { Result } from '@assay/kernel';
import type { Timer } from './timer.js';

/** A timer that throws a RangeError where its clock gives no number. */
export function checkedTimer(timer: Timer): Timer {
  return {
    now: () => {
      const reading: unknown = timer.now();
      if (typeof reading !== 'number' || !Number.isFinite(reading))
        throw new RangeError(
          'options.timer.now: expected it to give milliseconds, got ' +
            `${typeof reading === 'number' ? String(reading) : typeof reading}`,
        );
      return reading;
    },
    sleep: (ms, signal) => timer.sleep(ms, signal),
  };
}

/**
 * The result a method of the store gave. Throws a TypeError where it is none: nobody knows then what is
 * stored.
 */
export function resultOf<L, R>(method: 'append' | 'head', given: Result<L, R>): Result<L, R> {
  const tag: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, '_tag') : undefined;
  if (tag === 'Left' ? Reflect.has(given, 'left') : tag === 'Right' && Reflect.has(given, 'right'))
    return given;
  throw new TypeError(
    `options.store.${method}: expected it to give a Left or a Right, got ${given === null ? 'null' : typeof given}`,
  );
}

/**
 * What was loaded of a snapshot, null for none. Throws a TypeError where it is neither: a keeper that finds
 * none may forget to say so.
 */
export function snapshotOf(given: unknown): Uint8Array | null {
  if (given === null || isBytes(given)) return given;
  throw new TypeError(`options.snapshots.keep.load: expected it to give bytes or null, got ${typeof given}`);
}

/** By its name: bytes of another realm are bytes too. */
function isBytes(given: unknown): given is Uint8Array {
  return Object.prototype.toString.call(given) === '[object Uint8Array]';
}
