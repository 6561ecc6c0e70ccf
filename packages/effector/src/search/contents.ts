/**
 * Whether a file holds some bytes, read in pieces.
 *
 * @module
 */
import { constants, promises as fs } from 'node:fs';
import { err, ok, type Result } from '@assay/kernel';
import type { CallContext } from '../call.js';
import type { Refusal } from '../refusal.js';
import { at } from '../workspace/descend.js';
import type { Entry } from './scan.js';

const PIECE_BYTES = 65_536;

/** What one search reads with: the bytes it looks for, how many it may still read in all, and room for a piece. */
export type Reading = { readonly wanted: Buffer; left: number; readonly room: Buffer };

/** A search for these bytes that may read so many. */
export function readingFor(wanted: Buffer, most: number): Reading {
  return { wanted, left: most, room: Buffer.alloc(PIECE_BYTES + wanted.length) };
}

/** `unknown` where the bytes that may be read did not reach. Rejects with the system's error. */
export async function contains(context: CallContext, entry: Entry, reading: Reading): Promise<Result<Refusal, 'yes' | 'no' | 'unknown'>> {
  const handle = await fs.open(at(entry.folder, entry.name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    if (!(await handle.stat()).isFile()) return ok('no');
    const { wanted, room } = reading;
    let kept = 0;
    for (;;) {
      const stop = context.watch.stop();
      if (stop !== null) return err(stop);
      if (reading.left <= 0) return ok('unknown');
      const { bytesRead } = await handle.read(room, kept, Math.min(PIECE_BYTES, reading.left), null);
      if (bytesRead === 0) return ok('no');
      reading.left -= bytesRead;
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
