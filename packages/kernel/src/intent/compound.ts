/**
 * Amounts said in two units: `1 h 30 min`, `5 ft 11 in`, `2 hours and 15 minutes`. They are one amount, in
 * the smaller unit. Source: intent I1.
 *
 * @module
 */
import { isLead } from './comparators.js';
import { addDecimals, compareRational, rational, scaleDecimal, toRational } from './decimal.js';
import type { Quantity } from './quantity.js';
import type { Token } from './tokens.js';

/**
 * How many of the smaller unit make one of the greater. Months have no fixed number of days, so none stands
 * here.
 */
const PARTS: ReadonlyMap<string, number> = new Map([
  ['year month', 12],
  ['week d', 7],
  ['d h', 24],
  ['d min', 1_440],
  ['h min', 60],
  ['h s', 3_600],
  ['min s', 60],
  ['s ms', 1_000],
  ['foot inch', 12],
  ['km m', 1_000],
  ['m cm', 100],
  ['m mm', 1_000],
  ['cm mm', 10],
  ['t kg', 1_000],
  ['kg g', 1_000],
  ['g mg', 1_000],
  ['l ml', 1_000],
]);
/** Units of which two parts may be joined by `and`; `2 kg and 300 g` are two things. */
const JOINED: ReadonlySet<string> = new Set(['year', 'week', 'd', 'h', 'min', 'foot']);
const PARTS_MAX = 4;

/**
 * The whole amount that a first part opens, or the first part itself. `read` reads the quantity that starts
 * at a token.
 */
export function joinedAmount(
  tokens: readonly Token[],
  first: Quantity,
  read: (at: number) => Quantity | null,
): Quantity {
  let whole = withHalf(tokens, first);
  for (let parts = 0; parts < PARTS_MAX; parts += 1) {
    const joined = joinedOnce(tokens, whole, read);
    if (joined === null) break;
    whole = joined;
  }
  return whole;
}

function joinedOnce(
  tokens: readonly Token[],
  first: Quantity,
  read: (at: number) => Quantity | null,
): Quantity | null {
  const { unit, value } = first;
  if (unit === null || value.scale > 0 || value.n < 0 || first.approx) return null;
  const isAnd = tokens[first.next]?.lower === 'and';
  const at = first.next + (isAnd ? 1 : 0);
  if ((tokens[at]?.lines ?? 1) > 0) return null;
  const second = read(at);
  // The `min` of `1 min 45 s` is no minimum.
  if (second === null || second.at !== at || second.first < first.next - 1) return null;
  const isInch =
    unit === 'foot' &&
    second.unit === null &&
    tokens[second.next]?.lower === 'in' &&
    !PLACES.has(tokens[second.next + 1]?.lower ?? '');
  // `2 hrs 30 mins per lesson`: what it is per belongs to the whole.
  const [smaller = '', per] = isInch ? ['inch'] : (second.unit ?? '').split('/');
  const next = isInch ? second.next + 1 : second.next;
  // `2 m and 30 cm long` is one length, `2 kg and 300 g` are two things.
  if (isAnd && !JOINED.has(unit) && !EXTENTS.has(tokens[next]?.lower ?? '')) return null;
  const factor = PARTS.get(`${unit} ${smaller}`);
  if (
    factor === undefined ||
    second.value.n < 0 ||
    compareRational(toRational(second.value), rational(factor)) >= 0
  )
    return null;
  // `2 days and 4 hours before`: two reminders as well as one.
  if (isAnd && isLead(tokens, next)) return null;
  const larger = scaleDecimal(value, factor);
  const sum = larger === null ? null : addDecimals(larger, second.value);
  return sum === null
    ? null
    : {
        ...first,
        next,
        value: sum,
        unit: per === undefined ? smaller : `${smaller}/${per}`,
        op: first.op === '=' && second.first === at ? second.op : first.op,
      };
}

const EXTENTS: ReadonlySet<string> = new Set('long high wide deep tall thick apart away'.split(' '));
/** Before these `in` is a preposition: `5 ft 11 in the garden`. */
const PLACES: ReadonlySet<string> = new Set(
  'the a an total all each every this that our its their'.split(' '),
);

/** `an hour and a half`. */
function withHalf(tokens: readonly Token[], first: Quantity): Quantity {
  const words = [0, 1, 2].map((ahead) => tokens[first.next + ahead]?.lower).join(' ');
  const value =
    words === 'and a half' && first.unit !== null && first.value.scale === 0
      ? addDecimals(first.value, { n: 5, scale: 1 })
      : null;
  return value === null ? first : { ...first, value, next: first.next + 3 };
}
