/** Laws of the critical path. Source: specs D.5 law-F3 … law-F7. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { listLinks, schedule, type NetworkTask } from '../../src/schedule/index.js';
import { arbitraryPlan } from '../../tools/arbitrary-plan.js';
import { eventTimes, minutesOf } from '../../tools/naive-plan.js';

const RUNS = lawRuns('network laws');

type Net = { readonly tasks: readonly NetworkTask[]; readonly minutes: readonly number[] };

/** A network of up to ten tasks whose ids are not in the order of their places. */
const networks: fc.Arbitrary<Net> = fc
  .array(fc.record({ minutes: fc.nat(5), after: fc.array(fc.nat(9), { maxLength: 3 }), id: fc.nat(99) }), {
    minLength: 1,
    maxLength: 10,
  })
  .map((drawn) => ({
    tasks: drawn.map(({ after, id }, place) => ({
      id: `t${id}-${place}`,
      after: [...new Set(after.filter((before) => before < place))],
    })),
    minutes: drawn.map(({ minutes }) => minutes),
  }));

/** Every chain from a task without predecessors to one without followers. */
function chains({ tasks }: Net): readonly (readonly number[])[] {
  const followers = (task: number): readonly number[] =>
    [...tasks.keys()].filter((next) => tasks[next]?.after.includes(task));
  const from = (task: number): readonly (readonly number[])[] => {
    const next = followers(task);
    return next.length === 0 ? [[task]] : next.flatMap((each) => from(each).map((rest) => [task, ...rest]));
  };
  return [...tasks.keys()].filter((task) => tasks[task]?.after.length === 0).flatMap(from);
}

const along = (net: Net, chain: readonly number[]): number =>
  chain.reduce((sum, task) => sum + (net.minutes[task] ?? 0), 0);
const names = (net: Net, chain: readonly number[]): readonly string[] =>
  chain.map((task) => net.tasks[task]?.id ?? '');

