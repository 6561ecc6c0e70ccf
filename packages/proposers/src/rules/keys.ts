/**
 * Keys of atoms: subject, then measure. Two claims of one text get one key where they speak of one measure.
 *
 * @module
 */
import { isKey, isKnownUnit, lowerAscii, measureOf, singularOf, type PinAtom, type Scan } from '@assay/kernel/intent';
import type { Span } from './binding.js';
import type { Clause } from './clauses.js';
import type { Demand } from './modality.js';
import { isIn } from './words.js';

const WORDS_MAX = 3;
const WORD_UNITS_MAX = 24;

/** The key of an amount: what the clause speaks of, and the measure its unit belongs to. Keeping and deleting state one measure, `retention`. */
export function keyOf(scan: Scan, clause: Clause, demand: Demand, unit: string | null, amount: Span): string {
  const dimension = measureName(unit);
  const verb = verbWord(scan, verbIndex(scan, clause, demand, amount));
  const measure = dimension === 'time' && isIn('retention', verb) ? 'retention' : [isIn('retention', verb) ? '' : verb, dimension].filter((part) => part !== '').join('_');
  const key = `${subjectOf(scan, clause, demand, amount)}.${slug(measure)}`;
  return isKey(key) ? key : 'it.amount';
}

/** The pin of which every word stands in the clause, or null: a proposer that finds a pinned measure calls it by the pin's name. */
export function pinFor(pin: readonly PinAtom[], scan: Scan, { core }: Clause, dimension: string | null): PinAtom | null {
  const words = new Set(scan.tokens.slice(core.first, core.next).map(({ lower }) => singularOf(lower)));
  const fits = ({ atom }: PinAtom): boolean => {
    const isAmount = typeof atom.value === 'object';
    if (dimension === null ? isAmount : !isAmount || measureOf(atom.unit).dimension !== dimension) return false;
    return atom.key.split(/[._]/).every((word) => words.has(singularOf(word)));
  };
  return pin.find(fits) ?? null;
}

/** The subject: content words before the verb, or what an order acts on, or what stands behind the amount. */
function subjectOf(scan: Scan, clause: Clause, demand: Demand, amount: Span): string {
  const { tokens, text } = scan;
  const own = content(text, tokens, demand.subject.first, Math.min(demand.subject.next, amount.first));
  if (own.length > 0) return own.slice(-WORDS_MAX).join('_');
  const verb = verbIndex(scan, clause, demand, amount);
  const object = content(text, tokens, verb === null ? clause.core.first : verb + 1, Math.min(amount.first, clause.core.next));
  if (object.length > 0) return object.slice(0, WORDS_MAX).join('_');
  const behind = content(text, tokens, amount.next, clause.core.next);
  return behind.length > 0 ? behind.slice(0, WORDS_MAX).join('_') : 'it';
}

/** The first word that says something at or after the verb's place. */
function verbIndex({ tokens }: Scan, { core }: Clause, { verb }: Demand, amount: Span): number | null {
  for (let at = Math.max(core.first, verb); at < Math.min(core.next, verb + 3); at += 1) {
    if (at >= amount.first && at < amount.next) return null;
    if (tokens[at]?.kind === 'word' && !isIn('stop', tokens[at]?.lower) && !isIn('negation', tokens[at]?.lower)) return at;
  }
  return null;
}

function verbWord({ tokens }: Scan, at: number | null): string {
  const word = at === null ? '' : (tokens[at]?.lower ?? '');
  return isAsciiWord(word) ? word : '';
}

function content(text: string, tokens: Scan['tokens'], first: number, next: number): readonly string[] {
  const words: string[] = [];
  for (let at = first; at < next; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'word' || isIn('stop', token.lower) || isIn('negation', token.lower) || token.lower.length < 2 || !isAsciiWord(token.lower)) continue;
    if (isKnownUnit(text.slice(token.start, token.end)) && tokens[at - 1]?.kind === 'number') continue;
    words.push(singularOf(token.lower).slice(0, WORD_UNITS_MAX));
  }
  return words;
}

function measureName(unit: string | null): string {
  if (unit === null) return 'count';
  const [base = '', per] = unit.split('/');
  const dimension = measureOf(base).dimension;
  const name = dimension.startsWith('money_') ? 'cost' : dimension.startsWith('unit:') ? slug(dimension.slice('unit:'.length)) : dimension;
  return per === undefined ? name : `${name}_per_${slug(per)}`;
}

/** Letters and digits of ASCII in lower case, everything else as `_`. */
function slug(text: string): string {
  let result = '';
  for (const character of lowerAscii(text)) result += isAsciiWord(character) ? character : '_';
  return result === '' ? 'amount' : result;
}

function isAsciiWord(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39))) return false;
  }
  return word.length > 0;
}
