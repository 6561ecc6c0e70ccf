/**
 * When two atoms, or two quantities, say the same.
 *
 * @module
 */
import { isSameAmount, lowerAscii, normalizeDecimal, type Atom, type Decimal } from '@assay/kernel/intent';

/**
 * True where what was found may stand for what was annotated. Keys are not compared: a reader's name for a
 * measure is not a program's. Where nothing was annotated, a number is invented, and text or a flag counts
 * neither way. Text without unit is compared without regard to ASCII case and white space.
 */
export function isSameAtom(known: Atom | null, found: Atom | null): boolean {
  if (known === null) return found === null || typeof found.value !== 'object';
  if (found === null || known.op !== found.op) return false;
  if (typeof known.value === 'boolean' || typeof found.value === 'boolean')
    return known.value === found.value;
  if (typeof known.value === 'string' || typeof found.value === 'string')
    return (
      typeof known.value === 'string' &&
      typeof found.value === 'string' &&
      known.unit === found.unit &&
      folded(known.value) === folded(found.value)
    );
  return isSameAmount({ value: known.value, unit: known.unit }, { value: found.value, unit: found.unit });
}

/** True for equal value and unit, after conversion; two dates are equal as text. */
export function isSameValue(
  a: { readonly value: Decimal | string; readonly unit: string | null },
  b: { readonly value: Decimal | string; readonly unit: string | null },
): boolean {
  if (typeof a.value === 'string' || typeof b.value === 'string')
    return a.value === b.value && a.unit === b.unit;
  return isSameAmount({ value: a.value, unit: a.unit }, { value: b.value, unit: b.unit });
}

/** True for the same digits with the same unit, nothing converted. */
export function isSameWriting(
  a: { readonly value: Decimal; readonly unit: string | null },
  b: { readonly value: Decimal; readonly unit: string | null },
): boolean {
  const [left, right] = [normalizeDecimal(a.value), normalizeDecimal(b.value)];
  return left.n === right.n && left.scale === right.scale && isSameAmount(a, b);
}

function folded(text: string): string {
  return lowerAscii(text).split(/\s+/).join(' ').trim();
}
