/** Laws of raised caps, held against every choice there is. Source: specs D.5 law-F18. */
import { orThrow, type Json } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAW_DRAWS, lawRuns } from '../../../kernel/tools/laws.js';
import { checkRaise, leastRaise, parsePlan, type Plan, type Raise } from '../../src/schedule/index.js';
import { arbitraryPlan, arbitraryPlanFile } from '../../tools/arbitrary-plan.js';
import { everyChoice, holds, lengthOf, sumOf } from '../../tools/naive-plan.js';

const RUNS = lawRuns('raise laws', 0.4);
const plans = arbitraryPlan({ tasks: 5, alternatives: 3, rows: 2 });
const NODES = 20_000;

/** A raise of one cap as it is compared: its share, and that there is one. */
type Share = readonly [share: number, isRaised: 0 | 1];

/** The hard caps of a plan, with what a choice uses of each. */
function capsOf(plan: Plan) {
  const rows = plan.rows.map((held, row) => ({
    held,
    use: (choice: readonly number[]) => sumOf(plan, choice, row),
  }));
  const { deadline } = plan;
  const last =
    deadline === null ? [] : [{ held: deadline, use: (choice: readonly number[]) => lengthOf(plan, choice) }];
  return [...rows, ...last].filter(({ held }) => held.isHard);
}

function isOver({ held, use }: ReturnType<typeof capsOf>[number], choice: readonly number[]): boolean {
  return held.op === '<' ? use(choice) >= held.bound : use(choice) > held.bound;
}

/** Small bounds: shares are compared times what all bounds divide. */
const WHOLE = 232_792_560;

function shareOf(cap: ReturnType<typeof capsOf>[number], choice: readonly number[]): Share {
  if (!isOver(cap, choice)) return [0, 0];
  return [((cap.use(choice) - cap.held.bound) * WHOLE) / cap.held.bound, 1];
}

const byShare = ([a, x]: Share, [b, y]: Share): number => (Math.abs(a - b) > 1e-3 ? a - b : x - y);

/** The largest share and the sum of what a choice needs, as they are compared. */
function needOf(
  plan: Plan,
  choice: readonly number[],
): readonly [most: Share, sum: readonly [number, number]] {
  const shares = capsOf(plan).map((cap) => shareOf(cap, choice));
  const most = shares.toSorted(byShare).at(-1) ?? ([0, 0] as const);
  return [most, [shares.reduce((all, [n]) => all + n, 0), shares.reduce((all, [, n]) => all + n, 0)]];
}

function byNeed(a: ReturnType<typeof needOf>, b: ReturnType<typeof needOf>): number {
  const [[x, u], [y, v]] = [a[1], b[1]];
  return byShare(a[0], b[0]) || (Math.abs(x - y) > 1e-3 ? x - y : u - v);
}

const isAllowed = (plan: Plan, choice: readonly number[]): boolean =>
  holds(plan, choice, ({ id, isHard }) => isHard && /^(?:score|pair)$/.test(id));