describe('laws of the network', () => {
  it('planner/critical-path-equals-longest-chain: length, chain and zero-slack set are those of all chains', () => {
    fc.assert(
      fc.property(networks, (net) => {
        const { length, critical, zeroSlack } = schedule(net.tasks, net.minutes, null);
        const longest = Math.max(...chains(net).map((chain) => along(net, chain)));
        const best = chains(net).filter((chain) => along(net, chain) === longest);
        expect(length).toBe(longest);
        const text = (chain: readonly number[]) => names(net, chain).join('\u0000');
        expect(text(critical)).toBe(best.map(text).toSorted((a, b) => (a < b ? -1 : 1))[0]);
        expect(new Set(zeroSlack)).toEqual(new Set(best.flat()));
      }),
      RUNS,
    );
  });

  it('planner/links-hold-at-every-event: starts, length and slack are those of the longest paths over events', () => {
    fc.assert(
      fc.property(arbitraryPlan({ tasks: 6, alternatives: 0, rows: 0 }), fc.nat(5), (plan, draw) => {
        const minutes = minutesOf(
          plan,
          plan.tasks.map(() => 0),
        );
        const { length, earliestStart, totalSlack, critical, zeroSlack } = schedule(
          plan.tasks,
          minutes,
          null,
        );
        const times = eventTimes(plan.tasks, minutes);
        expect(Array.from(earliestStart)).toEqual(times.map(({ S }) => S));
        expect(length).toBe(Math.max(...times.map(({ F }) => F)));
        expect(critical.every((task) => zeroSlack.includes(task))).toBe(true);
        const task = draw % plan.tasks.length;
        const endAfter = (wait: number): number => {
          const gate = {
            task: plan.tasks.length,
            link: 'SS',
            lag: (earliestStart[task] ?? 0) + wait,
          } as const;
          const held = plan.tasks.map((each, at) =>
            at === task ? { ...each, links: [...listLinks(each), gate] } : each,
          );
          const first = { id: 'gate', title: '', kind: 'task', after: [], approaches: [] };
          return Math.max(...eventTimes([...held, first], [...minutes, 0]).map(({ F }) => F));
        };
        const slack = totalSlack[task] ?? 0;
        expect([endAfter(slack), endAfter(slack + 1) > length]).toEqual([length, true]);
      }),
      RUNS,
    );
  });

  it('planner/slack-is-room: a task late by its total slack keeps the end, by one more moves it', () => {
    fc.assert(
      fc.property(networks, fc.nat(9), (net, draw) => {
        const task = draw % net.tasks.length;
        const { length, totalSlack, freeSlack, earliestStart, latestStart } = schedule(
          net.tasks,
          net.minutes,
          null,
        );
        const room = totalSlack[task] ?? 0;
        expect(room).toBe((latestStart[task] ?? 0) - (earliestStart[task] ?? 0));
        const later = (by: number) =>
          schedule(
            net.tasks,
            net.minutes.map((minutes, place) => (place === task ? minutes + by : minutes)),
            null,
          );
        expect(later(room).length).toBe(length);
        expect(later(room + 1).length).toBe(length + 1);
        const free = freeSlack[task] ?? 0;
        const others = (starts: ArrayLike<number>) => Array.from(starts).filter((_, place) => place !== task);
        expect(others(later(free).earliestStart)).toEqual(others(earliestStart));
        expect(free).toBeLessThanOrEqual(room);
      }),
      RUNS,
    );
  });

  it('planner/negative-slack-is-the-cut: a deadline moves every slack by what it leaves or lacks', () => {
    fc.assert(
      fc.property(networks, fc.nat(40), (net, deadline) => {
        const [free, held] = [
          schedule(net.tasks, net.minutes, null),
          schedule(net.tasks, net.minutes, deadline),
        ];
        const moved = Array.from(free.totalSlack, (slack) => slack + deadline - free.length);
        expect(Array.from(held.totalSlack)).toEqual(moved);
        expect(Math.min(...moved)).toBe(deadline - free.length);
        expect(held.critical).toEqual(free.critical);
      }),
      RUNS,
    );
  });

  it('planner/levels-and-barrier: a level is one above the highest before it, and barriers never save time', () => {
    fc.assert(
      fc.property(networks, (net) => {
        const { level, barrier, length } = schedule(net.tasks, net.minutes, null);
        for (const [task, { after }] of net.tasks.entries())
          expect(level[task]).toBe(1 + Math.max(0, ...after.map((each) => level[each] ?? 0)));
        expect(barrier).toBeGreaterThanOrEqual(length);
      }),
      RUNS,
    );
  });

  it('planner/no-schedule-beats-the-critical-path: nor does more work or one more edge shorten it', () => {
    fc.assert(
      fc.property(networks, fc.nat(9), fc.nat(9), fc.integer({ min: 1, max: 3 }), (net, a, b, workers) => {
        const { length } = schedule(net.tasks, net.minutes, null);
        expect(length).toBeLessThanOrEqual(listed(net, workers));
        const [before, task] = [a % net.tasks.length, b % net.tasks.length];
        if (before >= task) return;
        const tasks = net.tasks.map((each, place) =>
          place === task ? { ...each, after: [...new Set([...each.after, before])] } : each,
        );
        expect(schedule(tasks, net.minutes, null).length).toBeGreaterThanOrEqual(length);
        const more = net.minutes.map((minutes, place) => minutes + (place === task ? 1 : 0));
        expect(schedule(net.tasks, more, null).length).toBeGreaterThanOrEqual(length);
      }),
      RUNS,
    );
  });
});

/** The end of a schedule in which each task takes the first free worker once its predecessors are done. */
function listed({ tasks, minutes }: Net, workers: number): number {
  const free = Array.from({ length: workers }, () => 0);
  const ends: number[] = [];
  for (const [task, { after }] of tasks.entries()) {
    const worker = free.indexOf(Math.min(...free));
    const start = Math.max(free[worker] ?? 0, ...after.map((each) => ends[each] ?? 0));
    ends[task] = start + (minutes[task] ?? 0);
    free[worker] = ends[task] ?? 0;
  }
  return Math.max(...ends);
}
