/**
 * Splits a command line into words and pipes, and nothing else: whatever a shell would do beyond that is
 * refused, so no text can mean more here than it says.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import { denied, type Refusal } from '../refusal.js';

/** One word. `glob`: where it holds `*`, `?` or `[` outside quotes, the pattern it is as a path. */
export type Word = { readonly text: string; readonly glob: string | null };

/** Longest command line in code units. */
const LINE_UNITS = 65_536;
/** What stands for more than itself in some shell, outside quotes. */
const REFUSED: ReadonlySet<string> = new Set([
  ';',
  '&',
  '<',
  '>',
  '(',
  ')',
  '{',
  '}',
  '$',
  '`',
  '!',
  '\n',
  '\r',
  '\0',
]);
const REFUSED_IN_DOUBLE: ReadonlySet<string> = new Set(['$', '`', '\0']);

/**
 * The words of each command of a pipeline. Single quotes keep all, double quotes all but `$`, backtick and
 * backslash before one of `" \ $` and backtick; a backslash keeps the next character. Code `shell_syntax`:
 * any other sign of a shell (`; & < > ( ) { } $ !` and backtick, a line end, a comment, `~`), an open quote.
 */
export function splitLine(line: string): Result<Refusal, readonly (readonly Word[])[]> {
  if (line.length > LINE_UNITS)
    return err(denied('shell_syntax', `a line has at most ${LINE_UNITS} characters`));
  if (!line.isWellFormed()) return err(denied('shell_syntax', 'a lone surrogate'));
  const commands: Word[][] = [[]];
  let at = 0;
  while (at < line.length) {
    const character = line.charAt(at);
    if (character === ' ' || character === '\t') at += 1;
    else if (character === '|') {
      if (line.charAt(at + 1) === '|' || line.charAt(at + 1) === '&')
        return err(denied('shell_syntax', 'a pipe is a single |'));
      commands.push([]);
      at += 1;
    } else {
      if (character === '#') return err(denied('shell_syntax', 'a comment'));
      if (character === '~') return err(denied('shell_syntax', 'a home folder'));
      const read = readWord(line, at);
      if (read._tag === 'Left') return read;
      commands.at(-1)?.push(read.right.word);
      at = read.right.end;
    }
  }
  return ok(commands);
}

/** A word that is being read: what it says, and what it says as a pattern. */
type Draft = { text: string; glob: string; isGlob: boolean };
type Part = Result<Refusal, number>;

function readWord(
  line: string,
  start: number,
): Result<Refusal, { readonly word: Word; readonly end: number }> {
  const draft: Draft = { text: '', glob: '', isGlob: false };
  let at = start;
  while (at < line.length && !' \t|'.includes(line.charAt(at))) {
    const part = readPart(line, at, draft);
    if (part._tag === 'Left') return part;
    at = part.right;
  }
  return ok({ word: { text: draft.text, glob: draft.isGlob ? draft.glob : null }, end: at });
}

/** Reads one quoted or plain part and gives the place after it. */
function readPart(line: string, at: number, draft: Draft): Part {
  const character = line.charAt(at);
  if (character === "'") return readSingle(line, at, draft);
  if (character === '"') return readDouble(line, at, draft);
  if (character === '\\') {
    const next = line.charAt(at + 1);
    if (next === '' || next === '\n' || next === '\0')
      return err(denied('shell_syntax', 'a backslash before nothing'));
    keep(draft, next);
    return ok(at + 2);
  }
  if (REFUSED.has(character))
    return err(denied('shell_syntax', `the sign ${JSON.stringify(character)} outside quotes`));
  draft.text += character;
  draft.glob += character;
  draft.isGlob ||= '*?['.includes(character);
  return ok(at + 1);
}

function readSingle(line: string, at: number, draft: Draft): Part {
  const end = line.indexOf("'", at + 1);
  const inside = line.slice(at + 1, end);
  if (end < 0 || inside.includes('\0')) return err(denied('shell_syntax', 'an open quote, or a NUL'));
  keep(draft, inside);
  return ok(end + 1);
}

function readDouble(line: string, open: number, draft: Draft): Part {
  for (let at = open + 1; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '"') return ok(at + 1);
    if (REFUSED_IN_DOUBLE.has(character))
      return err(denied('shell_syntax', `the sign ${JSON.stringify(character)} in double quotes`));
    const next = line.charAt(at + 1);
    if (character === '\\' && next !== '' && '"\\$`'.includes(next)) {
      keep(draft, next);
      at += 1;
    } else keep(draft, character);
  }
  return err(denied('shell_syntax', 'an open quote'));
}

/** Quoted characters stand for themselves in a pattern too. */
function keep(draft: Draft, text: string): void {
  draft.text += text;
  draft.glob += text.replace(/[*?[]/g, '[$&]');
}

/** What has a meaning outside quotes, for us or for some shell. */
const SIGNS = /[\s'"\\|;&<>(){}$`!#~*?[\]\u0080-\u00A0]|\p{Cc}/u;
const PATTERN_SIGNS: ReadonlySet<string> = new Set(['*', '?', '[', ']']);

/** The line of a pipeline. */
export function renderLine(commands: readonly (readonly Word[])[]): string {
  return commands.map((words) => words.map(renderWord).join(' ')).join(' | ');
}

function renderWord({ text, glob }: Word): string {
  if (glob !== null)
    return Array.from(glob, (character) =>
      PATTERN_SIGNS.has(character) ? character : quoted(character),
    ).join('');
  return quoted(text);
}

function quoted(text: string): string {
  return text !== '' && !SIGNS.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
