/**
 * Salient units: the parts of a seed that a reading may not pass over in silence, found by the machine's own
 * scanner. What nobody claims is shown as uncovered.
 *
 * Found are quantities (money among them; a bare number behind a word is one that does not score), dates and
 * clock times, modal and negating words, quoted strings, code-like identifiers, and named things: capitals
 * that do not begin a sentence, a line or a list item.
 *
 * Words that demand, wish, leave, forbid or negate, in lower case, by what a claim has to be to hold them.
 * Source: intent I4; I16; I8.
 */
import { amountAnchor } from './anchors.js';
import { findSide } from './atom.js';
import { isYear } from './calendar.js';
import { LABELS } from './quantity.js';
import { takenBy, type Scan } from './scan.js';
import type { Quote, SeedText } from './seed.js';
import type { Token } from './tokens.js';

/** What a unit is. */
export const SALIENT_KINDS = [
  'quantity',
  'moment',
  'modal',
  'negation',
  'quoted',
  'identifier',
  'name',
] as const;
/** One of {@link SALIENT_KINDS}. */
export type SalientKind = (typeof SALIENT_KINDS)[number];

/**
 * A unit: the words that must be covered, and the clause they stand in (both code points; a clause longer
 * than 240 units gives way to the words). `holds`: what a claim has to hold to account for it: the anchor of
 * an amount, the ISO form of a date or time (null if the year is open), the modal word, `not` for any that
 * negates. Behind an amount or time stands the side on which its words leave room, `<` or `>`, where they
 * say; `^` with `up to`, since winds up to 28 m/s may have to be borne: it bounds, and does not say on which
 * side.
 */
export type SalientUnit = {
  readonly kind: SalientKind;
  readonly quote: Quote;
  readonly clause: Quote;
  readonly holds: string | null;
};

/** Longest quoted string and longest clause shown, in UTF-16 units. */
const SPAN_UNITS_MAX = 240;

/** Words that forbid or except without negating what follows them. */
const BARRING: ReadonlySet<string> = new Set('prohibited forbidden unless except'.split(' '));
/** Marks that end a clause. A comma does not: it also stands inside lists and conditions. */
const CLAUSE_ENDS = '.!?;:';
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
]);

type Add = (kind: SalientKind, first: number, next: number, holds?: string | null) => void;

/** The units of a seed, by place. Linear. */
export function salientUnits(seed: SeedText, scan: Scan): readonly SalientUnit[] {
  const clauses = splitClauses(scan);
  const units: SalientUnit[] = [];
  const add: Add = (kind, first, next, holds = null) => {
    const [from, to] = findSpan(scan.tokens, first, next);
    const clause = clauses[first];
    const shown =
      clause === undefined || clause[1] - clause[0] > SPAN_UNITS_MAX ? ([from, to] as const) : clause;
    units.push({ kind, quote: seed.quote(from, to), clause: seed.quote(...shown), holds });
  };
  for (const { first, next, value, unit, op } of scan.quantities) {
    // `every 15 minutes at least`: which way a pace is bounded, its words do not say by themselves.
    const isOpen =
      scan.tokens[first]?.lower === 'up' || (op !== '=' && scan.tokens[first - 1]?.lower === 'every');
    add('quantity', first, next, amountAnchor(value, unit) + (isOpen ? '^' : findSide(op)));
  }
  for (const { first, next, value, op } of scan.moments)
    add('moment', first, next, value === null ? null : value + findSide(op));
  addWords(scan, add);
  addQuoted(scan.tokens, add);
  addNames(scan, add);
  return units.sort((a, b) => a.quote.start - b.quote.start || b.quote.end - a.quote.end);
}

function addWords(scan: Scan, add: Add): void {
  const { text, tokens } = scan;
  const taken = takenBy(scan);
  for (const [index, token] of tokens.entries()) {
    // The words of a comparison (`no more than`) belong to their quantity, the month May to its date.
    if (token.kind !== 'word' || taken[index] === 1) continue;
    const pair = `${token.lower} ${tokens[index + 1]?.lower ?? ''}`;
    if (MODALS.has(pair)) add('modal', index, index + 2, pair);
    else if (MODALS.has(token.lower)) add('modal', index, index + 1, token.lower);
    else if (negates(token)) add('negation', index, index + 1, 'not');
  }
  // `learning rate 0.001`: a number without unit behind a word is no amount that counts, and is shown where
  // nobody claims it.
  for (const [index, { kind, lines, lower }] of tokens.entries()) {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (
      kind !== 'number' ||
      taken[index] === 1 ||
      lines > 0 ||
      before?.kind !== 'word' ||
      LABELS.has(before.lower) ||
      isYear(tokens, index) ||
      (after?.glued === true && after.kind === 'word')
    )
      continue;
    if (lower.includes('.') || !isCapital(text.slice(before.start, before.end)))
      add('quantity', index, index + 1);
  }
}

function negates(token: Token): boolean {
  return isNegator(token) || BARRING.has(token.lower);
}

/**
 * Identifiers (`max_nodes`, `IP67`, `eventId`) and runs of words with capitals (`North Sea`), where no other
 * unit took the words.
 */
