/**
 * The shape of an input: what is remembered of how a tool was called. Source: calls/C11.
 *
 * @module
 */
import { compareText, cutText, field, isObject, type Json } from '@assay/kernel';
import { SHAPE_MAX } from '../protocol/claims.js';

/** Keys of an input, with the extension of a value that ends in one; no values. At most 120 units. */
export function shapeOf(input: Json): string {
  if (!isObject(input)) return '';
  const keys = Object.keys(input)
    .toSorted(compareText)
    .map((key) => `${key}${extensionOf(field(input, key) ?? null)}`);
  return cutText(keys.join(' '), SHAPE_MAX);
}

function extensionOf(value: Json): string {
  const found = typeof value === 'string' ? /^[^\s{}]{1,240}?(\.[A-Za-z0-9]{1,8})$/.exec(value) : null;
  return found?.[1] ?? '';
}
