/**
 * Inputs said in one way.
 *
 * @module
 */
import { admit, orThrow, type Json } from '@assay/kernel';

/**
 * An input that is one text, as that text; one that could be taken for an object, as the object it stands
 * for.
 */
export function plainInput(key: string, text: string): string {
  return text.startsWith('{') ? canonicalInput({ [key]: text }) : text;
}

/** An input of several parts, as canonical JSON. */
export function canonicalInput(input: Json): string {
  return orThrow(admit(input)).text;
}
