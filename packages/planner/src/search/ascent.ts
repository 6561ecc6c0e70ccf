/**
 * Integer weights for rows, raised step by step while what they prove grows (subgradient ascent). The weights
 * are guesses; what they prove is added up exactly, below 2^53.
 */
import type { Table } from './table.js';

/** What is looked for: any choice that fits, or the least objective. */
export type Goal = 'feasible' | 'least';

const FINE = 1_048_576;
const UNIT_ROOM = 70_368_744_177_664;
const WEIGHT_ROOM = 1_125_899_906_842_624;
const EXACT_ROOM = 4_503_599_627_370_496;
const STALE_MAX = 4;

/** See the module. Works on the options that are active; the caller decides which. */
export class Ascent {
  readonly table: Table;
  readonly goal: Goal;
  readonly active: Uint8Array;
  /** The weight of the objective; 0 where only rows count. */
  readonly unit: number;
  /** Weights by row. */
  weights: number[] = [];
  /** What each active option counts at the weights last evaluated. */
  readonly counts: Float64Array;
  /** The option of each task that counts least. */
  readonly pick: Int32Array;
  /** What `pick` adds up to by row. */
  readonly uses: number[] = [];
  private readonly isObjective: boolean;

  constructor(table: Table, goal: Goal) {
    this.table = table;
    this.goal = goal;
    this.active = new Uint8Array(table.taskOf.length).fill(1);
    this.counts = new Float64Array(table.taskOf.length);
    this.pick = new Int32Array(table.start.length - 1);
    this.isObjective = goal === 'least';
    this.unit = goal === 'feasible' ? 0 : Math.max(1, Math.floor(UNIT_ROOM / (this.objectiveMax() + 1)));
  }

  /** The largest objective of any choice. */
  objectiveMax(): number {
    const { start, objective } = this.table;
    let sum = 0;
    for (let task = 0; task + 1 < start.length; task += 1) {
      let most = 0;
      for (let o = start[task] ?? 0; o < (start[task + 1] ?? 0); o += 1)
        most = Math.max(most, objective[o] ?? 0);
      sum += most;
    }
    return sum;
  }

  /** The largest weight of a row. */
  weightMax(row: number): number {
    return Math.max(
      1,
      Math.floor((this.goal === 'feasible' ? UNIT_ROOM : WEIGHT_ROOM) / (this.table.sizes[row] ?? 1)),
    );
  }

  /** Where to begin: no weight where an objective counts, else all. */
  firstWeights(): number[] {
    return this.table.names.map((_, row) =>
      this.goal === 'least' || this.table.isChain(row) ? 0 : this.weightMax(row),
    );
  }

  /** The sum over tasks of the least count, less the weighed caps; fills `counts`, `pick` and `uses`. */
  evaluate(): number {
    const { start, columns, caps, objective } = this.table;
    const { active, counts, pick, uses, weights } = this;
    const scale = this.isObjective ? this.unit : 0;
    const used: number[] = [];
    this.table.meter.spend((weights.length + 4) * counts.length + 2 * pick.length * columns.length);
    for (let row = 0; row < columns.length; row += 1) if ((weights[row] ?? 0) > 0) used.push(row);
    counts.fill(0);
    if (scale > 0) for (let o = 0; o < counts.length; o += 1) counts[o] = scale * (objective[o] ?? 0);
    let sum = 0;
    for (const row of used) {
      const column = columns[row];
      const weight = weights[row] ?? 0;
      if (column === undefined) continue;
      for (let o = 0; o < counts.length; o += 1) counts[o] = (counts[o] ?? 0) + weight * (column[o] ?? 0);
      sum -= weight * (caps[row] ?? 0);
    }
    for (let task = 0; task < pick.length; task += 1) {
      let least = -1;
      for (let o = start[task] ?? 0; o < (start[task + 1] ?? 0); o += 1)
        if (active[o] === 1 && (least < 0 || (counts[o] ?? 0) < (counts[least] ?? 0))) least = o;
      pick[task] = least;
      sum += counts[least] ?? 0;
    }
    for (let row = 0; row < columns.length; row += 1) {
      let use = 0;
      const column = columns[row];
      if (column !== undefined)
        for (let task = 0; task < pick.length; task += 1) use += column[pick[task] ?? 0] ?? 0;
      uses[row] = use;
    }
    return sum;
  }

  /**
   * Raises the weights for so many steps, or until what they prove is above `enough`; keeps the best and
   * evaluates it. `aim`: what the sum cannot pass. `meet` sees each pick and gives a new `enough`.
   */
  ascend(steps: number, aim: () => number, meet: () => number): number {
    let best = this.evaluate();
    let enough = meet();
    let kept = this.weights.slice();
    let [stale, shift] = [0, 1];
    let isLast = true;
    for (let step = 0; step < steps && best <= enough && !this.table.meter.isSpent; step += 1) {
      if (!this.step(Math.max(1, aim() - best), shift)) break;
      const sum = this.evaluate();
      enough = meet();
      isLast = sum > best;
      if (isLast) {
        best = sum;
        kept = this.weights.slice();
        stale = 0;
      } else if (++stale >= STALE_MAX) {
        [stale, shift] = [0, shift * 2];
        this.weights = kept.slice();
        this.evaluate();
        isLast = true;
      }
    }
    this.weights = kept;
    if (!isLast) this.evaluate();
    return best;
  }

  /** One step along the overruns of `pick`; false where no row asks for a change. */
  private step(gap: number, shift: number): boolean {
    const { caps, peaks } = this.table;
    const { uses, weights } = this;
    const slopes: number[] = [];
    let norm = 0;
    for (let row = 0; row < caps.length; row += 1) {
      const over = (uses[row] ?? 0) - (caps[row] ?? 0);
      const isStuck = over < 0 ? (weights[row] ?? 0) === 0 : (weights[row] ?? 0) >= this.weightMax(row);
      const slope = isStuck ? 0 : Math.trunc((over * FINE) / (peaks[row] ?? 1));
      slopes[row] = slope;
      norm += slope * slope;
    }
    if (norm === 0) return false;
    let isMoved = false;
    for (let row = 0; row < caps.length; row += 1) {
      const slope = slopes[row] ?? 0;
      const by = Math.trunc(((gap / norm) * slope * FINE) / (peaks[row] ?? 1) / shift);
      const next = Math.min(this.weightMax(row), Math.max(0, (weights[row] ?? 0) + by));
      if (next !== weights[row]) isMoved = true;
      weights[row] = next;
    }
    this.bound();
    return isMoved;
  }

  /** Keeps the sum exact. */
  private bound(): void {
    const { sizes } = this.table;
    while (this.weights.reduce((sum, n, row) => sum + n * (sizes[row] ?? 0), 0) > EXACT_ROOM)
      this.weights = this.weights.map((n) => Math.floor(n / 2));
  }
}
