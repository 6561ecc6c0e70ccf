/** Sentences of a text, and a sentence as letters of its word classes. */
import { scanSaid, scanText, type Scan } from '@assay/kernel/intent';
import { readLimits, type Limit } from './amounts.js';
import type { Rule } from './rules.js';
import { ASKING, CLASSES, FORCES, MONTHS, OPENERS, TITLES, words } from './words.js';

/** Tokens, or lexemes of a sentence: `[first, next)`. */
export type Span = { readonly first: number; readonly next: number };
/** A line above a list that says neither that its items are demanded nor that they are not. */
export const NO_STEM: Span = { first: -1, next: -1 };
/** A sentence, an item of a list, the line above a list, a title. `stem`: the line or title above an item. */
export type Sentence = Span & {
  readonly kind: 'sentence' | 'item' | 'stem' | 'title';
  readonly end: string;
  readonly stem: Span | null;
};
/** A word, phrase, limit or quoted text. `rule`: what letters `8` and `!` break. */
export type Lexeme = Span & {
  readonly letter: string;
  readonly limit: Limit | null;
  readonly rule: Rule | null;
};
/** A text with its tokens and limits. */
export type Text = { readonly scan: Scan; readonly limits: ReadonlyMap<number, Limit> };

const PHRASE_MAX = 5;
const WRAPPED_UNITS = 50;
const ABBREVIATED = words('max min approx e.g i.e vs no nr dr mr mrs ms st prof incl excl');
const ONLY = words('only even just not');
/** A line that ends in a word of these classes goes on in the next. */
const OPEN_CLASSES = 'MXSYAFdpfsj+kzbHU';

/** Reads a text: without what it does not say (struck out, commented out, code). Linear. */
export function readText(text: string): Text {
  const scan = scanSaid(scanText(text));
  return { scan, limits: readLimits(scan) };
}

/** A token's word with a plain apostrophe; empty beyond the text. */
export function wordAt({ scan }: Text, at: number): string {
  return (scan.tokens[at]?.lower ?? '').replace('’', "'");
}

/** The sentences of a text: each token stands in one, or is a mark between two. Linear. */
export function splitSentences(text: Text): readonly Sentence[] {
  const { tokens } = text.scan;
  const word = (at: number): string => wordAt(text, at);
  const found: Sentence[] = [];
  let [first, stem] = [0, null as Span | null];
  for (let at = 0; at < tokens.length; at += 1) {
    const next = tokens[at + 1];
    if (next !== undefined && !endsAt(text, at, first)) continue;
    const mark = markAt(text, first);
    const end = '.!?:;'.includes(word(at)) ? word(at) : '';
    const span = { first: first + mark, next: end === '' ? at + 1 : at };
    const isLine = next === undefined || next.lines > 0;
    const isListed =
      isLine && markAt(text, at + 1) > 0 && word(at + 1) !== '#' && !'.!?'.includes(end || '-');
    const isTitle = word(first) === '#';
    const isAbove = isTitle || (mark === 0 && isLine && (end === ':' || isListed));
    const kind = isAbove ? (isTitle ? 'title' : 'stem') : mark > 0 ? 'item' : 'sentence';
    // A plain line ends a list; what stands between a force and its list, or right above one, leaves it open.
    const isBetween = kind === 'sentence' && found.at(-1)?.kind === 'stem' && isForced(text, stem);
    if (kind === 'sentence' && found.at(-1)?.kind !== 'title') stem = isBetween ? NO_STEM : null;
    if (span.next > span.first) found.push({ ...span, kind, end, stem: isAbove ? null : stem });
    const isOpen = isLine && kind !== 'title' && markAt(text, at + 1) > 0 && word(at + 1) !== '#';
    if (isAbove) stem = span;
    else if ((kind === 'item' && end === ':') || (kind === 'sentence' && isOpen)) stem = NO_STEM;
    first = at + 1;
  }
  return found;
}

/** True for a line that ends in a force word: `The app must not:`. */
export function isForced(text: Text, stem: Span | null): boolean {
  const { first = 0, next = 0 } = stem ?? {};
  return FORCES.has(listLexemes(text, { first: Math.max(first, next - 2), next }).at(-1)?.letter ?? '');
}

function endsAt(text: Text, at: number, first: number): boolean {
  const { scan } = text;
  const [token, next] = [scan.tokens[at], scan.tokens[at + 1]];
  const word = wordAt(text, at);
  if (token === undefined || next === undefined || next.lines > 1) return true;
  const code = scan.text.charCodeAt(next.start);
  const isCapital = code >= 0x41 && code <= 0x5a;
  if (next.lines > 0) {
    if (markAt(text, at + 1) > 0 || wordAt(text, first) === '#' || '.!?:'.includes(word)) return true;
    const width = token.end - scan.text.lastIndexOf('\n', token.start);
    const isOpen = token.kind === 'symbol' || OPEN_CLASSES.includes(CLASSES.get(word) ?? 'n');
    return isCapital && width < WRAPPED_UNITS && !isOpen;
  }
  if (next.glued) return false;
  if (word === '!' || word === '?') return true;
  if (word !== '.' || (at === first + 1 && markAt(text, first) === 2)) return false;
  return (
    !(code >= 0x61 && code <= 0x7a) &&
    !(ABBREVIATED.has(wordAt(text, at - 1)) && scan.tokens[at - 2]?.kind !== 'number')
  );
}

