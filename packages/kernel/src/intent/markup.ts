/**
 * Marks that dress words without saying anything (`**not**`, `_at most_`, `` `7 days` ``), and stretches that
 * a text takes back or says to nobody (`~~30 days~~`, comments, fenced code). Places are those of the text
 * itself, so whatever is read between the marks is still quoted exactly. Source: intent I3, I4.
 *
 * A mark counts only in a pair: it opens where no letter or digit stands before it and no space behind, and
 * closes the other way round, within a paragraph. So `max_nodes`, `3 * 4` and the star of a list item are no
 * marks.
 */
/** A stretch of UTF-16 units. */
type Place = readonly [start: number, end: number];

const MARKS = '*_`';
const STRIKE = '~~';
const RUN_MAX = 3;

/** By UTF-16 unit: 1 for those of a mark that only dresses words. Null if there is none. Linear. */
export function findMarkup(text: string): Uint8Array | null {
  if (!/[*_`~]|<!--/.test(text)) return null;
  const dressing = new Uint8Array(text.length);
  let isDressed = false;
  const mark = ([start, end]: Place): void => {
    dressing.fill(1, start, end);
    isDressed = true;
  };
  const open = new Map<string, Place>();
  // Where one comment is not closed, none behind it is: so the end is looked for once.
  let isCommented = true;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\n' && isBlankAhead(text, index + 1)) open.clear();
    const comment = isCommented && text.startsWith('<!--', index) ? endOfComment(text, index) : 0;
    if (comment > 0) {
      mark([index, index + 4]);
      mark([comment - 3, comment]);
      index = comment - 1;
      continue;
    }
    isCommented &&= character !== '<' || !text.startsWith('<!--', index);
    if (!MARKS.includes(character) && !text.startsWith(STRIKE, index)) continue;
    let end = index;
    while (text.charAt(end) === character) end += 1;
    const run: Place = [index, end];
    const sort = character.repeat(end - index);
    const opened = open.get(sort);
    if (opened !== undefined && isClosing(text, run)) {
      mark(opened);
      mark(run);
      open.delete(sort);
    } else if (end - index <= RUN_MAX && isOpening(text, run)) open.set(sort, run);
    index = end - 1;
  }
  return isDressed ? dressing : null;
}

/** Stretches that are struck out, comments, and fenced code, by place. Linear. */
export function findUnsaid(text: string): readonly Place[] {
  if (!/~~|<!--|```/.test(text)) return [];
  const found: Place[] = [];
  let isCommented: boolean = true;
  for (let index = 0; index < text.length; index += 1) {
    const isComment: boolean = isCommented && text.startsWith('<!--', index);
    const end: number = isComment
      ? endOfComment(text, index)
      : text.startsWith(STRIKE, index)
        ? endOfStrike(text, index)
        : text.startsWith('```', index) && isLineStart(text, index)
          ? endOfFence(text, index)
          : 0;
    isCommented &&= !isComment || end > 0;
    if (end === 0) continue;
    found.push([index, end]);
    index = end - 1;
  }
  return found;
}

/** A comment that is never closed comments out nothing. */
function endOfComment(text: string, from: number): number {
  const close = text.indexOf('-->', from + 4);
  return close < 0 ? 0 : close + 3;
}

function endOfStrike(text: string, from: number): number {
  if (text.charAt(from + 2) === '~' || isGap(text, from + 2)) return 0;
  const close = text.indexOf(STRIKE, from + 2);
  return close < 0 || text.slice(from, close).includes('\n\n') ? 0 : close + 2;
}

/** To the end of the line that closes the fence, or of the text. */
function endOfFence(text: string, from: number): number {
  let line = text.indexOf('\n', from);
  while (line >= 0) {
    const next = text.indexOf('\n', line + 1);
    if (
      text
        .slice(line + 1, next < 0 ? text.length : next)
        .trim()
        .startsWith('```')
    )
      return next < 0 ? text.length : next;
    line = next;
  }
  return text.length;
}

function isLineStart(text: string, at: number): boolean {
  let index = at - 1;
  while (index >= 0 && text.charAt(index) === ' ') index -= 1;
  return index < 0 || text.charAt(index) === '\n';
}

function isBlankAhead(text: string, from: number): boolean {
  let index = from;
  while (
    index < text.length &&
    (text.charAt(index) === ' ' || text.charAt(index) === '\t' || text.charAt(index) === '\r')
  )
    index += 1;
  return index >= text.length || text.charAt(index) === '\n';
}

function isOpening(text: string, [start, end]: Place): boolean {
  return !isGap(text, end) && !isWord(text, start - 1);
}

/** `__init__.py` is a name: what goes on behind the mark without a space is no end. */
function isClosing(text: string, [start, end]: Place): boolean {
  return (
    !isGap(text, start - 1) && !isWord(text, end) && !(text.charAt(end) === '.' && isWord(text, end + 1))
  );
}

function isGap(text: string, at: number): boolean {
  return at < 0 || at >= text.length || ' \n\t\r\u00a0'.includes(text.charAt(at));
}

function isWord(text: string, at: number): boolean {
  return /[A-Za-z0-9_]/.test(text.charAt(at));
}
