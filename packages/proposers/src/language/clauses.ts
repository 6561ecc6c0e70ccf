/**
 * One clause as one of the patterns: its thing, force and action, and the limits of its action. Source: language L1–L3.
 */
import { findMeasure, OPPOSITE } from '@assay/kernel/intent';
import type { Limit } from './amounts.js';
import { CLAUSES, isList, LABELLED, NAMED, PLAIN, STRICT } from './patterns.js';
import { findBreach, type Rule } from './rules.js';
import { wordAt, type Line, type Span } from './sentences.js';
import { CHANGED, FORCES, VERDICTS, type Force } from './words.js';

/** Under what a clause holds, in tokens. */
export type Under = { readonly condition: Span | null; readonly exception: Span | null };
/** A clause that was read; spans are tokens. `thing`: what the key names, empty for an order. */
export type Clause = Under & {
  readonly pattern: string;
  readonly quote: Span;
  readonly force: Force;
  readonly limits: readonly Limit[];
  readonly actor: Span | null;
  readonly thing: Span;
  readonly action: Span;
  readonly verdict: string | null;
};
/** What a sentence comes to. */
export type Outcome = readonly Clause[] | Rule;

const NOTHING: Span = { first: 0, next: 0 };
/** The limits that a force takes, by their letter and how they bound: with `not`, with `may`, with `need not`. */
const [NOT, MAY, FREE] = [/^[23]|^7.$/, /^(?:[123@]<|[679])/, /^$/];

/**
 * Reads a clause without reason and trailing scope. `left`: the clause before it, whose thing it may share.
 * `isEnded`: a point follows, so that it may be an order.
 */
export function readClause(
  line: Line,
  span: Span,
  under: Under,
  left: Clause | null,
  isEnded: boolean,
): Outcome {
  const broken = line.ruleIn(span);
  if (broken !== null) return broken;
  const part = line.slice(span);
  for (const [name, form] of CLAUSES) {
    const match = form.exec(part);
    if (match === null) continue;
    const place = (group: string): Span => {
      const [first, next] = match.indices?.groups?.[group] ?? [0, 0];
      return { first: span.first + first, next: span.first + next };
    };
    const { thing = '', action = '', limits } = match.groups ?? {};
    if (name === 'order' && !isEnded && !/^P|^.[dum]/.test(part)) return 'title';
    if (name === 'demand' && thing === '' && left === null) return 'subject';
    // `Guests are allowed to smoke` allows no guests.
    if (name === 'verdict' && /^to\b/.test(line.words(place('action')))) return 'weak';
    const wrong = (thing === '' ? null : thingFault(thing)) ?? actionFault(action);
    if (wrong !== null) return wrong;
    const listed = limits === undefined ? [] : labelled(line, place('limits'), under);
    if (typeof listed === 'string') return listed;
    if (name === 'label') {
      const named = line.tokens(place('thing'));
      if (thing.includes('x')) return 'no_force';
      return listed.map((one, at) => ({
        ...one,
        thing: named,
        quote: at > 0 ? one.quote : { ...one.quote, first: named.first },
      }));
    }
    const made = makeClause(line, name, span, place, under, left);
    return typeof made === 'string'
      ? made
      : [made, ...listed.map((one) => ({ ...one, pattern: 'order', action: made.action }))];
  }
  const [, thing = '', force, action = ''] = /^([^MXSYAFV0]*)(.)?(.*)$/.exec(part) ?? [];
  if (force === '0') return 'may_not';
  if (force === undefined) return findBreach('action', part.replace(/^P/, '')) ?? 'no_force';
  return thingFault(thing) ?? findBreach('action', action) ?? (thing.length > 14 ? 'long' : 'subject');
}

