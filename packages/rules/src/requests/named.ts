/**
 * Values that are names: the language of a text, a year, the value behind a label.
 *
 * @module
 */
import type { Atom, Scan } from '@assay/kernel/intent';
import type { Clause } from './clauses.js';
import type { Demand } from './binding.js';
import { keyOf } from './keys.js';
import type { Sentence } from './sentences.js';
import { isIn, wordAt } from './words.js';

const VALUE_TOKENS_MAX = 6;

/** The named value a clause states of a named attribute, or null. */
export function namedValue(scan: Scan, sentence: Sentence, clause: Clause, demand: Demand): Atom | null {
  if (demand.modality !== 'must') return null;
  return (
    language(scan, clause, demand) ?? year(scan, clause, demand) ?? labelled(scan, sentence, clause, demand)
  );
}

/** `shall be written in English`, `the language is English`: one language, not several. */
function language(scan: Scan, clause: Clause, demand: Demand): Atom | null {
  const { tokens, text } = scan;
  const last = clause.core.next - 1;
  const token = tokens[last];
  if (token === undefined || !isIn('language', token.lower)) return null;
  const before = wordAt(tokens, last - 1);
  if (before !== 'in' && before !== 'is' && before !== 'be') return null;
  const key = keyOf(scan, clause, { ...demand, verb: last }, null, { first: last, next: last + 1 }).replace(
    /\.[a-z0-9_]*$/,
    '.language',
  );
  return { key, op: '=', value: text.slice(token.start, token.end), unit: null };
}

/** `invoices of 2024`. */
function year(scan: Scan, clause: Clause, demand: Demand): Atom | null {
  const { tokens } = scan;
  for (let at = clause.core.first + 1; at < clause.core.next; at += 1) {
    const token = tokens[at];
    const isYear =
      token?.kind === 'number' &&
      token.lower.length === 4 &&
      Number(token.lower) >= 1_900 &&
      Number(token.lower) < 2_200;
    if (
      token === undefined ||
      !isYear ||
      !['of', 'from', 'for'].includes(wordAt(tokens, at - 1)) ||
      at + 1 !== clause.core.next
    )
      continue;
    return {
      key: keyOf(scan, clause, demand, null, { first: at, next: at + 1 }).replace(/\.[a-z0-9_]*$/, '.year'),
      op: '=',
      value: token.lower,
      unit: null,
    };
  }
  return null;
}

/** `Material: stainless steel 1.4301`. */
function labelled(scan: Scan, { label }: Sentence, clause: Clause, demand: Demand): Atom | null {
  const { tokens, text } = scan;
  const { first, next } = clause.core;
  if (
    label === null ||
    label.next - label.first > 3 ||
    clause.finite !== null ||
    next - first > VALUE_TOKENS_MAX ||
    demand.subject.next < next
  )
    return null;
  const words = tokens.slice(label.first, label.next).every(({ kind }) => kind === 'word');
  const key = tokens
    .slice(label.first, label.next)
    .map(({ lower }) => lower)
    .join('_');
  if (!words || !/^[a-z0-9_]+$/.test(key)) return null;
  return {
    key: `${key}.value`,
    op: '=',
    value: text.slice(tokens[first]?.start, tokens[next - 1]?.end).slice(0, 200),
    unit: null,
  };
}
