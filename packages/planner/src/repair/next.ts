/** What else makes a plan fit: the repairs behind the first one, in order. The order of repairs. Source: dec-K64. */
import { Meter, compareText } from '@assay/kernel';
import { computeCap, passes, withWork } from '../rollup/rollup.js';
import { Lengths } from '../network/schedule.js';
import { MILLION, listTaken, type Choice, type Plan } from '../plan/plan.js';
import { makeQuestion } from '../question/question.js';

/** So many repairs are shown beside the first. */
const NEXT_MAX = 5;

/** With more tasks that have alternatives, trying every choice is hopeless from the start. */
const OPEN_MAX = 200;

/** One more repair. */
export type NextRepair = { readonly choice: Choice; readonly key: RepairKey };

/**
 * The repairs behind the first one in the order of dec-K64, at most five. Every choice is tried that has as many
 * changes as the first, then one more, and so on; where `nodes` steps or the meter do not suffice for a number of
 * changes, `isComplete` is false and what was found of that number is left out. Beyond 200 tasks with alternatives
 * nothing is tried.
 */
export function nextRepairs(
  plan: Plan,
  first: Choice,
  nodes: number,
  meter: Meter = new Meter(),
): { readonly repairs: readonly NextRepair[]; readonly isComplete: boolean } {
  const most = plan.tasks.filter(({ approaches }) => approaches.length > 1).length;
  if (most > OPEN_MAX) return { repairs: [], isComplete: false };
  const walk = new Walk(plan, nodes, meter);
  const known = repairKey(plan, first);
  const repairs: NextRepair[] = [];
  for (let changes = known.changes.length; changes <= most && repairs.length < NEXT_MAX; changes += 1) {
    const found = walk.withChanges(changes, NEXT_MAX + 1);
    if (found === null) return { repairs: repairs.slice(0, NEXT_MAX), isComplete: false };
    repairs.push(...found.filter(({ key }) => compareRepairs(key, known) > 0));
  }
  return { repairs: repairs.slice(0, NEXT_MAX), isComplete: true };
}

/** Depth first over tasks that have alternatives; a branch ends where no change left can save enough. */
class Walk {
  private readonly plan: Plan;
  private nodes: number;
  private readonly meter: Meter;
  /** Steps of looking at a whole choice. */
  private readonly whole: number;
  private readonly open: readonly number[];
  private readonly rows: readonly { readonly at: number; readonly cap: number }[];
  private readonly isAllowed: readonly (readonly boolean[])[];
  private readonly lengths: Lengths;
  private choice: number[] = [];
  private kept: NextRepair[] = [];
  /** For each place in `open` and each row, the most that one task from there on saves, largest first. */
  private readonly savings: readonly (readonly (readonly number[])[])[];

  constructor(given: Plan, nodes: number, meter: Meter) {
    const plan = withWork(given);
    this.plan = plan;
    this.nodes = nodes;
    this.meter = meter;
    this.whole = plan.tasks.reduce(
      (sum, { after }) => sum + 64 + 4 * plan.rows.length + 2 * after.length,
      16 * plan.couplings.length,
    );
    const question = makeQuestion(plan, null);
    this.isAllowed = plan.tasks.map(({ approaches }, task) =>
      approaches.map(({ id }) => question.tasks[task]?.options.some((option) => option.id === id) ?? false),
    );
    this.open = [...plan.tasks.keys()].filter((task) => (plan.tasks[task]?.approaches.length ?? 0) > 1);
    this.rows = plan.rows.flatMap((row, at) => (row.isHard ? [{ at, cap: computeCap(row) }] : []));
    this.lengths = new Lengths(plan.tasks);
    meter.spend(8 * this.whole + 64 * this.rows.length * this.open.length * this.open.length);
    this.savings = this.open.map((_, from) =>
      this.rows.map(({ at }) =>
        this.open
          .slice(from)
          .map((task) => this.saving(task, at))
          .toSorted((a, b) => b - a),
      ),
    );
  }

  /** The best so many with exactly so many changes, in order; null where the steps run out. */
  withChanges(changes: number, most: number): readonly NextRepair[] | null {
    this.choice = this.plan.tasks.map(() => 0);
    this.kept = [];
    const uses = this.rows.map(({ at }) =>
      this.plan.tasks.reduce((sum, { approaches }) => sum + (approaches[0]?.amounts[at]?.[1] ?? 0), 0),
    );
    return this.step(0, changes, uses, MILLION, most) ? this.kept : null;
  }

  private saving(task: number, row: number): number {
    const amounts = (this.plan.tasks[task]?.approaches ?? []).map(
      (approach) => approach.amounts[row]?.[1] ?? 0,
    );
    return Math.max(0, (amounts[0] ?? 0) - Math.min(...amounts));
  }

