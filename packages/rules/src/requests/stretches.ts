/**
 * Stretches: the text cut at closing marks, blank lines, headings, bullets, numbers of items, and line ends
 * that are no mere wrapping.
 *
 * @module
 */
import { isHeadingAt, type Scan, type Token } from '@assay/kernel/intent';
import { isIn } from './words.js';

/**
 * A stretch of tokens without its bullet. `isNumbered`: its mark was a number. `isClosed`: a closing mark
 * ends it. `isAlone`: a blank line, or the end, follows.
 */
export type Stretch = {
  readonly first: number;
  readonly next: number;
  readonly isItem: boolean;
  readonly isNumbered: boolean;
  readonly isAlone: boolean;
};

const BULLETS: ReadonlySet<string> = new Set(['-', '*', '•', '–', '·', '+', '—', '▪', '◦', '‣']);
const ENDS: ReadonlySet<string> = new Set(['.', '!', '?', ';', '。', '！', '？']);
const FULL_WIDTH: ReadonlySet<string> = new Set(['。', '！', '？']);
/** A line shorter than this, before one that starts with a capital, ends what it says. */
const WRAP_UNITS = 60;

/** Cuts a text. Linear. */
export function stretchesOf(scan: Scan): readonly Stretch[] {
  const { tokens } = scan;
  const found: Stretch[] = [];
  let [first, isItem, isNumbered, lineStart] = [0, false, false, 0];
  let [isHeading, indent] = [false, 0];
  const close = (next: number): void => {
    if (next > first)
      found.push({ first, next, isItem, isNumbered, isAlone: (tokens[next]?.lines ?? 2) > 1 });
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    const mark = itemMark(scan, index);
    const wasHeading = isHeading;
    if (index === 0 || token.lines > 0) isHeading = isHeadingAt(tokens, index);
    const isLineEnd =
      token.lines > 0 &&
      index > first &&
      (isHeading ||
        wasHeading ||
        isShortLine(scan, lineStart, index) ||
        (isItem && isBelowList(scan, index, indent)));
    if (token.lines > 0) lineStart = index;
    if (mark > 0) {
      close(index);
      [first, isItem, isNumbered] = [index + mark, true, token.kind !== 'symbol'];
      indent = indentOf(scan.text, token.start);
      index += mark - 1;
    } else if (index > first && (isLineEnd || isBreak(tokens, index))) {
      close(index);
      const leavesItem = token.lines > 1 || (token.lines > 0 && (isLineEnd || isEnd(tokens, index - 1)));
      [first, isItem, isNumbered] = [index, isItem && !leavesItem, false];
    }
  }
  close(tokens.length);
  return found;
}

/** True where a sentence ends with this token: a closing mark that no abbreviation or number claims. */
function isEnd(tokens: readonly Token[], at: number): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (token === undefined || !ENDS.has(token.lower)) return false;
  if (token.lower !== '.' || !token.glued || before?.kind !== 'word' || (tokens[at + 1]?.lines ?? 2) > 1)
    return true;
  // `i.e.`, `e.g.`: single letters with points between them; the `s` of an amount is none.
  const isLettered = before.end - before.start === 1 && before.glued && tokens[at - 2]?.lower === '.';
  // `Noise: 72 dB max. It must …`
  const after = tokens[at + 1]?.lower ?? '';
  const isTrailing =
    (before.lower === 'max' || before.lower === 'min') &&
    (isIn('pronoun', after) || isIn('determiner', after));
  return !isLettered && (isTrailing || !isIn('abbreviation', before.lower) || isNoAbbreviation(tokens, at));
}

/**
 * `within 200 ms. Then …` ends on a unit; `balloons no. You …` on a word that only before a number is
 * `number`.
 */
function isNoAbbreviation(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1]?.lower ?? '', tokens[at + 1]];
  if (NUMBERING.has(before)) return after?.kind !== 'number';
  const isUnit = tokens[at - 2]?.kind === 'number' && UNITS.has(before);
  return (
    isUnit &&
    after?.kind === 'word' &&
    (isIn('pronoun', after.lower) ||
      isIn('determiner', after.lower) ||
      isIn('subordinator', after.lower) ||
      after.glued !== true)
  );
}

