/** The bytes of a ledger and where its lines start, gathered while they are checked. */
import type { Json } from '@assay/kernel';

const LINE_END = 0x0a;
const UTF8 = new TextDecoder('utf-8');

/** Lines of a file by position. */
export class Lines {
  private readonly parts: Uint8Array[] = [];
  /** Where each part starts. */
  private readonly offsets: number[] = [];
  private readonly starts: number[] = [];
  private isAtStart = true;
  /** Bytes so far. */
  size = 0;

  /** The next bytes; they are kept. */
  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      if (this.isAtStart) this.starts.push(this.size + from);
      const end = chunk.indexOf(LINE_END, from);
      this.isAtStart = end !== -1;
      from = end === -1 ? chunk.length : end + 1;
    }
    this.offsets.push(this.size);
    this.parts.push(chunk);
    this.size += chunk.length;
  }

  /** Number of lines. */
  get count(): number {
    return this.starts.length;
  }

  /** Where a line starts, in bytes; the size of the file for one that is not there. */
  start(at: number): number {
    return this.starts[at] ?? this.size;
  }

  /** The text of some lines, each with its line end; wrong UTF-8 as U+FFFD. */
  text(from: number, to: number = from + 1): string {
    return UTF8.decode(this.bytes(from, to));
  }

  /** The bytes of some lines. */
  bytes(from: number, to: number): Uint8Array {
    return this.between(this.starts[from] ?? this.size, this.starts[to] ?? this.size);
  }

  /** Bytes from one place to another. Parts are never joined: a second copy of a file may be too much. */
  private between(from: number, to: number): Uint8Array {
    let [first, behind] = [0, this.offsets.length];
    while (behind - first > 1) {
      const middle = (first + behind) >> 1;
      if ((this.offsets[middle] ?? 0) > from) behind = middle;
      else first = middle;
    }
    const base = this.offsets[first] ?? 0;
    const part = this.parts[first] ?? new Uint8Array(0);
    if (to <= base + part.length) return part.subarray(from - base, to - base);
    const found = new Uint8Array(to - from);
    for (let at = first; at < this.parts.length; at += 1) {
      const [start, bytes] = [this.offsets[at] ?? 0, this.parts[at] ?? new Uint8Array(0)];
      if (start >= to) break;
      found.set(bytes.subarray(Math.max(0, from - start), to - start), Math.max(0, start - from));
    }
    return found;
  }

  /** The value of a line; null where it is none. */
  json(at: number): Json {
    try {
      return JSON.parse(this.text(at)) as Json;
    } catch {
      return null;
    }
  }
}
