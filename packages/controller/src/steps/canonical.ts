/**
 * The canonical text of an input, as tools record it.
 *
 * @module
 */
import { admit, orThrow, type Json } from '@assay/kernel';

/** Canonical JSON of a value that is admitted; a value that is not is a defect. */
export function canonicalText(value: Json): string {
  return orThrow(admit(value)).text;
}

/** A value as text: a text as it is, anything else as canonical JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalText(value);
}
