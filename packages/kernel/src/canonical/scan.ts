/**
 * One pass over the bytes of a line that recognises canonical JSON without parsing it.
 *
 * It says yes only to what is canonical; to a few canonical texts it says no (keys with escapes, keys whose
 * order depends on UTF-16), and those are judged by parsing and encoding again. So it saves time and decides
 * nothing by itself; UTF-8 is left to the decoder, controls inside strings to the parser.
 */
import { LINE_LIMITS } from './limits.js';

/** What stands around a text within its line: levels of nesting, marks `[ { ,` and bytes. */
export type Around = { readonly depth: number; readonly structure: number; readonly bytes: number };
const NOTHING: Around = { depth: 0, structure: 0, bytes: 0 };

/**
 * True only for the canonical text of an admitted value that keeps to the limits of a line, if the bytes are
 * UTF-8 and JSON at all.
 */
export function isPlainlyCanonical(bytes: Uint8Array, around: Around = NOTHING): boolean {
  if (bytes.length + around.bytes > LINE_LIMITS.bytes) return false;
  const scan = new Scan(bytes, around);
  return scan.value() && scan.isAtEnd && scan.structure <= LINE_LIMITS.structure;
}

/** Recursive descent over bytes; at most {@link LINE_LIMITS} levels deep. */
class Scan {
  /** Bytes `[ { ,` outside strings so far. */
  structure: number;
  private at = 0;
  private depth: number;
  private hasEscape = false;
  /** What the last search found: there is none before it. */
  private quote = -1;
  private backslash = -1;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, { depth, structure }: Around) {
    this.bytes = bytes;
    this.depth = depth;
    this.structure = structure;
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  value(): boolean {
    const byte = this.bytes[this.at];
    switch (byte) {
      case QUOTE:
        return this.string();
      case OPEN_BRACE:
        return this.object();
      case OPEN_BRACKET:
        return this.array();
      case 0x74:
        return this.word('true');
      case 0x66:
        return this.word('false');
      case 0x6e:
        return this.word('null');
      default:
        return this.number();
    }
  }

  private object(): boolean {
    if (!this.enter()) return false;
    if (this.bytes[this.at] === CLOSE_BRACE) return this.leave();
    let last = -1;
    let lastEnd = -1;
    for (;;) {
      const start = this.at + 1;
      this.hasEscape = false;
      if (this.bytes[this.at] !== QUOTE || !this.string() || this.hasEscape) return false;
      const end = this.at - 1;
      if (last !== -1 && !this.rises(last, lastEnd, start, end)) return false;
      [last, lastEnd] = [start, end];
      if (this.bytes[this.at] !== COLON) return false;
      this.at += 1;
      if (!this.value()) return false;
      const byte = this.bytes[this.at];
      if (byte === CLOSE_BRACE) return this.leave();
      if (byte !== COMMA) return false;
      this.structure += 1;
      this.at += 1;
    }
  }

  private array(): boolean {
    if (!this.enter()) return false;
    if (this.bytes[this.at] === CLOSE_BRACKET) return this.leave();
    for (;;) {
      if (!this.value()) return false;
      const byte = this.bytes[this.at];
      if (byte === CLOSE_BRACKET) return this.leave();
      if (byte !== COMMA) return false;
      this.structure += 1;
      this.at += 1;
    }
  }

  private enter(): boolean {
    this.structure += 1;
    this.depth += 1;
    this.at += 1;
    return this.depth <= LINE_LIMITS.depth;
  }

  private leave(): true {
    this.depth -= 1;
    this.at += 1;
    return true;
  }

  /** Controls inside strings are left to the parser. */
  private string(): boolean {
    const { bytes } = this;
    const { length } = bytes;
    let at = this.at + 1;
    for (let soon = at + SHORT_STRING; at < length; ) {
      if (at >= soon) {
        at = this.plainEnd(at);
        soon = at + SHORT_STRING;
        continue;
      }
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.at = at + 1;
        return true;
      }
      if (byte === BACKSLASH) {
        const size = this.escapeSize(at);
        if (size === 0) return false;
        at += size;
        soon = at + SHORT_STRING;
      } else at += 1;
    }
    return false;
  }

  /**
   * Where the next quote or backslash is, or the end: by the runtime's own search, which is faster over a
   * distance.
   */
  private plainEnd(from: number): number {
    if (this.quote < from) this.quote = indexOrEnd(this.bytes, QUOTE, from);
    if (this.backslash < from) this.backslash = indexOrEnd(this.bytes, BACKSLASH, from);
    return Math.min(this.quote, this.backslash);
  }

  /** Bytes of the canonical escape at a backslash; 0 where it is none. */
  private escapeSize(at: number): number {
    const { bytes } = this;
    this.hasEscape = true;
    if (SHORT_ESCAPES.includes(bytes[at + 1] ?? 0)) return 2;
    if (bytes[at + 1] !== 0x75 || bytes[at + 2] !== 0x30 || bytes[at + 3] !== 0x30) return 0;
    const [high, low] = [(bytes[at + 4] ?? 0) - 0x30, HEX.indexOf(String.fromCharCode(bytes[at + 5] ?? 0))];
    if ((high !== 0 && high !== 1) || low === -1) return 0;
    return SHORT_CONTROLS.includes(high * 16 + low) ? 0 : 6;
  }

  /**
   * True if one key comes before the other for certain: by bytes, below those at which UTF-16 orders
   * otherwise.
   */
  private rises(last: number, lastEnd: number, start: number, end: number): boolean {
    const { bytes } = this;
    const shared = Math.min(lastEnd - last, end - start);
    for (let index = 0; index < shared; index += 1) {
      const [a, b] = [bytes[last + index] ?? 0, bytes[start + index] ?? 0];
      if (a !== b) return a < b && b < PRIVATE_LEAD;
    }
    return lastEnd - last < end - start;
  }

  private word(word: string): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (this.bytes[this.at] !== word.charCodeAt(index)) return false;
      this.at += 1;
    }
    return true;
  }

  private number(): boolean {
    const { bytes } = this;
    const start = this.at;
    const first = bytes[start] === MINUS ? start + 1 : start;
    const point = this.digitsEnd(first);
    const digits = point - first;
    this.at = point;
    if (digits === 0 || (digits > 1 && bytes[first] === ZERO)) return false;
    const isFraction = bytes[point] === POINT;
    const end = isFraction ? this.digitsEnd(point + 1) : point;
    this.at = end;
    if (bytes[end] === SMALL_E || end - first > SAFE_DIGITS) return this.longNumber(start);
    if (!isFraction) return bytes[first] !== ZERO || first === start;
    // So few digits are the shortest for their number; what is left is how they are written.
    return end > point + 1 && bytes[end - 1] !== ZERO && (bytes[first] !== ZERO || !this.isSmall(point + 1));
  }

  /** True for six zeros after the point: such numbers have an exponent. */
  private isSmall(from: number): boolean {
    for (let at = from; at < from + 6; at += 1) if (this.bytes[at] !== ZERO) return false;
    return true;
  }

  private digitsEnd(from: number): number {
    const { bytes } = this;
    let at = from;
    for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[at] ?? 0) at += 1;
    return at;
  }

  /** Numbers with an exponent or many digits: written again and compared. */
  private longNumber(start: number): boolean {
    const { bytes } = this;
    let text = '';
    let at = start;
    for (
      let byte = bytes[at] ?? 0;
      (byte >= ZERO && byte <= NINE) || byte === MINUS || byte === POINT || byte === SMALL_E;
      byte = bytes[at] ?? 0
    ) {
      text += String.fromCharCode(byte);
      at += 1;
      if (text.length > NUMBER_BYTES_MAX) return false;
    }
    this.at = at;
    const value = Number(text);
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER && value !== 0 && String(value) === text;
  }
}

/** Where a byte comes next; the length where it does not. */
function indexOrEnd(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? bytes.length : at;
}

/** Above so many bytes the runtime's own search is faster than a loop. */
const SHORT_STRING = 24;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const SMALL_E = 0x65;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Lead byte of U+E000: from here on UTF-8 and UTF-16 may order two keys differently. */
const PRIVATE_LEAD = 0xee;
/** Numbers of so many digits are safe integers, or the shortest text of their double. */
const SAFE_DIGITS = 15;
/** No canonical number is longer. */
const NUMBER_BYTES_MAX = 32;
/** `" \ b f n r t` after a backslash. */
const SHORT_ESCAPES: readonly number[] = [0x22, 0x5c, 0x62, 0x66, 0x6e, 0x72, 0x74];
/** Controls that have a short escape. */
const SHORT_CONTROLS: readonly number[] = [8, 9, 10, 12, 13];
/** Lower-case hexadecimal digits by value. */
const HEX = '0123456789abcdef';
