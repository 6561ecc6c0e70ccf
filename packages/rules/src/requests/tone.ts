/**
 * The tone of a paragraph: whether it demands or tells, by the verbs of all its sentences.
 *
 * @module
 */
import type { Scan } from '@assay/kernel/intent';
import { findFinite, isOrderAt } from './predicates.js';
import type { Sentence } from './sentences.js';
import { spansWithin } from './spans.js';
import { isParticiple, lemmaOf } from './verbs.js';
import { findPhrase, isIn, wordAt } from './words.js';

/**
 * `rule`: most of what stands there demands. `story`: the plain present of a paragraph that tells is told as
 * well.
 */
export type Tone = 'rule' | 'story' | 'plain';

/**
 * The tone around each sentence, in order: that of its paragraph; between a sentence that tells and the next
 * demand of the paragraph, the story goes on. Linear.
 */
export function tonesOf(scan: Scan, sentences: readonly Sentence[]): readonly Tone[] {
  const counts: { demands: number; tells: number }[] = [];
  let [isStory, paragraph] = [false, -1];
  const open = sentences.map((sentence) => {
    const count = (counts[sentence.paragraph] ??= { demands: 0, tells: 0 });
    if (sentence.paragraph !== paragraph) [isStory, paragraph] = [false, sentence.paragraph];
    const isDemand = isDemanding(scan, sentence);
    const isTold = !isDemand && isTelling(scan, sentence);
    if (isDemand) count.demands += 1;
    if (isTold) count.tells += 1;
    isStory = isDemand ? false : isStory || isTold;
    return isStory;
  });
  return sentences.map((sentence, index) =>
    open[index] === true ? 'story' : toneOf(counts[sentence.paragraph]),
  );
}

function toneOf(count: { readonly demands: number; readonly tells: number } | undefined): Tone {
  if (count === undefined) return 'plain';
  if (count.tells > 0 && count.tells >= count.demands) return 'story';
  return count.demands > count.tells ? 'rule' : 'plain';
}

/** `Weight: 9.5 kg`: a line of a sheet of values. */
function isSheet(scan: Scan, { first, next, label }: Sentence): boolean {
  return (
    label !== null &&
    label.next - label.first <= 3 &&
    next - first <= VALUE_TOKENS_MAX &&
    findFinite(scan, first, next) === null &&
    spansWithin(scan.quantities, { first, next }).length > 0
  );
}

const VALUE_TOKENS_MAX = 10;

function isDemanding(scan: Scan, { first, next, mood, ...rest }: Sentence): boolean {
  const { tokens } = scan;
  if (isSheet(scan, { first, next, mood, ...rest })) return true;
  if (mood !== null || isOrderAt(scan, first, next) || wordAt(tokens, first) === 'please') return true;
  const finite = findFinite(scan, first, next);
  if (
    finite !== null &&
    ['cannot', "can't", "mustn't", "needn't", 'may'].includes(wordAt(tokens, finite.at)) &&
    !isIn('firstPerson', wordAt(tokens, first))
  )
    return true;
  return (['must', 'should', 'forbidden'] as const).some(
    (list) => findPhrase(list, tokens, first, next) !== null,
  );
}

/** What a writer does by saying it, or binds itself to. */
const PERFORMED: ReadonlySet<string> = new Set([
  'invite',
  'ask',
  'request',
  'require',
  'pay',
  'offer',
  'accept',
  'order',
  'suggest',
  'propose',
  'recommend',
  'reserve',
  'undertake',
  'agree',
  'send',
  'grant',
]);

function isTelling(scan: Scan, { first, next, isQuestion }: Sentence): boolean {
  const { tokens } = scan;
  if (isQuestion) return false;
  const finite = findFinite(scan, first, next);
  if (finite === null) return false;
  const isWriter =
    isIn('firstPerson', wordAt(tokens, first)) &&
    finite.kind !== 'modal' &&
    !PERFORMED.has(wordAt(tokens, finite.at));
  const isPerfect =
    finite.kind === 'have' &&
    wordAt(tokens, first) !== 'not' &&
    isParticiple(wordAt(tokens, finite.at + 1)) &&
    wordAt(tokens, finite.at + 1) !== 'due';
  return (
    finite.kind === 'past' ||
    isPerfect ||
    isWriter ||
    isIn('trouble', lemmaOf(wordAt(tokens, finite.at))) ||
    findPhrase('background', tokens, first, next) !== null
  );
}
