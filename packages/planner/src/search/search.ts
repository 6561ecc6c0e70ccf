/**
 * Branch and bound over the options of a question, in a fixed order; every answer with a choice or a
 * certificate. Source: dec-K77, dec-K78.
 */
import { Meter } from '@assay/kernel';
import { CERTIFICATE_DEPTH_MAX, type Certificate, type Question } from '../question/question.js';
import { type Found, type Start, Incumbent } from './incumbent.js';
import { Ascent, type Goal } from './ascent.js';
import { need, requiredBy, type Strike, Table } from './table.js';

/** Nodes of one question's search unless the caller says otherwise. Source: dec-K78. */
export const SEARCH_NODES = 20_000;

const ROOT_STEPS = 300;
const NODE_STEPS = 12;
const WALK_EVERY = 16;
/** Steps of looking at a strike with its options. */
const STRIKE_STEPS = 32;

/**
 * Searches a question. Deterministic; at most `nodes` nodes, and what is left of a meter: the root is always
 * looked at once.
 */
export function search(
  question: Question,
  goal: Goal,
  nodes: number,
  start: Start | null = null,
  meter: Meter = new Meter(),
): Found {
  return new Search(question, goal, nodes, meter).run(start);
}

class Search {
  private readonly table: Table;
  private readonly ascent: Ascent;
  private readonly incumbent: Incumbent;
  private readonly goal: Goal;
  private readonly limit: number;
  private readonly meter: Meter;
  private readonly strikes: Strike[] = [];
  /** Options that go with another one: struck, kept and branched on together. */
  private readonly company: number[][];
  private nodes = 0;
  private rootBound = 0;
  private rootProof: Certificate | null = null;
  private rootWeights: Start['weights'] = [];

  constructor(question: Question, goal: Goal, limit: number, meter: Meter) {
    this.meter = meter;
    this.table = new Table(question, meter);
    this.ascent = new Ascent(this.table, goal);
    this.incumbent = new Incumbent(this.ascent);
    this.goal = goal;
    this.limit = limit;
    this.company = Array.from(this.table.taskOf, (_, option) => [option]);
    for (const [kept, lost] of this.table.lost) {
      this.ascent.active[lost] = 0;
      this.company[kept]?.push(...(this.company[lost] ?? []));
    }
  }

  run(start: Start | null): Found {
    const { ascent, incumbent, table } = this;
    const empty = table.question.tasks.find(({ options }) => options.length === 0);
    if (empty !== undefined) return this.found('none', { task: empty.id, parts: [] });
    ascent.weights = ascent.firstWeights();
    this.begin(start);
    const found = this.explore(0);
    // Strikes that turned out to be needed are branches too.
    const proof = found !== null && measureDepth(found) <= CERTIFICATE_DEPTH_MAX ? found : null;
    if (this.goal === 'feasible' && incumbent.choice !== null) return this.found('choice', null);
    if (proof === null) return this.found('bounded', this.rootProof);
    return this.found(incumbent.choice === null ? 'none' : 'choice', proof);
  }

  private begin(start: Start | null): void {
    if (start === null) return;
    const { ascent, table } = this;
    for (const choice of start.choices) {
      const pick = Int32Array.from(choice, (place, task) => (table.start[task] ?? 0) + place);
      this.incumbent.offer(
        pick,
        table.columns.map((column) => pick.reduce((sum, o) => sum + (column[o] ?? 0), 0)),
      );
    }
    for (const [name, weight] of start.weights) {
      const row = table.names.indexOf(name);
      const scaled =
        start.unit > 0 && ascent.unit > 0
          ? (BigInt(weight) * BigInt(ascent.unit)) / BigInt(start.unit)
          : BigInt(weight);
      if (row >= 0) ascent.weights[row] = Math.min(ascent.weightMax(row), Number(scaled));
    }
  }

