/**
 * Whole outputs of calls by their digests, beside the ledger, which keeps head and tail. Source: calls/C5.
 *
 * @module
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '@assay/kernel';
import { errnoOf, writeAll } from '@assay/host/files';

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
  const pathOf = (digest: Digest): string => join(folder, `${digest}.txt`);
  return {
    keep: (digest, output) => writeAll([{ path: pathOf(digest), bytes: Buffer.from(output, 'utf8') }]),
    find: async (digest) => {
      try {
        return await readFile(pathOf(digest), 'utf8');
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return null;
        throw error;
      }
    },
  };
}
