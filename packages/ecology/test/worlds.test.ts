/** A world of the examples that shows what agents' lives come to: a rescue. */
import { expect, it } from 'vitest';
import { findLive, getRunState } from '../src/index.js';
import { playExample } from './example-worlds.js';

it('rescue: the fair debtor pays each time, the spiteful one is left frozen, the confused one is owned and mended', async () => {
  const state = await playExample('rescue', 1, 60);
  const debts = [...state.things].flatMap(([id]) =>
    id.startsWith('debt-') && findLive(state, id) !== undefined ? [id.split('-')[1]] : [],
  );
  const scrip = (id: string): number => state.accounts.get(id)?.amounts.scrip ?? 0;
  expect([getRunState(state, 'spike'), debts.includes('spike'), scrip('spike')]).toEqual(['frozen', true, 0]);
  expect(debts.includes('finn')).toBe(false);
  expect(findLive(state, 'bram')).toMatchObject({ owner: 'vera', content: { mood: 'fair' } });
  expect([getRunState(state, 'vera'), scrip('vera') > 2_000]).toEqual(['sleeping', true]);
});
