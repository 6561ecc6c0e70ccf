/**
 * Bytes into lines, in bounded memory. Source: ledger format, "File", "Limits shrink inwards".
 *
 * @module
 */
import { LINE_LIMITS } from '../canonical/limits.js';

const LINE_END = 0x0a;
const FIRST_CAPACITY = 4_096;

/** One line without its 0A. `isEnded` is false only for what stands after the last 0A of a file. */
export type Line = { readonly bytes: Uint8Array; readonly isEnded: boolean };

/**
 * Cuts chunks of any size into lines, at byte 0A only. Memory: at most one line of 16 MiB and a byte; a
 * longer line is given as soon as it is known to be one, cut to that length (so every reader finds
 * `size`), and the rest of it is dropped unread.
 *
 * A line inside one chunk is a view of it: use it before the chunk's memory is used again.
 * Source: ledger format, "File".
 *
 * @example
 * ```ts
 * const splitter = new LineSplitter();
 * for (const chunk of chunks) for (const line of splitter.push(chunk)) integrity.feed(line.bytes);
 * for (const line of splitter.end()) integrity.feed(line.bytes, line.isEnded);
 * ```
 */
export class LineSplitter {
  private buffer: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  private held = 0;
  private isDropping = false;

  /** The lines that this chunk completes, in order. O(chunk), amortised. */
  push(chunk: Uint8Array): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(LINE_END, from);
      const isEnded = end !== -1;
      const bytes = chunk.subarray(from, isEnded ? end : chunk.length);
      if (!this.isDropping) this.take(bytes, isEnded, lines);
      if (!isEnded) break;
      this.isDropping = false;
      from = end + 1;
    }
    return lines;
  }

  /** What stands after the last 0A: no line or one. The splitter is empty afterwards. */
  end(): readonly Line[] {
    const lines: Line[] = this.held === 0 ? [] : [this.give(false)];
    this.isDropping = false;
    return lines;
  }

  private take(bytes: Uint8Array, isEnded: boolean, lines: Line[]): void {
    const room = LINE_LIMITS.bytes + 1 - this.held;
    const isOver = bytes.length >= room;
    if (isEnded && this.held === 0 && !isOver) {
      lines.push({ bytes, isEnded });
      return;
    }
    this.keep(isOver ? bytes.subarray(0, room) : bytes);
    if (!isEnded && !isOver) return;
    lines.push(this.give(true));
    this.isDropping = !isEnded;
  }

  private keep(bytes: Uint8Array): void {
    const needed = this.held + bytes.length;
    if (needed > this.buffer.length) {
      const larger = new Uint8Array(
        Math.min(LINE_LIMITS.bytes + 1, Math.max(needed, this.buffer.length * 2)),
      );
      larger.set(this.buffer.subarray(0, this.held));
      this.buffer = larger;
    }
    this.buffer.set(bytes, this.held);
    this.held = needed;
  }

  private give(isEnded: boolean): Line {
    const bytes = this.buffer.slice(0, this.held);
    this.held = 0;
    return { bytes, isEnded };
  }
}
