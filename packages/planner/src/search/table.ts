/**
 * A question as flat columns of integers, with the options that another one of the same task makes needless, and
 * those struck on the way down a search, of which a certificate mentions some.
 */
import type { Meter } from '@assay/kernel';
import { Lengths } from '../network/schedule.js';
import { makeChainRow, type Question, type Certificate } from '../question/question.js';

/** Chains that one search may take up as rows. */
const CHAINS_MAX = 40;

/** Steps of an option of a question, apart from its rows. */
const OPTION_STEPS = 768;

/** A question in columns; chains of tasks that miss the deadline are added as rows when they are met. */
export class Table {
  readonly question: Question;
  /** Options of task t are `start[t]` … `start[t + 1] - 1`. */
  readonly start: Int32Array;
  readonly taskOf: Int32Array;
  readonly objective: Float64Array;
  readonly columns: Float64Array[] = [];
  readonly caps: number[] = [];
  readonly names: string[] = [];
  /** The largest that a row can add up to in size, or the size of its cap where that is more. */
  readonly sizes: number[] = [];
  /** The largest amount in a row. */
  readonly peaks: number[] = [];
  /** For each option, the options that may not be taken beside it, with the place of the pair. */
  readonly excludes: readonly (readonly (readonly [option: number, pair: number])[])[];
  /** Options that stand for nothing another option of the task does not do at least as well: [kept, lost]. */
  readonly lost: readonly (readonly [kept: number, lost: number])[];
  private readonly minutes: Float64Array;
  private readonly lengths: Lengths | null;
  private readonly taken: Float64Array;
  /** Counts what the search looks at. */
  readonly meter: Meter;
  /** Steps of looking at every task and edge once. */
  private readonly network: number;

  constructor(question: Question, meter: Meter) {
    this.question = question;
    this.meter = meter;
    const { tasks, rows } = question;
    this.network = tasks.reduce((sum, { after }) => sum + 8 + 2 * after.length, 0);
    meter.spend(2 * this.network);
    this.start = new Int32Array(tasks.length + 1);
    for (const [task, { options }] of tasks.entries())
      this.start[task + 1] = (this.start[task] ?? 0) + options.length;
    const all = tasks.flatMap(({ options }) => options);
    // What the question itself took to make, and its columns.
    meter.spend(all.length * (OPTION_STEPS + 48 * rows.length));
    this.taskOf = Int32Array.from(tasks.flatMap(({ options }, task) => options.map(() => task)));
    this.objective = Float64Array.from(all, ({ objective }) => objective);
    this.minutes = Float64Array.from(all, ({ minutes }) => minutes);
    this.taken = new Float64Array(tasks.length);
    this.lengths = question.deadline === null ? null : new Lengths(tasks);
    for (const [row, { id, cap }] of rows.entries())
      this.addRow(
        id,
        cap,
        Float64Array.from(all, ({ amounts }) => amounts[row] ?? 0),
      );
    this.excludes = this.excluded(all.length);
    this.lost = this.needless();
  }

  /** Places of rows from `question.rows.length` on are chains. */
  isChain(row: number): boolean {
    return row >= this.question.rows.length;
  }

  optionId(option: number): string {
    const task = this.taskOf[option] ?? 0;
    return this.question.tasks[task]?.options[option - (this.start[task] ?? 0)]?.id ?? '';
  }

  /** How far a choice of options passes the deadline; a chain that passes it becomes a row. */
  overrun(pick: Int32Array): number {
    const { deadline, tasks } = this.question;
    if (this.lengths === null || deadline === null) return 0;
    this.meter.spend(this.network);
    for (let task = 0; task < tasks.length; task += 1) this.taken[task] = this.minutes[pick[task] ?? 0] ?? 0;
    const length = this.lengths.measure(this.taken);
    if (length <= deadline) return 0;
    const chain = this.lengths.longest(this.taken, length);
    const { name, factor, lag } = makeChainRow(tasks, chain);
    if (!this.names.includes(name) && this.names.length < this.question.rows.length + CHAINS_MAX)
      this.addRow(
        name,
        deadline - lag,
        this.minutes.map((minutes, option) => minutes * (factor.get(this.taskOf[option] ?? 0) ?? 0)),
      );
    return length - deadline;
  }

  /** The place of a pair whose tasks were given options that exclude each other, or -1. */
  brokenPair(pick: Int32Array): number {
    if (this.question.pairs.length === 0) return -1;
    this.meter.spend(8 * (pick.length + this.excludes.length));
    for (const option of pick)
      for (const [other, pair] of this.excludes[option] ?? [])
        if (pick[this.taskOf[other] ?? 0] === other) return pair;
    return -1;
  }

