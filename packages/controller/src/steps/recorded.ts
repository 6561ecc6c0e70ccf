/**
 * The text under which a tool records an input: a plan that names a target must name it in the same words.
 * Source: effector, `ToolCall.input`; dec-G21.
 *
 * @module
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';
import { canonicalText, textOf } from './canonical.js';

/** The recorded form of an input: the line of a pipeline, a path as such, otherwise canonical JSON. */
export function recordedInput(tool: string, input: Json): string {
  if (typeof input === 'string') return input;
  if (!isObject(input)) return canonicalText(input);
  const pipeline = field(input, 'pipeline');
  if (tool === 'shell' && isArray(pipeline))
    return pipeline
      .map((words) => (isArray(words) ? words.map((word) => quoted(textOf(word))).join(' ') : ''))
      .join(' | ');
  const path = field(input, 'path');
  const isPlain =
    PLAIN.has(tool) && typeof path === 'string' && Object.keys(input).length === 1 && !path.startsWith('{');
  return isPlain ? path : canonicalText(input);
}

/** Tools that record a lone path as such. */
const PLAIN: ReadonlySet<string> = new Set(['read_file', 'remove_file', 'make_dir']);
/** What has a meaning outside quotes. */
const SIGNS = /[\s'"\\|;&<>(){}$`!#~*?[\]]|[^!-~\u00A1-\uFFFF]/;

function quoted(word: string): string {
  return word !== '' && !SIGNS.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Operands of a command, behind the mark that ends its options where one of them could be taken for an
 * option.
 */
export function operands(...paths: readonly string[]): readonly string[] {
  const named = paths.map(operandOf);
  return named.some((path) => path.startsWith('-')) ? ['--', ...named] : named;
}

/**
 * A path that was found, as tools take it: `-` alone is the input of a command, and `~` at the beginning the
 * home folder.
 */
export function operandOf(path: string): string {
  return path === '-' || /^~(?:\/|$)/.test(path) ? `./${path}` : path;
}

/** A path as a search says it: without `./`. */
export function bare(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/**
 * A path in the form that tools record: without empty names and `.`, but for `./~`, since `~` at the
 * beginning is the home folder; null where it leaves the workspace or names nothing in it.
 */
export function insidePath(text: string): string | null {
  if (text === '' || text.startsWith('/') || text.includes('\0')) return null;
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.includes('..')) return null;
  if (names[0] !== '~') return names.join('/');
  return text.startsWith('~') ? null : `./${names.join('/')}`;
}
