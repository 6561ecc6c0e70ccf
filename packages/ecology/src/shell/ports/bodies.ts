/**
 * Bodies of calls beside the ledger: what an agent writes out in `begin` is kept under its digest, and its action names
 * that alone.
 *
 * @module
 */
import type { Blobs } from '@assay/host';
import { canonicalize, field, isArray, isObject, utf8Bytes, type Digest, type Json } from '@assay/kernel';

/** Bytes of a text, or of anything else in canonical JSON; null for what is none. */
export function writeBody(value: Json): Uint8Array | null {
  if (typeof value === 'string') return utf8Bytes(value.toWellFormed());
  const bytes = canonicalize(value);
  return bytes._tag === 'Right' ? bytes.right : null;
}

/** The text of a digest; null where it is not kept, or no text. */
export async function readBody(blobs: Blobs, digest: Digest): Promise<string | null> {
  const bytes = await blobs.find(digest);
  try {
    return bytes === null ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The value of a JSON text; undefined for what is none. */
export function parseText(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * Actions whose calls name digests: of each `begin` with a `body` the bytes are kept, and `digest` and `input_bound`
 * (a token has a byte at least) stand in its place. Give it what a mind answers, before that is recorded.
 */
export async function keepBodies(actions: Json, blobs: Blobs): Promise<Json> {
  if (!isArray(actions)) return actions;
  return Promise.all(
    actions.map(async (action) => {
      const args = isObject(action) ? field(action, 'args') : undefined;
      if (!isObject(action) || args === undefined || !isObject(args)) return action;
      if (field(action, 'id') !== 'genesis_calls_api' || field(action, 'method') !== 'begin') return action;
      const { body, ...rest } = args;
      const bytes = body === undefined ? null : writeBody(body);
      if (bytes === null) return action;
      const digest = await blobs.put(bytes);
      return { ...action, args: { ...rest, digest, input_bound: bytes.length } };
    }),
  );
}
