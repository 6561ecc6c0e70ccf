/**
 * The canonical encoder: RFC 8785 text of an admitted value. Source: 001 §2.1.
 *
 * It assumes admission: give it only what {@link admit} returned or what was parsed from JSON text.
 */
import { compareText, isArray, type Json } from '../json.js';

/** The canonical text of an admitted value: keys by UTF-16 code units, no white space. */
export function encode(value: Json): string {
  if (typeof value !== 'object' || value === null) return encodeScalar(value);
  if (isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index += 1) {
      text += (index === 0 ? '' : ',') + encode(value[index] ?? null);
    }
    return `${text}]`;
  }
  const keys = Object.keys(value).sort(compareText);
  let text = '{';
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    text += `${index === 0 ? '' : ','}${encodeScalar(key)}:${encode(value[key] ?? null)}`;
  }
  return `${text}}`;
}

/**
 * The same text for a value whose objects already enumerate in canonical order: the runtime's own
 * writer is then byte-equal and twice as fast. Where a page has put a `toJSON` on a built-in
 * prototype, the writer above is used instead.
 */
export function encodeOrdered(value: Json): string {
  return isWriterClean() ? JSON.stringify(value) : encode(value);
}

/** The canonical text of JSON, by whichever writer fits. */
export function encodeJson(value: Json): string {
  return isOrdered(value) ? encodeOrdered(value) : encode(value);
}

/** True when every object in the value enumerates its keys in canonical order. */
export function isOrdered(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isArray(value)) {
    for (const item of value) if (!isOrdered(item)) return false;
    return true;
  }
  let last: string | null = null;
  for (const key of Object.keys(value)) {
    if (last !== null && compareText(last, key) > 0) return false;
    last = key;
    if (!isOrdered(value[key] ?? null)) return false;
  }
  return true;
}

/** The canonical text of a string, number, boolean or null. */
export function encodeScalar(value: string | number | boolean | null): string {
  return JSON.stringify(value === 0 ? 0 : value);
}

/** Array.prototype inherits from Object.prototype, so one look sees both. */
function isWriterClean(): boolean {
  return !('toJSON' in Array.prototype);
}
