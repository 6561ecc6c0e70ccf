/**
 * Putting admitted parts together without walking or encoding them again.
 *
 * @module
 */
import { define, type Json } from '../json.js';
import type { Admitted } from './admit.js';
import { encodeScalar } from './encode.js';
import { utf8Length } from './text.js';

/** A part of an object under construction: its key and its admitted value. */
export type Part = readonly [key: string, value: Admitted];

/** The admitted object of some parts, whose keys must come in canonical order. */
export function composeObject(parts: readonly Part[]): Admitted {
  const value: { [key: string]: Json } = {};
  let text = '{';
  let bytes = 2 + Math.max(0, parts.length - 1);
  let deepest = 0;
  let structure = Math.max(1, parts.length);
  for (const [key, part] of parts) {
    define(value, key, part.value);
    const label = encodeScalar(key);
    text += `${text === '{' ? '' : ','}${label}:${part.text}`;
    bytes += utf8Length(label) + 1 + part.bytes;
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
  return { value: Object.freeze(items.map(({ value }) => value)), text: `[${items.map(({ text }) => text).join(',')}]`, bytes, depth: deepest + 1, structure };
}

/** The admitted scalar; text must be well formed and a number admitted. */
export function composeScalar(value: string | number | boolean | null): Admitted {
  const text = encodeScalar(value);
  return { value, text, bytes: typeof value === 'string' ? utf8Length(text) : text.length, depth: 0, structure: 0 };
}
