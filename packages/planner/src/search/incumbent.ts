/**
 * Where a search begins, what it finds, the best choice met so far, and a greedy walk that looks for better ones.
 */
import type { Ascent } from './ascent.js';
import type { Certificate } from '../question/question.js';

const FINE = 1_048_576;

/** See the module. `value` is an objective, or for `feasible` 0 where the choice fits. */
export class Incumbent {
  choice: Int32Array | null = null;
  value: number;
  /** How far the nearest misses of a feasible choice are, in weighed overruns: what an ascent aims at. */
  miss: number;
  private readonly ascent: Ascent;
  private readonly uses: number[] = [];

  constructor(ascent: Ascent) {
    this.ascent = ascent;
    this.value = ascent.objectiveMax() + 1;
    this.miss = Number.MAX_SAFE_INTEGER;
  }

  /** What a lower sum has to pass to prove that nothing better is left. */
  enough(): number {
    return this.ascent.goal === 'feasible' ? 0 : this.ascent.unit * (this.value - 1);
  }

  /** What an ascent cannot pass while something better may be left. */
  aim(): number {
    return this.ascent.goal === 'feasible' ? this.miss : this.ascent.unit * this.value;
  }

  /** Takes a choice if it is better than the one there is; true where it was taken. */
  offer(pick: Int32Array, uses: readonly number[]): boolean {
    const { table, goal } = this.ascent;
    if (table.brokenPair(pick) >= 0) return false;
    let weighed = 0;
    for (let row = 0; row < uses.length; row += 1) {
      const by = (uses[row] ?? 0) - (table.caps[row] ?? 0);
      if (by > 0) weighed += by * this.ascent.weightMax(row);
    }
    if (weighed > 0) {
      if (goal === 'feasible') this.miss = Math.min(this.miss, weighed);
      return false;
    }
    const value = goal === 'feasible' ? 0 : this.objectiveOf(pick);
    if (value >= this.value || table.overrun(pick) > 0) return false;
    this.choice = pick.slice();
    this.value = value;
    return true;
  }

  /** From a pick, changes one task at a time: first towards the caps, then towards a lower objective. */
  walk(): void {
    const { ascent } = this;
    const { table, active } = ascent;
    const pick = ascent.pick.slice();
    const uses = this.uses;
    for (let row = 0; row < table.columns.length; row += 1) uses[row] = ascent.uses[row] ?? 0;
    for (let step = 0; step < 2 * pick.length; step += 1) {
      if (!table.meter.spend(4 * active.length * (uses.length + 1))) return;
      const isOver = uses.some((use, row) => use > (table.caps[row] ?? 0));
      let [best, score] = [-1, 0];
      for (let option = 0; option < active.length; option += 1) {
        const from = pick[table.taskOf[option] ?? 0] ?? 0;
        if (active[option] !== 1 || option === from) continue;
        const gain = isOver ? this.relief(from, option) : this.saving(from, option);
        if (gain > score) [best, score] = [option, gain];
      }
      if (best < 0) return;
      const task = table.taskOf[best] ?? 0;
      for (const [row, column] of table.columns.entries())
        uses[row] = (uses[row] ?? 0) + (column[best] ?? 0) - (column[pick[task] ?? 0] ?? 0);
      pick[task] = best;
      this.offer(pick, uses);
      while (uses.length < table.columns.length) uses.push(this.useOf(pick, uses.length));
      if (ascent.goal === 'feasible' && this.choice !== null) return;
    }
  }

  /** How much nearer to the caps an option is, for what it adds to the objective. */
  private relief(from: number, to: number): number {
    const { table, goal } = this.ascent;
    let gain = 0;
    for (let row = 0; row < table.columns.length; row += 1) {
      const column = table.columns[row];
      const less = (column?.[from] ?? 0) - (column?.[to] ?? 0);
      if (less === 0) continue;
      const over = (this.uses[row] ?? 0) - (table.caps[row] ?? 0);
      const by = over > 0 ? Math.min(over, less) : Math.min(0, -over + less);
      if (by !== 0) gain += Math.trunc((by * FINE) / (table.peaks[row] ?? 1));
    }
    if (gain <= 0 || goal !== 'least') return gain;
    const more = Math.max(0, (table.objective[to] ?? 0) - (table.objective[from] ?? 0));
    return Math.trunc((gain * FINE) / (more + 1));
  }

  /** How much an option lowers the objective where all rows still hold. */
  private saving(from: number, to: number): number {
    const { table } = this.ascent;
    for (let row = 0; row < table.columns.length; row += 1) {
      const column = table.columns[row];
      if ((this.uses[row] ?? 0) + (column?.[to] ?? 0) - (column?.[from] ?? 0) > (table.caps[row] ?? 0))
        return 0;
    }
    return (table.objective[from] ?? 0) - (table.objective[to] ?? 0);
  }

  private useOf(pick: Int32Array, row: number): number {
    const column = this.ascent.table.columns[row];
    return pick.reduce((sum, option) => sum + (column?.[option] ?? 0), 0);
  }

  private objectiveOf(pick: Int32Array): number {
    return pick.reduce((sum, option) => sum + (this.ascent.table.objective[option] ?? 0), 0);
  }
}

/** Where a search begins: choices to beat, by places of options, and weights by names of rows. */
export type Start = {
  readonly choices: readonly (readonly number[])[];
  readonly weights: readonly (readonly [row: string, weight: number])[];
  /** The unit that the weights were made for. */
  readonly unit: number;
};

/**
 * What a search found. `choice`: by places of options. `proof` proves `bound`: `unsat` where nothing fits
 * (status `none`), else that no choice has a lower value; null where only a choice that fits was asked for.
 */
export type Found = {
  readonly status: 'choice' | 'none' | 'bounded';
  readonly choice: readonly number[] | null;
  readonly value: number;
  readonly bound: number;
  readonly proof: Certificate | null;
  readonly nodes: number;
  readonly weights: Start['weights'];
  readonly unit: number;
};
