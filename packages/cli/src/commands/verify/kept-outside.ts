/**
 * Openings and blobs of a folder, for `--with`: `NAME.openings.jsonl`, and blobs by their hash in `blobs/`.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nativeSha256 } from '@assay/host';
import { readErrno } from '@assay/host/files';
import { LineSplitter, type Digest } from '@assay/kernel';
import { readOpenings, type Measured, type Outside } from '@assay/verifier';
import { misuse } from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import type { Output } from '../../call/output.js';

/** How the name of a file of openings ends. */
export const OPENINGS_SUFFIX = '.openings.jsonl';

const CHUNK_BYTES = 1_048_576;
const REMEDY = 'remove it, or replace it by one that can be read';

/**
 * What a folder keeps for tokens. Openings are read now, blobs when a token asks for one, each once. Lines
 * that are no opening are told of and left out. Raises `Stop`: `unreadable`.
 */
export function keptIn(folder: string, output: Output): Outside {
  const openings = new Map<Digest, boolean>();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const read = readOpenings(chunksIn(path), nativeSha256);
    for (const [seal, isRight] of read.openings) openings.set(seal, isRight && openings.get(seal) !== false);
    const [first] = read.unread;
    if (first !== undefined)
      output.note(
        show`assay: ${path}: line ${first + 1} is no opening; left out${
          read.unread.length > 1 ? `, with ${read.unread.length - 1} more` : ''
        }`,
      );
  }
  const measured = new Map<Digest, Measured | null>();
  const blob = (sha256: Digest): Measured | null => {
    const known = measured.get(sha256);
    if (known !== undefined) return known;
    const found = measure(join(folder, 'blobs', sha256));
    measured.set(sha256, found);
    return found;
  };
  return { openings, blob };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(OPENINGS_SUFFIX))
      .sort();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** Length and hash of a file; null where there is none. */
function measure(path: string): Measured | null {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for (const chunk of readChunks(path)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (readErrno(error) === 'ENOENT') return null;
    throw unreadable(path, error);
  }
  return { bytes, sha256: hash.digest('hex') as Digest };
}

function* chunksIn(path: string): Generator<Uint8Array> {
  try {
    yield* readChunks(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * What of a folder a ledger cites, where it fits: lines of openings, and bytes of blobs. Anything else in the
 * folder is somebody's and stays there. Raises `Stop`: `unreadable`, and `too_large` over `bytesMax` bytes.
 */
export function citedIn(
  folder: string,
  ledger: string,
  bytesMax: number,
): { readonly openings: readonly string[]; readonly blobs: ReadonlyMap<string, Uint8Array> } {
  // Canonical text: a quote inside of a string would have a backslash before it.
  const named = (form: RegExp): ReadonlySet<string> =>
    new Set([...ledger.matchAll(form)].map(([, digest]) => digest ?? ''));
  const seals = named(/"\$sealed":"([0-9a-f]{64})"/g);
  let left = bytesMax;
  const taken = (bytes: number, path: string): void => {
    left -= bytes;
    if (left < 0)
      throw misuse('too_large', `a report keeps at most ${bytesMax} bytes beside its ledger`, path, REMEDY);
  };
  const openings = new Set<string>();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    for (const line of linesIn(path)) {
      const [opening] = readOpenings([line], nativeSha256).openings;
      const text = Buffer.from(line).toString('utf8');
      if (opening?.[1] !== true || !seals.has(opening[0]) || openings.has(text)) continue;
      taken(line.length, path);
      openings.add(text);
    }
  }
  const blobs = new Map<string, Uint8Array>();
  for (const sha256 of named(/"\$blob":\{[^{}]*"sha256":"([0-9a-f]{64})"\}/g)) {
    const path = join(folder, 'blobs', sha256);
    const found = measure(path);
    if (found?.sha256 !== sha256) continue;
    taken(found.bytes, path);
    blobs.set(sha256, Buffer.concat([...chunksIn(path)].map((chunk) => chunk.slice())));
  }
  return { openings: [...openings], blobs };
}

function* linesIn(path: string): Generator<Uint8Array> {
  const splitter = new LineSplitter();
  for (const chunk of chunksIn(path)) for (const { bytes } of splitter.push(chunk)) yield bytes;
  for (const { bytes } of splitter.end()) yield bytes;
}

/** The files that `--with` may read of a folder: no output may replace one. */
export function listFiles(folder: string): readonly string[] {
  const blobs = join(folder, 'blobs');
  const hasBlobs = statSync(blobs, { throwIfNoEntry: false })?.isDirectory() === true;
  const kept = hasBlobs ? readdirSync(blobs).map((name) => join(blobs, name)) : [];
  return [...namesIn(folder).map((name) => join(folder, name)), ...kept];
}

/**
 * A folder's own files only: whoever filled it could have put a pipe or a device there, which would be waited
 * for, or read, for ever. Raises `Stop` and errors of the file system.
 */
export function requireFile(path: string): void {
  const found = statSync(path);
  if (!found.isFile() && !found.isDirectory())
    throw misuse('unreadable', 'this is a pipe or a device, not a file', path, REMEDY);
}

/** Read synchronously: the verifier asks while it judges a record. The chunk's memory is used again. */
function* readChunks(path: string): Generator<Uint8Array> {
  requireFile(path);
  const file = openSync(path, 'r');
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
      yield buffer.subarray(0, size);
  } finally {
    closeSync(file);
  }
}

/** What stopped the reading of a folder's file, as a problem. */
export function unreadable(path: string, error: unknown): unknown {
  const errno = readErrno(error);
  return errno === null ? error : misuse('unreadable', `this cannot be read (${errno})`, path, REMEDY);
}
