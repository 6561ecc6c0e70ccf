/**
 * Arbitraries of JSON values: admitted ones, the same value with its keys in another order, and values
 * with one refused part.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import fc from 'fast-check';

/** Any character but half a pair. The unit `binary` of fast-check first writes down all of them, for a second. */
export const character: fc.Arbitrary<string> = fc
  .nat(0x10_ffff - 0x800)
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));

/** Keys that tell a good encoder from a naive one: prototype names, integers, astral against private use. */
const NOTABLE_KEYS = [
  '',
  '__proto__',
  'constructor',
  'toJSON',
  'hasOwnProperty',
  'length',
  '0',
  '9',
  '10',
  '01',
  '-1',
  '4294967295',
  'a',
  'A',
  'é',
  'e\u0301',
  '\u{1f600}',
  '\ufb33',
  '\u2028',
  '~',
  '/',
  '$sealed',
  '"',
  '\\',
  '\u0000',
  '\u007f',
];
const NOTABLE_TEXTS = [
  '',
  '"',
  '\\',
  '/',
  '\b\t\n\f\r',
  '\u0000\u001f',
  '\u007f\u0080',
  '\u2028\u2029',
  '\ufeff',
  '\uffff',
  '\u{10ffff}',
  '\u{1f468}\u200d\u{1f52c}',
  '\\ud800',
  '\\u0000',
];
const NOTABLE_NUMBERS = [
  0,
  1,
  -1,
  1e-7,
  1.5e-7,
  0.000001,
  0.1,
  0.30000000000000004,
  1 / 3,
  5e-324,
  2.2250738585072014e-308,
  9_007_199_254_740_991,
  -9_007_199_254_740_991,
  4503599627370495.5,
  1e15,
  333333333.3333332,
];

/** Well-formed text: notable cases, any code points, and graphemes of several. */
export function arbitraryText(maxLength: number = 10): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...NOTABLE_TEXTS),
    fc.string({ unit: character, maxLength }),
    fc.string({ unit: 'grapheme', maxLength }),
  );
}

/** An object key. */
export function arbitraryKey(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...NOTABLE_KEYS),
    fc.nat(200).map(String),
    fc.string({ unit: character, maxLength: 4 }),
  );
}

/** An admitted number: any double up to 2^53 - 1 in size, never -0. */
export function arbitraryNumber(): fc.Arbitrary<number> {
  const range = {
    noNaN: true,
    noDefaultInfinity: true,
    min: -Number.MAX_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
  };
  return fc
    .oneof(
      fc.constantFrom(...NOTABLE_NUMBERS),
      fc.maxSafeInteger(),
      fc.double(range),
      fc.double({ ...range, min: -1, max: 1 }),
    )
    .map((n) => (n === 0 ? 0 : n));
}

/** An admitted value. */
export function arbitraryAdmitted(maxDepth: number = 4): fc.Arbitrary<Json> {
  return fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constantFrom<Json>(null, true, false),
      arbitraryNumber(),
      arbitraryText(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(arbitraryKey(), tie('value')), { maxLength: 5 }).map(objectOf),
    ),
  })).value;
}

/**
 * A plain object of some entries, `__proto__` among its own keys where it is one; of equal keys the first
 * stays.
 */
export function objectOf<A>(entries: readonly (readonly [string, A])[]): { readonly [key: string]: A } {
  const object: { [key: string]: A } = {};
  for (const [key, value] of entries) {
    if (!Object.hasOwn(object, key))
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** A source of choices: numbers from fast-check, over and over. */
export type Choices = readonly number[];

/** Numbers to draw an order from. */
export const arbitraryChoices: fc.Arbitrary<Choices> = fc.array(fc.nat(1_000), {
  minLength: 1,
  maxLength: 12,
});

/**
 * The same value, built anew with the properties of every object defined in another order, accessors and
 * hidden ones included.
 */
export function withKeysReordered(value: unknown, choices: Choices): unknown {
  let drawn = 0;
  const below = (bound: number): number => (choices[drawn++ % choices.length] ?? 0) % bound;
  const rebuild = (part: unknown): unknown => {
    if (Array.isArray(part))
      return Object.keys(part).length === part.length && !isOdd(part) ? part.map(rebuild) : part;
    if (typeof part !== 'object' || part === null || Object.getPrototypeOf(part) !== Object.prototype)
      return part;
    const keys: PropertyKey[] = [];
    for (const key of Reflect.ownKeys(part)) keys.splice(below(keys.length + 1), 0, key);
    const rebuilt = {};
    for (const key of keys) {
      const slot = Object.getOwnPropertyDescriptor(part, key) ?? {};
      Object.defineProperty(rebuilt, key, 'value' in slot ? { ...slot, value: rebuild(slot.value) } : slot);
    }
    return rebuilt;
  };
  return rebuild(value);
}

function isOdd(array: readonly unknown[]): boolean {
  return (
    Object.values(Object.getOwnPropertyDescriptors(array)).some((slot) => !('value' in slot)) ||
    Object.getOwnPropertySymbols(array).length > 0
  );
}

/** What no admitted value contains, each with the code of its refusal. Made anew each time. */
export const REFUSED_PARTS: readonly { readonly code: string; readonly make: () => unknown }[] = [
  { code: 'undefined', make: () => undefined },
  { code: 'function', make: () => () => 1 },
  { code: 'symbol', make: () => Symbol('s') },
  { code: 'bigint', make: () => 1n },
  { code: 'not_finite', make: () => Number.NaN },
  { code: 'not_finite', make: () => Number.NEGATIVE_INFINITY },
  { code: 'number_range', make: () => 2 ** 53 },
  { code: 'lone_surrogate', make: () => 'x\ud800y' },
  { code: 'lone_surrogate', make: () => ({ '\udfff': 1 }) },
  { code: 'not_plain', make: () => new Map([[1, 2]]) },
  { code: 'not_plain', make: () => new Date(0) },
  { code: 'symbol_key', make: () => ({ [Symbol('s')]: 1 }) },
  { code: 'array_key', make: () => Object.assign([1], { extra: 1 }) },
  { code: 'sparse_array', make: () => new Array<number>(1) },
  { code: 'accessor', make: () => Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }) },
  { code: 'hidden_key', make: () => Object.defineProperty({}, 'a', { value: 1, enumerable: false }) },
  { code: 'to_json', make: () => ({ toJSON: () => 1 }) },
];

/** A plain value with one refused part or more. */
export function arbitraryRefused(): fc.Arbitrary<unknown> {
  const part = fc.constantFrom(...REFUSED_PARTS).map(({ make }) => make());
  const child = fc.oneof(
    { weight: 3, arbitrary: arbitraryAdmitted(2) as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: part },
  );
  const branch = fc.array(
    fc.tuple(
      arbitraryKey(),
      fc.oneof(
        child,
        fc.array(child, { maxLength: 3 }),
        fc.array(fc.tuple(arbitraryKey(), child), { maxLength: 4 }).map(objectOf),
      ),
    ),
    { maxLength: 5 },
  );
  // At least one refused part, under a key of its own.
  return fc
    .tuple(branch, arbitraryKey(), part)
    .map(([entries, key, bad]) => objectOf<unknown>([[key, bad], ...entries]));
}
