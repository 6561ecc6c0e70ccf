/** Law meter-reproducible (L35): hostile contracts end as committed, from anywhere, after anything. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HOSTILE, hostileLines } from '../../tools/hostile.mjs';
import { freshEngine } from './engine-bytes.js';

const EXPECTED = readFileSync(new URL('hostile.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const NAMES = Object.keys(HOSTILE);

function deep<A>(frames: number, work: () => A): A {
  return frames === 0 ? work() : deep(frames - 1, work);
}

describe('ecology/meter-reproducible', () => {
  it('ends as committed, in the other order and called from a deep stack', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(60);
    const lines = deep(4000, () => hostileLines(freshEngine(), NAMES.toReversed()));
    expect(lines.toReversed()).toEqual(EXPECTED);
  });
});
