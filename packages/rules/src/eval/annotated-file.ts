/**
 * Annotated requests of one file in the other format, `assay.requests-annotated.v1`: spans in UTF-16 units,
 * levels with negation, the operators `~` and `range`, units as plural nouns. Requirements are counted by
 * place alone, quantities by value and unit wherever they stand, and contradictions by sides that overlap by
 * more than a fifth.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import { parseDecimal, SeedText, findSingular, type Decimal, type Quote } from '@assay/kernel/intent';
import type { Annotated, KnownClaim, KnownQuantity, Matching } from './annotation.js';
import { at, broken, flag, items, oneOf, place, text, type Placed } from './fields.js';

const FILE_FORMAT = 'assay.requests-annotated.v1';

const BY_PLACE: Matching = {
  isWhole: false,
  isPlaced: false,
  hasDates: true,
  sides: { num: 1, den: 5, isAbove: true },
};
const UNITS: ReadonlyMap<string, string | null> = new Map<string, string | null>([
  ['-', null],
  ['second', 's'],
  ['minute', 'min'],
  ['hour', 'h'],
  ['day', 'd'],
  ['business_day', 'working_day'],
  ['°C', 'degC'],
]);

/**
 * The annotated requests of a document. `file`: how a fault names it. What is no such
 * document is a defect, and so is a broken annotation.
 */
export function annotatedIn(file: string, value: Json): readonly Annotated[] {
  const root: Placed = { file, path: '', value };
  oneOf(at(at(root, 'meta'), 'format'), [FILE_FORMAT]);
  return items(at(root, 'requests')).map(requestAt);
}

function requestAt(placed: Placed): Annotated {
  const whole = text(at(placed, 'text'));
  const seed = new SeedText(whole);
  const quote = (one: Placed): Quote => quoteAt(one, seed);
  const expect = text(at(placed, 'expect'));
  if (expect !== 'interpret' && !expect.startsWith(REFUSE))
    throw broken(at(placed, 'expect'), 'interpret or refuse:… is expected');
  return {
    name: text(at(placed, 'id')),
    text: whole,
    pin: null,
    matching: BY_PLACE,
    claims: items(at(placed, 'requirements')).map((one) => claimAt(one, quote)),
    quantities: items(at(placed, 'measures')).flatMap((one) => quantitiesAt(one, quote)),
    vague: items(at(placed, 'vague')).map(quote),
    contradictions: items(at(placed, 'contradictions')).map((one) => ({
      a: quote(at(one, 'a')),
      b: quote(at(one, 'b')),
    })),
    traps: [],
    ignore: [],
    refusal: expect === 'interpret' ? null : expect.slice(REFUSE.length),
  };
}

const REFUSE = 'refuse:';

/** The `span` of an annotation, whose `quote` must be that slice in UTF-16 units. */
function quoteAt(placed: Placed, seed: SeedText): Quote {
  const [from, to, ...rest] = items(at(placed, 'span'));
  if (from === undefined || to === undefined || rest.length > 0)
    throw broken(at(placed, 'span'), 'two places are expected');
  const [start, end] = [place(from), place(to)];
  if (start >= end || end > seed.text.length) throw broken(at(placed, 'span'), 'this is no span of the text');
  if (seed.text.slice(start, end) !== text(at(placed, 'quote')))
    throw broken(at(placed, 'quote'), 'the quote is not the slice of the text, in UTF-16 units');
  return seed.quote(start, end);
}

function claimAt(placed: Placed, quote: (placed: Placed) => Quote): KnownClaim {
  const level = oneOf(at(placed, 'level'), ['must', 'should', 'may']);
  const isNegative = flag(at(placed, 'negated'));
  return {
    modality: isNegative && level !== 'should' ? 'must_not' : level,
    isNegative: isNegative && level === 'should' ? null : isNegative,
    quote: quote(placed),
    atom: null,
  };
}

/** One measure; a range is its two ends, with the same words. */
function quantitiesAt(placed: Placed, quote: (placed: Placed) => Quote): readonly KnownQuantity[] {
  const op = oneOf(at(placed, 'operator'), ['<', '<=', '=', '>=', '>', '~', 'range']);
  const known = { quote: quote(placed), unit: unitOf(text(at(placed, 'unit'))) };
  const value = at(placed, 'value');
  if (op !== 'range') return [{ ...known, op, value: valueAt(value) }];
  const [low, high] = text(value)
    .split('..')
    .map((end) => parseDecimal(end));
  if (low === undefined || low === null || high === undefined || high === null)
    throw broken(value, 'LOW..HIGH is expected');
  return [
    { ...known, op: '>=', value: low },
    { ...known, op: '<=', value: high },
  ];
}

function valueAt(placed: Placed): Decimal | string {
  if (typeof placed.value !== 'number') return text(placed);
  const decimal = parseDecimal(String(placed.value));
  if (decimal === null) throw broken(placed, 'this number has too many digits');
  return decimal;
}

/** The unit as the machine writes it: `transactions/second` is `transaction/s`. */
function unitOf(unit: string): string | null {
  const known = UNITS.get(unit);
  return known === undefined
    ? unit
        .split('/')
        .map((part) => UNITS.get(part) ?? findSingular(part))
        .join('/')
    : known;
}
