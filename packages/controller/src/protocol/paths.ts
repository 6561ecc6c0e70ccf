/**
 * Paths of a workspace as text: the same file, said in one way. Nothing of a file system is known here. Source: dec-G21.
 *
 * @module
 */

/** True for a text that can be a path and nothing else: no words, no quotes, no object, no pipe. */
export function isLonePath(text: string): boolean {
  return /^[^\s{}'"|]+$/.test(text);
}

/** A path without `./` at its beginning and within, doubled slashes and a trailing one. */
export function collapsed(path: string): string {
  const plain = path.replace(/\/{2,}/g, '/').replace(/(?:^|\/)(?:\.\/)+/g, (found) => (found.startsWith('/') ? '/' : ''));
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}
