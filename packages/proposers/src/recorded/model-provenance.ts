/**
 * What the provenance of a recorded answer must be to fit itself. It shows what was changed in a file by hand
 * and forgotten elsewhere; whoever changes all of it to fit is not found out.
 *
 * @module
 */
import { nativeSha256 } from '@assay/host';
import { isDigest, type JsonObject } from '@assay/kernel';

/** Provenance an answer of a model must have. Source: design §2. */
export const MODEL_PROVENANCE = ['provider', 'model', 'date', 'raw_response_hash'] as const;

/**
 * The key of an answer of a model whose value is missing or none: `date` is a day as YYYY-MM-DD,
 * `raw_response_hash` a SHA-256 in hexadecimal. Null where all are sound.
 */
export function unsoundIn(provenance: JsonObject): string | null {
  const { date, raw_response_hash: hash } = provenance;
  const missing = MODEL_PROVENANCE.find(
    (key) => typeof provenance[key] !== 'string' || provenance[key] === '',
  );
  if (missing !== undefined) return missing;
  if (typeof date !== 'string' || !isDay(date)) return 'date';
  return isDigest(hash) ? null : 'raw_response_hash';
}

/**
 * True where `raw_response` is all that came, and `raw_response_hash` or `raw_response_units` is of another
 * text.
 */
export function isMisfit({
  raw_response: raw,
  raw_response_hash: hash,
  raw_response_units: units,
}: JsonObject): boolean {
  if (typeof raw !== 'string' || typeof hash !== 'string') return false;
  // Of a text that was cut only the beginning is there, and the hash is of the whole.
  if (typeof units === 'number' && units > raw.length && raw.length >= CUT_UNITS) return false;
  return (
    (typeof units === 'number' && units !== raw.length) || nativeSha256(Buffer.from(raw, 'utf8')) !== hash
  );
}

/** Ports keep 262,144 units of a text, or one less where that would part a surrogate pair. */
const CUT_UNITS = 262_143;

/** True for the provenance that a model's answer has, and a person's has not. */
export function isOfModel({ provider, model }: JsonObject): boolean {
  return typeof provider === 'string' && typeof model === 'string';
}

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
