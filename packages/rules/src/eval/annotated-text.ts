/**
 * An annotated request: a line of a file of requests, text and annotation.
 *
 * @module
 */
import { parseShape, type Json } from '@assay/kernel';
import {
  ATOM,
  DECIMAL,
  MODALITIES,
  OPS,
  SeedText,
  type Atom,
  type Decimal,
  type Quote,
} from '@assay/kernel/intent';
import {
  placesOf,
  type Annotated,
  type KnownClaim,
  type KnownQuantity,
  type Matching,
  type Trap,
} from './annotation.js';
import { at, broken, items, oneOf, orNull, place, text, type Placed } from './fields.js';

const WHOLE: Matching = {
  isWhole: true,
  isPlaced: true,
  hasDates: false,
  sides: { num: 1, den: 2, isAbove: false },
};

/**
 * A request with its annotation. `file`: how a fault names it. One that is broken is a defect.
 */
export function annotatedText(file: string, value: Json): Annotated {
  const root: Placed = { file, path: '', value };
  const whole = text(at(root, 'text'));
  const seed = new SeedText(whole);
  const quote = (placed: Placed): Quote => quoteAt(placed, seed);
  const claims = items(at(root, 'claims')).map((placed) => claimAt(placed, quote));
  const side = (placed: Placed): Quote => {
    const found = claims[place(placed)];
    if (found === undefined) throw broken(placed, 'there is no such claim');
    return found.quote;
  };
  return {
    name: text(at(root, 'name')),
    // As `run` reads it: without the line end at the end, which moves no place.
    text: whole.replace(/\n$/, ''),
    pin: at(root, 'pin').value,
    matching: WHOLE,
    claims,
    quantities: items(at(root, 'quantities')).map((placed) => quantityAt(placed, quote)),
    vague: items(at(root, 'questions')).flatMap((placed) =>
      text(at(placed, 'class')) === 'vague' ? [quote(placed)] : (quote(placed), []),
    ),
    contradictions: items(at(root, 'contradictions')).map((placed) => ({
      a: side(at(placed, 'a')),
      b: side(at(placed, 'b')),
    })),
    traps: items(at(root, 'traps')).map((placed) => trapAt(at(placed, 'must_not'), whole)),
    ignore: at(root, 'ignore').value === null ? [] : items(at(root, 'ignore')).map(quote),
    refusal: orNull(at(root, 'refusal'), text),
  };
}

/** `start` and `end` of an annotation, whose `quote` must be that slice. */
function quoteAt(placed: Placed, seed: SeedText): Quote {
  const quote = { start: place(at(placed, 'start')), end: place(at(placed, 'end')) };
  if (quote.start >= quote.end || !seed.holds(quote))
    throw broken(placed, 'start and end are no span of the text');
  if (seed.slice(quote) !== text(at(placed, 'quote')))
    throw broken(
      at(placed, 'quote'),
      'the quote is not the slice of the text from start to end, in code points',
    );
  return quote;
}

function claimAt(placed: Placed, quote: (placed: Placed) => Quote): KnownClaim {
  const modality = oneOf(at(placed, 'modality'), MODALITIES);
  return {
    modality,
    isNegative: modality === 'must_not',
    quote: quote(placed),
    atom: orNull(at(placed, 'atom'), atomAt),
  };
}

function atomAt(placed: Placed): Atom {
  const shaped = parseShape<Atom>(ATOM, placed.value);
  if (shaped._tag === 'Left')
    throw broken(
      { ...placed, path: `${placed.path}${shaped.left.path}` },
      'this is no atom {key, op, value, unit}',
    );
  return shaped.right;
}

function decimalAt(placed: Placed): Decimal {
  const shaped = parseShape<Decimal>(DECIMAL, placed.value);
  if (shaped._tag === 'Left') throw broken(placed, 'this is no number {n, scale}');
  return shaped.right;
}

function quantityAt(placed: Placed, quote: (placed: Placed) => Quote): KnownQuantity {
  return {
    quote: quote(placed),
    op: oneOf(at(placed, 'op'), OPS),
    value: decimalAt(at(placed, 'value')),
    unit: orNull(at(placed, 'unit'), text),
  };
}

function trapAt(placed: Placed, whole: string): Trap {
  const kind = oneOf(at(placed, 'kind'), ['quantity', 'claim', 'contradiction', 'date']);
  const value = at(placed, 'value');
  if (kind === 'claim') return claimTrapAt(value, whole);
  if (value.value === 'any') return { kind: kind === 'quantity' ? 'any_quantity' : kind };
  if (kind !== 'quantity') throw broken(value, '"any" is expected');
  return {
    kind,
    value: decimalAt({ ...value, value: { n: at(value, 'n').value, scale: at(value, 'scale').value } }),
    unit: orNull(at(value, 'unit'), text),
  };
}

function claimTrapAt(value: Placed, whole: string): Trap {
  const places = placesOf(whole, text(at(value, 'quote')));
  if (places.length === 0) throw broken(at(value, 'quote'), 'these words do not stand in the text');
  if (orNull(at(value, 'as'), (placed) => oneOf(placed, ['policy'])) !== null) return { kind: 'policy' };
  return {
    kind: 'claim',
    modality: oneOf(at(value, 'modality'), MODALITIES),
    places,
    isWithoutException: orNull(at(value, 'without'), (placed) => oneOf(placed, ['exception'])) !== null,
  };
}