/** How many tokens the mark of an item or title takes: `-`, `1.`, `a)`, `##`, `- [ ]`. */
function markAt(text: Text, at: number): number {
  const [token, next, after] = [text.scan.tokens[at], text.scan.tokens[at + 1], text.scan.tokens[at + 2]];
  if (token === undefined || next === undefined || (at > 0 && token.lines === 0)) return 0;
  if (token.lower === '#') {
    let end = at + 1;
    while (wordAt(text, end) === '#') end += 1;
    return end - at;
  }
  if ('-*•–'.includes(token.lower)) return next.glued ? 0 : next.lower === '[' ? 4 : 1;
  const isNumbered = token.kind === 'number' || (token.kind === 'word' && token.end - token.start === 1);
  return isNumbered && next.glued && '.)'.includes(next.lower) && after?.glued === false ? 2 : 0;
}

/** True for a title that says no more than that demands follow. */
export function isPlainTitle(text: Text, { first, next }: Span): boolean {
  const tokens = text.scan.tokens.slice(first, next).filter(({ kind }) => kind !== 'symbol');
  return tokens.every(({ lower }) => TITLES.has(lower));
}

/** Lexemes as a string of letters; places in it are places of lexemes. */
export class Line {
  readonly text: Text;
  readonly lexemes: readonly Lexeme[];
  readonly letters: string;

  constructor(text: Text, lexemes: readonly Lexeme[]) {
    this.text = text;
    this.lexemes = lexemes;
    this.letters = lexemes.map(({ letter }) => letter).join('');
  }

  slice({ first, next }: Span): string {
    return this.letters.slice(first, next);
  }

  /** The tokens of lexemes. */
  tokens({ first, next }: Span): Span {
    const [start, end] = [this.lexemes[first], this.lexemes[next - 1]];
    return next <= first ? { first: 0, next: 0 } : { first: start?.first ?? 0, next: end?.next ?? 0 };
  }

  words(span: Span): string {
    const { first, next } = this.tokens(span);
    return Array.from({ length: next - first }, (_, index) => wordAt(this.text, first + index)).join(' ');
  }

  /** The first rule that a limit or an opener breaks by itself. */
  ruleIn({ first, next }: Span): Rule | null {
    return this.lexemes.slice(first, next).find(({ rule }) => rule !== null)?.rule ?? null;
  }
}

/** The lexemes of a span, from left to right, the longest phrase first. Linear. */
export function listLexemes(text: Text, span: Span): readonly Lexeme[] {
  const found: Lexeme[] = [];
  for (let at = span.first; at < span.next; at = found.at(-1)?.next ?? span.next)
    found.push(lexemeAt(text, at, span));
  return found;
}

function lexemeAt(text: Text, at: number, span: Span): Lexeme {
  const [token, after] = [text.scan.tokens[at], text.scan.tokens[at + 1]];
  const [word, before] = [wordAt(text, at), at > span.first ? wordAt(text, at - 1) : ''];
  const make = (letter: string, next = at + 1, rule: Rule | null = null): Lexeme => {
    return { letter, first: at, next, limit: null, rule };
  };
  const limit = text.limits.get(at);
  if (limit !== undefined && limit.next <= span.next) return { ...limit, limit };
  const closing = word === '"' ? '"' : word === '“' ? '”' : undefined;
  const last = closing === undefined ? at : span.next;
  for (let end = at + 1; end < last; end += 1) if (wordAt(text, end) === closing) return make('$', end + 1);
  const [letter, next] = classAt(text, at, span.next);
  if (letter === 'I' && next === at + 1 && ASKING.has(before)) return make('!', next, 'whether');
  if (/[IET]/.test(letter) && ONLY.has(before)) return make('!', next, 'only_if');
  // `be charged once`; `It must have rained` guesses; `in 2028`; `low-power`, `and/or`: one word.
  if (word === 'once' && (next === span.next || '.,;'.includes(wordAt(text, next)))) return make('n');
  if (word === 'have' && /..ed$/.test(wordAt(text, next))) return make('h');
  if (letter !== '') return make(letter, next);
  // `25:00`, `March 2027`: no moment that there is.
  const isDate = token?.kind === 'clock' || token?.kind === 'date';
  if (isDate || (MONTHS.has(word) && after?.kind === 'number')) return make('!', at + 1, 'date');
  if (token?.kind === 'number') return make(word.length === 4 && before === 'in' ? 'n' : '#');
  if (token?.kind === 'symbol')
    return make(',;:'.includes(word) ? word : token.glued && after?.glued ? 'n' : '?');
  return make(word.endsWith("n't") ? 'Z' : 'n');
}

function classAt(text: Text, at: number, limit: number): readonly [letter: string, next: number] {
  let phrase = wordAt(text, at);
  let best: readonly [string, number] = [CLASSES.get(phrase) ?? '', at + 1];
  if (!OPENERS.has(phrase)) return best;
  for (let end = at + 1; end < Math.min(limit, at + PHRASE_MAX); end += 1) {
    phrase += ` ${wordAt(text, end)}`;
    const letter = CLASSES.get(phrase);
    if (letter !== undefined) best = [letter, end + 1];
  }
  return best;
}
