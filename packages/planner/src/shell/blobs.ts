/**
 * Bytes beside a ledger, by their SHA-256: outputs of leaves and their files. Source: dec-K83; docs/formats,
 * tokens.
 *
 * @module
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalize, isObject, orThrow, type Digest, type Json, type JsonObject } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { errnoOf, writeAll } from '@assay/host/files';

/**
 * Keeps bytes. `put`: durable before it returns. `find`: null for what is not kept, or is other bytes by now.
 * Both reject with the system's errors.
 */
export type Blobs = {
  readonly put: (bytes: Uint8Array) => Promise<Digest>;
  readonly find: (digest: Digest) => Promise<Uint8Array | null>;
};

/** Bytes in memory, gone with the process. */
export function memoryBlobs(): Blobs {
  const kept = new Map<Digest, Uint8Array>();
  return {
    put: (bytes) => {
      const digest = nativeSha256(bytes);
      kept.set(digest, bytes);
      return Promise.resolve(digest);
    },
    find: (digest) => Promise.resolve(kept.get(digest) ?? null),
  };
}

/** Bytes in a folder, which is made: one file for each, named by its digest, as `verify --with` looks for it. */
export function folderBlobs(folder: string): Blobs {
  const find = async (digest: Digest): Promise<Uint8Array | null> => {
    try {
      const bytes = await readFile(join(folder, digest));
      return nativeSha256(bytes) === digest ? bytes : null;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null;
      throw error;
    }
  };
  return {
    find,
    put: async (bytes) => {
      const digest = nativeSha256(bytes);
      if ((await find(digest)) === null) await writeAll([{ path: join(folder, digest), bytes }]);
      return digest;
    },
  };
}

/** What stands in a ledger for bytes. */
export function tokenOf(bytes: Uint8Array, sha256: Digest): JsonObject {
  return { $blob: { bytes: bytes.length, media: 'text/plain', sha256 } };
}

/** The digest of a token; null for anything else. */
export function digestIn(token: Json | undefined): Digest | null {
  const blob = isObject(token) ? token['$blob'] : undefined;
  return isObject(blob) && typeof blob['sha256'] === 'string' ? (blob['sha256'] as Digest) : null;
}

/** Keeps a value under the hash that a planner knows it by, which is given back. */
export function keepValue(blobs: Blobs, value: Json): Promise<Digest> {
  return blobs.put(orThrow(canonicalize(value)));
}

/** A kept value; null where it is not there. */
export async function findValue(blobs: Blobs, digest: string): Promise<Json> {
  const bytes = await blobs.find(digest as Digest);
  return bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString('utf8')) as Json);
}
