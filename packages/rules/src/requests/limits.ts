/**
 * Limits that are spoken of as limits: a maximum that must not be exceeded, a minimum that must not be
 * undercut, a cap that is to be lifted.
 *
 * @module
 */
import type { Op, Quantity, Scan } from '@assay/kernel/intent';
import type { Demand } from './binding.js';
import type { Clause } from './clauses.js';
import { isEnding } from './governors.js';
import { spansWithin, type Span } from './spans.js';
import { isParticiple, lemmaOf } from './verbs.js';
import { joined, wordAt } from './words.js';

const PASSED_TOKENS_MAX = 4;
const OVER: ReadonlySet<string> = new Set([
  'exceeded',
  'exceed',
  'overrun',
  'surpassed',
  'surpass',
  'topped',
  'overshot',
  'overstepped',
  'passed',
  'crossed',
  'outrun',
  'broken',
]);
const UNDER: ReadonlySet<string> = new Set(['undercut', 'undershot', 'undershoot', 'underrun']);
const UNDER_PHRASES: readonly string[] = [
  'fallen below',
  'fall below',
  'dropped below',
  'drop below',
  'gone below',
  'go below',
  'fallen short of',
  'fall short of',
  'fallen under',
  'fall under',
  'sunk below',
  'sink below',
];

/**
 * `The budget of 95,000 EUR must not be exceeded`, `must not fall below a minimum of 3 m`: the bound that a
 * forbidden passing of a stated limit leaves, or null. The limit stands in the subject, or behind the verb as
 * one (`a maximum of`).
 */
export function passedBy({ tokens }: Scan, { verb }: Demand, { first, next, op }: Quantity): Op | null {
  if (next > verb && !(op === '<=' || op === '>=')) return null;
  const end = Math.min(verb + PASSED_TOKENS_MAX, next <= verb ? Infinity : first);
  for (let at = verb; at < end; at += 1) {
    if (OVER.has(wordAt(tokens, at))) return op === '>=' ? null : '<=';
    if (
      UNDER.has(wordAt(tokens, at)) ||
      UNDER_PHRASES.some((phrase) => joined(tokens, at, at + phrase.split(' ').length) === phrase)
    )
      return op === '<=' ? null : '>=';
  }
  return null;
}

/**
 * `Remove the limit of 10 uploads`, `the cap of 50 members is lifted`, `Stop sending 3 reminders`: what is to
 * be gone is no bound.
 */
export function isAbolished(
  { tokens }: Scan,
  { core }: Clause,
  { verb }: Demand,
  { first, at, op }: Quantity,
): boolean {
  if (op === '=' && isEnding(tokens, verb)) return true;
  if (isVoid(tokens, core, at)) return true;
  if (!hasLimit(tokens, Math.max(core.first, first - LIMIT_TOKENS_MAX), at)) return false;
  // `There must be no limit on uploads above 5 MB`.
  for (let place = core.first; place < first; place += 1)
    if (wordAt(tokens, place) === 'no' && hasLimit(tokens, place + 1, Math.min(first, place + 3)))
      return true;
  // The verb of an order stands in front of the limit, a participle behind it.
  for (let place = core.first; place < first; place += 1)
    if (ABOLISHING.has(wordAt(tokens, place)) || isRid(tokens, place)) return true;
  for (let place = Math.max(verb, at); place < Math.min(core.next, verb + PASSED_TOKENS_MAX + 1); place += 1)
    if (isParticiple(wordAt(tokens, place)) && ABOLISHING.has(lemmaOf(wordAt(tokens, place)))) return true;
  return false;
}

/**
 * `The rule of at least 8 characters no longer applies`, `exempt from the minimum of 5 hours`: a rule that is
 * said not to hold.
 */
