/**
 * What a call does: acts, only looks, or searches. A command that only looks is no act. Source: 003 §R3
 * "Skills", §R4a.
 *
 * @module
 */
import { absurd, field, isObject, type Json } from '@assay/kernel';
import type { Tool, ToolClass, ToolInput } from './tools.js';

/**
 * Commands that only look, so that none of them after a failed action shows that it happened; how options
 * begin that make one of them act, a single letter also among others (`-uo`); the most operands that one of
 * them may be given, where one more is written to.
 */
const LOOKING: Readonly<{
  checks: readonly string[];
  acting: Readonly<Record<string, readonly string[]>>;
  operands: Readonly<Record<string, number>>;
}> = Object.freeze({
  checks: Object.freeze([
    'ls',
    'find',
    'stat',
    'cat',
    'head',
    'tail',
    'wc',
    'du',
    'test',
    'file',
    'grep',
    'cut',
    'sort',
    'uniq',
    'tr',
    'sha256sum',
  ]),
  // Long options can be shortened: `--o` is `--output`, `--co` the `--compress-program` of sort, which runs
  // one, and the `--compile` of file.
  acting: Object.freeze({
    find: Object.freeze(['-delete', '-exec', '-ok', '-fprint', '-fls']),
    sort: Object.freeze(['-o', '--o', '--co']),
    file: Object.freeze(['-C', '--co']),
  }),
  operands: Object.freeze({ uniq: 1 }),
});

/** What one call does. */
export type CallKind = 'act' | 'look' | 'search';

/** The kind of a call. A tool that the run does not know acts. */
export function callKind({ tool, input }: ToolInput, tools: readonly Tool[]): CallKind {
  const known: ToolClass = tools.find(({ name }) => name === tool)?.class ?? 'write';
  switch (known) {
    case 'search':
      return 'search';
    case 'read':
      return 'look';
    case 'write':
    case 'app':
      return 'act';
    case 'shell':
      return onlyLooks(lineIn(input)) ? 'look' : 'act';
    default:
      return absurd(known);
  }
}

/** The line of a shell: the input, or its member `command`. Nothing else only looks. */
function lineIn(input: Json): string {
  const line = isObject(input) && Object.keys(input).length === 1 ? field(input, 'command') : input;
  return typeof line === 'string' ? line : ';';
}

/**
 * True for a line of which every command, parted by pipes, only looks. A redirection, a substitution, an
 * expansion of braces or a list of commands outside quotes cannot be told, and acts; so does a pattern of
 * file names where one of them could be written to, or be an option that acts. What stands in quotes is read
 * as the words that the command is given.
 */
function onlyLooks(line: string): boolean {
  const bare = line.replace(
    /'([^']*)'|"((?:[^"$`\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, one?: string) =>
      (single ?? double ?? one ?? '').replace(/[\s|;&<>`$(){}\\*?[]/g, 'x'),
  );
  if (/[;&<>`$(){}\n]/.test(bare)) return false;
  return bare.split('|').every((command) => {
    const [name = '', ...words] = command.trim().split(/\s+/);
    return (
      LOOKING.checks.includes(name) &&
      !words.some((word) => isActing(name, word)) &&
      listOperands(words) <= (LOOKING.operands[name] ?? Infinity)
    );
  });
}

function isActing(name: string, word: string): boolean {
  // A pattern of file names may stand for one that is such an option; after `./`, or after any letter, it
  // stands for none.
  return (LOOKING.acting[name] ?? []).some(
    (option) =>
      word.startsWith(option) ||
      (option.length === 2 && /^-[^-]/.test(word) && word.includes(option.slice(1))) ||
      /^(?:-.*)?[*?[]/.test(word),
  );
}

/**
 * At least as many operands as there are: the value of an option counts as one, a pattern of file names as
 * any number.
 */
function listOperands(words: readonly string[]): number {
  if (words.some((word) => /[*?[]/.test(word))) return Infinity;
  return words.filter(
    (word, index) => word === '-' || !word.startsWith('-') || words.slice(0, index).includes('--'),
  ).length;
}