describe('laws of raises', () => {
  it('planner/raise-is-least: each cap alone, then all together by share, as among all choices; proven', () => {
    const seen = { alone: 0, never: 0, several: 0 };
    fc.assert(
      fc.property(plans, (plan) => {
        const raise = leastRaise(plan, NODES);
        const fit = everyChoice(plan).filter((choice) => isAllowed(plan, choice));
        const caps = capsOf(plan);
        if (fit.length === 0) expect(raise).toBe(null);
        if (raise === null) return;
        expect(checkRaise(plan, raise)).toBe(true);
        const current = plan.tasks.map(() => 0);
        const passed = caps.filter((cap) => isOver(cap, current));
        expect(raise.alone.map(({ id }) => id)).toEqual(passed.map(({ held }) => held.id));
        for (const [at, cap] of passed.entries()) {
          const others = caps.filter((each) => each !== cap);
          const uses = fit.filter((choice) => !others.some((each) => isOver(each, choice))).map(cap.use);
          const least = Math.max(cap.held.bound, Math.min(...uses) + (cap.held.op === '<' ? 1 : 0));
          expect(raise.alone[at]).toMatchObject({ to: uses.length === 0 ? null : least, proven: true });
          seen[uses.length === 0 ? 'never' : 'alone'] += 1;
        }
        const best = fit
          .filter((choice) => !caps.some((cap) => cap.held.bound === 0 && isOver(cap, choice)))
          .map((choice) => needOf(plan, choice))
          .toSorted(byNeed)[0];
        expect(raise.joint === null).toBe(best === undefined);
        if (raise.joint === null || best === undefined) return;
        expect(raise.joint.proven).toBe(true);
        const places = plan.tasks.map(({ id, approaches }) => {
          const taken = raise.joint?.changes.find(([task]) => task === id)?.[1];
          return Math.max(
            0,
            approaches.findIndex((each) => each.id === taken),
          );
        });
        expect(byNeed(needOf(plan, places), best)).toBe(0);
        if (raise.joint.caps.length > 1) seen.several += 1;
      }),
      RUNS,
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(RUNS.numRuns / 50);
  });

  it('planner/raise-in-any-unit: rows written in other units give the same choices, shares and proofs', () => {
    const file = arbitraryPlanFile({ tasks: 5, alternatives: 2, rows: 2 });
    const factors = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(file, factors, (written, by) => {
        const [one, other] = [orThrow(parsePlan(written)), orThrow(parsePlan(scaled(written, by)))];
        const [mine, theirs] = [leastRaise(one, NODES), leastRaise(other, NODES)];
        expect(withoutUnits(theirs)).toEqual(withoutUnits(mine));
        const strict = (id: string): number => (one.rows.find((row) => row.id === id)?.op === '<' ? 1 : 0);
        for (const [at, { id, to }] of (mine?.joint?.caps ?? []).entries()) {
          const factor = by[one.rows.findIndex((row) => row.id === id)] ?? 1;
          expect(theirs?.joint?.caps[at]?.to).toBe((to - strict(id)) * factor + strict(id));
        }
      }),
      { ...RUNS, numRuns: LAW_DRAWS },
    );
  });

  it('planner/a-changed-raise-is-refused: less does not fit, more is not the least, a proof has all its parts', () => {
    let refused = 0;
    fc.assert(
      fc.property(plans, fc.nat(20), fc.integer({ min: 1, max: 3 }), (plan, at, by) => {
        const raise = leastRaise(plan, NODES);
        const joint = raise?.joint;
        if (raise === null || !joint || joint.caps.length === 0) return;
        const check = (changed: Partial<NonNullable<Raise['joint']>>): boolean =>
          checkRaise(plan, { alone: [], joint: { ...joint, ...changed } });
        refused += 1;
        const place = at % joint.caps.length;
        const grown = (n: number) =>
          joint.caps.map((cap, i) => (i === place ? { ...cap, to: cap.to + n } : cap));
        expect(check({ caps: grown(-by) })).toBe(false);
        expect(check({ caps: grown(by) })).toBe(false);
        expect(check({ steps: joint.steps.slice(0, -1) })).toBe(false);
        expect(check({ steps: [] })).toBe(false);
        expect(check({ largest: { weights: [], unit: 0 } })).toBe(false);
        expect(check({ largest: null })).toBe(false);
        for (const cap of raise.alone) {
          const alone = (changed: object): boolean =>
            checkRaise(plan, { alone: [{ ...cap, ...changed }], joint: null });
          expect(alone({ certificate: null })).toBe(false);
          expect(alone({ certificate: { weights: [], unit: 0 } })).toBe(false);
          if (cap.to !== null) expect(alone({ to: cap.to + by })).toBe(false);
        }
      }),
      RUNS,
    );
    expect(refused).toBeGreaterThan(RUNS.numRuns / 5);
  });
});

/** The same plan with each row in another unit. */
function scaled(file: Json, by: readonly number[]): Json {
  const scale = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(scale);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const row = /^r(\d)$/.exec(key)?.[1];
        return [key, row === undefined ? scale(item) : (item as number) * (by[Number(row)] ?? 1)];
      }),
    );
  };
  const { rows, ...rest } = file as { readonly rows: readonly { readonly cap: number }[] };
  return {
    ...(scale(rest as Json) as object),
    rows: rows.map((row, at) => ({ ...row, cap: row.cap * (by[at] ?? 1) })),
  };
}

/** Advice without the numbers that are in units of rows. */
function withoutUnits(raise: Raise | null): unknown {
  const strip = ({ to: _, by: __, ...rest }: { readonly to: number | null; readonly by: number | null }) =>
    rest;
  return (
    raise && {
      alone: raise.alone.map(strip),
      joint: raise.joint && { ...raise.joint, caps: raise.joint.caps.map(strip) },
    }
  );
}
