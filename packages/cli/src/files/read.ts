/**
 * Files given by name, and standard input as `-`.
 *
 * @module
 */
import { constants, openSync, promises as fs } from 'node:fs';
import { Socket } from 'node:net';
import { readErrno } from '@assay/host/files';
import { misuse, type Stop } from '../problems/problem.js';

/** The largest text read whole: policies, pins, recorded answers, machines' inputs. */
export const TEXT_BYTES_MAX = 16_777_216;

const CHUNK_BYTES = 1_048_576;

/**
 * The bytes of a file or of standard input, chunk by chunk: memory does not grow with the file. Raises
 * {@link Stop}.
 */
export async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    if (path === '-') yield* process.stdin as AsyncIterable<Uint8Array>;
    else yield* chunksIn(path);
  } catch (error) {
    throw notRead(path, error);
  }
}

/**
 * A file read whole, at most {@link TEXT_BYTES_MAX}. Raises {@link Stop}: `too_large` and those of
 * {@link readChunks}.
 */
export async function readWhole(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(path)) {
    size += chunk.length;
    if (size > TEXT_BYTES_MAX)
      throw misuse(
        'too_large',
        `this file has more than ${TEXT_BYTES_MAX} bytes`,
        shortenName(path),
        'give a smaller file',
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * A text file read whole. Raises {@link Stop}: `not_text` for bytes that are no UTF-8 or hold a NUL, and
 * those of {@link readWhole}.
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readWhole(path);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Falls through to the one message for both.
  }
  throw misuse('not_text', 'not a UTF-8 text file', shortenName(path), 'save the file as UTF-8 text');
}

/** A path as messages name it. */
export function shortenName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** A named pipe is not opened like a file: a thread would wait for its writer, and the process for that thread. */
async function* chunksIn(path: string): AsyncGenerator<Uint8Array, void> {
  const stat = await fs.stat(path);
  if (stat.isDirectory())
    throw misuse('is_folder', 'this is a folder, not a file', path, 'name a file in it');
  if (stat.isFIFO()) {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return yield* new Socket({ fd, readable: true, writable: false }) as AsyncIterable<Uint8Array, void>;
  }
  const handle = await fs.open(path);
  try {
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES));
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** What stopped the reading of a file: a failure of the system as a problem, anything else as it is. */
export function notRead(path: string, error: unknown): unknown {
  const errno = readErrno(error);
  if (errno === null) return error;
  const place = shortenName(path);
  const known: { readonly [errno: string]: () => Stop } = {
    ENOENT: () =>
      misuse('missing_file', 'no such file', place, 'check the path; it is relative to the current folder'),
    ENOTDIR: () => misuse('missing_file', 'a part of this path is not a folder', place, 'check the path'),
    EISDIR: () => misuse('is_folder', 'this is a folder, not a file', place, 'name a file in it'),
    EACCES: () =>
      misuse('unreadable', 'no permission to read this file', place, 'change its permissions, or copy it'),
    ENAMETOOLONG: () => misuse('missing_file', 'this file name is too long', place, 'check the path'),
  };
  return (
    known[errno]?.() ??
    misuse('unreadable', `this file cannot be read (${errno})`, place, 'check the path and the disk')
  );
}
