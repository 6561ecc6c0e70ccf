/**
 * A binary heap.
 *
 * @module
 */

/** Values by an order, the least first. O(log n) a value. */
export class Heap<T> {
  private readonly items: T[] = [];
  private readonly isBefore: (one: T, other: T) => boolean;

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.isBefore = isBefore;
  }

  get size(): number {
    return this.items.length;
  }

  /** The least value, left where it is. */
  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    const { items } = this;
    let at = items.length;
    for (let above = (at - 1) >> 1; at > 0 && this.isBefore(item, items[above] as T); above = (at - 1) >> 1) {
      items[at] = items[above] as T;
      at = above;
    }
    items[at] = item;
  }

  /** The least value, taken out. */
  pop(): T | undefined {
    const { items } = this;
    const [first] = items;
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    let at = 0;
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      const right = items[below + 1];
      const least = right !== undefined && this.isBefore(right, items[below] as T) ? below + 1 : below;
      if (!this.isBefore(items[least] as T, last)) break;
      items[at] = items[least] as T;
      at = least;
    }
    items[at] = last;
    return first;
  }
}
