/**
 * By how much caps must grow so that some choice fits: each cap alone, and all together by the smallest share. All of
 * it is asked as "does any choice fit under these caps?". Source: dec-K79; law-F18.
 */
import { Meter } from '@assay/kernel';
import { Lengths } from '../network/schedule.js';
import { currentChoice, listTaken, type Choice, type Plan } from '../plan/plan.js';
import { type Certificate, makeQuestion, planChoice } from '../question/question.js';
import {
  type AloneRaise,
  type Cap,
  describeRaise,
  divideRows,
  growCaps,
  type GrownCap,
  hasShare,
  type JointRaise,
  type Levels,
  listCaps,
  type Raisable,
  type Raise,
  type RaiseStep,
  Scale,
} from '../question/raise.js';
import { search } from '../search/search.js';
import { chooseLevelling, computeLeastLength, isFit, measureLength, rollup } from '../rollup/rollup.js';
import { repairKey } from './next.js';
import { repair } from './repair.js';

/** All caps alone, the largest share and the sum may each take one of so many parts of what there is. */
const PARTS = 16;

/** Boxes within each other in a proof. */
const CUTS_MAX = 200;

/**
 * The least raises, or null where raising caps does not help: a metric or a coupling stands in the way. At most
 * three sixteenths of so many search nodes and of a meter's steps: what they do not suffice for is not `proven`.
 */
export function leastRaise(plan: Plan, nodes: number, meter: Meter = new Meter()): Raise | null {
  const raisable = divideRows(plan);
  const lengths = new Lengths(plan.tasks);
  const choice = currentChoice(plan);
  const current = lift(raisable, { choice, levels: measure(raisable, lengths, choice) });
  const passed = raisable.caps.filter((_, at) => (current[at] ?? 0) > 0);
  const raising = new Raising(raisable, lengths, nodes, meter);
  const alone = passed.map((cap) => raising.findAlone(cap, PARTS * passed.length));
  const joint = raising.findJoint();
  return joint === null && alone.every(({ to }) => to === null) ? null : { alone, joint };
}

/**
 * The least sum of overruns, each cap in its own unit, as results tables of others' data have it. `steps`: the proof
 * that it is, over boxes of raises of at most the sum each.
 */
export function leastOverrun(
  plan: Plan,
  nodes: number,
): { readonly total: number; readonly choice: Choice; readonly steps: readonly RaiseStep[] } | null {
  const caps = listCaps(plan).caps.map((cap) => ({ ...cap, bound: 1 }));
  const raising = new Raising({ plan, caps }, new Lengths(plan.tasks), nodes, new Meter());
  raising.begin(1);
  const { fit: first } = raising.ask(caps.map(() => null));
  const add = ({ levels }: Fit): number => levels.reduce((sum, by) => sum + by, 0);
  if (first === null) return null;
  const most = caps.map(() => add(first));
  const { fit, steps } = raising.cheapen(first, most);
  return steps === null ? null : { total: add(fit), choice: fit.choice, steps };
}

/** By how much a choice passes each cap. */
function measure({ plan, caps }: Raisable, lengths: Lengths, choice: Choice): readonly number[] {
  const taken = listTaken(plan, choice);
  return caps.map(({ id, strict }) => {
    const row = plan.rows.findIndex((each) => each.id === id);
    const bound = (plan.rows[row] ?? plan.deadline)?.bound ?? 0;
    const use =
      row < 0
        ? computeLeastLength(plan, taken, lengths)
        : taken.reduce((sum, { amounts }) => sum + (amounts[row]?.[1] ?? 0), 0);
    return Math.max(0, use - bound + strict);
  });
}

/**
 * What the caps must grow by for a choice as it is levelled, where it is. What is proven of raises holds for links and
 * sums of shared work; levelled a plan may need a later deadline.
 */
function lift({ plan, caps }: Raisable, { choice, levels }: Fit): readonly number[] {
  if (chooseLevelling(plan) !== 'levelled') return levels;
  const taken = listTaken(plan, choice);
  const [, length] = measureLength(plan, taken);
  return levels.map((by, at) => {
    const { id, bound = 0, strict = 0 } = caps[at] ?? {};
    return id === plan.deadline?.id ? Math.max(by, length - bound + strict) : by;
  });
}

/** A choice, and what the caps must grow by for it. */
type Fit = { readonly choice: Choice; readonly levels: readonly number[] };
/** One of them, or neither where the search ended early. */
type Answer = { readonly fit: Fit | null; readonly proof: Certificate | null };

/** Asks in stages, each with its part of nodes and steps. */
class Raising {
  private readonly raisable: Raisable;
  private readonly lengths: Lengths;
  private readonly nodes: number;
  private readonly meter: Meter;
  private readonly scale: Scale;
  private readonly steps: number;
  private left = 0;
  private part = new Meter(0);

  constructor(raisable: Raisable, lengths: Lengths, nodes: number, meter: Meter) {
    this.raisable = raisable;
    this.lengths = lengths;
    this.nodes = nodes;
    this.meter = meter;
    this.scale = new Scale(raisable.caps);
    this.steps = meter.rest;
  }

  /** Begins a stage that has one of so many parts. */
  begin(parts: number): void {
    this.left = Math.ceil(this.nodes / parts);
    this.part = new Meter(Math.ceil(this.steps / parts));
  }

  /** Whether any choice fits under grown caps. */
  ask(levels: Levels): Answer {
    if (this.left <= 0 || this.part.isSpent || this.meter.isSpent) return { fit: null, proof: null };
    const question = makeQuestion(growCaps(this.raisable, levels), null);
    const { rest } = this.part;
    const found = search(question, 'feasible', this.left, null, this.part);
    this.meter.spend(rest - this.part.rest);
    this.left -= found.nodes;
    if (found.choice === null) return { fit: null, proof: found.status === 'none' ? found.proof : null };
    const choice = planChoice(this.raisable.plan, question, found.choice);
    return { fit: { choice, levels: measure(this.raisable, this.lengths, choice) }, proof: null };
  }

