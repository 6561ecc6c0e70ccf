/**
 * Draws of scripted minds: a stream for each seed, agent and time, so that nothing has to be restored.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** The next integer from 0 to `bound` − 1, all alike; `bound` is at least 1. */
export type Draw = (bound: number) => number;

/** The draws of a key. The same key gives the same draws. */
export function makeDraw(...key: readonly (string | number)[]): Draw {
  let generator: ReturnType<typeof xoroshiro128plusFromState> | null = null;
  return (bound) => {
    if (!Number.isSafeInteger(bound) || bound < 1)
      throw new RangeError(`draw: expected an integer of at least 1, got ${String(bound)}`);
    generator ??= xoroshiro128plusFromState(makeState(key));
    return uniformInt(generator, 0, bound - 1);
  };
}

function makeState(key: readonly (string | number)[]): readonly number[] {
  const digest = createHash('sha256').update(key.join(' ')).digest();
  return [0, 4, 8, 12].map((at) => digest.readInt32LE(at));
}

/** A list in another order, each order as likely. */
export function shuffle<T>(list: readonly T[], draw: Draw): T[] {
  const shuffled = [...list];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}
