/**
 * The plain present: whether it states a rule (`Vouchers count as payment`) or only tells what is.
 *
 * Signs for and against are counted; what they weigh is written here and nowhere else.
 *
 * @module
 */
import { findMeasure, type Scan, type Token } from '@assay/kernel/intent';
import type { Clause } from './clauses.js';
import { isPlural } from './predicates.js';
import type { Sentence } from './sentences.js';
import { spansWithin } from './spans.js';
import type { Tone } from './tone.js';
import { isBase, isParticiple, isPlainBase, lemmaOf } from './verbs.js';
import { findPhrase, isIn, wordAt } from './words.js';

/**
 * What stands around a clause. `isFollowing`: the clause before it is a demand. `isRuled`: the text states
 * rules elsewhere. `isStory`: the sentence tells what the writer does.
 */
export type Setting = {
  readonly sentence: Sentence;
  readonly isFollowing: boolean;
  readonly isRuled: boolean;
  readonly isNegated: boolean;
  readonly isStory: boolean;
  readonly tone: Tone;
};

/** The past, thanks, and what first persons do: told, whatever else stands there. */
export function isTold({ tokens }: Scan, { core: { first, next }, finite }: Clause): boolean {
  const since =
    wordAt(tokens, next) === 'since' &&
    (['the', 'last', 'yesterday', 'then', 'this'].includes(wordAt(tokens, next + 1)) ||
      tokens[next + 1]?.kind === 'number' ||
      wordAt(tokens, next + 1).endsWith('day'));
  // `In 2024, nine candidates appealed`: dated, and nothing in the present.
  const isDated =
    finite === null &&
    (wordAt(tokens, first) === 'in' ||
      (wordAt(tokens, first - 1) === ',' && wordAt(tokens, first - 3) === 'in')) &&
    tokens
      .slice(Math.max(0, first - 2), first + 2)
      .some(
        ({ kind, lower }) =>
          kind === 'number' && lower.length === 4 && (lower.startsWith('19') || lower.startsWith('20')),
      );
  return (
    since ||
    isDated ||
    finite?.kind === 'past' ||
    findPhrase('background', tokens, first, mainEnd(tokens, first, next)) !== null ||
    isPerfect(tokens, finite)
  );
}

/**
 * Where the main line of an order ends: what a relative clause tells of its object
 * (`accounts that have been idle`) is no story.
 */
function mainEnd(tokens: readonly Token[], first: number, next: number): number {
  const relative = isBase(wordAt(tokens, first)) ? findPhrase('relative', tokens, first + 1, next) : null;
  return relative?.at ?? next;
}

/** True where a clause in the plain present states a rule. */
export function isPresentRule(scan: Scan, clause: Clause, setting: Setting): boolean {
  const { tokens } = scan;
  const { finite, core } = clause;
  if (finite === null || finite.kind === 'modal' || setting.isStory || isTold(scan, clause)) return false;
  if (finite.at - 1 > core.first && isWriter(tokens, finite.at - 1) && !setting.isNegated) return false;
  // `Our limit is 35 EUR`.
  if (
    wordAt(tokens, core.first) === 'our' &&
    finite.kind === 'be' &&
    LIMIT_NOUNS.has(wordAt(tokens, finite.at - 1)) &&
    !setting.isNegated
  )
    return spansWithin(scan.quantities, core).length + spansWithin(scan.moments, core).length > 0;
  // `If the error rate goes over 0.5 % we roll back`.
  const { condition } = clause;
  if (
    wordAt(tokens, core.first) === 'we' &&
    !setting.isNegated &&
    clause.leads &&
    condition !== null &&
    wordAt(tokens, condition.first) === 'if' &&
    setting.tone !== 'story' &&
    !tokens
      .slice(condition.first, condition.next)
      .some((_, index) => isWriter(tokens, condition.first + index))
  )
    return true;
  if (isWriter(tokens, core.first) || (isWriter(tokens, core.first + 1) && !setting.isNegated))
    return (
      isOurRule(scan, clause) ||
      (setting.isNegated &&
        ['neither', 'never'].some((word) =>
          tokens.slice(core.first, core.next).some(({ lower }) => lower === word),
        ))
    );
  return (
    signsFor(scan, clause, setting) -
      signsAgainst(scan, clause, setting.isNegated) -
      (setting.tone === 'story' ? 3 : 0) >=
    1
  );
}

