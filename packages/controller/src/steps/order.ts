/**
 * The order of paths in answers.
 *
 * @module
 */

/** The order of texts by code points, which is that of their bytes in UTF-8. */
export function byCodePoints(left: string, right: string): number {
  for (let at = 0; at < left.length && at < right.length; ) {
    const [a, b] = [left.codePointAt(at) ?? 0, right.codePointAt(at) ?? 0];
    if (a !== b) return a - b;
    at += a > 0xffff ? 2 : 1;
  }
  return left.length - right.length;
}
