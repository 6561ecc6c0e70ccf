/** Tokens of a text, by code alone: no Unicode tables, the same on every engine. Source: intent I4. */
import { findMarkup, findUnsaid } from './markup.js';

/** What a token is. `version`: digits with two or more points. `symbol`: one code point of anything else. */
export type TokenKind = 'word' | 'number' | 'clock' | 'date' | 'version' | 'symbol';

/**
 * A token: its place in UTF-16 units, its words with ASCII letters in lower case, whether nothing stands
 * between it and the one before, and how many line ends do.
 */
export type Token = {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  readonly lower: string;
  readonly glued: boolean;
  readonly lines: number;
};

/** Splits a text into tokens; marks that only dress words are none. Linear. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const dressing = findMarkup(text);
  let [index, lines, isGlued] = [0, 0, false];
  while (index < text.length) {
    if (dressing?.[index] === 1) {
      index += 1;
      continue;
    }
    const code = text.charCodeAt(index);
    if (isSpace(code)) {
      if (code === LINE_END) lines += 1;
      isGlued = false;
      index += 1;
      continue;
    }
    const [kind, reach] = read(text, index, code);
    // `_not_`: the mark that closes looks like a letter of the word.
    const end = dressing === null ? reach : undressed(dressing, index, reach);
    tokens.push({
      kind,
      start: index,
      end,
      lower: lowerAscii(text.slice(index, end)),
      glued: isGlued,
      lines,
    });
    [index, lines, isGlued] = [end, 0, true];
  }
  return tokens;
}

/**
 * The tokens of a text that it says to its reader: without what is struck out, commented out or fenced as
 * code. A token behind such a stretch keeps the line ends of the tokens that are left out. Linear.
 */
export function saidTokens(text: string, tokens: readonly Token[]): readonly Token[] {
  const unsaid = findUnsaid(text);
  if (unsaid.length === 0) return tokens;
  let [place, lines] = [0, -1];
  return tokens.flatMap((token): readonly Token[] => {
    while ((unsaid[place]?.[1] ?? Infinity) <= token.start) place += 1;
    if ((unsaid[place]?.[0] ?? Infinity) <= token.start) {
      lines = Math.max(0, lines) + token.lines;
      return [];
    }
    const kept = lines < 0 ? token : { ...token, glued: false, lines: token.lines + lines };
    lines = -1;
    return [kept];
  });
}

/** Where the first mark inside a token ends it. */
function undressed(dressing: Uint8Array, start: number, end: number): number {
  const mark = dressing.subarray(start, end).indexOf(1);
  return mark < 0 ? end : start + mark;
}

/** Text with its ASCII letters in lower case; nothing else changes. */
export function lowerAscii(text: string): string {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    result += code >= 0x41 && code <= 0x5a ? String.fromCharCode(code + 32) : text.charAt(index);
  }
  return result;
}

/** True for a code unit of an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const LINE_END = 0x0a;

function isSpace(code: number): boolean {
  // Other control characters part words as signs do: no unit stands behind them.
  return (
    code === 0x20 ||
    (code >= 0x09 && code <= 0x0d) ||
    code === 0xa0 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/**
 * Letters: ASCII, `_`, and whatever is beyond ASCII and neither space nor one of the common marks and signs.
 * `°` and `µ` count.
 */
function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
  if (isSpace(code)) return false;
  if (code <= 0xbf)
    return code === 0xaa || code === 0xb0 || code === 0xb2 || code === 0xb3 || code === 0xb5 || code === 0xba;
  if (code === 0xd7 || code === 0xf7) return false;
  return !(
    (code >= 0x2000 && code <= 0x206f) ||
    (code >= 0x20a0 && code <= 0x20cf) ||
    (code >= 0x2190 && code <= 0x23ff) ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xff00 && code <= 0xff0f) ||
    (code >= 0xff1a && code <= 0xff20)
  );
}

