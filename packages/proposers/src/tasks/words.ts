/** The words of a plan: lines of words and texts in quotes. Total and linear. */

/** A word of a line. */
export type Word = { readonly text: string; readonly isQuoted: boolean };
/** A line that says something. `line`: from 1, counted by line ends and semicolons; `says`: as it was written. */
export type Said = { readonly line: number; readonly says: string; readonly words: readonly Word[] };
/**
 * Why a text is no plan. `line`: from 1; `said`: what stands there; `fits`: why it is no line, and what fits
 * there.
 */
export type Fault = {
  readonly code: 'not_understood';
  readonly line: number;
  readonly said: string;
  readonly fits: string;
};

const TOKEN = /[^\S\n]+|#[^\n]*|"(?:[^"\\\n]|\\["\\nt])*"|->|[|;\n]|(?:(?!->)[^\s"|;])+|"/g;
/** A text in quotes but for what stands behind its backslashes. */
const LOOSE = /"(?:[^"\\\n]|\\[^\n])*"/y;
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
]);

/** Lines of a text, up to the first one that is no line. */
export function readWords(text: string): { readonly lines: readonly Said[]; readonly fault: Fault | null } {
  const lines: Said[] = [];
  let words: Word[] = [];
  let [line, begin, end] = [1, 0, 0];
  const refuse = (index: number, fits: string): ReturnType<typeof readWords> => {
    const said = cutLine(text.slice(words.length === 0 ? index : begin).split('\n', 1)[0] ?? '');
    return { lines, fault: { code: 'not_understood', line, said, fits } };
  };
  const close = (): void => {
    if (words.length > 0) lines.push({ line, says: cutLine(text.slice(begin, end)), words });
    [words, line] = [[], line + 1];
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n' || token === ';') close();
    else if (token === '"') {
      LOOSE.lastIndex = index;
      return refuse(
        index,
        LOOSE.test(text) ? 'behind a backslash stands n, t, " or another backslash' : 'a quote is not closed',
      );
    } else if (!token.isWellFormed()) return refuse(index, 'half a character stands here');
    else if (!token.startsWith('#') && token.trim() !== '') {
      if (words.length === 0) begin = index;
      end = index + token.length;
      words.push(readWord(token));
    }
  }
  close();
  return { lines, fault: null };
}

function readWord(token: string): Word {
  if (!token.startsWith('"')) return { text: token, isQuoted: false };
  const text = token.slice(1, -1).replace(/\\(.)/g, (_, sign: string) => ESCAPED.get(sign) ?? sign);
  return { text, isQuoted: true };
}

function cutLine(text: string): string {
  return `${text.slice(0, LINE_UNITS).toWellFormed()}${text.length <= LINE_UNITS ? '' : '…'}`;
}

const LINE_UNITS = 200;
