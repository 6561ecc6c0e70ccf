/** Putting admitted parts together without walking or encoding them again. */
import { define, type Json } from '../json.js';
import type { Admitted } from './admit.js';
import { encodeScalar } from './encode.js';

/** A part of an object under construction: its key and its admitted value. */
export type Part = readonly [key: string, value: Admitted];

/**
 * The admitted object of some parts, whose keys must be names (nothing in them is escaped) and come in
 * canonical order.
 */
export function composeObject(parts: readonly Part[]): Admitted {
  const value: { [key: string]: Json } = {};
  let text = '{';
  let bytes = 2 + Math.max(0, parts.length - 1);
  let deepest = 0;
  let structure = Math.max(1, parts.length);
  for (const [key, part] of parts) {
    define(value, key, part.value);
    text += `${text === '{' ? '' : ','}"${key}":${part.text}`;
    // Two quotes and a colon.
    bytes += key.length + 3 + part.bytes;
    if (part.depth > deepest) deepest = part.depth;
    structure += part.structure;
  }
  return { value: Object.freeze(value), text: `${text}}`, bytes, depth: deepest + 1, structure };
}

/** The admitted array of some items. */
export function composeArray(items: readonly Admitted[]): Admitted {
  let bytes = 2 + Math.max(0, items.length - 1);
  let deepest = 0;
  let structure = Math.max(1, items.length);
  for (const item of items) {
    bytes += item.bytes;
    if (item.depth > deepest) deepest = item.depth;
    structure += item.structure;
  }
  return {
    value: Object.freeze(items.map(({ value }) => value)),
    text: `[${items.map(({ text }) => text).join(',')}]`,
    bytes,
    depth: deepest + 1,
    structure,
  };
}

/**
 * The admitted token: a name, an id or a digest (ASCII with nothing to escape), an admitted number, true,
 * false or null.
 */
export function composeToken(value: string | number | boolean | null): Admitted {
  const text = typeof value === 'string' ? `"${value}"` : encodeScalar(value);
  return { value, text, bytes: text.length, depth: 0, structure: 0 };
}
