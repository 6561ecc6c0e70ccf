/**
 * How much of an output a role sees: head and tail. Source: 003 §R3 (`headTail(result, 4000)`).
 *
 * @module
 */

/**
 * Characters (UTF-16 code units) that are left of a long text, the line that says so included. Source: 003
 * §R3.
 */
export const OUTPUT_CHARACTERS = 4_000;

/**
 * The text itself where it has at most `most` characters; otherwise its beginning, a line that counts what
 * was left out, and its end, together at most `most`. Head and tail are equally long up to one character; a
 * surrogate pair is never split. `most` is at least 100. Source: 003 §R3.
 */
export function headTail(text: string, most: number = OUTPUT_CHARACTERS): string {
  if (text.length <= most) return text;
  // The mark is longest where everything is left out, so the room it needs is known before the parts are cut.
  const room = most - markOf(text.length).length;
  const headEnd = backOffPair(text, Math.ceil(room / 2));
  const tailStart = forwardOffPair(text, text.length - Math.floor(room / 2));
  return `${text.slice(0, headEnd)}${markOf(tailStart - headEnd)}${text.slice(tailStart)}`;
}

function markOf(count: number): string {
  return `\n[… ${count} characters left out …]\n`;
}

function backOffPair(text: string, at: number): number {
  return isPairAt(text, at) ? at - 1 : at;
}

function forwardOffPair(text: string, at: number): number {
  return isPairAt(text, at) ? at + 1 : at;
}

/** True when a cut before `at` would split a surrogate pair. */
function isPairAt(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}
