/**
 * The marks between groups of digits. Source: intent I4.
 *
 * @module
 */

/**
 * True for what parts groups of digits besides commas and points: a space, also one that does not break, or
 * an apostrophe.
 */
export function isGroupMark(code: number): boolean {
  return (
    code === 0x20 || code === 0xa0 || code === 0x2009 || code === 0x202f || code === 0x27 || code === 0x2019
  );
}
