/**
 * Words of a command line, quoted for bash and zsh: what is pasted is what was meant, whatever is in it.
 *
 * @module
 */
import { utf8Bytes } from '@assay/kernel';
import type { NextMove } from '@assay/kernel/view';
import { forTerminal } from '@assay/views';
import type { Shown } from './shown.js';

const BARE = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/**
 * One word. Plain ones as they are; others in single quotes, where a shell expands nothing, a single quote
 * among them in double quotes; with a backslash, a character that no terminal shows, or both a quote and a
 * `!`, as `$'…'` with such bytes in hexadecimal.
 */
export function shellWord(text: string): string {
  if (BARE.test(text)) return text;
  const isPlain = forTerminal(text) === text && !text.includes('\\');
  if (isPlain && !text.includes("'")) return `'${text}'`;
  if (isPlain && !text.includes('!'))
    return text
      .split("'")
      .map((part) => (part === '' ? '' : `'${part}'`))
      .join(`"'"`);
  return `$'${[...text]
    .map((character) =>
      /['\\!]/.test(character) || forTerminal(character) !== character ? hexadecimal(character) : character,
    )
    .join('')}'`;
}

/**
 * A command line of such words. It holds no character that needs an escape, and a second one would change
 * what it says.
 */
export function commandLine(words: readonly string[]): Shown {
  return { parts: [{ text: words.map(shellWord).join(' '), style: null }] };
}

/** What to type next, as words. `ledger`: the file behind `{ledger}`. */
export function moveWords({ command, args }: NextMove, ledger: string): readonly string[] {
  // A name that begins with a hyphen would pass for an option.
  const file = ledger.startsWith('-') && ledger !== '-' ? `./${ledger}` : ledger;
  return ['assay', command, ...args.map((arg) => (arg === '{ledger}' ? file : arg))];
}

function hexadecimal(character: string): string {
  return [...utf8Bytes(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