  private step(at: number, left: number, uses: readonly number[], confidence: number, most: number): boolean {
    this.nodes -= 1;
    const isSpent = !this.meter.spend(32 + 4 * this.rows.length * (left + 2));
    if (this.nodes < 0 || isSpent) return false;
    if (left === 0) {
      this.offer(most);
      return true;
    }
    if (this.open.length - at < left || this.isShort(at, left, uses)) return true;
    const worst = this.kept.length < most ? undefined : this.kept.at(-1);
    if (worst !== undefined && confidence < worst.key.confidence) return true;
    const task = this.open[at] ?? 0;
    const approaches = this.plan.tasks[task]?.approaches ?? [];
    for (const [place, approach] of approaches.entries()) {
      if (place === 0) continue;
      if (this.isAllowed[task]?.[place] !== true) continue;
      this.choice[task] = place;
      const next = uses.map((use, row) => {
        const column = this.rows[row]?.at ?? 0;
        return use + (approach.amounts[column]?.[1] ?? 0) - (approaches[0]?.amounts[column]?.[1] ?? 0);
      });
      if (!this.step(at + 1, left - 1, next, Math.min(confidence, approach.confidence), most)) return false;
    }
    this.choice[task] = 0;
    return this.step(at + 1, left, uses, confidence, most);
  }

  private isShort(at: number, left: number, uses: readonly number[]): boolean {
    return this.rows.some(({ cap }, row) => {
      let use = uses[row] ?? 0;
      for (let index = 0; index < left && use > cap; index += 1) use -= this.savings[at]?.[row]?.[index] ?? 0;
      return use > cap;
    });
  }

  private offer(most: number): void {
    const { plan, choice } = this;
    this.meter.spend(this.whole);
    if (!choice.every((place, task) => this.isAllowed[task]?.[place] === true)) return;
    const taken = listTaken(plan, choice);
    for (const { at, cap } of this.rows)
      if (taken.reduce((sum, { amounts }) => sum + (amounts[at]?.[1] ?? 0), 0) > cap) return;
    for (const { isHard, op, bound, tasks, values } of plan.couplings) {
      const figure = values[choice[tasks[0]] ?? 0]?.[choice[tasks[1]] ?? 0] ?? null;
      if (isHard && (figure === null || !passes(op, figure, bound))) return;
    }
    const { deadline } = plan;
    if (
      deadline?.isHard &&
      this.lengths.measure(taken.map(({ minutes }) => minutes[1])) > computeCap(deadline)
    )
      return;
    const found = { choice: choice.slice(), key: repairKey(plan, choice) };
    const place = this.kept.findIndex(({ key }) => compareRepairs(found.key, key) < 0);
    this.kept.splice(place < 0 ? this.kept.length : place, 0, found);
    if (this.kept.length > most) this.kept.pop();
  }
}

/** What a repair changes, and what it is ordered by: changes, then confidence (more first), cost, effort, ids. */
export type RepairKey = {
  readonly changes: readonly (readonly [task: string, approach: string])[];
  /** The lowest confidence among the alternatives taken, ppm; a million where none is. */
  readonly confidence: number;
  /** Mids of the cost row; 0 where a plan has none. */
  readonly cost: number;
  /** Sum of mid minutes. */
  readonly effort: number;
};

/** The key of a choice. */
export function repairKey(plan: Plan, choice: Choice): RepairKey {
  const taken = listTaken(plan, choice);
  const isChanged = (_: unknown, task: number): boolean => choice[task] !== 0;
  return {
    changes: plan.tasks.flatMap(({ id }, task) =>
      choice[task] === 0 ? [] : [[id, taken[task]?.id ?? ''] as const],
    ),
    confidence: taken
      .filter(isChanged)
      .reduce((least, { confidence }) => Math.min(least, confidence), MILLION),
    cost:
      plan.cost === null
        ? 0
        : taken.reduce((sum, { amounts }) => sum + (amounts[plan.cost ?? 0]?.[1] ?? 0), 0),
    effort: taken.reduce((sum, { minutes }) => sum + minutes[1], 0),
  };
}

/** Below 0 where the first repair is to be preferred. Ids: the first change that differs decides. */
export function compareRepairs(a: RepairKey, b: RepairKey): number {
  const byNumbers =
    a.changes.length - b.changes.length ||
    b.confidence - a.confidence ||
    a.cost - b.cost ||
    a.effort - b.effort;
  if (byNumbers !== 0) return byNumbers;
  for (const [index, [task, approach]] of a.changes.entries()) {
    const [otherTask, other] = b.changes[index] ?? ['', ''];
    const order = compareText(task, otherTask) || compareText(approach, other);
    if (order !== 0) return order;
  }
  return 0;
}