  private found(status: Found['status'], proof: Certificate | null): Found {
    const { table, incumbent, ascent } = this;
    const choice =
      incumbent.choice === null
        ? null
        : Array.from(incumbent.choice, (o, task) => o - (table.start[task] ?? 0));
    const value = this.goal === 'feasible' ? 0 : incumbent.value;
    return {
      status,
      choice,
      value,
      bound: status === 'bounded' ? this.rootBound : value,
      proof,
      nodes: this.nodes,
      weights: this.rootWeights,
      unit: ascent.unit,
    };
  }

  /** The certificate of what is allowed now; null where the search ends or has found what it looks for. */
  private explore(depth: number): Certificate | null {
    this.nodes += 1;
    const isRoot = this.nodes === 1;
    if (this.nodes > this.limit || depth >= CERTIFICATE_DEPTH_MAX || (this.meter.isSpent && !isRoot))
      return null;
    const { ascent, incumbent } = this;
    const from = this.strikes.length;
    const closed = isRoot ? null : this.exclude();
    if (closed !== null) return this.wrapped(closed, from);
    for (let round = 0; ; round += 1) {
      const sum = ascent.ascend(
        isRoot && round === 0 ? ROOT_STEPS : NODE_STEPS,
        () => incumbent.aim(),
        () => {
          incumbent.offer(ascent.pick, ascent.uses);
          this.widen();
          return this.isOver() ? Number.NEGATIVE_INFINITY : incumbent.enough();
        },
      );
      if (isRoot && round === 0) this.keepRoot(sum);
      if (this.isOver()) return this.undone(from);
      if (this.nodes % WALK_EVERY === 1 && round === 0) incumbent.walk();
      this.widen();
      if (this.isOver()) return this.undone(from);
      if (sum > incumbent.enough()) return this.wrapped(this.leaf(sum), from);
      if (isRoot && round === 0) {
        const shut = this.exclude();
        if (shut !== null) return this.wrapped(shut, from);
        // What was picked may be struck by now: weigh again before anything rests on it.
        if (this.strikes.length > from) continue;
      }
      if (!this.fix(sum) || round === 2) break;
    }
    const inner = this.branch(depth);
    return inner === null ? this.undone(from) : this.wrapped(inner, from);
  }

  private isOver(): boolean {
    return this.goal === 'feasible' && this.incumbent.choice !== null;
  }

  /** Rows that were added since: no weight yet. */
  private widen(): void {
    const { ascent, table } = this;
    for (let row = ascent.weights.length; row < table.names.length; row += 1) ascent.weights.push(0);
    for (let row = ascent.uses.length; row < table.names.length; row += 1) {
      const column = table.columns[row];
      ascent.uses.push(ascent.pick.reduce((sum, option) => sum + (column?.[option] ?? 0), 0));
    }
  }

  /** What the root proves, for a search that does not end. */
  private keepRoot(sum: number): void {
    const { ascent } = this;
    this.rootWeights = this.weighed();
    if (this.goal === 'feasible') return;
    this.rootBound = Math.floor((sum - 1) / ascent.unit) + 1;
    this.rootProof = { weights: this.rootWeights, unit: ascent.unit };
    if (this.rootBound > 0) return;
    this.rootBound = 0;
    this.rootProof = { weights: [], unit: ascent.unit };
  }

  private weighed(): Start['weights'] {
    const { names } = this.table;
    return this.ascent.weights.flatMap((weight, row) =>
      weight > 0 ? [[names[row] ?? '', weight] as const] : [],
    );
  }

  private leaf(sum: number): Certificate {
    for (const strike of this.required(this.strikes, sum - this.incumbent.enough())) need(strike);
    return { weights: this.weighed(), unit: this.ascent.unit };
  }

  /** Which of some strikes a leaf with so much room rests on. */
  private required(strikes: readonly Strike[], room: number): readonly Strike[] {
    const { counts, pick } = this.ascent;
    this.meter.spend(STRIKE_STEPS * strikes.length);
    return requiredBy(strikes, room, counts, (task) => counts[pick[task] ?? 0] ?? 0);
  }

