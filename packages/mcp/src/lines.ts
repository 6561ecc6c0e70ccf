/**
 * Lines out of pieces of bytes, none longer than a bound.
 *
 * @module
 */

const LINE_FEED = 0x0a;

/** Reads lines of UTF-8 text, ended by a line feed, without a carriage return before it. */
export class LineReader {
  private readonly bytesMax: number;
  private readonly onLine: (line: string) => void;
  private readonly onTooLarge: () => void;
  /** What is not yet a line. */
  private held: Buffer[] = [];
  private heldBytes: number = 0;

  constructor(bytesMax: number, onLine: (line: string) => void, onTooLarge: () => void) {
    this.bytesMax = bytesMax;
    this.onLine = onLine;
    this.onTooLarge = onTooLarge;
  }

  /** Takes a piece; calls back for each line that it ends, and once where a line is too large. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      if (!this.hold(chunk.subarray(from, end))) return;
      from = end + 1;
      const text = Buffer.concat(this.held).toString('utf8');
      this.clear();
      this.onLine(text.replace(/\r$/, ''));
    }
    this.hold(chunk.subarray(from));
  }

  /** Drops what is held. */
  clear(): void {
    this.held = [];
    this.heldBytes = 0;
  }

  private hold(piece: Buffer): boolean {
    this.heldBytes += piece.length;
    if (this.heldBytes <= this.bytesMax) {
      this.held.push(piece);
      return true;
    }
    this.clear();
    this.onTooLarge();
    return false;
  }
}
