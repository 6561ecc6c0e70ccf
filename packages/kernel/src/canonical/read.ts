/**
 * Reading one canonical text from bytes: measured before it is parsed, compared after.
 * Source: ledger format, "File", "Limits shrink inwards".
 */
import { isArray, type Json } from '../json.js';
import { err, ok, type Result } from '../result.js';
import { encodeJson } from './encode.js';
import { LINE_LIMITS } from './limits.js';
import { isPlainlyCanonical, type Around } from './scan.js';
import { decodeUtf8 } from '../text.js';

/** Why bytes are no canonical line. Precedence: size, depth, encoding. */
export type ReadCode = 'size' | 'depth' | 'encoding';

/** A parsed canonical text. */
export type CanonicalText = { readonly value: Json; readonly text: string };

/**
 * Reads one line (without its 0A). `size` and `depth` are judged on bytes, so no parser meets hostile
 * nesting; `encoding` covers bad UTF-8, bad JSON and any text that is not the canonical text of what it
 * parses to (duplicate or unordered keys, `1.0`, `-0`, spaces, lone surrogates, unsafe numbers).
 */
export function readCanonical(bytes: Uint8Array): Result<ReadCode, CanonicalText> {
  // The common case: one scan finds the line canonical, and nothing has to be encoded again.
  const isKnown = isPlainlyCanonical(bytes);
  const fault = isKnown ? null : measure(bytes);
  if (fault !== null) return err(fault);
  const text = decodeUtf8(bytes);
  if (text._tag === 'Left') return err('encoding');
  const value = parseJson(text.right);
  if (value === undefined) return err('encoding');
  if (isKnown) return ok({ value, text: text.right });
  if (!isAdmitted(value)) return err('encoding');
  return encodeJson(value) === text.right ? ok({ value, text: text.right }) : err('encoding');
}

/**
 * The value of bytes that stand inside a canonical line, where one scan finds them canonical; undefined for
 * all others, which have to be read with their line. `around`: what the line holds beside them.
 */
export function readPlainly(bytes: Uint8Array, around: Around): Json | undefined {
  const text = isPlainlyCanonical(bytes, around) ? decodeUtf8(bytes) : null;
  return text?._tag === 'Right' ? parseJson(text.right) : undefined;
}

/**
 * The first limit of a line that bytes exceed, or null. One scan; strings are skipped, nothing is decoded.
 */
export function measure(bytes: Uint8Array): 'size' | 'depth' | null {
  if (bytes.length > LINE_LIMITS.bytes) return 'size';
  // A line has no more marks than bytes, and is no deeper than it has opening brackets, those in strings
  // included.
  if (bytes.length <= LINE_LIMITS.structure && openings(bytes) <= LINE_LIMITS.depth) return null;
  let isString = false;
  let structure = 0;
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isString = false;
      continue;
    }
    if (byte === QUOTE) isString = true;
    else if (byte === COMMA) structure += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      structure += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  if (structure > LINE_LIMITS.structure) return 'size';
  return deepest > LINE_LIMITS.depth ? 'depth' : null;
}

function openings(bytes: Uint8Array): number {
  let count = 0;
  // `[` and `{` differ in one bit.
  for (let index = 0; index < bytes.length; index += 1)
    if (((bytes[index] ?? 0) | BRACKET_BIT) === OPEN_BRACE) count += 1;
  return count;
}

const BRACKET_BIT = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text) as Json;
    return value;
  } catch {
    return undefined;
  }
}

/** Numbers in range and text well formed: the only refusals a JSON parser leaves to us. */
function isAdmitted(value: Json): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    case 'object': {
      if (value === null) return true;
      if (isArray(value)) {
        for (const item of value) if (!isAdmitted(item)) return false;
        return true;
      }
      for (const key of Object.keys(value))
        if (!key.isWellFormed() || !isAdmitted(value[key] ?? null)) return false;
      return true;
    }
    default:
      return true;
  }
}
