/**
 * Files of the workspace, opened, read and put in place, in pieces, so that a signal and the wall time are
 * heard.
 */
import { createHash, randomBytes } from 'node:crypto';
import { constants, promises as fs, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { readErrno } from '@assay/host/files';
import { type Digest, err, ok, type Result } from '@assay/kernel';
import type { Watch } from '../limits.js';
import { denied, type Refusal } from '../refusal.js';
import { renderSpot, at, type Spot } from './descend.js';

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
async function* readPieces(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = Buffer.alloc(PIECE_BYTES);
    const { bytesRead } = await handle.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
  }
}

/** SHA-256 of an open file from where it stands, and how many bytes that were. */
export async function computeDigest(
  handle: FileHandle,
  watch: Watch,
): Promise<Result<Refusal, { readonly digest: Digest; readonly bytes: number }>> {
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const piece of readPieces(handle)) {
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
    if (readErrno(error) === null) throw error;
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

/** A file that is open, and what it was when it was opened. */
export type OpenFile = { readonly handle: FileHandle; readonly look: Stats };

const FLAGS = {
  read: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
  append:
    constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
} as const;

/**
 * Opens the file of a spot; the caller closes it. Codes: `not_a_file`, `symlink`, `not_found`, and those of
 * the system.
 */
export async function openFile(spot: Spot, mode: 'read' | 'append'): Promise<Result<Refusal, OpenFile>> {
  if (spot.name === null) return err(notAFile(spot));
  // A look ahead, for opening some devices has an effect of its own; what is opened is looked at again.
  const ahead = await fs.lstat(renderSpot(spot));
  if (ahead.isSymbolicLink())
    return err(denied('symlink', `${spot.path.text}: a symbolic link stands there`));
  if (!ahead.isFile()) return err(notAFile(spot));
  const handle = await fs.open(renderSpot(spot), FLAGS[mode]);
  const look = await handle.stat();
  if (look.isFile()) return ok({ handle, look });
  await handle.close();
  return err(notAFile(spot));
}

/** Does `act` with the file of a spot and closes it. */
export async function withFile<T>(
  spot: Spot,
  mode: 'read' | 'append',
  act: (file: OpenFile) => Promise<Result<Refusal, T>>,
): Promise<Result<Refusal, T>> {
  const file = await openFile(spot, mode);
  if (file._tag === 'Left') return file;
  try {
    return await act(file.right);
  } finally {
    await file.right.handle.close();
  }
}

/** What stands at a spot, a link as itself; null where nothing does. */
export async function lookAtSpot(spot: Spot): Promise<Stats | null> {
  if (spot.name === null) return spot.folder.handle.stat();
  try {
    return await fs.lstat(renderSpot(spot));
  } catch (error) {
    if (readErrno(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The refusal of whatever is no regular file. */
export function notAFile(spot: Spot): Refusal {
  return denied('not_a_file', `${spot.path.text}: no regular file`);
}

/**
 * What file systems without a second name for a file answer. `EPERM` also comes where the system protects
 * foreign files from it.
 */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
]);

/**
 * Gives the file at `from` the name of a spot where nothing is, or rejects with `EEXIST`: never replaces.
 * Both lie in the workspace. Afterwards `from` is gone.
 */
export async function placeNew(from: string, spot: Spot, name: string): Promise<void> {
  const to = at(spot.folder, name);
  try {
    await fs.link(from, to);
  } catch (error) {
    const errno = readErrno(error);
    if (errno === null || !NO_LINKS.has(errno)) throw error;
    await placeOverOwn(from, to);
    return;
  }
  await fs.unlink(from);
}

/** The name is taken by an empty file of our own first, which is then replaced. */
async function placeOverOwn(from: string, to: string): Promise<void> {
  const handle = await fs.open(
    to,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  await handle.close();
  try {
    await fs.rename(from, to);
  } catch (error) {
    await removeQuietly(to);
    throw error;
  }
}
