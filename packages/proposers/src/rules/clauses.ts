/**
 * Clauses of a sentence, with the condition and the exception that limit each.
 *
 * @module
 */
import type { Scan, Token } from '@assay/kernel/intent';
import { bindingPhrase, spansWithin, type Span } from './binding.js';
import type { Sentence } from './sentences.js';
import { findPhrase, isIn, phraseAt } from './words.js';

/** A clause: all of its tokens, its core without condition and exception, and these. `leads`: the condition stands before the core. `isListed`: one of comma parts that state amounts. */
export type Clause = Span & { readonly core: Span; readonly condition: Span | null; readonly exception: Span | null; readonly leads: boolean; readonly isListed: boolean };

const JOINTS: ReadonlySet<string> = new Set(['and', 'but', 'so', 'or', 'then', 'which', 'however']);
const CONTINUING: ReadonlySet<string> = new Set(['at', 'on', 'in', 'with', 'of', 'to', 'from', 'for', 'which', 'who', 'where', 'or']);
const WISHES: ReadonlySet<string> = new Set(['nice', 'great', 'good', 'helpful', 'help', 'prefer', 'like']);
/** Words that open a prohibition of its own after `and`. */
const NEGATED: ReadonlySet<string> = new Set(['cannot', 'never', 'no', 'nobody', 'not']);
const DASHES: ReadonlySet<string> = new Set(['–', '—']);

/** The clauses of a sentence, in order. Linear in its tokens. */
export function clausesOf(scan: Scan, sentence: Sentence): readonly Clause[] {
  const { tokens } = scan;
  const leading = leadingCondition(tokens, sentence);
  const body: Span = { first: leading?.next ?? sentence.first, next: sentence.next };
  const isListed = isFragmentList(scan, body);
  const parts = isListed ? splitAt(tokens, body, (at) => isListComma(tokens, at, body.next)) : joinLists(scan, splitAt(tokens, body, (at) => isJoint(scan, at, body.next)));
  return parts.map((part) => limit(tokens, part, leading?.condition ?? null, isListed)).filter(({ core }) => core.next > core.first);
}

/** `If a file gets too large, split it`: the condition before the first comma outside numbers. */
function leadingCondition(tokens: readonly Token[], { first, next }: Sentence): { readonly condition: Span; readonly next: number } | null {
  if (phraseAt('condition', tokens, first, next) === 0) return null;
  for (let at = first + 1; at < next; at += 1) if (tokens[at]?.lower === ',') return { condition: { first, next: at }, next: at + 1 };
  return null;
}

/** `CSV under 50 MB per file, invoices of 2024, no customer names`: comma parts without a verb of demand. */
function isFragmentList(scan: Scan, { first, next }: Span): boolean {
  const { tokens } = scan;
  const hasDemand = (['must', 'should', 'may', 'forbidden'] as const).some((list) => bindingPhrase(scan, list, first, next) !== null);
  if (hasDemand) return false;
  const parts = splitAt(tokens, { first, next }, (at) => isListComma(tokens, at, next));
  const telling = parts.filter((part) => isTelling(scan, part)).length;
  return parts.length > 1 && telling * 2 >= parts.length;
}

/** A comma between parts: what follows opens with no word that continues the part before. */
function isListComma(tokens: readonly Token[], at: number, limit: number): boolean {
  if (tokens[at]?.lower !== ',') return false;
  const isContinued = CONTINUING.has(tokens[at + 1]?.lower ?? '') || phraseAt('exception', tokens, at + 1, limit) > 0 || phraseAt('condition', tokens, at + 1, limit) > 0;
  return !isContinued;
}

/** A part that states a quantity, a bound or a "no". */
function isTelling({ tokens, quantities, moments }: Scan, part: Span): boolean {
  const opening = tokens[part.first]?.lower;
  return opening === 'no' || opening === 'never' || spansWithin(quantities, part).length > 0 || spansWithin(moments, part).length > 0;
}

/** Joins `All training material` to `manuals and reports shall …`: a short part that demands nothing belongs to the next. */
function joinLists(scan: Scan, parts: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const isOpen = before !== undefined && before.next - before.first <= LIST_TOKENS_MAX && scan.tokens[before.next]?.lower === ',' && !isTelling(scan, before) && !isSaying(scan, before);
    if (isOpen) joined[joined.length - 1] = { first: before.first, next: part.next };
    else joined.push(part);
  }
  return joined;
}

