/**
 * By how much caps must grow so that some choice fits: the plan that is asked about, the order of raises, and the
 * checker of the proof that none is smaller. Source: dec-K79; law-F18.
 */
import { isArray, isObject } from '@assay/kernel';
import { computeCap, isFit, rollup } from '../rollup/rollup.js';
import { makeChoice, namedChoice, type Held, type Plan, TOTAL_MAX } from '../plan/plan.js';
import { type Certificate, checkCertificate, makeQuestion } from './question.js';

/** A cap that may grow. `per`: units of the plan in one of this cap; `strict`: 1 under `<`. */
export type Cap = {
  readonly id: string;
  readonly bound: number;
  readonly strict: 0 | 1;
  readonly per: number;
};

/** A plan and its hard caps, in the units in which they are raised. */
export type Raisable = { readonly plan: Plan; readonly caps: readonly Cap[] };

/** By how much each cap grows, by its place; null: it does not count. */
export type Levels = readonly (number | null)[];

/**
 * A plan with each hard row divided by the greatest common divisor of its bound and all its mids, so that every
 * writing of a plan gives the same integers. Mids only.
 */
export function divideRows(plan: Plan): Raisable {
  const pers = plan.rows.map(({ bound, isHard }, row) =>
    isHard
      ? plan.tasks.reduce(
          (all, { approaches }) =>
            approaches.reduce((per, { amounts }) => divisor(per, amounts[row]?.[1] ?? 0), all),
          bound,
        ) || 1
      : 1,
  );
  const divide = (n: number, row: number): number => n / (pers[row] ?? 1);
  return listCaps(
    {
      ...plan,
      rows: plan.rows.map((held, row) => ({ ...held, bound: divide(held.bound, row) })),
      tasks: plan.tasks.map((task) => ({
        ...task,
        approaches: task.approaches.map((approach) => ({
          ...approach,
          amounts: approach.amounts.map(([, mid], row) => {
            const n = divide(mid, row);
            return [n, n, n] as const;
          }),
        })),
      })),
    },
    pers,
  );
}

/** A plan with its hard caps, each in the unit that it has. */
export function listCaps(plan: Plan, pers: readonly number[] = []): Raisable {
  const all = [...plan.rows, ...(plan.deadline === null ? [] : [plan.deadline])];
  return {
    plan,
    caps: all.flatMap((held, at): readonly Cap[] => {
      const { id, bound, isHard } = held;
      return isHard ? [{ id, bound, strict: computeCap(held) < bound ? 1 : 0, per: pers[at] ?? 1 }] : [];
    }),
  };
}

/** The greatest common divisor. */
export function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** The plan under grown caps. */
export function growCaps({ plan, caps }: Raisable, levels: Levels): Plan {
  const grow = (held: Held): Held => {
    const at = caps.findIndex(({ id }) => id === held.id);
    const by = levels[at] ?? null;
    if (at < 0) return held;
    return by === null ? { ...held, isHard: false } : { ...held, bound: held.bound + by };
  };
  return {
    ...plan,
    rows: plan.rows.map(grow),
    deadline: plan.deadline === null ? null : grow(plan.deadline),
  };
}

/** A raise of a cap as it is said. */
export function describeRaise({ id, bound, strict, per }: Cap, level: number): GrownCap {
  const above = Math.max(0, level - strict);
  const by = level === 0 ? 0 : above * per + strict;
  return { id, to: bound * per + by, by, share: bound === 0 ? null : [above, bound] };
}

/**
 * Weighs raises: by their share of the bound, and where that is equal, by how many caps are raised. Under `<` a
 * cap that grows by n passes what is at most n − 1 above its bound, so that its share is n − 1. Exact; weights are
 * whole numbers.
 */
export class Scale {
  private readonly caps: readonly Cap[];
  private readonly whole: bigint;

  constructor(caps: readonly Cap[]) {
    this.caps = caps;
    this.whole = caps.reduce((all, { bound }) => all * BigInt(bound || 1), BigInt(caps.length + 1));
  }

  /** The weight of one raise. */
  weigh(at: number, by: number | null): bigint {
    const { bound, strict } = this.caps[at] ?? { bound: 1, strict: 0 };
    return by === null || by <= 0 ? 0n : (BigInt(by - strict) * this.whole) / BigInt(bound || 1) + 1n;
  }

  /** What raises weigh in all. */
  add(levels: Levels): bigint {
    return levels.reduce((sum, by, at) => sum + this.weigh(at, by), 0n);
  }

  /** The weight of the largest raise. */
  findLargest(levels: Levels): bigint {
    return levels.reduce((most, by, at) => {
      const weight = this.weigh(at, by);
      return weight > most ? weight : most;
    }, 0n);
  }

  /** The largest raise of each cap that weighs at most so much; 0 for those that stay. */
  limit(most: bigint, isFree: (cap: Cap) => boolean): readonly number[] {
    return this.caps.map((cap) => {
      if (most <= 0n || !isFree(cap)) return 0;
      const by = BigInt(cap.strict) + ((most - 1n) * BigInt(cap.bound || 1)) / this.whole;
      return by < TOTAL_MAX ? Number(by) : TOTAL_MAX;
    });
  }
}

/** A bound of 0 cannot grow by a share. */
export function hasShare({ bound }: Cap): boolean {
  return bound > 0;
}