export function isVoid(tokens: Scan['tokens'], core: Span, bound: number): boolean {
  const rule = tokens
    .slice(Math.max(core.first, bound - RULE_TOKENS_MAX), bound)
    .findIndex(({ lower }) => RULES.has(lower) || LIMITS.has(lower));
  if (rule < 0) return false;
  const at = Math.max(core.first, bound - RULE_TOKENS_MAX) + rule;
  // Before the rule: `forget the rule of`, `exempt from the minimum of`, `there is no longer a minimum of`.
  for (let place = Math.max(core.first, at - FREED_TOKENS_MAX); place < at; place += 1) {
    if (
      FORGOTTEN.has(wordAt(tokens, place)) ||
      (FREED.has(wordAt(tokens, place)) && wordAt(tokens, place + 1) === 'from') ||
      joined(tokens, place, place + 2) === 'no longer'
    )
      return true;
  }
  for (let place = bound; place < Math.min(core.next, bound + VOID_TOKENS_MAX); place += 1)
    if (
      VOID_OPENINGS.has(wordAt(tokens, place)) &&
      VOID.some((words) => joined(tokens, place, place + words.split(' ').length) === words) &&
      (place + 1 === core.next || wordAt(tokens, place) !== 'ends' || wordAt(tokens, place + 1) !== 'at')
    )
      return true;
  return false;
}

const RULE_TOKENS_MAX = 12;
const VOID_TOKENS_MAX = 16;
const FREED_TOKENS_MAX = 4;
const RULES: ReadonlySet<string> = new Set([
  'rule',
  'rules',
  'requirement',
  'requirements',
  'obligation',
  'duty',
  'regulation',
  'provision',
  'policy',
  'condition',
]);
const FORGOTTEN: ReadonlySet<string> = new Set([
  'forget',
  'ignore',
  'disregard',
  'drop',
  'abolish',
  'scrap',
  'ditch',
  'waive',
  'lift',
  'repeal',
  'revoke',
  'cancel',
  'suspend',
]);
const FREED: ReadonlySet<string> = new Set([
  'exempt',
  'exempted',
  'free',
  'freed',
  'released',
  'excused',
  'spared',
  'relieved',
]);
/** What is said of a rule that holds no more. */
const VOID: readonly string[] = [
  'no longer',
  'not apply',
  "doesn't apply",
  "don't apply",
  'not hold',
  'not valid',
  'not in force',
  'is void',
  'are void',
  'is invalid',
  'is obsolete',
  'are obsolete',
  'is history',
  'is gone',
  'are gone',
  'been dropped',
  'been abolished',
  'been lifted',
  'been removed',
  'been scrapped',
  'been repealed',
  'been waived',
  'ends',
  'expires',
  'ceases',
  'lapses',
  'falls away',
  'is over',
  'is dropped',
  'is abolished',
  'is scrapped',
  'is lifted',
  'is waived',
  'is suspended',
  'are abolished',
  'are dropped',
  'are lifted',
  'be dropped',
  'be abolished',
  'be lifted',
  'be scrapped',
  'be waived',
  'be repealed',
];

const VOID_OPENINGS: ReadonlySet<string> = new Set(VOID.map((words) => words.split(' ')[0] ?? ''));

/** `Replace the limit of 10 MB by 20 MB`: what is replaced is no bound. */
export function isReplaced(
  { tokens, quantities }: Scan,
  { core }: Clause,
  { verb }: Demand,
  { first, next }: Quantity,
): boolean {
  return (
    REPLACING.has(lemmaOf(wordAt(tokens, verb))) &&
    spansWithin(quantities, { first: next, next: core.next }).some((later) =>
      ['by', 'with', 'to', 'for'].includes(wordAt(tokens, later.first - 1)),
    ) &&
    first > verb
  );
}

const REPLACING: ReadonlySet<string> = new Set([
  'replace',
  'swap',
  'exchange',
  'change',
  'substitute',
  'update',
  'reset',
  'switch',
]);
const LIMIT_TOKENS_MAX = 4;
const LIMITS: ReadonlySet<string> = new Set([
  'limit',
  'limits',
  'limitation',
  'cap',
  'maximum',
  'minimum',
  'ceiling',
  'floor',
  'quota',
  'restriction',
  'threshold',
  'bound',
  'max',
  'min',
]);
const ABOLISHING: ReadonlySet<string> = new Set([
  'remove',
  'lift',
  'drop',
  'abolish',
  'scrap',
  'waive',
  'cancel',
  'delete',
  'eliminate',
  'end',
  'repeal',
  'discontinue',
  'ignore',
  'suspend',
  'revoke',
  'withdraw',
  'disable',
  'disregard',
  'ditch',
  'rescind',
]);

function hasLimit(tokens: Scan['tokens'], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (LIMITS.has(wordAt(tokens, at))) return true;
  return false;
}

function isRid(tokens: Scan['tokens'], at: number): boolean {
  return ['get rid of', 'do away with', 'take away the'].includes(joined(tokens, at, at + 3));
}
