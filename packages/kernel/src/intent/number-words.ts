/**
 * Numbers as people write them: `1,000`, `1.5k`, `half a million`, `one hundred and twenty`, `2½`,
 * `3 x 10^6`. Source: intent I1, I4.
 */
import { addDecimals, parseDecimal, scaleDecimal, type Decimal } from './decimal.js';
import { isGroupMark, type Token } from './tokens.js';

/** A number read from tokens: its value, the token after it, and whether a word said it. */
export type ReadNumber = { readonly value: Decimal; readonly next: number; readonly isWord: boolean };

const ENGLISH = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
  'fifteen sixteen seventeen eighteen nineteen'
).split(' ');
const GERMAN = 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ');
const ONES: ReadonlyMap<string, number> = new Map([
  ...ENGLISH.map((word, value) => [word, value] as const),
  ...GERMAN.map((word, index) => [word, index + 2] as const),
]);
const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10]),
);
/**
 * `mio` and `mrd` are the million and the thousand million of German, which offers in English use as well.
 */
const SCALES: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
  ['万', 10_000],
  ['tausend', 1_000],
  ['mio', 1_000_000],
  ['mn', 1_000_000],
  ['mln', 1_000_000],
  ['mrd', 1_000_000_000],
  ['bn', 1_000_000_000],
  ['bln', 1_000_000_000],
]);
const ABBREVIATED: ReadonlySet<string> = new Set(['mio', 'mrd', 'mn', 'mln', 'bn', 'bln']);
const VULGAR: ReadonlyMap<string, Decimal> = new Map([
  ['¼', { n: 25, scale: 2 }],
  ['½', { n: 5, scale: 1 }],
  ['¾', { n: 75, scale: 2 }],
]);
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Greatest power of ten: above it no whole number is safe. */
const POWER_MAX = 15;
/** Scales behind one another: `two hundred thousand million`. */
const SCALES_MAX = 4;

/** Reads the number that starts at a token, or null. A `k` glued to digits is a thousand. */
export function readNumber(tokens: readonly Token[], at: number): ReadNumber | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const plain =
    token.kind === 'number'
      ? readDigits(tokens, at)
      : token.kind === 'word'
        ? readWords(tokens, at)
        : readVulgar(tokens, at);
  return plain === null ? null : withHalf(tokens, withScales(tokens, plain));
}

function readDigits(tokens: readonly Token[], at: number): ReadNumber | null {
  const value = parseDecimal(cleanDigits(tokens[at]?.lower ?? ''));
  if (value === null) return null;
  const suffix = tokens[at + 1];
  if (suffix?.glued === true && suffix.lower === 'k') {
    const thousands = scaleDecimal(value, 1_000);
    return thousands === null ? null : { value: thousands, next: at + 2, isWord: false };
  }
  return readPower(tokens, at, value) ?? withVulgar(tokens, { value, next: at + 1, isWord: false });
}

/** `10^6`, `10⁶`, `3 x 10^6`. */
function readPower(tokens: readonly Token[], at: number, value: Decimal): ReadNumber | null {
  const isTimes =
    ['x', '×', '·', '*'].includes(tokens[at + 1]?.lower ?? '') && tokens[at + 2]?.lower === '10';
  const base = isTimes ? at + 2 : at;
  if (tokens[base]?.lower !== '10') return null;
  const [sign, raised] = [tokens[base + 1], tokens[base + 2]];
  const isCaret = sign?.lower === '^' && sign.glued && raised?.glued === true && raised.kind === 'number';
  const power = isCaret ? Number(raised.lower) : sign?.glued === true ? superscript(sign.lower) : null;
  if (power === null || !Number.isInteger(power) || power > POWER_MAX) return null;
  let ten = 1;
  for (let times = 0; times < power; times += 1) ten *= 10;
  const read = scaleDecimal(isTimes ? value : { n: 1, scale: 0 }, ten);
  return read === null ? null : { value: read, next: base + (isCaret ? 3 : 2), isWord: false };
}

function superscript(word: string): number | null {
  const digits = [...word].map((character) => SUPERSCRIPTS.indexOf(character));
  return digits.length > 2 || digits.some((digit) => digit < 0)
    ? null
    : digits.reduce((power, digit) => power * 10 + digit, 0);
}

/** `½` alone. */
function readVulgar(tokens: readonly Token[], at: number): ReadNumber | null {
  const value = VULGAR.get(tokens[at]?.lower ?? '');
  return value === undefined ? null : { value, next: at + 1, isWord: false };
}

/** `2½`, `2 ½`. */
function withVulgar(tokens: readonly Token[], read: ReadNumber): ReadNumber {
  const part = VULGAR.get(tokens[read.next]?.lower ?? '');
  const value = part === undefined || read.value.scale > 0 ? null : addDecimals(read.value, part);
  return value === null ? read : { ...read, value, next: read.next + 1 };
}

/** Digits with a point: groups joined, a decimal comma made a point. */
function cleanDigits(written: string): string {
  const token = [...written].filter((character) => !isGroupMark(character.charCodeAt(0))).join('');
  const comma = token.lastIndexOf(',');
  // `1.000,50`: the comma stands behind the points.
  if (comma > token.indexOf('.') && token.includes('.')) return token.replaceAll('.', '').replace(',', '.');
  return comma >= 0 && token.length - comma < 4 && !token.includes('.')
    ? token.replace(',', '.')
    : token.replaceAll(',', '');
}

