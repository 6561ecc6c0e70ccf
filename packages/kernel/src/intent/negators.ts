/**
 * Words that negate. Source: intent I4, I8.
 *
 * @module
 */
import type { Token } from './tokens.js';

const NEGATORS: ReadonlySet<string> = new Set(
  'not no never without cannot nobody none neither nor'.split(' '),
);

/** True for a word that negates what follows it. */
export function isNegator({ kind, lower }: Token): boolean {
  return kind === 'word' && (NEGATORS.has(lower) || lower.endsWith("n't") || lower.endsWith('n’t'));
}
