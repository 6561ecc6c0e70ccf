/**
 * Bytes in and out of open files, in pieces, so that a signal and the wall time are heard.
 *
 * @module
 */
import { createHash, randomBytes } from 'node:crypto';
import { constants, promises as fs } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { err, ok, type Digest, type Result } from '@assay/kernel';
import { errnoOf } from '@assay/host/files';
import type { Refusal } from '../refusal.js';
import type { Watch } from '../watch.js';

const PIECE_BYTES = 65_536;

/** The first `most` bytes of a file, from its beginning. */
export async function readUpTo(
  handle: FileHandle,
  most: number,
  watch: Watch,
): Promise<Result<Refusal, { readonly bytes: Uint8Array; readonly isWhole: boolean }>> {
  const pieces: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const stop = watch.stop();
    if (stop !== null) return err(stop);
    // One byte more than wanted says whether that was all.
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, most - size + 1));
    const { bytesRead } = await handle.read(piece, 0, piece.length, size);
    if (bytesRead === 0) return ok({ bytes: Buffer.concat(pieces), isWhole: true });
    pieces.push(piece.subarray(0, bytesRead));
    size += bytesRead;
    if (size > most) return ok({ bytes: Buffer.concat(pieces).subarray(0, most), isWhole: false });
  }
}

/** The bytes of an open file. Rejects with the system's error. */
export async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = Buffer.alloc(PIECE_BYTES);
    const { bytesRead } = await handle.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
  }
}

/** SHA-256 of an open file from where it stands, and how many bytes that were. */
export async function digestOf(
  handle: FileHandle,
  watch: Watch,
): Promise<Result<Refusal, { readonly digest: Digest; readonly bytes: number }>> {
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const piece of piecesOf(handle)) {
    const stop = watch.stop();
    if (stop !== null) return err(stop);
    sum.update(piece);
    bytes += piece.length;
  }
  return ok({ digest: sum.digest('hex') as Digest, bytes });
}

/** Writes all bytes at the end of an open file. Rejects with the system's error. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; )
    from += (await handle.write(bytes, from, bytes.length - from, null)).bytesWritten;
}

/**
 * Makes a file that was not there, with this content on the medium; removed again if that fails. Rejects with
 * the system's error.
 */
export async function makeFile(address: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await fs.open(
    address,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    mode,
  );
  try {
    await writeAll(handle, bytes);
    await handle.sync();
  } catch (error) {
    await removeQuietly(address);
    throw error;
  } finally {
    await handle.close();
  }
}

/** Removes what a failed operation left; that it is gone already is no fault. */
export async function removeQuietly(address: string): Promise<void> {
  try {
    await fs.unlink(address);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
}

/**
 * A name for a file that lies beside another for a moment. `tmp`: it is ours. `old`: it is somebody's, and was
 * taken out of the way.
 */
export function besideName(ending: 'tmp' | 'old'): string {
  return `.assay-${randomBytes(8).toString('hex')}.${ending}`;
}

/** SHA-256 of bytes, 64 hex digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