function addNames(scan: Scan, add: Add): void {
  const { text, tokens } = scan;
  const taken = takenBy(scan);
  let isStart = true;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    const isFirst: boolean = isStart || token.lines > 0;
    isStart = STARTERS.includes(token.lower) || (isFirst && token.kind !== 'word');
    if (token.kind !== 'word' || taken[index] === 1 || MODALS.has(token.lower) || negates(token)) continue;
    const words = text.slice(token.start, token.end);
    if (isIdentifier(words)) {
      add('identifier', index, index + 1);
      continue;
    }
    if (isFirst || !isCapital(words)) continue;
    const first = index;
    while (isNextOfName(text, tokens[index + 1]) && taken[index + 1] !== 1) index += 1;
    add('name', first, index + 1);
  }
}

/** What may begin a sentence, a label's text, a quotation or a list item. */
const STARTERS = '.!?:"“„«(-*•|#>';

function isIdentifier(words: string): boolean {
  if (words.includes('_')) return words.length > 1;
  const hasDigit = /[0-9]/.test(words);
  return hasDigit ? /[A-Za-z]/.test(words) : /[a-z][A-Z]/.test(words);
}

function isCapital(words: string): boolean {
  const code = words.charCodeAt(0);
  return code >= 0x41 && code <= 0x5a && words !== 'I' && !words.startsWith("I'") && !words.startsWith('I’');
}

function isNextOfName(text: string, token: Token | undefined): boolean {
  if (token?.kind !== 'word' || token.lines > 0 || MODALS.has(token.lower) || negates(token)) return false;
  const words = text.slice(token.start, token.end);
  return isCapital(words) && !isIdentifier(words);
}

function addQuoted(tokens: readonly Token[], add: Add): void {
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const closing = QUOTES.get(token?.lower ?? '');
    if (token === undefined || closing === undefined) continue;
    const end = closingIndex(tokens, index, closing);
    if (end === null) continue;
    add('quoted', index, end + 1);
    index = end;
  }
}

/** The closing mark within the longest span and before the next paragraph. */
function closingIndex(tokens: readonly Token[], from: number, closing: string): number | null {
  const limit = (tokens[from]?.start ?? 0) + SPAN_UNITS_MAX;
  for (let index = from + 1; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || token.end > limit || token.lines > 1) return null;
    if (token.lower === closing && index > from + 1) return index;
  }
  return null;
}

/** The UTF-16 span of the clause of each token. */
function splitClauses({ tokens }: Scan): readonly (readonly [number, number])[] {
  const clauses: (readonly [number, number])[] = [];
  let from = 0;
  for (let index = 0; index <= tokens.length; index += 1) {
    const token = tokens[index];
    const isEnd =
      token === undefined ||
      token.lines > 1 ||
      (index > 0 && CLAUSE_ENDS.includes(tokens[index - 1]?.lower ?? ' '));
    if (!isEnd || index === from) continue;
    const span = findSpan(tokens, from, index);
    for (let inside = from; inside < index; inside += 1) clauses.push(span);
    from = index;
  }
  return clauses;
}

function findSpan(tokens: readonly Token[], first: number, next: number): readonly [number, number] {
  return [tokens[first]?.start ?? 0, tokens[next - 1]?.end ?? 0];
}

export const DEMANDS: readonly string[] = ['must', 'shall'];
/** Words of duty: behind a negator they leave (`not required`, `need not`). */
export const DUTIES: readonly string[] = ['required', 'has to', 'have to', 'need', 'needs'];
export const WANTS: readonly string[] = ['want', 'wants'];
export const WISHES: readonly string[] = ['should', 'ought', 'would like'];
export const LEAVES: readonly string[] = ['may', 'allowed', 'permitted'];
export const MODALS: ReadonlySet<string> = new Set([...DEMANDS, ...DUTIES, ...WANTS, ...WISHES, ...LEAVES]);

/**
 * Words by which a sentence can forbid, wish or leave without a modal word: `is ruled out`, `would be nice`,
 * `feel free to`. They are no salient units.
 */
export const FORBIDDING: ReadonlySet<string> = new Set(
  (
    'prohibited forbidden banned avoid avoided exclude excluded refrain nothing out stop ' +
    'stops cease quit discontinue halt prevent prevents prevented forbid forbids prohibit ' +
    "ban don'ts donts unacceptable impossible ruled"
  ).split(' '),
);
export const WISHING: ReadonlySet<string> = new Set(
  (
    "should ought would 'd could might wish wishes hope like love nice ideally prefer " +
    'preferred preferably suggest recommend recommended desirable advantage possible aim ' +
    'want wants asked'
  ).split(' '),
);
export const LEAVING: ReadonlySet<string> = new Set(
  (
    'may|might|can|could|allowed|permitted|optional|optionally|welcome|fine|ok|okay|' +
    'acceptable|tolerated|possible|entitle|entitled|unnecessary|free to|right to'
  ).split('|'),
);
/** Stems of further duties that a negator takes away: `needn't`, `not obliged`, `unnecessary`. */
export const DUTY_STEMS: readonly string[] = ['need', 'nece', 'requ', 'obli'];
/**
 * Words by which an item of a list says itself what must or may be, whatever the line above the list says.
 */
export const OWN_FORCE: ReadonlySet<string> = new Set(
  'must shall should may will can need needs has have ought'.split(' '),
);

const NEGATORS: ReadonlySet<string> = new Set(
  'not no never without cannot nobody none neither nor'.split(' '),
);

/** True for a word that negates what follows it. */
export function isNegator({ kind, lower }: Token): boolean {
  return kind === 'word' && (NEGATORS.has(lower) || lower.endsWith("n't") || lower.endsWith('n’t'));
}