function isSaying(scan: Scan, { first, next }: Span): boolean {
  if (phraseAt('imperative', scan.tokens, first, next) > 0 || scan.tokens.slice(first, next).some(({ lower }) => isIn('finite', lower) || isIn('firstPerson', lower))) return true;
  return (['must', 'should', 'may', 'forbidden'] as const).some((list) => bindingPhrase(scan, list, first, next) !== null);
}

const LIST_TOKENS_MAX = 4;

/** True at a mark or word where a new clause may begin: a dash, a comma with a joint or a bound, or a joint before a verb of demand. */
function isJoint({ tokens, quantities }: Scan, at: number, limit: number): boolean {
  const [token, after] = [tokens[at], tokens[at + 1]];
  if (token === undefined || after === undefined) return false;
  if (DASHES.has(token.lower) || (token.lower === '-' && !token.glued && !after.glued)) return true;
  const bound = token.lower === ',' ? spansWithin(quantities, { first: at + 1, next: limit })[0] : undefined;
  if (bound !== undefined && bound.first === at + 1 && bound.op !== '=') return true;
  if (token.lower === ',') return JOINTS.has(after.lower) || isDemandSoon(tokens, at + 1, limit) || isIn('reason', after.lower);
  return (token.lower === 'and' || token.lower === 'but') && isDemandAt(tokens, at + 1, limit);
}

/** A comma before a clause of its own: a short subject and a verb of demand. */
function isDemandSoon(tokens: readonly Token[], at: number, limit: number): boolean {
  for (let index = at; index < Math.min(limit, at + 5); index += 1) {
    if (tokens[index]?.lower === ',') return false;
    if (isDemandAt(tokens, index, limit)) return true;
  }
  return false;
}

function isDemandAt(tokens: readonly Token[], at: number, limit: number): boolean {
  return phraseAt('must', tokens, at, limit) > 0 || phraseAt('should', tokens, at, limit) > 0 || phraseAt('may', tokens, at, limit) > 0 || NEGATED.has(tokens[at]?.lower ?? '');
}

function splitAt(tokens: readonly Token[], { first, next }: Span, isCut: (at: number) => boolean): readonly Span[] {
  const parts: Span[] = [];
  let from = first;
  for (let at = first; at <= next; at += 1) {
    if (at < next && !isCut(at)) continue;
    const part = trim(tokens, { first: from, next: at });
    if (part.next > part.first) parts.push(part);
    from = tokens[at]?.kind === 'symbol' ? at + 1 : at;
  }
  return parts;
}

/** Without the words and marks that only join. */
function trim(tokens: readonly Token[], { first, next }: Span): Span {
  let [from, to] = [first, next];
  while (from < to && (JOINTS.has(tokens[from]?.lower ?? '') || tokens[from]?.lower === ',' || tokens[from]?.lower === 'please')) from += 1;
  while (to > from && (tokens[to - 1]?.lower === ',' || tokens[to - 1]?.lower === 'please' || tokens[to - 1]?.lower === ':')) to -= 1;
  return { first: from, next: to };
}

/** Finds the trailing condition and exception of a clause; the first of them ends the core. */
function limit(tokens: readonly Token[], part: Span, leading: Span | null, isListed: boolean): Clause {
  const reason = findPhrase('reason', tokens, part.first + 1, part.next);
  const whole = trim(tokens, { first: part.first, next: reason?.at ?? part.next });
  const exception = findPhrase('exception', tokens, whole.first + 1, whole.next);
  const opened = findPhrase('condition', tokens, whole.first + 1, exception?.at ?? whole.next);
  // `It would be nice if …`: what follows is the wish itself.
  const condition = opened !== null && WISHES.has(tokens[opened.at - 1]?.lower ?? '') ? null : opened;
  const cut = Math.min(exception?.at ?? whole.next, condition?.at ?? whole.next);
  const trailing = condition === null ? null : trim(tokens, { first: condition.at, next: exception?.at ?? whole.next });
  return {
    ...whole,
    core: trim(tokens, { first: whole.first, next: cut }),
    condition: trailing ?? leading,
    exception: exception === null ? null : trim(tokens, { first: exception.at, next: whole.next }),
    leads: trailing === null && leading !== null,
    isListed,
  };
}
