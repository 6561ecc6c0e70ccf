/**
 * What a forger needs, and what he makes.
 *
 * @module
 */
import type { Replayable, Sha256 } from '@assay/kernel';
import type { Edit } from './edit.js';

/**
 * A forged copy: its bytes, and in words what was done to it. Null where a ledger offers nothing to do that
 * to.
 */
export type Forged = {
  readonly bytes: Uint8Array;
  readonly done: string;
  readonly record: number;
  readonly edit: Edit | null;
};

/** What a forger needs: the digest, and the machines that may derive a ledger again. */
export type ForgeOptions = { readonly sha256: Sha256; readonly machines: readonly Replayable[] };
