/**
 * Size and digest of an output of which a part is kept.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { Digest } from '@assay/kernel';

/**
 * An output that is not kept whole. `digest`: its SHA-256; null where it was not read to its end, and then
 * `bytes` is what was seen of it.
 */
export type Whole = { readonly bytes: number; readonly digest: Digest | null };

/** Takes in an output piece by piece. */
export type Sum = {
  readonly add: (piece: Uint8Array) => void;
  /** How much came. */
  readonly bytes: () => number;
  /** True where what comes counts no more: more came than is read for a digest, or nobody waits. */
  readonly isOver: () => boolean;
  /** Nobody waits for the rest. */
  readonly leave: () => void;
  /** What came in all; asked once. */
  readonly whole: () => Whole;
};

/** A sum of nothing. `most`: bytes that are read for a digest. */
export function sumUpTo(most: number): Sum {
  const hash = createHash('sha256');
  let bytes = 0;
  let isLeft = false;
  const isOver = (): boolean => isLeft || bytes > most;
  return {
    add: (piece) => {
      bytes += piece.length;
      if (!isOver()) hash.update(piece);
    },
    bytes: () => bytes,
    isOver,
    leave: () => void (isLeft = true),
    whole: () => ({ bytes, digest: isOver() ? null : (hash.digest('hex') as Digest) }),
  };
}
