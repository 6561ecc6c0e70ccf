/**
 * The bytes of a ledger and where its lines start, gathered while they are checked.
 *
 * @module
 */
import type { Json } from '@assay/kernel';

const LINE_END = 0x0a;
const UTF8 = new TextDecoder('utf-8');

/** Lines of a file by position. */
export class Lines {
  private parts: Uint8Array[] = [];
  private whole: Uint8Array<ArrayBuffer> | null = null;
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
    this.parts.push(chunk);
    this.size += chunk.length;
    this.whole = null;
  }

  /** Number of lines. */
  get count(): number {
    return this.starts.length;
  }

  /** Bytes of the file. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.whole !== null) return this.whole;
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.parts = [whole];
    this.whole = whole;
    return whole;
  }

  /** The text of some lines, each with its line end; wrong UTF-8 as U+FFFD. */
  text(from: number, to: number = from + 1): string {
    return UTF8.decode(this.bytes.subarray(this.starts[from], this.starts[to] ?? this.size));
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
