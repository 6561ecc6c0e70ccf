/** Random JSON as the kernel admits it: text beyond ASCII, keys that trip careless code, tokens. */
import type { Json } from '@assay/kernel';
import fc from 'fast-check';

/**
 * Which parts a generated value may have. `fractions`: numbers that are no integers. `tokens`: `$sealed` and
 * `$blob`, well formed. `depthMax`: nesting.
 */
type JsonOptions = {
  readonly fractions?: boolean;
  readonly tokens?: boolean;
  readonly depthMax?: number;
};

/**
 * Keys that trip careless code: prototype names, integer-like keys (enumerated out of order), astral against
 * BMP-private.
 */
const TRICKY_KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'toJSON',
  'hasOwnProperty',
  '',
  '0',
  '10',
  '9',
  '01',
  'é',
  'e\u0301',
  '\u{1f600}',
  '\ufb33',
  '~',
  '/',
  'a/b~c',
  '\u2028',
];

/**
 * Text that trips careless code: empty, escapes, line separators, combining marks, astral, right-to-left and
 * control characters.
 */
const TRICKY_TEXTS: readonly string[] = [
  '',
  '"',
  '\\',
  '\n',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  'e\u0301',
  '\u00e9',
  '\u{1f469}\u200d\u{1f4bb}',
  '\u{10ffff}',
  '\ufffd',
  '\u202e\u05d0\u05d1',
  '\u0639\u0631\u0628\u064a',
  'null',
  '1.0',
  '-0',
];

/** Well-formed text, up to `lengthMax` graphemes; often one of {@link TRICKY_TEXTS}. */
export function anyText(lengthMax: number = 12): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...TRICKY_TEXTS),
    fc.string({ unit: 'grapheme', maxLength: lengthMax }),
    fc.string({ unit: anyPoint(), maxLength: lengthMax }),
  );
}

/** Any code point but a surrogate. The library's own unit of this kind takes half a second to be made. */
function anyPoint(): fc.Arbitrary<string> {
  return fc.nat(0x10f7ff).map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));
}

/** A key: ordinary, tricky, or any text without a leading `$` (see {@link sealedToken} for those). */
function anyKey(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('a', 'b', 'c', 'name'),
    fc.constantFrom(...TRICKY_KEYS),
    anyText(6).map((text) => (text.startsWith('$') ? `_${text}` : text)),
  );
}

/** An admitted number; -0 never, since admission makes it 0. */
function anyNumber(fractions: boolean = true): fc.Arbitrary<number> {
  const edges = [0, 1, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER];
  const whole = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(...edges));
  if (!fractions) return whole;
  const double = fc.double({
    noNaN: true,
    noDefaultInfinity: true,
    min: -Number.MAX_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
  });
  return fc
    .oneof(whole, double, fc.constantFrom(Number.MIN_VALUE, 1 / 3, 1 / 10_000_000))
    .map((number) => (number === 0 ? 0 : number));
}

/** A `$sealed` token: the hash of something kept elsewhere. */
function sealedToken(): fc.Arbitrary<Json> {
  return digestText().map((hash) => ({ $sealed: hash }));
}

/** A `$blob` token: the name of raw bytes kept elsewhere. */
function blobToken(): fc.Arbitrary<Json> {
  return fc
    .record({ bytes: fc.nat(), media: fc.constantFrom('', 'text/plain', 'image/png'), sha256: digestText() })
    .map((blob) => ({ $blob: { ...blob } }));
}

/** 64 lower-case hex digits. */
export function digestText(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
}

/** Any JSON value the kernel admits from outside; every choice on by default. */
export function admittedJson(options: JsonOptions = {}): fc.Arbitrary<Json> {
  const { fractions = true, tokens = true, depthMax = 3 } = options;
  const scalar = fc.oneof(fc.constantFrom<Json>(null, true, false), anyNumber(fractions), anyText());
  const leaf = tokens
    ? fc.oneof(
        { weight: 6, arbitrary: scalar },
        { weight: 1, arbitrary: sealedToken() },
        { weight: 1, arbitrary: blobToken() },
      )
    : scalar;
  return fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: depthMax, withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      generateObject(tie('value')),
    ),
  })).value;
}

/** As {@link admittedJson}, integers only: what a machine may hand out. */
export function integralJson(depthMax: number = 3): fc.Arbitrary<Json> {
  return admittedJson({ fractions: false, depthMax });
}

/** An object; own properties under any key, `__proto__` among them. */
export function generateObject(value: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.array(fc.tuple(anyKey(), value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/**
 * What a careless machine lets through into its decisions: fractions, tokens, and text it might take for a
 * key.
 */
const HOSTILE: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(1 / 2, -1 / 3, 73 / 100, 1 / 10_000_000),
  fc.constantFrom<Json>('$sealed', '$blob', '__proto__', 'constructor'),
  fc.constantFrom<Json>(
    Object.fromEntries([['__proto__', { polluted: 1 / 2 }]]),
    Object.fromEntries([['constructor', null]]),
  ),
  sealedToken(),
  blobToken(),
);

/** A value with hostile parts in it: likely to pass a machine's `parse`, and to hurt it afterwards. */
export function hostileVariant(likely: Json): fc.Arbitrary<Json> {
  return HOSTILE_GRAFT.map(([pick, part, key]) => graft(likely, part, pick, key));
}

const HOSTILE_GRAFT: fc.Arbitrary<[number, Json, string]> = fc.tuple(fc.nat(), HOSTILE, anyKey());

function graft(value: Json, part: Json, pick: number, key: string): Json {
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.hasOwn(value, '$sealed') ||
    Object.hasOwn(value, '$blob')
  )
    return part;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === pick % value.length ? part : item));
  const entries: readonly (readonly [string, Json])[] = Object.entries(value);
  const size = entries.length + 1;
  // Half of the time a member is replaced or added, half of the time all known members stay beside it.
  if (pick % 2 === 0)
    return Object.fromEntries([...entries, [Object.hasOwn(value, key) ? `${key}_` : key, part]]);
  const at = (pick >>> 1) % size;
  return Object.fromEntries(
    at === entries.length
      ? [...entries, ['more', part]]
      : entries.map(([name, item], index) => [name, index === at ? part : item]),
  );
}
