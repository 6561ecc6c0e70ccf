/**
 * Paths of a workspace as text: the same file, said in one way. Nothing of a file system is known here.
 * Source: dec-G21.
 *
 * @module
 */

/** True for a text that can be a path and nothing else: no words, no quotes, no object, no pipe. */
export function isLonePath(text: string): boolean {
  return /^[^\s{}'"|]+$/.test(text);
}

/** A path without its empty and `.` names: `./a//b/.` is `a/b`. The folder itself is `.`. */
export function collapsed(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const plain = `${path.startsWith('/') ? '/' : ''}${names.join('/')}`;
  return plain === '' && path !== '' ? '.' : plain;
}
