/** Laws D.2 to D.4 of the planner, at every decision of random runs. */
import { describe, expect, it } from 'vitest';
import { LAW_DRAWS, LAW_SEED } from '../../../kernel/tools/laws.ts';
import type { Json } from '@assay/kernel';
import { planner } from '../../src/index.js';
import type { PlannerEvent } from '../../src/machine/events.js';
import { isOver } from '../../src/machine/state.js';
import { isTransition, REOPENS, plus, remaining, zeros } from '../../src/machine/node.js';
import { manyRuns, type Driven, type Moment } from '../../tools/drive.js';

const RUNS = [
  ...manyRuns('plan', LAW_DRAWS / 4, LAW_SEED),
  ...manyRuns('track', LAW_DRAWS / 4, LAW_SEED),
  ...manyRuns('solve', LAW_DRAWS, LAW_SEED),
];

function each(look: (moment: Moment, run: Driven, at: number) => void): void {
  for (const run of RUNS) for (const [at, moment] of run.moments.entries()) look(moment, run, at);
}

/** Events of one kind with the run they stand in. */
function every<T extends PlannerEvent['t']>(
  t: T,
  look: (event: Extract<PlannerEvent, { readonly t: T }>, moment: Moment, run: Driven) => void,
): number {
  let seen = 0;
  each((moment, run) => {
    for (const event of moment.events)
      if (event.t === t) {
        seen += 1;
        look(event as Extract<PlannerEvent, { readonly t: T }>, moment, run);
      }
  });
  return seen;
}

describe('random runs', () => {
  it('are of every sort', () => {
    const ends = new Map<string, number>();
    for (const { moments, outcome } of RUNS) {
      const { ending } = moments.at(-1)?.after ?? { ending: null };
      const name = outcome === null ? 'open' : `${outcome} ${ending?.reasons.join() ?? ''}`;
      ends.set(name, (ends.get(name) ?? 0) + 1);
    }
    expect(ends.size).toBeGreaterThan(5);
  });
});

/** Objects whose keys are not in canonical order. */
function unordered(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const own = keys.some((key, at) => at > 0 && (keys[at - 1] ?? '') > key) ? [keys.join(' ')] : [];
  return [...own, ...Object.values(value).flatMap(unordered)];
}

describe('the state machine', () => {
  it('planner/state-in-order: objects of an encoded state have their keys in canonical order', () => {
    // The runtime then writes a state: twice as fast as the kernel's own writer.
    const ends = RUNS.flatMap(({ moments }) => moments.slice(-1));
    expect(new Set(ends.flatMap(({ after }) => unordered(planner.encode(after))))).toEqual(new Set());
  });

  it('law-S1 only listed transitions occur, each from where the node was', () => {
    const seen = every('moved', ({ from, to }) => {
      expect(isTransition(from, to), `${from} to ${to}`).toBe(true);
    });
    expect(seen).toBeGreaterThan(RUNS.length);
    every('reopened', ({ to }) => {
      expect(REOPENS.to).toContain(to);
    });
  });

  it('law-S2 nothing resolves without a verification that holds', () => {
    for (const { moments } of RUNS) {
      const held = new Map<string, string>();
      for (const event of moments.flatMap(({ events }) => events)) {
        if (event.t === 'verified') held.set(event.node, event.verdict);
        if (event.t === 'reopened' || event.t === 'made' || event.t === 'planned')
          if (event.t !== 'made' || event.output.format !== 'composition') held.delete(event.node);
        if (event.t === 'moved' && event.to === 'resolved') expect(held.get(event.node)).toBe('SAT');
      }
    }
  });

  it('law-S3 an inner node resolves after its children', () => {
    every('moved', ({ node, to }, { after }) => {
      if (to !== 'resolved') return;
      const now = after.nodes.get(node);
      if (now?.status !== 'resolved' || !now.decomposed) return;
      for (const child of now.children) expect(after.nodes.get(child)?.status).toBe('resolved');
    });
  });

  it('law-S4, law-S5 a node begins when all it waits for is through', () => {
    each(({ after }) => {
      for (const [key, { status, deps, begun }] of after.nodes)
        if (deps > 0 && !begun) expect(`${key} ${status}`).toMatch(/pending|superseded|infeasible/);
    });
  });

  it('law-S6 what is superseded never acts', () => {
    for (const { moments } of RUNS) {
      const gone = new Set<string>();
      for (const { events, after } of moments) {
        for (const event of events) {
          if (event.t === 'asked' || event.t === 'moved') expect(gone.has(event.node)).toBe(false);
        }
        for (const [key, { status }] of after.nodes) if (status === 'superseded') gone.add(key);
      }
    }
  });

  it('law-S7, law-S8 reopenings are bounded, and a run that stands still ends', () => {
    each(({ after }, { policy }) => {
      expect(after.reopens).toBeLessThanOrEqual(policy.limits.reopens_run);
      for (const [, { reopens }] of after.nodes)
        expect(reopens).toBeLessThanOrEqual(policy.limits.reopens_node);
    });
    for (const { moments, outcome } of RUNS) {
      const last = moments.at(-1)?.after;
      if (outcome === null) expect((last?.waiting.size ?? 0) > 0).toBe(true);
    }
  });
});

