/**
 * Lines that fit a screen.
 *
 * @module
 */
import { plain, type Part, type Shown } from './shown.js';

/** Columns of the demo's screen. */
export const COLUMNS = 100;

/** A line cut to a number of code points, the cut marked by an ellipsis. */
export function fitted(shown: Shown, columns: number = COLUMNS): Shown {
  if ([...plain(shown)].length <= columns) return shown;
  return { parts: [...firstOf(shown, columns - 1).parts, { text: '…', style: null }] };
}

/**
 * A line that is too long goes on, indented, in the next ones: at most `lines`, the last cut. What goes on
 * has no style.
 */
export function folded(
  shown: Shown,
  indent: number,
  lines: number = 2,
  columns: number = COLUMNS,
): readonly Shown[] {
  const points = [...plain(shown)];
  if (points.length <= columns) return [shown];
  const at = points.slice(0, columns).lastIndexOf(' ');
  if (lines <= 1 || at <= indent) return [fitted(shown, columns)];
  const rest: Shown = { parts: [{ text: ' '.repeat(indent) + points.slice(at + 1).join(''), style: null }] };
  return [firstOf(shown, at), ...folded(rest, indent, lines - 1, columns)];
}

/** Words in lines of at most some columns; a word that is longer has a line of its own. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The first code points of a line. */
function firstOf(shown: Shown, count: number): Shown {
  let room = count;
  const parts = shown.parts.map(({ text, style }): Part => {
    const points = [...text].slice(0, room);
    room -= points.length;
    return { text: points.join(''), style };
  });
  return { parts };
}
