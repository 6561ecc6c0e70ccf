/**
 * Keys of atoms: subject, then measure. Two claims of one text get one key where they speak of one measure.
 *
 * @module
 */
import {
  isKey,
  isKnownUnit,
  lowerAscii,
  findMeasure,
  findSingular,
  type PinAtom,
  type Scan,
} from '@assay/kernel/intent';
import type { Clause } from './clauses.js';
import type { Demand } from './binding.js';
import { isCovered, type Span } from './spans.js';
import { isBase, isParticiple, lemmaOf } from './verbs.js';
import { findPhrase, isIn, wordAt } from './words.js';

/** Subject of a key where the words name none; each such measure is one of its own. */
export const ANONYMOUS = 'it';

const WORDS_MAX = 3;
const WORD_UNITS_MAX = 24;

/** Nouns of a classification: however a sentence puts it, their number is one measure of a text. */
const CLASSES: ReadonlySet<string> = new Set(['class', 'category', 'label']);

/**
 * The key of an amount: what the clause speaks of, and the measure its unit belongs to. Keeping and deleting
 * state one measure, `retention`.
 */
export function keyOf(scan: Scan, clause: Clause, demand: Demand, unit: string | null, amount: Span): string {
  if (unit !== null && CLASSES.has(unit)) return `${unit}.count`;
  const dimension = measureName(unit);
  const verb = wordAt(scan.tokens, mainVerb(scan, clause, demand, amount));
  const isRetained = (dimension === 'time' || dimension === 'working_day') && isIn('retention', verb);
  const base = isIn('stop', verb) || !isAsciiWord(verb) ? '' : lemmaOf(verb);
  const { subject, detail } = subjectOf(scan, clause, demand, amount);
  // `80 cm wide`, `14 EUR for adults`: what distinguishes two amounts of one thing belongs to the measure.
  const aspect = aspectsOf(scan, clause, amount, dimension).slice(0, 2);
  const measure = [isRetained ? 'retention' : base, ...detail, isRetained ? '' : dimension, ...aspect]
    .filter((part) => part !== '')
    .join('_');
  const key = `${subject}.${slug(measure)}`;
  return isKey(key) ? key : `${ANONYMOUS}.amount`;
}

/** Adjectives of extent, however compared: `longer than 3 m` and `2 m long` are one measure. */
const EXTENTS: ReadonlyMap<string, string> = new Map(
  [
    'long longer longest',
    'short shorter shortest',
    'high higher highest tall taller tallest',
    'low lower lowest',
    'wide wider widest broad broader',
    'narrow narrower',
    'deep deeper deepest',
    'thick thicker',
    'thin thinner',
    'heavy heavier',
    'light lighter',
    'old older',
    'young younger',
    'large larger big bigger',
    'small smaller',
    'hot hotter warm warmer',
    'cold colder cool cooler',
    'fast faster quick quicker',
    'slow slower',
    'late later',
    'early earlier',
    'far farther further',
    'expensive',
  ].flatMap((line) => {
    const [base = '', ...forms] = line.split(' ');
    return [base, ...forms].map((form) => [form, base] as const);
  }),
);
/** The two ends of one scale are one measure. */
const SCALES: ReadonlyMap<string, string> = new Map([
  ['short', 'long'],
  ['low', 'high'],
  ['narrow', 'wide'],
  ['thin', 'thick'],
  ['young', 'old'],
]);
const COMPARED: ReadonlySet<string> = new Set(
  'longer shorter higher lower wider narrower deeper thicker thinner taller broader older younger'.split(' '),
);

/**
 * What is said beside the amount, and which extent it compares. A length has several (`80 cm wide`); of any
 * other measure but age the adjective adds nothing.
 */
function aspectsOf(scan: Scan, clause: Clause, amount: Span, dimension: string): readonly string[] {
  const compared = scan.tokens
    .slice(amount.first, amount.next)
    .map(({ lower }) => lower)
    .filter((word) => COMPARED.has(word));
  return [
    ...new Set(
      [...compared, ...content(scan, amount.next, clause.core.next)].flatMap((word) => {
        const base = EXTENTS.get(word);
        if (base === undefined) return [word];
        const scale = SCALES.get(base) ?? base;
        return dimension === 'length' || (dimension === 'time' && scale === 'old') ? [scale] : [];
      }),
    ),
  ];
}

/**
 * The pin of which every word stands in the clause, or null: a proposer that finds a pinned measure calls it
 * by the pin's name.
 */
export function pinFor(
  pin: readonly PinAtom[],
  scan: Scan,
  { core }: Clause,
  dimension: string | null,
): PinAtom | null {
  if (pin.length === 0) return null;
  const words = new Set(scan.tokens.slice(core.first, core.next).map(({ lower }) => findSingular(lower)));
  const fits = ({ atom }: PinAtom): boolean => {
    const isAmount = typeof atom.value === 'object';
    if (dimension === null ? isAmount : !isAmount || findMeasure(atom.unit).dimension !== dimension)
      return false;
    return atom.key.split(/[._]/).every((word) => words.has(findSingular(word)));
  };
  return pin.find(fits) ?? null;
}

