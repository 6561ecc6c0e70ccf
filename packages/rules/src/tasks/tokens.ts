/**
 * Words and quoted texts of a request. Linear in the text.
 *
 * @module
 */

/**
 * One token: a word, or what stands between quotes. `lower`: a word with ASCII letters small, empty for a
 * quoted text.
 */
export type Token = { readonly text: string; readonly lower: string; readonly isQuoted: boolean };

/** Most tokens that the grammar reads. */
const TOKENS_MAX = 120;

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['‘', '’'],
]);
const SPACE = /\s/u;
/** Signs that end a word at its end and mean nothing here. */
const STOPS = /[.,;:!?]+$/;
/** The folder above at the end of a path, where dots are no full stop. */
const ABOVE = /^((?:.*\/)?)\.\.[.,;:!?]*$/su;

/**
 * The tokens of a text; null where a quote is open or there are more than {@link TOKENS_MAX}. In double
 * quotes a backslash stands before a double quote or a backslash that is meant; a single quote opens only at
 * the beginning of a word, so that `it's` is one. A comma or semicolon between words is dropped, and a full
 * stop at the end of a word that is not all of it; `docs/..` keeps its dots, and a bare pattern its question
 * mark.
 */
export function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (SPACE.test(sign)) {
      at += 1;
      continue;
    }
    const closing = CLOSING.get(sign);
    const read = closing === undefined ? word(text, at) : quoted(text, at, closing);
    if (read === null || tokens.length >= TOKENS_MAX) return null;
    if (read.token !== null) tokens.push(read.token);
    at = read.end;
  }
  return tokens;
}

type Read = { readonly token: Token | null; readonly end: number };

function word(text: string, start: number): Read {
  let end = start;
  while (end < text.length && !SPACE.test(text.charAt(end))) end += 1;
  const bare = withoutStops(text.slice(start, end)).replaceAll('’', "'");
  if (bare === '') return { token: null, end };
  return {
    token: { text: bare, lower: lowered(bare), isQuoted: false },
    end,
  };
}

function withoutStops(written: string): string {
  const above = /^\.{3,}$/.test(written) ? null : ABOVE.exec(written);
  if (above !== null) return `${above[1] ?? ''}..`;
  const bare = written.replace(STOPS, '');
  // Behind a pattern a question mark may be of the pattern or of the sentence: it stays, so that the grammar
  // can refuse it.
  return /[*?]/.test(bare) ? written.replace(/[.,;:!]+$/, '') : bare;
}

function quoted(text: string, open: number, closing: string): Read | null {
  let inside = '';
  for (let at = open + 1; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const next = text.charAt(at + 1);
    if (closing === '"' && sign === '\\' && (next === '"' || next === '\\')) {
      inside += next;
      at += 1;
    } else if (sign === closing) return afterQuote(text, at + 1, inside);
    else inside += sign;
  }
  return null;
}

/**
 * Signs right behind a quote are dropped; anything else there is a word of its own kind that is not
 * understood.
 */
function afterQuote(text: string, from: number, inside: string): Read | null {
  let end = from;
  while (end < text.length && /[.,;:!?]/.test(text.charAt(end))) end += 1;
  if (end < text.length && !SPACE.test(text.charAt(end))) return null;
  return { token: { text: inside, lower: '', isQuoted: true }, end };
}

/** A text with its ASCII letters small. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()); // ascii
}

/** A text in double quotes, as {@link tokensOf} reads it back. */
export function inQuotes(text: string): string {
  return `"${text.replace(/[\\"]/g, (sign) => `\\${sign}`)}"`;
}
