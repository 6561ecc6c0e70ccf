/**
 * Which goals are alike: by their words, among those with constraints of the same kinds. Source: 000 §2.C;
 * dec-K84.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import type { GoalKind } from '../protocol/library-rows.js';
import { signatureKey, type LibraryState, type Pattern } from './state.js';

const MILLION = 1_000_000;
/** Goals less alike than this are different, ppm. */
const ALIKE = 500_000;
/** So many alike ones are looked at. */
const ALIKE_MAX = 10;

/** A text as goals are named by: ASCII lower case, runs of white space as one space, none at the ends. */
export function normalized(text: string): string {
  return text
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) // ascii
    .replaceAll(/[ \t\r\n]+/g, ' ')
    .trim();
}

/** The words of a text, sorted, none twice: runs of ASCII letters and digits, and of anything beyond ASCII. */
export function wordsOf(text: string): readonly string[] {
  const words = normalized(text).match(/[a-z0-9\u0080-\uffff]+/g) ?? [];
  return [...new Set(words)].toSorted(compareText);
}

/** Shared words among all words, ppm, rounded down; two texts without words are the same. */
export function likeness(a: readonly string[], b: readonly string[]): number {
  const known = new Set(a);
  const shared = b.filter((word) => known.has(word)).length;
  const all = a.length + b.length - shared;
  return all === 0 ? MILLION : Math.floor((shared * MILLION) / all);
}

/** The patterns that are like a goal, the most alike first, then by id. */
export function alikeTo(
  { patterns, bySignature }: LibraryState,
  goal: GoalKind,
): readonly { readonly id: string; readonly pattern: Pattern; readonly ppm: number }[] {
  const words = wordsOf(goal.summary);
  return (bySignature.get(signatureKey(goal)) ?? [])
    .flatMap((id) => {
      const pattern = patterns.get(id);
      const ppm = pattern === undefined ? 0 : likeness(words, pattern.words);
      return pattern === undefined || ppm < ALIKE ? [] : [{ id, pattern, ppm }];
    })
    .toSorted((a, b) => b.ppm - a.ppm || compareText(a.id, b.id))
    .slice(0, ALIKE_MAX);
}
