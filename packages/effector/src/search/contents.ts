/**
 * What is in the files that a search comes by, read in pieces: whether one holds some bytes, and its digest.
 */
import { createHash } from 'node:crypto';
import { constants, promises as fs } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { err, ok, type Result } from '@assay/kernel';
import type { CallContext } from '../calls/call.js';
import type { Refusal } from '../refusal.js';
import { at } from '../workspace/descend.js';
import type { Entry } from './scan.js';

const PIECE_BYTES = 65_536;

/** How many bytes one search may still read in all. */
export type Budget = { left: number };

/** What one search reads with: the bytes it looks for, what it may still read, and room for a piece. */
export type Reading = { readonly wanted: Buffer; readonly budget: Budget; readonly room: Buffer };

/** A search for these bytes that may read so many. */
export function readingFor(wanted: Buffer, budget: Budget): Reading {
  return { wanted, budget, room: Buffer.alloc(PIECE_BYTES + wanted.length) };
}

/** `unknown` where the bytes that may be read did not reach. Rejects with the system's error. */
export async function contains(
  context: CallContext,
  entry: Entry,
  reading: Reading,
): Promise<Result<Refusal, 'yes' | 'no' | 'unknown'>> {
  const handle = await opened(entry);
  try {
    if (!(await handle.stat()).isFile()) return ok('no');
    const { wanted, room, budget } = reading;
    let kept = 0;
    for (;;) {
      const stop = context.watch.stop();
      if (stop !== null) return err(stop);
      if (budget.left <= 0) return ok('unknown');
      const { bytesRead } = await handle.read(room, kept, Math.min(PIECE_BYTES, budget.left), null);
      if (bytesRead === 0) return ok('no');
      budget.left -= bytesRead;
      const filled = kept + bytesRead;
      if (room.subarray(0, filled).includes(wanted)) return ok('yes');
      // What may be the beginning of a match goes before the next piece.
      kept = Math.min(filled, wanted.length - 1);
      room.copy(room, 0, filled - kept, filled);
    }
  } finally {
    await handle.close();
  }
}

/**
 * SHA-256 of a file, 64 hex digits; null where the bytes that may be read did not reach, or it is no file any
 * more. Rejects with the system's error.
 */
export async function computeDigest(
  context: CallContext,
  entry: Entry,
  budget: Budget,
): Promise<Result<Refusal, string | null>> {
  const handle = await opened(entry);
  try {
    if (!(await handle.stat()).isFile()) return ok(null);
    const sum = createHash('sha256');
    const room = Buffer.alloc(PIECE_BYTES);
    for (;;) {
      const stop = context.watch.stop();
      if (stop !== null) return err(stop);
      if (budget.left <= 0) return ok(null);
      const { bytesRead } = await handle.read(room, 0, Math.min(PIECE_BYTES, budget.left), null);
      if (bytesRead === 0) return ok(sum.digest('hex'));
      budget.left -= bytesRead;
      sum.update(room.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

function opened({ folder, name }: Entry): Promise<FileHandle> {
  return fs.open(
    at(folder, name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  );
}
