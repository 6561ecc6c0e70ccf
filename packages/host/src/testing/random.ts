/**
 * Randomness from a seed.
 *
 * @module
 */

/** A stream of numbers that a seed determines (mulberry32). For tests: not for secrets. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number in [0, 1), in steps of 2^-32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to `max`, both included. */
  integer(max: number): number {
    return Math.floor(this.next() * (max + 1));
  }

  /** True in `ppm` of a million cases. */
  happens(ppm: number): boolean {
    return this.next() * 1_000_000 < ppm;
  }
}
