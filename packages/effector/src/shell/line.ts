/**
 * Writes commands as the line that says them: {@link splitLine} reads it back to the same words.
 *
 * @module
 */
import type { Word } from './words.js';

/** What has a meaning outside quotes, for us or for some shell. */
const SIGNS = /[\s'"\\|;&<>(){}$`!#~*?[\]\u0080-\u00A0]|\p{Cc}/u;
const PATTERN_SIGNS: ReadonlySet<string> = new Set(['*', '?', '[', ']']);

/** The line of a pipeline. */
export function lineOf(commands: readonly (readonly Word[])[]): string {
  return commands.map((words) => words.map(wordOf).join(' ')).join(' | ');
}

function wordOf({ text, glob }: Word): string {
  if (glob !== null)
    return Array.from(glob, (character) =>
      PATTERN_SIGNS.has(character) ? character : quoted(character),
    ).join('');
  return quoted(text);
}

function quoted(text: string): string {
  return text !== '' && !SIGNS.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