/**
 * The content words of a clause in their base forms, sorted: what act it speaks of, in the active or the
 * passive.
 */
export function actOf(scan: Scan, { core }: Clause): string {
  const words = content(scan, core.first, core.next).map((word) => lemmaOf(word));
  const key = [...new Set(words)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).join('_');
  return isKey(key) && words.length >= 2 ? `act.${key}`.slice(0, 110) : '';
}

/**
 * What the measure is of: what an actor's verb acts on, else the subject, else what stands beside the amount.
 * `detail`: what is said of the subject.
 */
function subjectOf(
  scan: Scan,
  clause: Clause,
  demand: Demand,
  amount: Span,
): { readonly subject: string; readonly detail: readonly string[] } {
  const { tokens } = scan;
  // `Legal told us that messages must …`: who said it is not what is spoken of.
  let front = demand.subject.first;
  for (let at = front + 1; at < demand.subject.next - 1; at += 1)
    if (wordAt(tokens, at) === 'that') front = at + 1;
  const own = content(scan, front, Math.min(demand.subject.next, amount.first));
  const verb = mainVerb(scan, clause, demand, amount);
  const object = content(scan, verb + 1, Math.min(amount.first, clause.core.next));
  const isActive = !isParticiple(wordAt(tokens, verb)) && isBase(lemmaOf(wordAt(tokens, verb)));
  const isActor =
    findPhrase('actor', tokens, demand.subject.first, demand.subject.next) !== null ||
    isIn('retention', wordAt(tokens, verb));
  const isPronoun = isIn('pronoun', wordAt(tokens, demand.subject.first)) && own.length === 0;
  const named = (
    words: readonly string[],
    detail: readonly string[] = [],
  ): { readonly subject: string; readonly detail: readonly string[] } => ({
    subject: words.join('_'),
    detail,
  });
  if (isPronoun) return named([ANONYMOUS], object.slice(0, 2));
  if (isActive && isActor && object.length > 0) return named(object.slice(0, WORDS_MAX));
  if (own.length > 0) return named(own.slice(-WORDS_MAX), object.slice(0, 2));
  if (object.length > 0) return named(object.slice(0, WORDS_MAX));
  const before = content(scan, clause.core.first, Math.min(amount.first, clause.core.next));
  if (before.length > 0) return named(before.slice(-WORDS_MAX));
  const behind = content(scan, amount.next, clause.core.next);
  return named(behind.length > 0 ? behind.slice(0, WORDS_MAX) : [ANONYMOUS]);
}

/**
 * The first word that says something at or after the verb's place; the place before the core's end where
 * there is none.
 */
function mainVerb({ tokens }: Scan, { core }: Clause, { verb }: Demand, amount: Span): number {
  for (let at = Math.max(core.first, verb); at < Math.min(core.next, verb + 4); at += 1) {
    if (at >= amount.first && at < amount.next) break;
    const word = wordAt(tokens, at);
    if (
      tokens[at]?.kind === 'word' &&
      !isIn('negation', word) &&
      (!isIn('stop', word) || isBase(lemmaOf(word)))
    )
      return at;
  }
  return Math.max(core.first, verb) - 1;
}

function content({ text, tokens, quantities }: Scan, first: number, next: number): readonly string[] {
  const words: string[] = [];
  for (let at = first; at < next; at += 1) {
    const token = tokens[at];
    // `freezer 3` and `freezer 4` are two things.
    if (
      token?.kind === 'number' &&
      words.length > 0 &&
      tokens[at - 1]?.kind === 'word' &&
      !isCovered(quantities, at) &&
      isAsciiWord(token.lower)
    )
      words.push(token.lower);
    if (
      token?.kind !== 'word' ||
      isIn('stop', token.lower) ||
      isIn('negation', token.lower) ||
      token.lower.length < 2 ||
      !isAsciiWord(token.lower)
    )
      continue;
    if (isKnownUnit(text.slice(token.start, token.end)) && tokens[at - 1]?.kind === 'number') continue;
    words.push(findSingular(token.lower).slice(0, WORD_UNITS_MAX));
  }
  return words;
}

function measureName(unit: string | null): string {
  if (unit === null) return 'count';
  const [base = '', per] = unit.split('/');
  const dimension = findMeasure(base).dimension;
  const name = dimension.startsWith('money_')
    ? 'cost'
    : dimension.startsWith('unit:')
      ? slug(dimension.slice('unit:'.length))
      : dimension;
  return per === undefined ? name : `${name}_per_${slug(per)}`;
}

/** Letters and digits of ASCII in lower case, everything else as `_`. */
function slug(text: string): string {
  let result = '';
  for (const character of lowerAscii(text))
    result += isAsciiWord(character) || character === '_' ? character : '_';
  return result === '' ? 'amount' : result;
}

function isAsciiWord(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39))) return false;
  }
  return word.length > 0;
}