const LIMIT_NOUNS: ReadonlySet<string> = new Set([
  'limit',
  'budget',
  'maximum',
  'minimum',
  'deadline',
  'target',
  'ceiling',
  'cap',
]);

/** `We only take cards`: what a first person does is a rule where nothing else is done. */
function isOurRule({ tokens, quantities, moments }: Scan, { core, finite }: Clause): boolean {
  const verb = finite === null ? '' : wordAt(tokens, finite.at);
  const isLimited =
    hasWord(tokens, core.first, core.next, 'only') || hasWord(tokens, core.first, core.next, 'never');
  // `We leave at 7:45 sharp`: a plan binds.
  const isTimed = spansWithin(moments, core).length > 0 || hasWord(tokens, core.first, core.next, 'sharp');
  if (wordAt(tokens, core.first) === 'we' && isTimed && PLANNED.has(verb)) return true;
  // `We pay within 21 days`, `We send no more than two mails per week`.
  if (
    wordAt(tokens, core.first) === 'we' &&
    GRANTED.has(verb) &&
    spansWithin(quantities, core).some(({ op }) => op === '<=' || op === '<')
  )
    return true;
  return (
    wordAt(tokens, core.first) === 'we' &&
    isLimited &&
    [
      'accept',
      'take',
      'ship',
      'deliver',
      'sell',
      'serve',
      'allow',
      'offer',
      'support',
      'open',
      'pay',
      'publish',
    ].includes(verb)
  );
}

const GRANTED: ReadonlySet<string> = new Set([
  'pay',
  'send',
  'answer',
  'reply',
  'respond',
  'ship',
  'deliver',
  'refund',
  'reimburse',
  'charge',
  'keep',
  'store',
  'delete',
  'offer',
  'accept',
  'allow',
  'grant',
  'give',
  'serve',
  'cover',
  'process',
  'dispatch',
  'publish',
]);
const PLANNED: ReadonlySet<string> = new Set([
  'open',
  'close',
  'leave',
  'meet',
  'start',
  'begin',
  'depart',
  'arrive',
  'return',
  'finish',
  'gather',
  'stop',
  'play',
  'serve',
  'ship',
  'release',
  'deploy',
  'set',
  'go',
]);

function signsFor(
  scan: Scan,
  clause: Clause,
  { sentence, isFollowing, isRuled, isNegated, tone }: Setting,
): number {
  const { tokens } = scan;
  const { core, finite, condition, exception } = clause;
  const at = finite?.at ?? core.first;
  const quantities = spansWithin(scan.quantities, core);
  const opening = wordAt(tokens, core.first);
  const noun = wordAt(tokens, at - 1);
  let signs = 0;
  if (condition !== null) signs += 2;
  if (exception !== null) signs += 2;
  if (quantities.some(({ op }) => op !== '=')) signs += 2;
  else if (quantities.some(({ first }) => first > at)) signs += 1;
  if (spansWithin(scan.moments, core).length > 0) signs += 1;
  if (findPhrase('ruling', tokens, core.first, core.next) !== null) signs += 2;
  if (isPassive(tokens, at)) signs += 1;
  if (isNegated) signs += 1;
  if (['nobody', 'nothing', 'none', 'no'].includes(opening)) signs += 2;
  if (isRuled || sentence.isRuled || tone === 'rule') signs += 1;
  if (isRuled && tone === 'rule') signs += 1;
  if (sentence.isItem || sentence.mood !== null) signs += 1;
  if (isFollowing) signs += 1;
  // No article: things of this sort in general. `a`: any of them.
  if (finite?.kind === 'be' && quantities.some(({ first }) => first > at && first <= at + 2)) signs += 1;
  if (
    opening === 'a' ||
    opening === 'an' ||
    (isPlural(noun) && !isIn('determiner', opening) && tokens[core.first]?.kind === 'word')
  )
    signs += 1;
  if (isIn('regulated', lemmaOf(wordAt(tokens, at)))) signs += 1;
  if (
    findPhrase('actor', tokens, core.first, at) !== null &&
    (finite?.kind === 'third' || finite?.kind === 'base')
  )
    signs += 1;
  return signs;
}