describe('attempts', () => {
  it('law-A1 attempts count up for life', () => {
    const counts = new Map<string, number>();
    for (const [run, { moments }] of RUNS.entries())
      for (const event of moments.flatMap(({ events }) => events))
        if (event.t === 'attempt') {
          const name = `${run} ${event.node}`;
          expect(event.index).toBe((counts.get(name) ?? 0) + 1);
          counts.set(name, event.index);
        }
    expect(counts.size).toBeGreaterThan(0);
  });

  it('law-A2, law-A3 no resolver is tried too often, or again once it is exhausted', () => {
    each(({ after }, { policy }) => {
      for (const [, { tries }] of after.nodes) expect(tries).toBeLessThanOrEqual(policy.limits.tries);
    });
    for (const { moments } of RUNS) {
      const exhausted = new Map<string, Set<string>>();
      for (const event of moments.flatMap(({ events }) => events)) {
        if (event.t === 'exhausted')
          exhausted.set(event.node, (exhausted.get(event.node) ?? new Set()).add(event.resolver));
        if (event.t === 'routed')
          expect(exhausted.get(event.node)?.has(event.steps.at(-1) ?? '') ?? false).toBe(false);
      }
    }
  });

  it('law-A5, law-A6 one question has one fingerprint, and is put once', () => {
    for (const { moments } of RUNS) {
      const asked = new Map<string, number>();
      for (const { events } of moments) {
        const hires = events.filter((event) => event.t === 'asked' && event.kind === 'hire').length;
        const fresh = events.filter(
          (event) => event.t === 'capability' && event.status === 'requested' && event.node !== null,
        );
        expect(hires).toBeLessThanOrEqual(fresh.length);
        for (const event of events)
          if (event.t === 'capability' && event.status !== 'requested') {
            asked.set(event.fingerprint, (asked.get(event.fingerprint) ?? 0) + 1);
            expect(asked.get(event.fingerprint)).toBe(1);
          }
      }
    }
  });

  it('law-A7 builds stand in each other no deeper than the policy says', () => {
    each(({ after }, { policy }) => {
      for (const [, { building }] of after.nodes) {
        expect(building.length).toBeLessThanOrEqual(policy.limits.builds);
        expect(new Set(building).size).toBe(building.length);
      }
    });
  });
});

