/**
 * The guard of every check: the words of a clause that turn what it says round (negations, `fail to`,
 * `impossible`, `protect … from`) are counted without asking what the grammar made of them. Where their count
 * does not fit the way the check was read, the check is not made, and the words are asked about: a check that
 * says the opposite is worse than none.
 *
 * @module
 */
import type { Op, Scan, Token } from '@assay/kernel/intent';
import { type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import { isEnding, isSaidOf } from './governors.js';
import { isInBound, type Span } from './spans.js';
import { isPlainBase } from './verbs.js';
import { isIn, joined, phraseAt, wordAt, isNegation, isNoLonger } from './words.js';

/** A bound as it was read: its words, its operator there, and the one of the check. */
type Read = Span & { readonly said: Op; readonly op: Op; readonly modality: Demand['modality'] };

/** The words that leave it open which way a bound is meant, or null where all of them are accounted for. */
export function unplacedTurn(scan: Scan, clause: Clause, demand: Demand, read: Read): Span | null {
  if (demand.modality === 'may') return null;
  // What stands behind `unless` is no part of what is asked.
  for (let at = clause.core.first + 1; at < read.first; at += 1)
    if (wordAt(scan.tokens, at) === 'unless' || wordAt(scan.tokens, at) === 'except')
      return { first: at, next: at + 1 };
  const turns = turnsIn(scan, clause, demand, read);
  // The negation of a heading, or of the clause before, is not among the words.
  const isOutside =
    demand.phrase.next <= demand.phrase.first && (demand.modality === 'must_not' || demand.isNegatedWish);
  const isTurned = read.op !== read.said;
  const isDenied = (read.modality === 'must_not') !== isTurned;
  const count = turns.length + (isOutside ? 1 : 0);
  const last = turns.at(-1);
  return (count % 2 === 1) === isDenied || last === undefined
    ? null
    : { first: last, next: Math.min(clause.core.next, last + 2) };
}

/** Places of the words that turn a bound round, each phrase once. Linear in the clause. */
function turnsIn(scan: Scan, clause: Clause, demand: Demand, read: Span): readonly number[] {
  const { tokens } = scan;
  const { first, next } = clause.core;
  const found: number[] = [];
  for (let at = first; at < next; at += 1) {
    if (at >= read.first && at < read.next) continue;
    const size = Math.max(phraseAt('forbidden', tokens, at, next), phraseAt('never', tokens, at, next));
    if (size > 0 && !isInBound(scan, at)) {
      found.push(at);
      at += size - 1;
    } else if (isTurning(scan, clause, demand, read, at)) found.push(at);
  }
  return found;
}

function isTurning(scan: Scan, clause: Clause, demand: Demand, read: Span, at: number): boolean {
  const { tokens } = scan;
  const word = wordAt(tokens, at);
  if (isInBound(scan, at)) return false;
  const isBefore = at < read.first;
  if (isNegation(word))
    return isBefore ? isNegating(scan, clause, demand, read, at) : isOfVerb(tokens, clause, demand, at);
  if (UNDOING.has(word)) return wordAt(tokens, at + 1) === 'to' || (word === 'failing' && isBefore);
  if (
    IMPOSSIBLE.has(word) ||
    (HARD.has(word) && wordAt(tokens, at - 1) === 'it' && wordAt(tokens, at + 1) === 'to') ||
    isEnding(tokens, at) ||
    (word === 'disable' && wordAt(tokens, at + 1).endsWith('ing'))
  )
    return true;
  if (!isBefore) return false;
  if (FREE.has(word))
    return ['of', 'from'].includes(wordAt(tokens, at + 1)) && wordAt(tokens, at + 2) !== 'charge';
  if (word === 'without') return wordAt(tokens, at + 1).endsWith('ing') || at > demand.verb;
  if (PREVENTING.has(word)) return !isIn('determiner', wordAt(tokens, at - 1));
  if (word === 'ruled' || word === 'rule' || word === 'rules') return wordAt(tokens, at + 1) === 'out';
  if (word === 'rather' || word === 'instead') return ['than', 'of'].includes(wordAt(tokens, at + 1));
  return (
    WARDING.has(word) &&
    !isIn('determiner', wordAt(tokens, at - 1)) &&
    tokens
      .slice(at + 1, Math.min(read.first, at + REACH))
      .some(({ lower }) => lower === 'from' || lower === 'against')
  );
}

/** How many tokens apart words are looked at together. */
const REACH = 16;
const UNDOING: ReadonlySet<string> = new Set([
  'fail',
  'fails',
  'failing',
  'failure',
  'omit',
  'omits',
  'neglect',
  'neglects',
  'forget',
  'forgets',
  'refuse',
  'refuses',
  'refusing',
  'decline',
  'declines',
  'omitting',
  'neglecting',
  'forgetting',
]);
const IMPOSSIBLE: ReadonlySet<string> = new Set([
  'impossible',
  'unable',
  'incapable',
  'wrong',
  'dangerous',
  'unsafe',
  'risky',
  'illegal',
  'unlawful',
  'harmful',
  'unwise',
]);
const FREE: ReadonlySet<string> = new Set(['free', 'clear', 'devoid', 'rid', 'safe']);
const HARD: ReadonlySet<string> = new Set(['hard', 'harder', 'difficult']);
const PREVENTING: ReadonlySet<string> = new Set([
  'prevent',
  'prevents',
  'prevented',
  'preventing',
  'avoid',
  'avoids',
  'avoiding',
  'forbid',
  'forbids',
  'forbidding',
  'prohibit',
  'prohibits',
  'prohibiting',
  'disallow',
  'disallows',
  'ban',
  'bans',
  'preclude',
  'precludes',
  'exclude',
  'excludes',
  'hinder',
  'hinders',
  'hindered',
  'missing',
]);
const WARDING: ReadonlySet<string> = new Set([
  'protect',
  'protects',
  'protected',
  'protecting',
  'guard',
  'guards',
  'guarded',
  'shield',
  'shields',
  'shielded',
  'insulate',
  'insulates',
  'insulated',
  'secure',
  'secures',
  'secured',
  'defend',
  'defends',
  'safeguard',
  'safeguards',
  'save',
  'spare',
  'keep',
  'keeps',
  'kept',
  'stop',
  'stops',
  'stopped',
  'block',
  'blocks',
  'blocked',
  'bar',
  'bars',
  'barred',
  'deter',
  'deters',
  'discourage',
  'discouraged',
  'ward',
]);

/**
 * A negation in front of a bound: not one of a relative clause or of a noun beside, and none that adds or
 * hedges (`not only`, `or not`).
 */
function isNegating(scan: Scan, { core, finite }: Clause, demand: Demand, read: Span, at: number): boolean {
  const { tokens } = scan;
  const [before, word, after] = [wordAt(tokens, at - 1), wordAt(tokens, at), wordAt(tokens, at + 1)];
  if (ADDING.has(after) || before === 'or' || before === 'if' || before === 'whether') return false;
  // `neither … nor …`: each bound has one of the two.
  if (word === 'nor') return at === core.first;
  if (word === 'neither' && wordAt(tokens, read.first) === 'nor') return false;
  if (isSaidOf(tokens, at) && finite !== null && at < finite.at && at > core.first) return false;
  if (
    isIn('preposition', before) &&
    before !== 'like' &&
    at > core.first &&
    word !== 'not' &&
    !isNoLonger(tokens, at)
  )
    return isOfBound(scan, at, read.first);
  // `who are not insured`: said in a relative clause that ends before the bound.
  for (let place = at - 1; place > Math.max(core.first, at - REACH); place -= 1) {
    if (wordAt(tokens, place) === ',') break;
    if (RELATIVES.has(wordAt(tokens, place)))
      return finite === null || place < demand.phrase.first === false || finite.at > read.first;
  }
  return true;
}

const ADDING: ReadonlySet<string> = new Set(['only', 'just', 'merely', 'matter', 'doubt', 'least']);
const RELATIVES: ReadonlySet<string> = new Set(['who', 'which', 'whose']);

/** `no class below 80 %`: the negation and the bound belong to one noun. */
export function isOfBound({ tokens }: Scan, negation: number, bound: number): boolean {
  const from = negation + (joined(tokens, negation, negation + 2) === 'no one' ? 2 : 1);
  if (bound - negation > 5 || bound < from) return false;
  return (
    tokens
      .slice(from, bound)
      .every(
        ({ kind, lower }) =>
          kind === 'word' &&
          (!isIn('preposition', lower) || lower === 'of') &&
          !isIn('determiner', lower) &&
          !isPlainBase(lower),
      ) && wordAt(tokens, bound) !== 'within'
  );
}

/** Behind a bound only what negates the verb says anything of it. */
function isOfVerb(tokens: readonly Token[], { finite }: Clause, { phrase }: Demand, at: number): boolean {
  if (at >= phrase.first && at < phrase.next) return true;
  return (
    (finite !== null && at >= finite.at - 1 && at <= finite.at + 1 && wordAt(tokens, at) !== 'no') ||
    (isNoLonger(tokens, at) && joined(tokens, at, at + 2) === 'no longer')
  );
}
