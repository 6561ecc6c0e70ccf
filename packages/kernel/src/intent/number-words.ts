/**
 * Numbers as people write them: `1,000`, `1.5k`, `half a million`, `four and a half`. Source: intent I1, I4.
 *
 * @module
 */
import { decimalOf, scaleDecimal, type Decimal } from './decimal.js';
import { isGroupMark } from './group-mark.js';
import type { Token } from './tokens.js';

/** A number read from tokens: its value, the token after it, and whether a word said it. */
export type ReadNumber = { readonly value: Decimal; readonly next: number; readonly isWord: boolean };

const ENGLISH = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const GERMAN = 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ');
const ONES: ReadonlyMap<string, number> = new Map([...ENGLISH.map((word, value) => [word, value] as const), ...GERMAN.map((word, index) => [word, index + 2] as const)]);
const TENS: ReadonlyMap<string, number> = new Map('twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, (index + 2) * 10]));
const SCALES: ReadonlyMap<string, number> = new Map([['dozen', 12], ['hundred', 100], ['thousand', 1_000], ['million', 1_000_000], ['billion', 1_000_000_000], ['万', 10_000], ['tausend', 1_000]]);

/** Reads the number that starts at a token, or null. A `k` glued to digits is a thousand. */
export function readNumber(tokens: readonly Token[], at: number): ReadNumber | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const plain = token.kind === 'number' ? readDigits(tokens, at) : token.kind === 'word' ? readWords(tokens, at) : null;
  return plain === null ? null : withHalf(tokens, withScales(tokens, plain));
}

function readDigits(tokens: readonly Token[], at: number): ReadNumber | null {
  const value = decimalOf(digitsOf(tokens[at]?.lower ?? ''));
  if (value === null) return null;
  const suffix = tokens[at + 1];
  if (suffix?.glued !== true || suffix.lower !== 'k') return { value, next: at + 1, isWord: false };
  const thousands = scaleDecimal(value, 1_000);
  return thousands === null ? null : { value: thousands, next: at + 2, isWord: false };
}

/** Digits with a point: groups joined, a decimal comma made a point. */
function digitsOf(written: string): string {
  const token = [...written].filter((character) => !isGroupMark(character.charCodeAt(0))).join('');
  const comma = token.lastIndexOf(',');
  // `1.000,50`: the comma stands behind the points.
  if (comma > token.indexOf('.') && token.includes('.')) return token.replaceAll('.', '').replace(',', '.');
  return comma >= 0 && token.length - comma < 4 && !token.includes('.') ? token.replace(',', '.') : token.replaceAll(',', '');
}

function readWords(tokens: readonly Token[], at: number): ReadNumber | null {
  const word = tokens[at]?.lower ?? '';
  if (word === 'half' || word === 'quarter') return readFraction(tokens, at, word === 'half' ? { n: 5, scale: 1 } : { n: 25, scale: 2 });
  if (word === 'a' || word === 'an') return SCALES.has(tokens[at + 1]?.lower ?? '') ? { value: { n: 1, scale: 0 }, next: at + 1, isWord: true } : null;
  const tens = TENS.get(word);
  if (tens === undefined) {
    const ones = ONES.get(word);
    return ones === undefined ? null : { value: { n: ones, scale: 0 }, next: at + 1, isWord: true };
  }
  const isHyphen = tokens[at + 1]?.lower === '-';
  const last = at + (isHyphen ? 2 : 1);
  const ones = ONES.get(tokens[last]?.lower ?? '');
  return ones !== undefined && ones >= 1 && ones <= 9 ? { value: { n: tens + ones, scale: 0 }, next: last + 1, isWord: true } : { value: { n: tens, scale: 0 }, next: at + 1, isWord: true };
}

/** `half a million`, `half an hour`, `quarter of an hour`. Alone, `half` is no number. */
function readFraction(tokens: readonly Token[], at: number, value: Decimal): ReadNumber | null {
  const of = tokens[at + 1]?.lower === 'of' ? 1 : 0;
  const article = tokens[at + 1 + of]?.lower;
  return article === 'a' || article === 'an' ? { value, next: at + 2 + of, isWord: true } : null;
}

/** A number with the scales behind it: `two hundred thousand`. Of more than a few the rest is no number. */
function withScales(tokens: readonly Token[], first: ReadNumber): ReadNumber {
  let read = first;
  for (let scales = 0; scales < SCALES_MAX; scales += 1) {
    const scale = SCALES.get(tokens[read.next]?.lower ?? '');
    const value = scale === undefined ? null : scaleDecimal(read.value, scale);
    if (value === null) break;
    read = { value, next: read.next + 1, isWord: true };
  }
  return read;
}

const SCALES_MAX = 4;

/** `four and a half hours`: the half is part of the number. */
function withHalf(tokens: readonly Token[], read: ReadNumber): ReadNumber {
  const words = [0, 1, 2].map((ahead) => tokens[read.next + ahead]?.lower);
  if (words.join(' ') !== 'and a half' || read.value.scale > 0) return read;
  const value = scaleDecimal({ n: read.value.n * 10 + 5, scale: 1 }, 1);
  return value === null ? read : { ...read, value, next: read.next + 3 };
}
