/**
 * Requests that wait before they are queued again.
 *
 * @module
 */
import { Heap } from './heap.js';

/**
 * Open requests, each with the time before which it is not queued. A request is parked once at a time. O(log
 * n) each.
 */
export class Parked {
  private readonly heap: Heap<{ readonly id: string; readonly at: number }> = new Heap(
    (one, other) => one.at < other.at,
  );
  /**
   * Those that are still waited for: who was withdrawn leaves the heap when its time comes up, and is no
   * reason to wait.
   */
  private readonly waiting: Map<string, number> = new Map();

  /** How many wait. */
  get size(): number {
    return this.waiting.size;
  }

  /** The earliest time at which one is due, Infinity where none waits. */
  get nextTime(): number {
    this.skip();
    return this.heap.peek()?.at ?? Infinity;
  }

  /** Parks a request. */
  add(id: string, at: number): void {
    this.waiting.set(id, at);
    this.heap.push({ id, at });
  }

  /** Nobody waits for this one any more, if it was parked. */
  drop(id: string): void {
    this.waiting.delete(id);
  }

  /** Takes out one that is due at this time, null where there is none. */
  takeDue(now: number): string | null {
    if (this.nextTime > now) return null;
    const id = this.heap.pop()?.id ?? null;
    if (id !== null) this.waiting.delete(id);
    return id;
  }

  private skip(): void {
    for (
      let next = this.heap.peek();
      next !== undefined && this.waiting.get(next.id) !== next.at;
      next = this.heap.peek()
    )
      this.heap.pop();
  }
}