  private addRow(name: string, cap: number, column: Float64Array): void {
    this.names.push(name);
    this.caps.push(cap);
    this.columns.push(column);
    let [size, peak] = [0, 1];
    for (let task = 0; task + 1 < this.start.length; task += 1) {
      let most = 0;
      for (let o = this.start[task] ?? 0; o < (this.start[task + 1] ?? 0); o += 1)
        most = Math.max(most, Math.abs(column[o] ?? 0));
      size += most;
      peak = Math.max(peak, most);
    }
    this.sizes.push(Math.max(1, size, Math.abs(cap)));
    this.peaks.push(peak);
  }

  private excluded(count: number): readonly (readonly (readonly [number, number])[])[] {
    const excludes: [number, number][][] = Array.from({ length: count }, () => []);
    for (const [pair, { tasks, struck }] of this.question.pairs.entries())
      for (const [a, b] of struck) {
        const [first, second] = [this.find(tasks[0], a), this.find(tasks[1], b)];
        if (first < 0 || second < 0) continue;
        excludes[first]?.push([second, pair]);
        excludes[second]?.push([first, pair]);
      }
    return excludes;
  }

  private find(task: number, id: string): number {
    const place = this.question.tasks[task]?.options.findIndex((option) => option.id === id) ?? -1;
    return place < 0 ? -1 : place + (this.start[task] ?? 0);
  }

  private needless(): readonly (readonly [number, number])[] {
    const pairs: (readonly [number, number])[] = [];
    const isLost = new Set<number>();
    // What is left in is only looked at in vain.
    for (let task = 0; task + 1 < this.start.length && !this.meter.isSpent; task += 1) {
      const [from, to] = [this.start[task] ?? 0, this.start[task + 1] ?? 0];
      for (let b = from; b < to; b += 1)
        for (let a = from; a < to && !isLost.has(b); a += 1)
          if (a !== b && !isLost.has(a) && this.isAsGood(a, b)) {
            isLost.add(b);
            pairs.push([a, b]);
          }
    }
    return pairs;
  }

  private isAsGood(a: number, b: number): boolean {
    if ((this.objective[a] ?? 0) > (this.objective[b] ?? 0)) return false;
    // Less work makes no plan longer, unless it starts later in order to finish at the same time.
    const less = (this.minutes[b] ?? 0) - (this.minutes[a] ?? 0);
    const links = this.question.tasks[this.taskOf[a] ?? 0]?.links ?? [];
    const isLate = links.some(({ link }) => link === 'FF' || link === 'SF');
    if (this.lengths !== null && (less < 0 || (isLate && less > 0))) return false;
    if (!this.columns.every((column) => (column[a] ?? 0) <= (column[b] ?? 0))) return false;
    const others = this.excludes[b] ?? [];
    if (!this.meter.spend(4 * others.length * (this.excludes[a]?.length ?? 0))) return false;
    return (this.excludes[a] ?? []).every(([o, p]) =>
      others.some(([other, pair]) => o === other && p === pair),
    );
  }
}

/**
 * Options of one task that a leaf of their own rules out. `requires`: strikes without which that leaf would
 * not hold. `isNeeded`: something in the certificate holds only because of this strike. `isElsewhere`: a branch
 * below has put the options into another part.
 */
export type Strike = {
  readonly task: number;
  readonly options: readonly number[];
  readonly leaf: Certificate;
  readonly requires: readonly Strike[];
  isNeeded: boolean;
  isElsewhere: boolean;
};

/**
 * The strikes without which a leaf would not be above its bound. `room`: by how much it is above; `counts` and
 * `least`: what each option counts, and the least among those that are allowed of a task. Strikes that lower
 * the sum least are done without first.
 */
export function requiredBy(
  strikes: readonly Strike[],
  room: number,
  counts: ArrayLike<number>,
  least: (task: number) => number,
): readonly Strike[] {
  const byTask = new Map<number, { drop: number; readonly of: Strike[] }>();
  for (const strike of strikes) {
    if (strike.isElsewhere || strike.isNeeded) continue;
    let drop = 0;
    for (const option of strike.options) drop = Math.max(drop, least(strike.task) - (counts[option] ?? 0));
    if (drop === 0) continue;
    const known = byTask.get(strike.task) ?? { drop: 0, of: [] };
    known.drop = Math.max(known.drop, drop);
    known.of.push(strike);
    byTask.set(strike.task, known);
  }
  let left = room;
  return [...byTask.values()]
    .toSorted((a, b) => a.drop - b.drop)
    .flatMap(({ drop, of }) => {
      left -= drop;
      return left <= 0 ? of : [];
    });
}

/** Marks a strike, and what its own leaf requires, as needed. */
export function need(strike: Strike): void {
  const open = [strike];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (each.isNeeded) continue;
    each.isNeeded = true;
    open.push(...each.requires);
  }
}