function makeClause(
  line: Line,
  name: string,
  span: Span,
  place: (group: string) => Span,
  under: Under,
  left: Clause | null,
): Clause | Rule {
  const [thing, action, filter] = [
    place('thing'),
    line.tokens(place('action')),
    line.tokens(place('filter')),
  ];
  const word = line.words(place('force'));
  const force =
    VERDICTS.get(word)?.force ?? NAMED.get(name) ?? FORCES.get(line.slice(place('force'))) ?? 'must';
  const inner = limitsIn(line, place('action'), name === 'only' ? 'free' : force);
  if (typeof inner === 'string') return inner;
  const share = name === 'share' ? (line.lexemes[span.first]?.limit ?? null) : null;
  const isUpper = share?.bounds.some(({ op }) => op.startsWith('<')) === true;
  if (share !== null && isUpper !== (force === 'may')) return 'bound';
  // `At least 95 % of letters must arrive within 2 days`: the limit inside says of which letters.
  const [first, second] = inner;
  if (second?.bounds[0]?.unit === '%') return 'plain';
  const isPart = first?.bounds[0]?.unit === '%' && wordAt(line.text, first.next) === 'of';
  const within = share !== null ? first : isPart ? second : undefined;
  const picked = within === undefined ? filter : { first: within.first, next: action.next };
  const scope = joined(under, { condition: picked.next > 0 ? picked : null, exception: null });
  if (scope === null) return 'scope';
  // A bound that is forbidden is the demand of its opposite; a leave with a limit is a demand.
  const isTurned = force.endsWith('_not') && first !== undefined && first.letter !== '7';
  const limits = (share !== null ? [share] : within === undefined ? inner : inner.slice(0, 1)).map((limit) =>
    isTurned
      ? { ...limit, bounds: limit.bounds.map((bound) => ({ ...bound, op: OPPOSITE[bound.op] })) }
      : limit,
  );
  const isAmount = typeof limits[0]?.bounds[0]?.value === 'object' && force === 'may';
  const isIt = ['it', 'they'].includes(line.words(thing)) && left !== null && left.thing.next > 0;
  const isShared = isIt || (thing.next === thing.first && name === 'demand');
  return {
    ...scope,
    pattern: name,
    quote: line.tokens(span),
    force: isTurned ? (force === 'should_not' ? 'should' : 'must') : isAmount ? 'must' : force,
    limits,
    actor: name === 'only' ? line.tokens({ first: span.first, next: thing.next }) : null,
    thing: isShared ? (left?.thing ?? NOTHING) : line.tokens(thing),
    action,
    verdict: VERDICTS.get(word)?.key ?? null,
  };
}

/** The limits of an action: each counts where it bounds what is done. */
function limitsIn(line: Line, at: Span, force: Force): readonly Limit[] | Rule {
  const letters = line.slice(at);
  const known = letters.replace(PLAIN, '1').replace(STRICT, '1');
  // `guests arriving after 23:00` picks out.
  const time = at.first + letters.indexOf('7');
  const before = line.words({ first: time - 1, next: time });
  if (/[23]/.test(known) || (/^(?!b.7)..+7/.test(letters) && /(?:ing|ed)$/.test(before))) return 'filter';
  if (known.includes('4')) return 'plain';
  const range = letters.indexOf('6');
  if (CHANGED.test(line.words({ first: at.first, next: at.first + range + 1 }))) return 'bound';
  const found = line.lexemes.slice(at.first, at.next).flatMap(({ limit }) => limit ?? []);
  const isNegative = force.endsWith('_not');
  const ops = found.flatMap(({ letter, bounds }) => bounds.map(({ op }) => `${letter}${op}`));
  const allowed = isNegative ? NOT : force === 'may' ? MAY : force === 'free' ? FREE : /^[1-7@]/;
  if (!ops.every((op) => allowed.test(op))) return isNegative || force === 'free' ? 'bound_not' : 'plain';
  const isApart = (one: Limit, other: Limit): boolean =>
    isNegative || (findDimension(other) === findDimension(one) && one.first > other.next + 1);
  return found.some((one, index) => index > 0 && isApart(one, found[index - 1] ?? one))
    ? 'two_forces'
    : found;
}

/** `at most 1,200 EUR, at least 3 rooms`: a limit in each part. */
function labelled(line: Line, span: Span, under: Under): Outcome {
  const found: Clause[] = [];
  let { first } = span;
  for (const part of line.slice(span).split(/,|(?<=[1-7@])j/)) {
    const limit = LABELLED.test(part) ? line.lexemes[first]?.limit : null;
    if (limit === null || limit === undefined) return findBreach('action', part) ?? 'no_force';
    const own = line.tokens({ first, next: first + part.length });
    const rest = { pattern: 'label', force: 'must', actor: null, thing: NOTHING, verdict: null } as const;
    found.push({ ...rest, ...under, quote: own, limits: [limit], action: own });
    first += part.length + 1;
  }
  return found;
}

/** What a thing breaks. A word that reports may stand first, last, or before a preposition. */
export function thingFault(letters: string): Rule | null {
  if (!isList(letters)) return 'comma';
  return /^[uo]$/.test(letters)
    ? null
    : findBreach('thing', letters.replace(/(?<=^d?)[ya]|[ya](?=[pfs]|$)/g, 'n'));
}

function actionFault(letters: string): Rule | null {
  return isList(letters) ? findBreach('action', letters) : 'comma';
}

/** Both scopes, or null where both say the same part. Several leads are one condition. */
export function joined(a: Under, b: Under): Under | null {
  if (a.exception !== null && b.exception !== null) return null;
  const exception = a.exception ?? b.exception;
  if (a.condition === null || b.condition === null)
    return { condition: a.condition ?? b.condition, exception };
  const isNext = b.condition.first === a.condition.next + 1;
  return isNext ? { condition: { first: a.condition.first, next: b.condition.next }, exception } : null;
}

function findDimension({ bounds: [bound] }: Limit): string {
  return typeof bound?.value === 'object' ? findMeasure(bound.unit).dimension : 'moment';
}
