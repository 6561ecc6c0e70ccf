/** Bytes beside a ledger, by their SHA-256: what it cites and does not hold. Source: docs/formats, tokens. */
import { join } from 'node:path';
import type { Digest } from '@assay/kernel';
import { readIfThere, writeAll } from './files/index.js';
import { nativeSha256 } from './store.js';

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
    const bytes = await readIfThere(join(folder, digest));
    return bytes !== null && nativeSha256(bytes) === digest ? bytes : null;
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

/**
 * Keeps whole outputs. `find`: null for one that is not kept. Whoever reads one holds it against its digest.
 * Both reject with the system's errors.
 */
export type Outputs = {
  readonly keep: (digest: Digest, output: string) => Promise<void>;
  readonly find: (digest: Digest) => Promise<string | null>;
};

/** Outputs in memory, gone with the process. */
export function memoryOutputs(): Outputs {
  const kept = new Map<Digest, string>();
  return {
    keep: (digest, output) => Promise.resolve(void kept.set(digest, output)),
    find: (digest) => Promise.resolve(kept.get(digest) ?? null),
  };
}

/** Outputs in a folder, which is made: one file for each, `DIGEST.txt`, durable before `keep` returns. */
export function folderOutputs(folder: string): Outputs {
  const makePath = (digest: Digest): string => join(folder, `${digest}.txt`);
  return {
    keep: (digest, output) => writeAll([{ path: makePath(digest), bytes: Buffer.from(output, 'utf8') }]),
    find: async (digest) => (await readIfThere(makePath(digest)))?.toString('utf8') ?? null,
  };
}