  findAlone(cap: Cap, parts: number): AloneRaise {
    this.begin(parts);
    const { fit, proof, isProven } = this.descend((each) => each === cap);
    const rest = { proven: isProven, certificate: proof };
    if (fit === null) return { id: cap.id, to: null, by: null, share: null, changes: [], ...rest };
    const own = this.raisable.caps.indexOf(cap);
    const levels = lift(this.raisable, fit);
    const isLifted = levels.some((by, at) => by !== fit.levels[at]);
    const said = isLifted ? { proven: false, certificate: null } : rest;
    if (levels.some((by, at) => at !== own && by > 0))
      return { id: cap.id, to: null, by: null, share: null, changes: [], ...said };
    return { ...describeRaise(cap, levels[own] ?? 0), changes: this.listChanges(fit, levels), ...said };
  }

  /** The smallest largest share, then the smallest sum. */
  findJoint(): JointRaise | null {
    this.begin(PARTS);
    const { fit, proof, isProven } = this.descend(hasShare);
    if (fit === null) return null;
    const most = this.scale.limit(this.scale.findLargest(fit.levels), hasShare);
    this.begin(PARTS);
    const best = isProven ? this.cheapen(fit, most) : { fit, steps: null };
    const levels = lift(this.raisable, best.fit);
    const isLifted = levels.some((by, at) => by !== best.fit.levels[at]);
    const steps = isLifted ? null : best.steps;
    return {
      caps: this.raisable.caps.flatMap((cap, at): readonly GrownCap[] => {
        const level = levels[at] ?? 0;
        return level === 0 ? [] : [describeRaise(cap, level)];
      }),
      changes: this.listChanges(best.fit, levels),
      proven: steps !== null,
      largest: isLifted ? null : proof,
      steps: steps ?? [],
    };
  }

  /**
   * The smallest largest share of some caps while the others stay. `proof`: nothing fits where it is less, or nothing
   * fits at all. Each choice found is the next to beat: halfway to what is ruled out, or just below it.
   */
  private descend(isFree: (cap: Cap) => boolean): Answer & { readonly isProven: boolean } {
    const { scale } = this;
    const first = this.ask(this.raisable.caps.map((cap) => (isFree(cap) ? null : 0)));
    if (first.fit === null) return { ...first, isProven: first.proof !== null };
    let fit: Fit = first.fit;
    let [low, proof]: [bigint, Certificate | null] = [-1n, null];
    for (let turn = 0; ; turn += 1) {
      const below = scale.findLargest(fit.levels) - 1n;
      if (low === below) return { fit, proof, isProven: true };
      const most = turn % 4 === 3 ? below : (low + below) / 2n;
      const found = this.ask(scale.limit(most, isFree));
      if (found.fit !== null) fit = found.fit;
      else if (found.proof !== null) [low, proof] = [most, found.proof];
      else return { fit, proof: null, isProven: false };
    }
  }

  /** The smallest sum of shares within a box of raises; `steps` is null where the search ends early. */
  cheapen(
    known: Fit,
    most: readonly number[],
  ): { readonly fit: Fit; readonly steps: readonly RaiseStep[] | null } {
    const { scale } = this;
    const steps: RaiseStep[] = [];
    let best = known;
    const explore = (
      low: readonly number[],
      high: readonly number[],
      inside: Fit | null,
      depth: number,
    ): boolean => {
      const isAsMuch = (): boolean => scale.add(low) >= scale.add(best.levels);
      if (isAsMuch()) return steps.push('sum') > 0;
      const { fit, proof } = inside === null ? this.ask(high) : { fit: inside, proof: null };
      if (proof !== null) return steps.push(proof) > 0;
      if (fit === null || depth > CUTS_MAX) return false;
      if (scale.add(fit.levels) < scale.add(best.levels)) best = fit;
      if (isAsMuch()) return steps.push('sum') > 0;
      const gains = fit.levels.map((by, at) => scale.weigh(at, by) - scale.weigh(at, low[at] ?? 0));
      const cut = gains.reduce((most, gain, at) => (gain > (gains[most] ?? 0n) ? at : most), 0);
      const [least, by] = [low[cut] ?? 0, fit.levels[cut] ?? 0];
      const at = depth % 2 === 0 ? by - 1 : Math.floor((least + by - 1) / 2);
      steps.push({ cap: this.raisable.caps[cut]?.id ?? '', at });
      return (
        explore(low, high.with(cut, at), null, depth + 1) &&
        explore(low.with(cut, at + 1), high, fit, depth + 1)
      );
    };
    const isProven = explore(
      most.map(() => 0),
      most,
      known,
      0,
    );
    return { fit: best, steps: isProven ? steps : null };
  }

  /** The fewest changes under grown caps, as far as a search of one part finds them. */
  private listChanges({ choice }: Fit, levels: Levels): JointRaise['changes'] {
    const grown = growCaps(this.raisable, levels);
    if (isFit(rollup(grown))) return [];
    const part = new Meter(Math.ceil(this.steps / PARTS));
    const { rest } = part;
    const suggestion = { choice, weights: [], unit: 0 };
    const found = repair(grown, Math.ceil(this.nodes / PARTS), suggestion, part);
    this.meter.spend(rest - part.rest);
    return 'key' in found ? found.key.changes : repairKey(this.raisable.plan, choice).changes;
  }
}