function signsAgainst(scan: Scan, clause: Clause, isNegated: boolean): number {
  const { tokens } = scan;
  const { core, finite } = clause;
  const at = finite?.at ?? core.first;
  const opening = wordAt(tokens, core.first);
  const verb = lemmaOf(wordAt(tokens, at));
  let signs = 0;
  if (
    isIn('trouble', verb) ||
    (isIn('trouble', lemmaOf(wordAt(tokens, at + 1))) && wordAt(tokens, at + 1) !== 'dropped')
  )
    signs += 4;
  if (isIn('state', wordAt(tokens, at))) signs += 2;
  // `The present service`, `our old pump`: what is there now.
  if (isIn('determiner', opening) && NOW.has(wordAt(tokens, core.first + 1))) signs += 4;
  if (finite?.kind === 'be' && !isPassive(tokens, at))
    signs += isVerdict(tokens, at, core.next) ? 4 : isBareAdjective(tokens, at, core.next) ? 2 : 1;
  // `is 21 years old`, `is 3 km away`: measured, not asked.
  if (
    finite?.kind === 'be' &&
    ['old', 'away', 'deep'].includes(wordAt(tokens, core.next - 1)) &&
    spansWithin(scan.quantities, core).every(({ op }) => op === '=')
  )
    signs += 2;
  if (
    finite?.kind === 'have' &&
    !spansWithin(scan.quantities, core).some(
      ({ first, op, at: number }) => first > at && (op !== '=' || first < number || isMeasure(scan, number)),
    )
  )
    signs += 1;
  // `The school has 48 rooms`: what a place has is counted, not asked.
  if (
    finite?.kind === 'have' &&
    opening === 'the' &&
    !isPlural(wordAt(tokens, at - 1)) &&
    spansWithin(scan.quantities, core).some(
      ({ first, op, unit }) =>
        first === at + 1 && op === '=' && findMeasure(unit).dimension.startsWith('unit:'),
    )
  )
    signs += 2;
  // `empties itself when I switch tabs`: what the writer saw.
  if (clause.condition !== null && hasWord(tokens, clause.condition.first, clause.condition.next, 'i'))
    return signs + 4;
  // `loads in 9 seconds, which is far too long`.
  for (let index = at + 1; index + 1 < core.next; index += 1)
    if (wordAt(tokens, index) === 'too' && tokens[index + 1]?.kind === 'word') return signs + 4;
  if (
    [
      'currently',
      'now',
      'already',
      'still',
      'today',
      'sometimes',
      'often',
      'usually',
      'apparently',
      'obviously',
      'unfortunately',
      'mostly',
      'maybe',
      'perhaps',
      'slowly',
      'badly',
      'poorly',
      'randomly',
      'constantly',
      'barely',
      'hardly',
    ].some((word) => hasWord(tokens, core.first, core.next, word))
  )
    signs += 3;
  if (['our', 'my', 'we', 'your'].includes(opening)) signs += 2;
  if (isNegated && verb === 'work') signs += 3;
  if (finite?.kind === 'be' && wordAt(tokens, at + 1) === 'being') signs += 3;
  if (["there's", "here's", "that's"].includes(opening)) signs += 3;
  if (['it', 'this', 'that', 'these', 'those', 'there', 'which', 'he', 'she'].includes(opening))
    signs += opening === 'there' ? 3 : 1;
  if (tokens[core.first]?.kind === 'number' || isCount(scan, core.first, at)) signs += 3;
  if (wordAt(tokens, at + 1).endsWith('ing') && finite?.kind === 'be') signs += 3;
  if (wordAt(tokens, at + 1) === '"' || wordAt(tokens, at + 1) === '“') signs += 2;
  // A bare singular noun is the name of a thing (`Search finds …`, `Shop texts …`).
  if (at === core.first + 1 && finite?.kind === 'third' && !isPlainBase(verb)) signs += 2;
  // `the lock doesn't catch`: what a thing does not do is a fault; what people do not do is a rule.
  if (
    finite?.kind === 'do' &&
    (opening === 'the' || opening === 'this') &&
    findPhrase('actor', tokens, core.first, at) === null
  )
    signs += 2;
  if (opening.endsWith("'s") && tokens[core.first]?.kind === 'word') signs += 1;
  if (['about', 'around', 'roughly', 'most', 'many'].includes(opening)) signs += 2;
  if (
    opening === 'anything' ||
    opening === 'something' ||
    (opening === 'everything' && finite?.kind === 'be')
  )
    signs += 1;
  return signs;
}

