/**
 * Cycle checking as edges arrive: the two-way search with levels of Bender, Fineman, Gilbert and
 * Tarjan (ACM Transactions on Algorithms 12:2, 2016, §3). Over m edges it takes O(m^1.5) steps at worst and
 * one or two an edge where new nodes point at old ones. No recursion.
 *
 * Invariant: `level[from] <= level[to]` for every ordered edge; `near[v]` lists the sources of the edges
 * into v whose level equals v's.
 *
 * @module
 */

const FIRST_LEVEL = 1;
const NONE = -1;

type Undo = { readonly node: number; readonly level: number; readonly near: number };

/** The ordered edges of a growing graph over nodes 0, 1, 2 … */
export class EdgeOrder {
  private readonly level: number[] = [];
  private readonly out: number[] = [];
  private readonly near: number[] = [];
  // Cons lists: a list is the index of its first cell; restoring an old head restores the old list.
  private readonly cellNode: number[] = [];
  private readonly cellNext: number[] = [];
  private edges = 0;

  /** Adds the next node. */
  addNode(): void {
    this.level.push(FIRST_LEVEL);
    this.out.push(NONE);
    this.near.push(NONE);
  }

  /** Adds an edge, or says false and changes nothing where it would close a cycle. */
  addEdge(from: number, to: number): boolean {
    if (from === to) return false;
    if (this.levelOf(from) >= this.levelOf(to) && !this.makeRoom(from, to)) return false;
    this.out[from] = this.cons(to, this.out[from]);
    if (this.levelOf(from) === this.levelOf(to)) this.near[to] = this.cons(from, this.near[to]);
    this.edges += 1;
    return true;
  }

  /** Raises levels so that the edge may be added; false if `to` already leads to `from`. */
  private makeRoom(from: number, to: number): boolean {
    const limit = Math.ceil(Math.sqrt(this.edges + 1));
    const { seen, isComplete } = this.searchBack(from, to, limit);
    if (seen.has(to)) return false;
    const level = this.levelOf(from);
    if (isComplete && this.levelOf(to) === level) return true;
    return this.raise(to, isComplete ? level : level + 1, isComplete ? seen : new Set([from]));
  }

  /** Nodes of the same level that lead to `from`, at most `limit` edges of them; stops at `to`. */
  private searchBack(
    from: number,
    to: number,
    limit: number,
  ): { readonly seen: ReadonlySet<number>; readonly isComplete: boolean } {
    const seen = new Set([from]);
    const queue = [from];
    let steps = 0;
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      for (let cell = this.near[node] ?? NONE; cell !== NONE; cell = this.cellNext[cell] ?? NONE) {
        const source = this.cellNode[cell] ?? NONE;
        steps += 1;
        if (!seen.has(source)) {
          seen.add(source);
          queue.push(source);
        }
        if (source === to) return { seen, isComplete: true };
        if (steps >= limit) return { seen, isComplete: false };
      }
    }
    return { seen, isComplete: true };
  }

  /**
   * Raises `start` to a level and pushes the rise along its edges; undoes all of it where it meets `behind`.
   */
  private raise(start: number, level: number, behind: ReadonlySet<number>): boolean {
    const undo: Undo[] = [];
    this.setLevel(start, level, undo);
    const queue = [start];
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      for (let cell = this.out[node] ?? NONE; cell !== NONE; cell = this.cellNext[cell] ?? NONE) {
        const target = this.cellNode[cell] ?? NONE;
        if (behind.has(target)) return this.restore(undo);
        if (this.levelOf(target) < this.levelOf(node)) {
          this.setLevel(target, this.levelOf(node), undo);
          queue.push(target);
        } else {
          this.remember(target, undo);
        }
        if (this.levelOf(target) === this.levelOf(node))
          this.near[target] = this.cons(node, this.near[target]);
      }
    }
    return true;
  }

  private setLevel(node: number, level: number, undo: Undo[]): void {
    this.remember(node, undo);
    this.level[node] = level;
    this.near[node] = NONE;
  }

  private remember(node: number, undo: Undo[]): void {
    undo.push({ node, level: this.levelOf(node), near: this.near[node] ?? NONE });
  }

  private restore(undo: Undo[]): false {
    for (let last = undo.pop(); last !== undefined; last = undo.pop()) {
      this.level[last.node] = last.level;
      this.near[last.node] = last.near;
    }
    return false;
  }

  private levelOf(node: number): number {
    return this.level[node] ?? FIRST_LEVEL;
  }

  private cons(node: number, list: number | undefined): number {
    this.cellNode.push(node);
    this.cellNext.push(list ?? NONE);
    return this.cellNode.length - 1;
  }
}
