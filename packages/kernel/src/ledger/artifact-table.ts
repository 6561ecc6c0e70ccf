/**
 * The latest hash of each artifact name. Source: ledger format, "Payloads" (artifact, close).
 *
 * @module
 */
import type { Digest } from '../hash/sha256.js';
import { finding, type Finding } from './faults.js';

/** Artifact hashes by name at a point of a ledger. */
export class ArtifactTable {
  private readonly hashes: Map<string, Digest>;
  private isKnown = true;

  /** A table with the artifacts of a base snapshot, or none. */
  constructor(carried: { readonly [name: string]: Digest }) {
    this.hashes = new Map(Object.entries(carried));
  }

  /** From here on it is unknown what the latest hashes are: an erased artifact. */
  forget(): void {
    this.isKnown = false;
    this.hashes.clear();
  }

  /** The latest artifact of a name counts. */
  recorded(name: string, hash: Digest): void {
    if (this.isKnown) this.hashes.set(name, hash);
  }

  /** `artifact_hashes` of a close: exactly this table. */
  closed(hashes: { readonly [name: string]: Digest }): Finding | null {
    if (!this.isKnown) return null;
    const given = Object.entries(hashes);
    if (given.length === this.hashes.size && given.every(([name, hash]) => this.hashes.get(name) === hash))
      return null;
    return finding('close', {
      path: '/payload/artifact_hashes',
      expected: Object.fromEntries(this.hashes),
      got: hashes,
    });
  }
}
