/**
 * Annotated requests of a folder: `X.txt` with `X.expected.json`.
 *
 * @module
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseShape } from '@assay/kernel';
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
import { errnoOf } from '@assay/host/files';
import { readText } from '../files/read.js';
import { readJson } from '../inputs/json-file.js';
import { misuse } from '../problem.js';
import {
  placesOf,
  type Annotated,
  type KnownClaim,
  type KnownQuantity,
  type Matching,
  type Trap,
} from './annotation.js';
import { at, broken, items, oneOf, orNull, place, text, type Placed } from './fields-required.js';

/** Which requests of a folder: the ones to tune by, the ones held back, or all. */
export const HALVES = ['dev', 'held-back', 'all'] as const;
/** One of {@link HALVES}. */
export type Half = (typeof HALVES)[number];

const TEXT = '.txt';
const EXPECTED = '.expected.json';
const WHOLE: Matching = {
  isWhole: true,
  isPlaced: true,
  hasDates: false,
  sides: { num: 1, den: 2, isAbove: false },
};

/**
 * Names of a folder with whether each is held back: sorted by UTF-16 code units and counted from 1, every
 * even one. Nothing is read but the folder itself.
 */
export function namesIn(folder: string): readonly { readonly name: string; readonly isHeldBack: boolean }[] {
  const names = listed(folder)
    .filter((file) => file.endsWith(TEXT))
    .map((file) => file.slice(0, -TEXT.length))
    .sort();
  return names.map((name, index) => ({ name, isHeldBack: index % 2 === 1 }));
}

/**
 * Reads one half of a folder's annotated requests, by name; no file of the other half is opened. Raises
 * `Stop`: `no_requests`, `annotation`, and those of reading files.
 */
export async function readFolder(folder: string, half: Half): Promise<readonly Annotated[]> {
  const names = namesIn(folder).filter(
    ({ isHeldBack }) => half === 'all' || isHeldBack === (half === 'held-back'),
  );
  if (names.length === 0)
    throw misuse(
      'no_requests',
      'this folder holds no request to judge',
      folder,
      'give a folder with NAME.txt and NAME.expected.json',
    );
  const files = new Set(listed(folder));
  const requests: Annotated[] = [];
  for (const { name, isHeldBack } of names) {
    if (!files.has(`${name}${EXPECTED}`))
      throw misuse(
        'missing_annotation',
        'this request has no annotation',
        join(folder, `${name}${TEXT}`),
        `write ${name}${EXPECTED} beside it`,
      );
    requests.push(await readRequest(folder, name, isHeldBack));
  }
  return requests;
}

async function readRequest(folder: string, name: string, isHeldBack: boolean): Promise<Annotated> {
  const whole = await readText(join(folder, `${name}${TEXT}`));
  const file = join(folder, `${name}${EXPECTED}`);
  const root: Placed = { file, path: '', value: await readJson(file) };
  const seed = new SeedText(whole);
  const quote = (placed: Placed): Quote => quoteAt(placed, seed);
  const claims = items(at(root, 'claims')).map((placed) => claimAt(placed, quote));
  const side = (placed: Placed): Quote => {
    const found = claims[place(placed)];
    if (found === undefined) throw broken(placed, 'there is no such claim');
    return found.quote;
  };
  return {
    name,
    // As `run` reads it: without the line end at the end, which moves no place.
    text: whole.replace(/\n$/, ''),
    pin: at(root, 'pin').value,
    isHeldBack,
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

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw misuse(
      'missing_folder',
      `this folder cannot be read (${errno})`,
      folder,
      'check the path; it is relative to the current folder',
    );
  }
}