const NUMBERING: ReadonlySet<string> = new Set(['no', 'nr', 'fig', 'art', 'vol', 'op', 'sec']);
const UNITS: ReadonlySet<string> = new Set(['ms', 'min', 'sec', 'l', 'st', 'ca']);

/** True for a closing mark. */
export function isClosing(word: string | undefined): boolean {
  return word !== undefined && ENDS.has(word);
}

/** True for an ASCII capital. */
export function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

/** How many tokens make up the bullet or number of an item that starts here; 0 for none. */
function itemMark({ text, tokens }: Scan, at: number): number {
  const [token, after, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  const isStart = at === 0 || (token?.lines ?? 0) > 0;
  if (token === undefined || after === undefined || after.lines > 0) return 0;
  if (isStart && BULLETS.has(token.lower) && !after.glued) return 1;
  const isNumber = token.kind === 'number' || token.kind === 'version';
  const isLetter = token.kind === 'word' && token.end - token.start === 1;
  if (
    isStart &&
    (isNumber || isLetter) &&
    (after.lower === ')' || (after.lower === '.' && isNumber)) &&
    after.glued &&
    third !== undefined &&
    !third.glued &&
    third.lines === 0
  )
    return 2;
  if (isStart && token.lower === '(' && third?.lower === ')' && (tokens[at + 3]?.lines ?? 1) === 0) return 3;
  // `FR-12 The scanner reads`, `NFR-3: …`: the sign of a requirement.
  const isSign =
    token.kind === 'word' &&
    token.end - token.start <= 5 &&
    isCapital(text.charCodeAt(token.start)) &&
    isCapital(text.charCodeAt(token.end - 1)) &&
    after.lower === '-' &&
    after.glued &&
    third?.kind === 'number' &&
    third.glued;
  const fourth = tokens[at + 3];
  if ((isStart || isEnd(tokens, at - 1)) && isSign && fourth !== undefined && fourth.lines === 0)
    return fourth.lower === ':' ? 4 : isCapital(text.charCodeAt(fourth.start)) ? 3 : 0;
  // `2.1 The contractor shall`: the number of a clause. It may also follow a sentence on the same line.
  const follows = isStart || isEnd(tokens, at - 1);
  return follows &&
    isNumber &&
    token.lower.includes('.') &&
    after.kind === 'word' &&
    !after.glued &&
    isCapital(text.charCodeAt(after.start))
    ? 1
    : 0;
}

function isBreak(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (token.lines > 1) return true;
  // Marks of full width have no space behind them.
  if (FULL_WIDTH.has(tokens[at - 1]?.lower ?? '')) return true;
  return (
    isEnd(tokens, at - 1) &&
    !(token.glued && token.kind !== 'symbol') &&
    !((token.lower === ')' || token.lower === '"' || token.lower === '”') && token.glued)
  );
}

/**
 * A plain line right below a list, not set in like the words of an item that go on: it is no part of the
 * list.
 */
function isBelowList({ text, tokens }: Scan, at: number, indent: number): boolean {
  const [last, next] = [tokens[at - 1], tokens[at]];
  return (
    next !== undefined &&
    last !== undefined &&
    isCapital(text.charCodeAt(next.start)) &&
    indentOf(text, next.start) <= indent &&
    !isOver(last)
  );
}

/** Spaces between the start of a line and a place in it; none where words stand before the place. */
function indentOf(text: string, start: number): number {
  let from = start;
  while (from > 0 && (text.charAt(from - 1) === ' ' || text.charAt(from - 1) === '\t')) from -= 1;
  return start - from;
}

/** A line that goes on: it ends with a comma, a joint or an article. */
function isOver({ lower }: Token): boolean {
  return lower === ',' || lower === 'and' || lower === 'or' || lower === 'the' || lower === 'a';
}

/** A line of its own: short, the next one starts with a capital, and no comma or joint leads over. */
function isShortLine({ text, tokens }: Scan, from: number, at: number): boolean {
  const [start, last, next] = [tokens[from], tokens[at - 1], tokens[at]];
  if (start === undefined || last === undefined || next === undefined) return false;
  return last.end - start.start < WRAP_UNITS && isCapital(text.charCodeAt(next.start)) && !isOver(last);
}
