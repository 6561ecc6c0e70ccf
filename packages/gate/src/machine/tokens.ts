/**
 * Values as a ledger holds them: what is long stands as a `$blob` token, which no rule can judge. Source: gate/G8.
 *
 * @module
 */
import { define, hashText, isArray, utf8Length, type Digest, type Json, type Sha256 } from '@assay/kernel';
import { isToken } from '../policy/conditions.js';

/** Bytes up to which texts and results are kept, if nothing else is asked for. */
export const KEEP_BYTES = 2_048;

/** True where a value holds no token: then its digest can be computed again. */
export function isWhole(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return !isToken(value) && Object.values(value).every((each: Json) => isWhole(each));
}

/** What stands for a value that is kept elsewhere. */
export function makeBlob(bytes: number, media: string, sha256: Digest): Json {
  return { $blob: { bytes, media, sha256 } };
}

/** A value in which each text of more than `keep` bytes stands as a token. */
export function shortenTexts(value: Json, keep: number, sha256: Sha256): Json {
  return mapTexts(value, (text) => {
    if (text.length * 3 <= keep) return text;
    const bytes = utf8Length(text);
    return bytes <= keep ? text : makeBlob(bytes, 'text/plain', hashText(text, sha256));
  });
}

/** A copy with other texts; keys are made well-formed. */
export function mapTexts(value: Json, map: (text: string) => Json): Json {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return value.map((item) => mapTexts(item, map));
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) define(copy, key.toWellFormed(), mapTexts(value[key] ?? null, map));
  return copy;
}