describe('money', () => {
  it('law-B1 what was granted is spent, held or left, at every decision', () => {
    for (const { moments } of RUNS) {
      let granted: readonly number[] = [];
      for (const { events, after } of moments) {
        if (granted.length === 0) granted = zeros(after.units.length);
        for (const event of events)
          if (event.t === 'funded')
            for (const { from, amounts } of event.transfers)
              if (from === null) granted = plus(granted, amounts);
        let sum = zeros(after.units.length);
        for (const [, { account }] of after.nodes)
          sum = plus(plus(sum, remaining(account)), plus(account.spent, account.reserved));
        expect(sum).toEqual(granted);
      }
    }
  });

  it('law-B2 no request is made that the node cannot pay for', () => {
    for (const { moments } of RUNS)
      for (const { events, after } of moments)
        for (const event of events)
          if (event.t === 'asked' && event.reserve.some((amount) => amount > 0)) {
            const account = after.nodes.get(event.node)?.account;
            const isSettled = !after.waiting.has(event.id);
            if (account !== undefined && !isSettled)
              for (const [unit, amount] of remaining(account).entries())
                if ((event.reserve[unit] ?? 0) > 0) expect(amount).toBeGreaterThanOrEqual(0);
          }
  });

  it('law-B3 what is held is what open requests hold', () => {
    each(({ after }) => {
      const held = new Map<string, readonly number[]>();
      for (const [, { node, reserve }] of after.waiting)
        held.set(node, plus(reserve, held.get(node) ?? zeros(after.units.length)));
      for (const [key, { account }] of after.nodes)
        expect(account.reserved).toEqual(held.get(key) ?? zeros(after.units.length));
    });
  });

  it('law-B6 a node that is over keeps nothing back', () => {
    each(({ after }) => {
      for (const [key, { status, account, parent }] of after.nodes)
        if (isOver(status) && parent !== null)
          for (const amount of remaining(account)) expect(amount, key).toBeLessThanOrEqual(0);
    });
  });

  it('law-B7 what a parent gave is what its children were granted', () => {
    each(({ after }) => {
      const granted = new Map<string, readonly number[]>();
      for (const [, { parent, account }] of after.nodes)
        if (parent !== null)
          granted.set(parent, plus(account.granted, granted.get(parent) ?? zeros(after.units.length)));
      for (const [key, { account }] of after.nodes)
        expect(account.given).toEqual(granted.get(key) ?? zeros(after.units.length));
    });
  });

  it('reserves are settled before a request goes: what is withdrawn or open at the end holds nothing', () => {
    each(({ before, withdrawn, isClosed, after }) => {
      for (const id of withdrawn)
        for (const amount of before.waiting.get(id)?.reserve ?? []) expect(amount).toBe(0);
      if (isClosed) for (const [, { reserve }] of after.waiting) expect(Math.max(0, ...reserve)).toBe(0);
    });
  });
});

describe('confidence', () => {
  it('law-C1, law-C4 σ is the least of the checks, and the verdict follows from them', () => {
    const seen = every('verified', ({ verdict, sigma_ppm, checks, why }, { after }, { policy }) => {
      if (checks.length > 0) {
        const least = Math.min(...checks.map((check) => check.sigma_ppm));
        expect(sigma_ppm).toBeLessThanOrEqual(least);
        const isHeld = checks.every(({ passed }) => passed) && least >= policy.tau.local;
        if (verdict === 'SAT') expect(isHeld).toBe(true);
      } else expect(why).not.toBe(null);
      expect(after.nodes.size).toBeGreaterThan(0);
    });
    expect(seen).toBeGreaterThan(0);
  });

  it('law-C8 what was given is always selected', () => {
    each(({ after }) => {
      for (const [, { core, selected }] of after.nodes)
        if (selected !== null) for (const id of core) expect(selected).toContain(id);
    });
  });
});

describe('coverage', () => {
  it('law-F20 each constraint of a plan is carried, measured, added up or named as unchecked', () => {
    each(({ after }) => {
      for (const [key, { carries, unchecked, plan }] of after.plans) {
        const held = new Set([
          ...carries.flatMap(([, ids]) => ids),
          ...unchecked,
          ...plan.metrics.map(({ id }) => id),
          ...plan.couplings.map(({ id }) => id),
          ...plan.rows.map(({ id }) => id),
          'deadline',
        ]);
        for (const id of after.nodes.get(key)?.selected ?? [])
          if (after.constraints.get(id)?.payload.t !== 'quantity') expect(held.has(id), id).toBe(true);
      }
    });
  });
});
