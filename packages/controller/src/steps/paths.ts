/**
 * Paths of the workspace, as tools take and say them.
 *
 * @module
 */

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
 * A path in one form: without empty names and `.`, but for `./~`, since `~` at the
 * beginning is the home folder; null where it leaves the workspace or names nothing in it.
 */
export function insidePath(text: string): string | null {
  if (text === '' || text.startsWith('/') || text.includes('\0')) return null;
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.includes('..')) return null;
  if (names[0] !== '~') return names.join('/');
  return text.startsWith('~') ? null : `./${names.join('/')}`;
}