/**
 * A step of a proof that no raise within a box sums up to less, in preorder: the box is cut at a cap (below: at
 * most `at`; then above); or even its least raises sum up to as much; or a certificate that nothing fits its
 * largest raises.
 */
export type RaiseStep = { readonly cap: string; readonly at: number } | 'sum' | Certificate;

/**
 * A cap that grows. `to`: the least bound that suffices, in the unit of the plan, and by how much it is above the
 * cap; `share`: by how much what it lets pass is above the cap, as a fraction of it, null where that is 0.
 */
export type GrownCap = {
  readonly id: string;
  readonly to: number;
  readonly by: number;
  readonly share: readonly [above: number, bound: number] | null;
};

type NoCap = { readonly id: string; readonly to: null; readonly by: null; readonly share: null };
type Changes = readonly (readonly [task: string, approach: string])[];

/**
 * A cap that the plan passes as it stands, raised alone: to the least that suffices with `changes`, or not by this cap
 * alone (`to` null). `certificate`: nothing fits below; with null not even without this cap.
 */
export type AloneRaise = (GrownCap | NoCap) & {
  readonly changes: Changes;
  readonly proven: boolean;
  readonly certificate: Certificate | null;
};

/** The smallest raise of all caps together, and its proof (`checkRaise`) where it is proven. */
export type JointRaise = {
  readonly caps: readonly GrownCap[];
  readonly changes: Changes;
  readonly proven: boolean;
  readonly largest: Certificate | null;
  readonly steps: readonly RaiseStep[];
};

/** What raising caps does. `joint` is null where only a cap of 0 helps, or where nothing was found. */
export type Raise = { readonly alone: readonly AloneRaise[]; readonly joint: JointRaise | null };

/**
 * True where the choices fit their raised caps and what is called proven is: for a cap alone that nothing fits one
 * step below, for all together that no raise has a smaller largest share, and none of those with this largest share
 * a smaller sum.
 */
export function checkRaise(plan: Plan, { alone, joint }: Raise): boolean {
  const raisable = divideRows(plan);
  const { caps } = raisable;
  const scale = new Scale(caps);
  const read = (grown: readonly GrownCap[]): readonly number[] | null => {
    const levels = caps.map((cap) => {
      const { id, bound, strict, per } = cap;
      const { to = bound * per } = grown.find((each) => each.id === id) ?? {};
      return to === bound * per ? 0 : (to - strict) / per + strict - bound;
    });
    const isSaid = ({ id, to, by, share }: GrownCap): boolean => {
      const at = caps.findIndex((cap) => cap.id === id);
      const real = caps[at] === undefined ? null : describeRaise(caps[at], levels[at] ?? 0);
      const isShare = share === null || (isArray(share) && share.length === 2);
      return (
        real?.to === to &&
        real.by === by &&
        isShare &&
        share?.[0] === real.share?.[0] &&
        share?.[1] === real.share?.[1]
      );
    };
    const isOnce = new Set(grown.map(({ id }) => id)).size === grown.length;
    const isRaise = levels.every((by) => Number.isSafeInteger(by) && by >= 0);
    return isOnce && isRaise && grown.every(isSaid) ? levels : null;
  };
  const isFitting = (levels: Levels, changes: Changes): boolean => {
    const choice = makeChoice(plan, changes);
    const named = new Map(namedChoice(plan, choice));
    return (
      changes.every(([task, to]) => named.get(task) === to) &&
      isFit(rollup(growCaps(raisable, levels), choice))
    );
  };
  const isUnsat = (high: Levels, certificate: Certificate | null): boolean =>
    typeof certificate === 'object' &&
    certificate !== null &&
    checkCertificate(makeQuestion(growCaps(raisable, high), null), { kind: 'unsat' }, certificate);
  const holdsAlone = (cap: AloneRaise): boolean => {
    if (cap.to === null)
      return (
        !cap.proven ||
        isUnsat(
          caps.map(({ id }) => (id === cap.id ? null : 0)),
          cap.certificate,
        )
      );
    const levels = read([cap]);
    return (
      levels !== null &&
      isFitting(levels, cap.changes) &&
      (!cap.proven ||
        cap.by === 0 ||
        isUnsat(
          levels.map((by) => Math.max(0, by - 1)),
          cap.certificate,
        ))
    );
  };
  const holdsJoint = ({ caps: grown, changes, proven, largest, steps }: JointRaise): boolean => {
    const levels = read(grown);
    if (levels === null || !isFitting(levels, changes)) return false;
    const [most, sum, left] = [scale.findLargest(levels), scale.add(levels), steps.values()];
    const walk = (low: Levels, high: Levels): boolean => {
      const step = left.next().value;
      if (step === undefined) return false;
      if (step === 'sum') return scale.add(low) >= sum;
      if (!isObject(step) || !('cap' in step)) return isUnsat(high, step);
      const { cap, at } = step;
      const cut = caps.findIndex(({ id }) => id === cap);
      const isCut = cut >= 0 && Number.isSafeInteger(at);
      return isCut && walk(low, high.with(cut, at)) && walk(low.with(cut, at + 1), high);
    };
    return (
      !proven ||
      ((most === 0n || isUnsat(scale.limit(most - 1n, hasShare), largest)) &&
        walk(
          caps.map(() => 0),
          scale.limit(most, hasShare),
        ) &&
        left.next().done === true)
    );
  };
  return alone.every(holdsAlone) && (joint === null || holdsJoint(joint));
}