  /** Strikes options that cannot be part of anything better; true where one was struck. */
  private fix(sum: number): boolean {
    const { ascent, table } = this;
    const room = this.incumbent.enough() - sum;
    const leaf: Certificate = { weights: this.weighed(), unit: ascent.unit };
    // With no room at all every strike is required that matters at these weights.
    const earlier = this.required(this.strikes, 0);
    let isFixed = false;
    for (let task = 0; task < ascent.pick.length && !this.meter.isSpent; task += 1) {
      const least = ascent.counts[ascent.pick[task] ?? 0] ?? 0;
      const options: number[] = [];
      for (let o = table.start[task] ?? 0; o < (table.start[task + 1] ?? 0); o += 1)
        if (ascent.active[o] === 1 && (ascent.counts[o] ?? 0) - least > room) options.push(o);
      if (options.length === 0) continue;
      let lowest = Number.MAX_SAFE_INTEGER;
      for (const option of options) lowest = Math.min(lowest, (ascent.counts[option] ?? 0) - least);
      const others = earlier.filter((strike) => strike.task !== task);
      this.strike(task, options, leaf, this.required(others, lowest - room));
      isFixed = true;
    }
    return isFixed;
  }

  private strike(
    task: number,
    options: readonly number[],
    leaf: Certificate,
    requires: readonly Strike[],
  ): void {
    for (const option of options) this.ascent.active[option] = 0;
    this.strikes.push({ task, options, leaf, requires, isNeeded: false, isElsewhere: false });
  }

  /** Strikes options that every allowed option of another task excludes; a leaf where none would be left. */
  private exclude(): Certificate | null {
    const { table } = this;
    const { pairs, tasks } = table.question;
    for (let isAgain = pairs.length > 0; isAgain; ) {
      isAgain = false;
      for (const [place, { id, tasks: both }] of pairs.entries())
        for (const [one, other] of [both, [both[1], both[0]] as const]) {
          const mine = this.allowed(one);
          const theirs = this.allowed(other);
          const looked = mine.reduce((sum, a) => sum + (table.excludes[a]?.length ?? 0), 1);
          if (!this.meter.spend(4 * theirs.length * looked)) return null;
          const lost = mine.filter((a) =>
            theirs.every((b) => table.excludes[a]?.some(([option, pair]) => option === b && pair === place)),
          );
          if (lost.length === 0) continue;
          const leaf: Certificate = {
            coupling: id,
            tasks: [tasks[both[0]]?.id ?? '', tasks[both[1]]?.id ?? ''],
          };
          for (const strike of this.strikes) if (strike.task === one || strike.task === other) need(strike);
          if (lost.length === mine.length) return leaf;
          this.strike(one, lost, leaf, []);
          for (const strike of this.strikes.slice(-1)) need(strike);
          isAgain = true;
        }
    }
    return null;
  }

  private allowed(task: number): readonly number[] {
    const found: number[] = [];
    for (let o = this.table.start[task] ?? 0; o < (this.table.start[task + 1] ?? 0); o += 1)
      if (this.ascent.active[o] === 1) found.push(o);
    return found;
  }

  private branch(depth: number): Certificate | null {
    const { ascent, table } = this;
    this.meter.spend(4 * (this.strikes.length + ascent.counts.length));
    const task = this.branchTask();
    if (task < 0) return this.single();
    const options = this.allowed(task).toSorted(
      (a, b) => (ascent.counts[a] ?? 0) - (ascent.counts[b] ?? 0) || a - b,
    );
    const silent = this.strikes.filter((strike) => strike.task === task && !strike.isElsewhere);
    const [weights, ids] = [
      ascent.weights.slice(),
      (list: readonly number[]) => list.flatMap((o) => this.named(o)),
    ];
    const parts: (readonly [readonly string[], Certificate])[] = [];
    for (const [index, option] of options.entries()) {
      for (const each of options) ascent.active[each] = each === option ? 1 : 0;
      for (const strike of silent) strike.isElsewhere = index > 0;
      ascent.weights = weights.slice();
      this.widen();
      const inner = this.explore(depth + 1);
      if (inner === null) {
        for (const each of options) ascent.active[each] = 1;
        for (const strike of silent) strike.isElsewhere = false;
        return null;
      }
      const also = index === 0 ? silent.flatMap((strike) => strike.options) : [];
      parts.push([ids([option, ...also]), inner]);
    }
    for (const each of options) ascent.active[each] = 1;
    for (const strike of silent) strike.isElsewhere = false;
    return { task: table.question.tasks[task]?.id ?? '', parts };
  }

