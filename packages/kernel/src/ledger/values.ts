/**
 * Two rules on free values: integers where numbers decide, and well-formed tokens.
 * Source: ledger format, "Numbers and keys", "Tokens".
 */
import { field, isArray, isObject, type Json, type JsonObject } from '../json.js';
import { isDigest } from '../hash/sha256.js';

/** True when every number in the value is an integer. */
export function isIntegral(value: Json): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (isArray(value)) {
    for (const item of value) if (!isIntegral(item)) return false;
    return true;
  }
  for (const key of Object.keys(value)) if (!isIntegral(value[key] ?? null)) return false;
  return true;
}

/** A fault of a token: `reserved_key`, another key beside `$sealed` or `$blob`; `token`, a wrong form. */
export type TokenCode = 'reserved_key' | 'token';

/** A token fault and where it is, as a JSON pointer. */
export type TokenFault = { readonly code: TokenCode; readonly path: string };

/**
 * The first token fault in a value, or null. A token is `{"$sealed": hash}` or
 * `{"$blob": {bytes, media, sha256}}`.
 */
export function tokenFault(value: Json): TokenCode | null {
  if (typeof value !== 'object' || value === null) return null;
  if (isArray(value)) {
    for (const item of value) {
      const fault = tokenFault(item);
      if (fault !== null) return fault;
    }
    return null;
  }
  if (Object.hasOwn(value, '$sealed') || Object.hasOwn(value, '$blob')) return markedFault(value);
  for (const key of Object.keys(value)) {
    const fault = tokenFault(value[key] ?? null);
    if (fault !== null) return fault;
  }
  return null;
}

/**
 * The first token fault in a value and its place, or null. `text`: its canonical text, which says at once
 * that most values hold no token.
 */
export function locateTokenFault(value: Json, text: string = TOKEN_MARK): TokenFault | null {
  // Paths are built only where there is something to locate.
  return !text.includes(TOKEN_MARK) || tokenFault(value) === null ? null : locate(value, '');
}

/** What the key of a token begins with, as text. */
const TOKEN_MARK = '"$';

function locate(value: Json, path: string): TokenFault | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!isArray(value) && (Object.hasOwn(value, '$sealed') || Object.hasOwn(value, '$blob'))) {
    const code = markedFault(value);
    return code === null ? null : { code, path };
  }
  for (const [key, item] of Object.entries(value)) {
    const fault = locate(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (fault !== null) return fault;
  }
  return null;
}

function markedFault(object: JsonObject): TokenCode | null {
  if (Object.keys(object).length > 1) return 'reserved_key';
  const sealed = field(object, '$sealed');
  if (sealed !== undefined) return isDigest(sealed) ? null : 'token';
  return isBlob(field(object, '$blob')) ? null : 'token';
}

const MEDIA = /^[\x20-\x7e]{0,128}$/;

function isBlob(value: Json | undefined): boolean {
  if (!isObject(value) || Object.keys(value).length !== 3) return false;
  const bytes = field(value, 'bytes');
  const media = field(value, 'media');
  return (
    Number.isInteger(bytes) &&
    Number(bytes) >= 0 &&
    typeof media === 'string' &&
    MEDIA.test(media) &&
    isDigest(field(value, 'sha256'))
  );
}
