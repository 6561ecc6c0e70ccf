/** The pin: what the person fixes beforehand, as atoms. Source: intent I7; 001 §1. */
import { compareText, field, isArray, isObject, type Json } from '../json.js';
import { parseShape } from '../ledger/shape.js';
import type { Rejection } from '../machine/types.js';
import { err, ok, type Result } from '../result.js';
import { ATOM, isKey, normalizeAtom, type Atom, type AtomValue } from './atom.js';
import type { Modality } from './claim.js';
import { decimalOfNumber } from './decimal.js';
import { readQuantity } from './scan.js';
import { admittedBy, isDisjoint } from './solutions.js';

/**
 * One pinned atom. `no_x = true` is `must_not` x; `no_x = false` allows x, against readings that forbid it.
 */
export type PinAtom = { readonly modality: Modality; readonly atom: Atom };

/** Most pins of a run. */
export const PINS_MAX = 256;

/**
 * Reads a pin `{key: scalar | {op, value, unit}}` (or null: none) into atoms ordered by key. Total.
 *
 * A scalar means `=`: a flag, text, or a number (a fraction by its shortest decimal). Text that is nothing
 * but a quantity is one: `"<= 50 EUR"`, `"30 days"`. In the long form `value` is a scalar or {n, scale}.
 * Error `bad_pin` with {key, rule}; rules: `object`, `too_many`, `key`, `prohibition` (a key `no_x` whose
 * value is neither `true` nor `false`), `value`, `contradiction` (two pins of one measure that cannot both
 * hold). O(n²) in the pins, of which there are at most 256.
 */
export function parsePin(value: Json): Result<Rejection, readonly PinAtom[]> {
  if (value === null) return ok([]);
  if (!isObject(value)) return bad('', 'object');
  const keys = Object.keys(value).sort(compareText);
  if (keys.length > PINS_MAX) return bad('', 'too_many');
  const pins: PinAtom[] = [];
  for (const key of keys) {
    if (!isKey(key)) return bad(key.slice(0, 120).toWellFormed(), 'key');
    const given = field(value, key) ?? null;
    if (isProhibition(key) && typeof given !== 'boolean') return bad(key, 'prohibition');
    const pin = readPin(key, given);
    if (pin === null) return bad(key, 'value');
    const rival = pins.find((other) => areApart(other, pin));
    if (rival !== undefined) return bad(key, 'contradiction');
    pins.push(pin);
  }
  return ok(pins);
}

/** True if two pinned or claimed atoms of one key cannot both hold. */
export function areApart(a: PinAtom, b: PinAtom): boolean {
  return (
    a.atom.key === b.atom.key && isDisjoint(admittedBy(a.modality, a.atom), admittedBy(b.modality, b.atom))
  );
}

/** The key under which a pin is written. */
export function keyOfPin({ modality, atom }: PinAtom): string {
  return modality === 'must' ? atom.key : `${PROHIBITION}${atom.key}`;
}

const PROHIBITION = 'no_';

/** True for `no_x` where x is a key: it forbids or allows a flag, and never names a measure of its own. */
function isProhibition(key: string): boolean {
  return key.startsWith(PROHIBITION) && isKey(key.slice(PROHIBITION.length));
}

function readPin(key: string, value: Json): PinAtom | null {
  if (isProhibition(key))
    return {
      modality: value === true ? 'must_not' : 'may',
      atom: { key: key.slice(PROHIBITION.length), op: '=', value: true, unit: null },
    };
  const atom = isObject(value) ? readLong(key, value) : readScalar(key, value);
  return atom === null ? null : { modality: 'must', atom: normalizeAtom(atom) };
}

function readLong(key: string, value: { readonly [key: string]: Json }): Atom | null {
  if (Object.keys(value).length !== 3 || isArray(value['value'])) return null;
  const scalar = field(value, 'value') ?? null;
  const inner = typeof scalar === 'number' ? decimalOfNumber(scalar) : scalar;
  const shaped = parseShape<Atom>(ATOM, {
    key,
    op: field(value, 'op') ?? null,
    value: inner,
    unit: field(value, 'unit') ?? null,
  });
  return shaped._tag === 'Right' ? shaped.right : null;
}

function readScalar(key: string, value: Json): Atom | null {
  const [inner, op, unit] = readBare(value);
  const shaped = parseShape<Atom>(ATOM, { key, op, value: inner, unit });
  return shaped._tag === 'Right' ? shaped.right : null;
}

function readBare(value: Json): readonly [AtomValue | null, string, string | null] {
  if (typeof value === 'number') return [decimalOfNumber(value), '=', null];
  if (typeof value === 'boolean') return [value, '=', null];
  if (typeof value !== 'string') return [null, '=', null];
  const quantity = readQuantity(value);
  return quantity === null ? [value, '=', null] : [quantity.value, quantity.op, quantity.unit];
}

function bad(key: string, rule: string): Result<Rejection, never> {
  return err({ code: 'bad_pin', detail: { key, rule } });
}
