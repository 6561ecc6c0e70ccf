/**
 * The canonical text of an input, as tools record it.
 *
 * @module
 */
import { canonicalize, decodeUtf8, orThrow, type Json } from '@assay/kernel';

/** Canonical JSON of a value that is admitted; a value that is not is a defect. */
export function canonicalText(value: Json): string {
  return orThrow(decodeUtf8(orThrow(canonicalize(value))));
}
