/** The worlds of the examples that show what agents' lives come to: a rescue, and wealth on a landscape. */
import { readFileSync } from 'node:fs';
import { orThrow, type Json } from '@assay/kernel';
import { expect, it } from 'vitest';
import { ecology, findLive, getRunState, resolveConfig, type EcologyState } from '../src/index.js';
import { playScripted, readMinds, ResponseLog, WorldRun } from '../src/shell/index.js';
import { computeGini } from '../src/view/index.js';
import { PLAIN } from '../tools/world.js';

async function play(
  name: string,
  seed: number,
  minutes: number,
  seen: (state: EcologyState) => void = () => undefined,
): Promise<EcologyState> {
  const folder = new URL(`../../../examples/worlds/${name}/`, import.meta.url);
  const { config, artifacts } = JSON.parse(readFileSync(new URL('world.json', folder), 'utf8')) as {
    readonly config: Json;
    readonly artifacts: readonly { readonly id: string; readonly owner?: string }[];
  };
  const agents = new Set((config as { agents: { initial: string[] } }).agents.initial);
  const given = artifacts.map((each) => ({ ...PLAIN, ...each, owner: agents.has(each.id) ? each.id : null }));
  const policy = orThrow(resolveConfig(config));
  const shown = new ResponseLog();
  const start = { run_id: 'w', ts_base: 'T', policy, input: { artifacts: given }, engine: null };
  const world = orThrow(
    await WorldRun.open({
      machine: ecology,
      start: start as never,
      store: null,
      told: (decided) => {
        shown.hear(decided);
        seen(decided.after);
      },
    }),
  );
  const minds = readMinds((await import(new URL('minds.mjs', folder).href)) as never);
  if (typeof minds === 'string') throw new Error(minds);
  const bounds = { until_us: minutes * 60_000_000, end_us: null, records: null, steps: null };
  orThrow(await playScripted(world, { minds, seed, mind: name, shown, ...bounds }));
  return world.state;
}

it('rescue: the fair debtor pays each time, the spiteful one is left frozen, the confused one is owned and mended', async () => {
  const state = await play('rescue', 1, 60);
  const debts = [...state.things].flatMap(([id]) =>
    id.startsWith('debt-') && findLive(state, id) !== undefined ? [id.split('-')[1]] : [],
  );
  const scrip = (id: string): number => state.accounts.get(id)?.amounts.scrip ?? 0;
  expect([getRunState(state, 'spike'), debts.includes('spike'), scrip('spike')]).toEqual(['frozen', true, 0]);
  expect(debts.includes('finn')).toBe(false);
  expect(findLive(state, 'bram')).toMatchObject({ owner: 'vera', content: { mood: 'fair' } });
  expect([getRunState(state, 'vera'), scrip('vera') > 2_000]).toEqual(['sleeping', true]);
});

it('30: on a landscape wealth becomes unequal fast, and then hardly more: 20 seeds', async () => {
  const gini = ({ accounts }: EcologyState): number =>
    computeGini([...accounts].flatMap(([id, { amounts }]) => (/^a\d$/.test(id) ? [amounts.scrip] : []))) /
    1e6;
  const marks: (readonly number[])[] = [];
  for (let seed = 1; seed <= 20; seed += 1) {
    const at = new Map<number, number>();
    await play('sugarscape', seed, 21, (state) => {
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
