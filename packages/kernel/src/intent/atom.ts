/** The atom: one comparable statement about one measure. Source: intent I1. */
import { closed, nullable, oneOf, refined, sized, text, type Shape } from '../ledger/shape.js';
import { DECIMAL, normalizeDecimal, renderDecimal, type Decimal } from './decimal.js';
import { TEXT_UNITS, UNIT_UNITS_MAX } from './units.js';

/** Comparisons, closed. `in` and `not_in`: membership of the set that the value names. */
export const OPS = ['=', '!=', '<', '<=', '>', '>=', 'in', 'not_in'] as const;
/** A comparison. */
export type Op = (typeof OPS)[number];

/** What is compared with: text, a flag, or an exact decimal. */
export type AtomValue = string | boolean | Decimal;

/**
 * `key op value unit`. key: `[a-z0-9_]+(\.[a-z0-9_]+){0,3}`, subject then measure, at most 120 units.
 * A flag takes `=` and `!=` and no unit; text takes `= != in not_in` and no unit, or with the unit `date`,
 * `clock` or `datetime` (in its ISO form) the six comparisons; a decimal takes the six and any unit.
 */
export type Atom = {
  readonly key: string;
  readonly op: Op;
  readonly value: AtomValue;
  readonly unit: string | null;
};

/** Form of an atom's key. */
export const KEY_PATTERN: RegExp = /^[a-z0-9_]+(?:\.[a-z0-9_]+){0,3}$/;
/** Longest key, in UTF-16 units. */
export const KEY_UNITS_MAX = 120;
/** Longest text value, in UTF-16 units. */
export const VALUE_UNITS_MAX = 200;
/** ISO forms of text with a unit. */
export const TEXT_FORMS: readonly (readonly [unit: (typeof TEXT_UNITS)[number], form: RegExp])[] = [
  ['date', /^[0-9]{4}-[01][0-9]-[0-3][0-9]$/],
  ['clock', /^[0-2][0-9]:[0-5][0-9]$/],
  ['datetime', /^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]$/],
];

/** True for an atom's key. */
export function isKey(key: string): boolean {
  return key.length <= KEY_UNITS_MAX && KEY_PATTERN.test(key);
}

/** True for a unit: 1 to 64 units of text without control characters or spaces. */
export function isUnit(unit: string): boolean {
  if (unit.length === 0 || unit.length > UNIT_UNITS_MAX) return false;
  for (let index = 0; index < unit.length; index += 1) {
    const code = unit.charCodeAt(index);
    if (code <= 0x20 || code === 0x7f) return false;
  }
  return true;
}

/** Shape of an atom's key. */
export const KEY: Shape<string> = text(isKey, { pattern: KEY_PATTERN, max: KEY_UNITS_MAX });
/** Shape of text that is compared. */
export const TEXT_VALUE: Shape<string> = sized(1, VALUE_UNITS_MAX);
/** Shape of a unit. */
export const UNIT: Shape<string> = text(isUnit, { pattern: /^[!-~\u0080-\uffff]{1,64}$/ });

const VALUE: Shape<AtomValue> = (value) =>
  typeof value === 'boolean' ? null : typeof value === 'string' ? TEXT_VALUE(value) : DECIMAL(value);

/** Shape of an atom. A value that does not go with its op or unit is a fault at `/value`. */
export const ATOM: Shape<Atom> = refined(
  closed({ key: KEY, op: oneOf(OPS), value: VALUE, unit: nullable(UNIT) }),
  (atom) => (isCoherent(atom) ? null : '/value'),
);

/** The same atom with its decimal in the smallest scale. */
export function normalizeAtom(atom: Atom): Atom {
  return typeof atom.value === 'object' ? { ...atom, value: normalizeDecimal(atom.value) } : atom;
}

/** True for a date, clock time or date and time that there is, in its ISO form. */
export function isMoment(value: string, unit: string): boolean {
  const form = TEXT_FORMS.find(([textUnit]) => textUnit === unit);
  if (form === undefined || !form[1].test(value)) return false;
  const [date = '', clock = ''] =
    unit === 'datetime' ? value.split('T') : unit === 'date' ? [value] : ['', value];
  return (
    (date === '' || isDate(date)) &&
    (clock === '' || (Number(clock.slice(0, 2)) < 24 && Number(clock.slice(3)) < 60))
  );
}

function isDate(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** An atom as one line of text: `logs.retention >= 1 year`. */
export function renderAtom({ key, op, value, unit }: Atom): string {
  const shown = typeof value === 'object' ? renderDecimal(value) : String(value);
  return `${key} ${op} ${shown}${unit === null ? '' : ` ${unit}`}`;
}

function isCoherent({ op, value, unit }: Atom): boolean {
  if (typeof value === 'boolean') return unit === null && (op === '=' || op === '!=');
  if (typeof value === 'object')
    return op !== 'in' && op !== 'not_in' && !TEXT_UNITS.some((textUnit) => textUnit === unit);
  if (unit === null) return op === '=' || op === '!=' || op === 'in' || op === 'not_in';
  return op !== 'in' && op !== 'not_in' && isMoment(value, unit);
}

/** The side on which an operator leaves room: `<` below, `>` above, empty for both or neither. */
export function findSide(op: Op): string {
  return op.replace(/[^<>].*/, '');
}
