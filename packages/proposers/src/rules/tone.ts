/**
 * The tone of a paragraph: whether it demands or tells, by the verbs of all its sentences.
 *
 * @module
 */
import type { Scan } from '@assay/kernel/intent';
import { findFinite, isOrderAt } from './predicates.js';
import type { Sentence } from './sentences.js';
import { lemmaOf } from './verbs.js';
import { findPhrase, isIn, wordAt } from './words.js';

/** `rule`: most of what stands there demands. `story`: the plain present of a paragraph that tells is told as well. */
export type Tone = 'rule' | 'story' | 'plain';

/** The tone of each paragraph, by its number. Linear. */
export function tonesOf(scan: Scan, sentences: readonly Sentence[]): readonly Tone[] {
  const counts: { demands: number; tells: number }[] = [];
  for (const sentence of sentences) {
    const count = (counts[sentence.paragraph] ??= { demands: 0, tells: 0 });
    if (isDemanding(scan, sentence)) count.demands += 1;
    else if (isTelling(scan, sentence)) count.tells += 1;
  }
  return Array.from(counts, (count) => {
    if (count === undefined) return 'plain';
    if (count.tells > 0 && count.tells >= count.demands) return 'story';
    return count.demands > count.tells ? 'rule' : 'plain';
  });
}

function isDemanding(scan: Scan, { first, next, mood }: Sentence): boolean {
  const { tokens } = scan;
  if (mood !== null || isOrderAt(scan, first, next) || wordAt(tokens, first) === 'please') return true;
  return (['must', 'should', 'forbidden'] as const).some((list) => findPhrase(list, tokens, first, next) !== null);
}

function isTelling(scan: Scan, { first, next, isQuestion }: Sentence): boolean {
  const { tokens } = scan;
  if (isQuestion) return false;
  const finite = findFinite(scan, first, next);
  if (finite === null) return false;
  const isWriter = isIn('firstPerson', wordAt(tokens, first)) && finite.kind !== 'modal';
  return finite.kind === 'past' || isWriter || isIn('trouble', lemmaOf(wordAt(tokens, finite.at))) || findPhrase('background', tokens, first, next) !== null;
}