  /** The task whose two best options are nearest to each other; -1 where every task has one option. */
  private branchTask(): number {
    const { ascent, table } = this;
    const { counts, active, pick } = ascent;
    const broken = table.brokenPair(pick);
    const wanted = broken < 0 ? [] : (table.question.pairs[broken]?.tasks ?? []);
    for (const task of wanted) if (this.allowed(task).length > 1) return task;
    let [best, nearest] = [-1, 0];
    for (let task = 0; task < pick.length; task += 1) {
      const least = pick[task] ?? 0;
      let gap = -1;
      for (let o = table.start[task] ?? 0; o < (table.start[task + 1] ?? 0); o += 1) {
        if (active[o] !== 1 || o === least) continue;
        const by = (counts[o] ?? 0) - (counts[least] ?? 0);
        if (gap < 0 || by < gap) gap = by;
      }
      if (gap >= 0 && (best < 0 || gap < nearest)) [best, nearest] = [task, gap];
    }
    return best;
  }

  /** Every task has one option left: it was offered, and one broken row or its own value closes the leaf. */
  private single(): Certificate | null {
    const { ascent, table, goal, incumbent } = this;
    incumbent.offer(ascent.pick, ascent.uses);
    this.widen();
    if (this.isOver()) return null;
    const broken = table.brokenPair(ascent.pick);
    if (broken >= 0) {
      const pair = table.question.pairs[broken];
      const [a, b] = (pair?.tasks ?? []).map((task) => table.question.tasks[task]?.id ?? '');
      for (const strike of this.strikes) if (pair?.tasks.includes(strike.task)) need(strike);
      return { coupling: pair?.id ?? '', tasks: [a ?? '', b ?? ''] };
    }
    const over = table.caps.map((cap, row) => (ascent.uses[row] ?? 0) - cap);
    const worst = over.findIndex((by) => by > 0);
    if (goal === 'least' && worst >= 0) {
      for (const strike of this.strikes) if (!strike.isElsewhere) need(strike);
      return { weights: [[table.names[worst] ?? '', 1]], unit: 0 };
    }
    ascent.weights = over.map((_, row) => (row === worst ? ascent.weightMax(row) : 0));
    const sum = ascent.evaluate();
    return sum > incumbent.enough() ? this.leaf(sum) : null;
  }

  private named(option: number): readonly string[] {
    return (this.company[option] ?? []).map((each) => this.table.optionId(each));
  }

  /** Takes back the strikes of a node, innermost first; those that are needed become branches. */
  private wrapped(inner: Certificate, from: number): Certificate | null {
    const { table } = this;
    let node = inner;
    while (this.strikes.length > from) {
      if (!this.meter.spend(STRIKE_STEPS + 4 * this.strikes.length)) return this.undone(from);
      const strike = this.strikes.pop();
      if (strike === undefined) break;
      if (strike.isNeeded) {
        // What an earlier strike ruled out without being in the certificate stays with what is kept.
        const silent = this.strikes.flatMap(({ task, options }) => (task === strike.task ? options : []));
        const ids = (options: readonly number[]) => options.flatMap((option) => this.named(option));
        const parts = [
          [ids([...this.allowed(strike.task), ...silent]), node] as const,
          [ids(strike.options), strike.leaf] as const,
        ];
        node = { task: table.question.tasks[strike.task]?.id ?? '', parts };
      }
      for (const option of strike.options) this.ascent.active[option] = 1;
    }
    return node;
  }

  private undone(from: number): null {
    while (this.strikes.length > from)
      for (const option of this.strikes.pop()?.options ?? []) this.ascent.active[option] = 1;
    return null;
  }
}

/** Branches above each other in a certificate. */
function measureDepth(certificate: Certificate): number {
  if (!('parts' in certificate)) return 0;
  return 1 + certificate.parts.reduce((most, [, inner]) => Math.max(most, measureDepth(inner)), 0);
}
