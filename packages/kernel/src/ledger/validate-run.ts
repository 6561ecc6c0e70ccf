/**
 * Judging a whole run's ledger at once. Bytes into lines, in bounded memory. Source: ledger format;
 * "Verdicts"; 001 §2.2; "File"; "Limits shrink inwards".
 */
import type { Result } from '../result.js';
import type { IntegrityFault } from './faults.js';
import { RunIntegrity, type IntegrityOptions } from './run-integrity.js';
import type { RunSummary } from './run-summary.js';
import { LINE_LIMITS } from '../canonical/limits.js';

/**
 * Validates a run given as record values: `validateChain` and our grammar, payloads, request table, graph
 * and close. Linear, one pass. Errors: {@link IntegrityFault}, the first faulty record and its first code.
 * Source: 001 §2.2, §4.2; ledger format, "Verdicts".
 */
export function validateRun(
  records: Iterable<unknown>,
  options: IntegrityOptions = {},
): Result<IntegrityFault, RunSummary> {
  const integrity = new RunIntegrity(options);
  for (const record of records) if (integrity.feedRecord(record)._tag === 'Left') break;
  return integrity.finish();
}

/**
 * Validates a run's ledger file given as bytes, whole or in chunks of any size: everything
 * {@link validateRun} asks, and the encoding of every line. Linear, one pass, bounded memory.
 */
export function validateRunFile(
  bytes: Uint8Array | Iterable<Uint8Array>,
  options: IntegrityOptions = {},
): Result<IntegrityFault, RunSummary> {
  const integrity = new RunIntegrity(options);
  const splitter = new LineSplitter();
  for (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (const line of splitter.push(chunk))
      if (integrity.feed(line.bytes)._tag === 'Left') return integrity.finish();
  }
  for (const line of splitter.end()) integrity.feed(line.bytes, line.isEnded);
  return integrity.finish();
}

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