function readWords(tokens: readonly Token[], at: number): ReadNumber | null {
  const word = tokens[at]?.lower ?? '';
  if (word === 'half' || word === 'quarter')
    return readFraction(tokens, at, word === 'half' ? { n: 5, scale: 1 } : { n: 25, scale: 2 });
  if (word === 'three' && tokens[at + 1]?.lower === 'quarters' && tokens[at + 2]?.lower === 'of')
    return readFraction(tokens, at + 1, { n: 75, scale: 2 });
  // `a dozen`, `an hour and a half`.
  if (word === 'a' || word === 'an')
    return SCALES.has(tokens[at + 1]?.lower ?? '') ||
      [2, 3, 4].map((ahead) => tokens[at + ahead]?.lower).join(' ') === 'and a half'
      ? { value: { n: 1, scale: 0 }, next: at + 1, isWord: true }
      : null;
  const small = belowHundred(tokens, at);
  return small === null ? null : { value: { n: small[0], scale: 0 }, next: small[1], isWord: true };
}

/** `seven`, `twenty`, `fifty-six`, and the token after it. */
function belowHundred(tokens: readonly Token[], at: number): readonly [n: number, next: number] | null {
  const word = tokens[at]?.lower ?? '';
  const tens = TENS.get(word);
  if (tens === undefined) {
    const ones = ONES.get(word);
    return ones === undefined ? null : [ones, at + 1];
  }
  const last = at + (tokens[at + 1]?.lower === '-' ? 2 : 1);
  const ones = ONES.get(tokens[last]?.lower ?? '');
  return ones !== undefined && ones >= 1 && ones <= 9 ? [tens + ones, last + 1] : [tens, at + 1];
}

/** `half a million`, `half an hour`, `quarter of an hour`. Alone, `half` is no number. */
function readFraction(tokens: readonly Token[], at: number, value: Decimal): ReadNumber | null {
  const of = tokens[at + 1]?.lower === 'of' ? 1 : 0;
  const article = tokens[at + 1 + of]?.lower;
  return article === 'a' || article === 'an' ? { value, next: at + 2 + of, isWord: true } : null;
}

/**
 * A number with the scales behind it and what words add to them: `two hundred thousand`,
 * `three thousand five hundred`. Of more than a few the rest is no number.
 */
function withScales(tokens: readonly Token[], first: ReadNumber): ReadNumber {
  let read = first;
  for (let scales = 0; scales < SCALES_MAX; scales += 1) {
    const word = tokens[read.next]?.lower ?? '';
    const scale = SCALES.get(word);
    const value = scale === undefined ? null : scaleDecimal(read.value, scale);
    if (scale === undefined || value === null) break;
    const isPoint =
      ABBREVIATED.has(word) &&
      tokens[read.next + 1]?.lower === '.' &&
      tokens[read.next + 2]?.kind === 'word' &&
      tokens[read.next + 2]?.lines === 0;
    read = { value, next: read.next + (isPoint ? 2 : 1), isWord: true };
    if (first.isWord && scale >= 100)
      read = withRest(tokens, read, scale, tokens[first.next - 2]?.lower ?? '');
  }
  return read;
}

/**
 * `and twenty` behind hundred, `five hundred` behind thousand: what is less than the scale before it.
 * `between one hundred and two hundred` joins two numbers.
 */
function withRest(tokens: readonly Token[], read: ReadNumber, scale: number, before: string): ReadNumber {
  const isAnd = tokens[read.next]?.lower === 'and';
  const from = read.next + (isAnd ? 1 : 0);
  const small = belowHundred(tokens, from);
  if (small === null || small[0] === 0 || (isAnd && before === 'between')) return read;
  const isHundreds = scale > 100 && small[0] < 10 && tokens[small[1]]?.lower === 'hundred';
  const rest = isHundreds
    ? withRest(tokens, { value: { n: small[0] * 100, scale: 0 }, next: small[1] + 1, isWord: true }, 100, '')
    : { value: { n: small[0], scale: 0 }, next: small[1] };
  const behind = SCALES.get(tokens[rest.next]?.lower ?? '');
  const value = behind !== undefined && behind <= scale ? null : addDecimals(read.value, rest.value);
  return value === null ? read : { value, next: rest.next, isWord: true };
}

/** `four and a half hours`, `two and a quarter`: the part belongs to the number. */
function withHalf(tokens: readonly Token[], read: ReadNumber): ReadNumber {
  const part = PARTS.get([0, 1, 2].map((ahead) => tokens[read.next + ahead]?.lower).join(' '));
  const value = part === undefined || read.value.scale > 0 ? null : addDecimals(read.value, part);
  return value === null ? read : { ...read, value, next: read.next + 3 };
}

const PARTS: ReadonlyMap<string, Decimal> = new Map([
  ['and a half', { n: 5, scale: 1 }],
  ['and a quarter', { n: 25, scale: 2 }],
  ['and three quarters', { n: 75, scale: 2 }],
]);
