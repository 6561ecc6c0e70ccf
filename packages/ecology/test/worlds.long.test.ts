/** A world of the examples that shows what agents' lives come to: wealth on a landscape. */
import { expect, it } from 'vitest';
import type { EcologyState } from '../src/index.js';
import { computeGini } from '../src/view/index.js';
import { playExample } from './example-worlds.js';

it('30: on a landscape wealth becomes unequal fast, and then hardly more: 20 seeds', async () => {
  const gini = ({ accounts }: EcologyState): number =>
    computeGini([...accounts].flatMap(([id, { amounts }]) => (/^a\d$/.test(id) ? [amounts.scrip] : []))) /
    1e6;
  const marks: (readonly number[])[] = [];
  for (let seed = 1; seed <= 20; seed += 1) {
    const at = new Map<number, number>();
    await playExample('sugarscape', seed, 21, (state) => {
      const minute = Math.floor(state.now_us / 60_000_000);
      if (!at.has(minute)) at.set(minute, gini(state));
    });
    marks.push([1, 13, 20].map((minute) => at.get(minute) ?? NaN));
  }
  const mean = (of: number): number => marks.reduce((sum, mark) => sum + (mark[of] ?? NaN), 0) / marks.length;
  expect(marks.filter(([, middle = NaN]) => !(middle > 0.2 && middle < 0.55))).toEqual([]);
  expect(marks.filter(([early = NaN, , late = NaN]) => !(late > early + 0.05 && late < 0.55))).toEqual([]);
  expect([mean(1) - mean(0) > 0.15, Math.abs(mean(2) - mean(1)) < 0.05]).toEqual([true, true]);
});