/** Kana and Han characters: written without spaces, so each is a token. */
function isIdeograph(code: number): boolean {
  return (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff);
}

function read(text: string, start: number, code: number): readonly [TokenKind, number] {
  if (isDigit(code)) return readDigits(text, start);
  if (isIdeograph(code)) return ['word', start + 1];
  if (isLetter(code)) return ['word', endOfWord(text, start)];
  const isPair = code >= 0xd800 && code <= 0xdbff && start + 1 < text.length;
  return ['symbol', start + (isPair ? 2 : 1)];
}

/** Letters and digits, with apostrophes inside: `don't`, `IP67`, `p99`. */
function endOfWord(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    const isInside =
      (code === 0x27 || code === 0x2019) && index + 1 < text.length && isLetter(text.charCodeAt(index + 1));
    if (isIdeograph(code) || (!isLetter(code) && !isDigit(code) && !isInside)) break;
    index += 1;
  }
  return index;
}

function readDigits(text: string, start: number): readonly [TokenKind, number] {
  const first = endOfDigits(text, start);
  const separator = text.charAt(first);
  if (separator === ':' && first - start <= 2 && endOfDigits(text, first + 1) === first + 3)
    return ['clock', first + 3];
  if (separator === '-' && first - start === 4) {
    const month = endOfDigits(text, first + 1);
    const day = text.charAt(month) === '-' ? endOfDigits(text, month + 1) : month;
    if (month === first + 3 && day === month + 3) return ['date', day];
  }
  let [end, points] = [first, 0];
  if (first - start <= 3) end = endOfGroups(text, first);
  if (end === first && first - start <= 3 && text.charAt(start) !== '0') end = endOfSpaced(text, first);
  if (!text.slice(first, end).includes(',') && text.charAt(start - 1) !== ',') end = endOfComma(text, end);
  while (text.charAt(end) === '.' && isDigit(text.charCodeAt(end + 1))) {
    points += 1;
    end = endOfDigits(text, end + 1);
  }
  if (points > 0 && endOfPoints(text, first) === end && first - start <= 3) {
    const fraction = endOfComma(text, end);
    if (fraction > end) return ['number', fraction];
  }
  return [points > 1 ? 'version' : 'number', end];
}

/** Past groups of three digits after commas: `1,000,000`. */
function endOfGroups(text: string, from: number): number {
  let end = from;
  while (text.charAt(end) === ',' && endOfDigits(text, end + 1) === end + 4) end += 4;
  return end;
}

/** Past groups of three digits after a space or an apostrophe: `1 000`, `1'000'000`. */
function endOfSpaced(text: string, from: number): number {
  let end = from;
  while (isGroupMark(text.charCodeAt(end)) && endOfDigits(text, end + 1) === end + 4) end += 4;
  return end;
}

/** Past groups of three digits after points: `1.000.000`, a number only where a decimal comma follows. */
function endOfPoints(text: string, from: number): number {
  let end = from;
  while (text.charAt(end) === '.' && endOfDigits(text, end + 1) === end + 4) end += 4;
  return end;
}

/** Past a decimal comma: `2,5` where one or two digits follow, no comma stands before and none after. */
function endOfComma(text: string, from: number): number {
  const end = text.charAt(from) === ',' ? endOfDigits(text, from + 1) : from;
  const isList = text.charAt(end) === ',' && isDigit(text.charCodeAt(end + 1));
  return end - from >= 2 && end - from <= 3 && !isList ? end : from;
}

function endOfDigits(text: string, start: number): number {
  let index = start;
  while (index < text.length && isDigit(text.charCodeAt(index))) index += 1;
  return index;
}

/**
 * True for what parts groups of digits besides commas and points: a space, also one that does not break, or
 * an apostrophe.
 */
export function isGroupMark(code: number): boolean {
  return (
    code === 0x20 || code === 0xa0 || code === 0x2009 || code === 0x202f || code === 0x27 || code === 0x2019
  );
}