const NOW: ReadonlySet<string> = new Set([
  'present',
  'current',
  'existing',
  'old',
  'previous',
  'former',
  'last',
  'latest',
]);

/** `Nine of the schools`, `About 30 % of our patients`, `Two pupils`: a count of what there is. */
function isCount({ quantities }: Scan, first: number, at: number): boolean {
  return spansWithin(quantities, { first, next: at }).some(
    (quantity) => quantity.first === first && (quantity.op === '=' || quantity.approx),
  );
}

function isMeasure({ tokens }: Scan, at: number): boolean {
  return tokens[at]?.kind === 'number';
}

/** `is kept`, `are also deleted`, `gets stopped`. */
function isPassive(tokens: readonly Token[], at: number): boolean {
  const verb = wordAt(tokens, at);
  if (!['is', 'are', 'be', 'gets', 'get', "isn't", "aren't"].includes(verb)) return false;
  return [at + 1, at + 2].some(
    (place) => isParticiple(wordAt(tokens, place)) && !isIn('verdict', wordAt(tokens, place)),
  );
}

function isPerfect(tokens: readonly Token[], finite: Clause['finite']): boolean {
  if (finite?.kind !== 'have') return false;
  const [next, later] = [wordAt(tokens, finite.at + 1), wordAt(tokens, finite.at + 2)];
  return (
    (isParticiple(next) ||
      ((next === 'not' || next === 'never' || next === 'already' || next === 'just' || next === 'also') &&
        isParticiple(later))) &&
    next !== 'due'
  );
}

function isVerdict(tokens: readonly Token[], at: number, next: number): boolean {
  for (let index = at + 1; index < Math.min(next, at + 4); index += 1)
    if (isIn('verdict', wordAt(tokens, index)) && wordAt(tokens, index + 1) !== 'of') return true;
  return false;
}

/** `are always dark`, `are unreadable`: how something is, and nothing more. */
function isBareAdjective(tokens: readonly Token[], at: number, next: number): boolean {
  let word = at + 1;
  while (
    word < next &&
    ['always', 'never', 'all', 'both', 'very', 'too', 'so', 'quite', 'not'].includes(wordAt(tokens, word))
  )
    word += 1;
  return word + 1 === next && tokens[word]?.kind === 'word' && !isParticiple(wordAt(tokens, word));
}

function hasWord(tokens: readonly Token[], first: number, next: number, word: string): boolean {
  for (let at = first; at < next; at += 1) if (wordAt(tokens, at) === word) return true;
  return false;
}

/** A first person; the `i` of `i.e.` is none. */
function isWriter(tokens: readonly Token[], at: number): boolean {
  return isIn('firstPerson', wordAt(tokens, at)) && wordAt(tokens, at + 1) !== '.';
}
