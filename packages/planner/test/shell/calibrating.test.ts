/** A library learns by actuals: estimates of the next alike goal are nearer. Source: dec-K80, dec-K81. */
import { drive, memoryStore, type Port, type Store } from '@assay/host';
import { orThrow, type Json, type JsonObject } from '@assay/kernel';
import { defaultPolicy, planner, type Bodies } from '@assay/planner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAW_SEED } from '../../../kernel/tools/laws.ts';
import { createLibrary, LIBRARY_RUN, libraryPort, makeHandOn } from '../../src/library-shell/index.js';
import { parsePlan } from '../../src/schedule/index.js';
import { planAnswer, planGoal } from '../../src/shell/index.js';

/** What each task was to cost, in cents and minutes, and what it did. */
type Task = { readonly cost: number; readonly minutes: number; readonly came: number; readonly took: number };

/** A goal whose tasks a person does one after the other; the plan as it was planned, and the mean relative error. */
async function kitchen(library: Store, name: string, tasks: readonly Task[]) {
  const file: JsonObject = {
    plan: 1,
    goal: `a kitchen for a ${name}`,
    rows: [{ id: 'cost', unit: 'EUR cents', op: '<=', cap: 10_000_000 }],
    tasks: tasks.map(({ cost, minutes }, at) => ({
      id: `t${at}`,
      minutes,
      confidence: 900_000,
      amounts: { cost },
    })),
  };
  const { constraints, split } = planGoal(file, orThrow(parsePlan(file)));
  const runs = memoryStore();
  const place = { library, libraryId: LIBRARY_RUN, run: runs, runId: name };
  const person: Port = {
    source: 'human',
    proposer: 'human',
    perform: ({ body }) => {
      const { came, took } = tasks[Number((body as unknown as Bodies['done']).task.slice(1))] as Task;
      return Promise.resolve({ value: { amounts: [['cost', came]], minutes: took, note: '' } });
    },
  };
  const rules: Port = {
    source: 'rule',
    proposer: 'rules',
    perform: ({ kind, body }) => Promise.resolve({ value: planAnswer(kind, body, split) }),
  };
  const table: Readonly<Record<string, Port>> = { library: libraryPort(place), done: person };
  const policy = { ...defaultPolicy, mode: 'track', extract: false, survey: false, library: true };
  const input = { goal: file['goal'], modality: 'text', constraints, suggestions: [], strikes: [] };
  const { run } = orThrow(
    await drive(
      planner,
      { run_id: name, ts_base: 'T', policy: policy as unknown as Json, input: input as unknown as Json },
      { store: runs, ports: ({ kind }) => table[kind] ?? rules },
    ),
  );
  orThrow(await makeHandOn(place));
  const found = run.state.plans.get('goal');
  const planned = found?.plan.tasks.map(({ approaches }) => approaches[0]);
  const error = (estimate: (at: number) => readonly [number, number]): number =>
    tasks.reduce((sum, { came, took }, at) => {
      const [cost, minutes] = estimate(at);
      return sum + (Math.abs(cost - came) / came + Math.abs(minutes - took) / took) / (2 * tasks.length);
    }, 0);
  return {
    status: run.outcome,
    calibrated: run.state.nodes.get('goal')?.calibrated,
    given: error((at) => [tasks[at]?.cost ?? 0, tasks[at]?.minutes ?? 0]),
    now: error((at) => [planned?.[at]?.amounts[0]?.[1] ?? 0, planned?.[at]?.minutes[1] ?? 0]),
  };
}

/** Estimates of one person, who is off by much the same each time, and by a fifth more or less each task. */
const history = fc
  .record({
    money: fc.integer({ min: 80, max: 170 }),
    time: fc.integer({ min: 80, max: 170 }),
    noise: fc.array(fc.integer({ min: 80, max: 120 }), { minLength: 30, maxLength: 30 }),
    size: fc.array(fc.integer({ min: 60, max: 900 }), { minLength: 15, maxLength: 15 }),
  })
  .map(({ money, time, noise, size }) =>
    [0, 5, 10].map((from) =>
      size.slice(from, from + 5).map((minutes, at): Task => {
        const by = (bias: number, place: number): number =>
          (bias * (noise[2 * (from + at) + place] ?? 100)) / 10_000;
        const cost = minutes * 100;
        return {
          cost,
          minutes,
          came: Math.ceil(cost * by(money, 0)),
          took: Math.ceil(minutes * by(time, 1)),
        };
      }),
    ),
  );

describe('a library that learns by actuals', () => {
  // Over 100 such persons the mean relative error falls from 0.251 to 0.137.
  it('the third goal of a person is estimated nearer', async () => {
    const sums = { given: 0, now: 0 };
    for (const goals of fc.sample(history, { numRuns: 2, seed: LAW_SEED })) {
      const library = memoryStore();
      await createLibrary(library, LIBRARY_RUN);
      const [flat = [], house = [], hut = []] = goals;
      const first = await kitchen(library, 'flat', flat);
      expect([first.status, first.calibrated]).toEqual(['success', []]);
      await kitchen(library, 'house', house);
      const third = await kitchen(library, 'hut', hut);
      expect(third.calibrated?.every(({ n }) => n === 10)).toBe(true);
      sums.given += third.given;
      sums.now += third.now;
    }
    expect(sums.now / sums.given).toBeLessThan(0.7);
  });

  it('what a library is told is by the estimates as they were given', async () => {
    const library = memoryStore();
    await createLibrary(library, LIBRARY_RUN);
    const half = [1, 2, 3].map((n): Task => ({ cost: n * 101, minutes: n * 7, came: n * 151, took: n * 7 }));
    for (const name of ['flat', 'house', 'hut', 'boat']) {
      const { calibrated } = await kitchen(library, name, half);
      if (name !== 'flat') expect(calibrated).toMatchObject([{ row: 'cost', median_ppm: 1_495_049 }]);
    }
  });
});
