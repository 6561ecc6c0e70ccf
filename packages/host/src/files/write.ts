/**
 * Files written whole or not at all: a temporary file beside the target, synced, renamed, the folder synced.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readErrno } from './errno.js';
import { syncFolderSync } from './folder.js';

/** A file to write. `mode`: its permissions, those of any new file if left out. */
export type Draft = { readonly path: string; readonly bytes: Uint8Array; readonly mode?: number };

/** Why a file was not written. `exists`: by {@link createAll} alone. */
type WriteFault =
  | { readonly code: 'is_folder' | 'exists'; readonly path: string }
  | { readonly code: 'unwritable'; readonly path: string; readonly errno: string };

/** A file that was not written; none of its call was, or stands there now. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
  /** Why. */
  readonly fault: WriteFault;
  constructor(fault: WriteFault, cause?: unknown) {
    super(`${fault.path}: ${fault.code}`, { cause });
    this.fault = fault;
  }
}

/** Temporary files of this process that an interruption has to remove. */
const unfinished = new Set<string>();

/** Removes what was being written. Called when the process is interrupted. */
export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
}

/**
 * Writes files, all of them or none: every one is complete and synced beside its target before the first is
 * renamed. Makes the folders that are missing. Existing files are replaced. Rejects with {@link WriteError}.
 * They are synced at once: a medium that is asked together answers together, and waiting for one after the
 * other took most of a run.
 */
export async function writeAll(drafts: readonly Draft[]): Promise<void> {
  await place(drafts, renameSync);
}

/** Writes files that must not exist yet: nothing is ever replaced. Rejects with {@link WriteError}. */
export async function createAll(drafts: readonly Draft[]): Promise<void> {
  const made: string[] = [];
  try {
    await place(drafts, (temporary, path) => {
      putNew(temporary, path);
      made.push(path);
      unlinkSync(temporary);
    });
  } catch (error) {
    for (const path of made) rmSync(path, { force: true });
    throw error;
  }
}

/** A link, unlike a rename, fails if the file exists; so does the copy, on a medium that has no links. */
function putNew(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has(readErrno(error) ?? '')) throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
    const handle = openSync(path, 'r+');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }
}

const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * A temporary file of this call, removed if the process is interrupted; {@link moveInto} puts it in its
 * place.
 */
export function temporaryBeside(folder: string): string {
  const path = temporaryIn(folder);
  unfinished.add(path);
  return path;
}

/** Syncs a file written under a name of {@link temporaryBeside} and renames it. */
export async function moveInto(temporary: string, path: string): Promise<void> {
  await syncAll([{ temporary, path }]);
  putting(renameSync, temporary, path);
  unfinished.delete(temporary);
  syncFolderSync(dirname(path));
}

/**
 * Raises the system's error where a folder cannot be made or written to. Makes nothing: a file is made and
 * removed in the folder, or in the nearest one above it that exists.
 */
export function tryWriting(folder: string): void {
  let existing = resolve(folder);
  while (statSync(existing, { throwIfNoEntry: false }) === undefined && dirname(existing) !== existing)
    existing = dirname(existing);
  const probe = temporaryIn(existing);
  closeSync(openSync(probe, 'wx'));
  unlinkSync(probe);
}

/** Gives a finished file its name. */
type Put = (temporary: string, path: string) => void;

function putting(put: Put, temporary: string, path: string): void {
  try {
    put(temporary, path);
  } catch (error) {
    throw readErrno(error) === 'EEXIST'
      ? new WriteError({ code: 'exists', path }, error)
      : unwritable(path, error);
  }
}

async function place(drafts: readonly Draft[], put: Put): Promise<void> {
  const made: Made[] = [];
  try {
    for (const draft of drafts) made.push(prepared(draft));
    await syncAll(made);
    for (const { temporary, path } of made) {
      putting(put, temporary, path);
      unfinished.delete(temporary);
    }
    for (const folder of new Set(made.map(({ path }) => dirname(path)))) syncFolderSync(folder);
  } finally {
    for (const { temporary } of made) discard(temporary);
  }
}

/** A temporary file and the target it is for. */
type Made = { readonly temporary: string; readonly path: string };

const synced = promisify(fsync);

/** Waits for all, whatever becomes of one: none is closed or removed while another is still being synced. */
async function syncAll(made: readonly Made[]): Promise<void> {
  const ended = await Promise.allSettled(
    made.map(async ({ temporary, path }) => {
      const handle = openSync(temporary, 'r+');
      try {
        await synced(handle);
      } catch (error) {
        throw unwritable(path, error);
      } finally {
        closeSync(handle);
      }
    }),
  );
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** A name that nobody can have put a file or link under beforehand. */
function temporaryIn(folder: string): string {
  return join(folder, `.assay-${randomBytes(12).toString('hex')}.tmp`);
}

function prepared({ path, bytes, mode }: Draft): Made {
  const temporary = temporaryIn(dirname(path));
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new WriteError({ code: 'is_folder', path });
    mkdirSync(dirname(path), { recursive: true });
    writeNew(temporary, bytes, mode);
    return { temporary, path };
  } catch (error) {
    discard(temporary);
    throw unwritable(path, error);
  }
}

function writeNew(path: string, bytes: Uint8Array, mode?: number): void {
  // Never through what stands there already; and only what is ours is removed again.
  const handle = openSync(path, 'wx', mode);
  unfinished.add(path);
  try {
    for (let at = 0; at < bytes.length; ) {
      const written = writeSync(handle, bytes, at);
      // A medium that takes nothing and says no failure would be asked for ever.
      if (written === 0) throw Object.assign(new Error('nothing was written'), { code: 'EIO' });
      at += written;
    }
  } finally {
    closeSync(handle);
  }
}

/** A failure of the system as what kept a file from being written; anything else as it is. */
function unwritable(path: string, error: unknown): unknown {
  const errno = readErrno(error);
  return errno === null ? error : new WriteError({ code: 'unwritable', path, errno }, error);
}

function discard(temporary: string): void {
  if (!unfinished.delete(temporary)) return;
  rmSync(temporary, { force: true });
}
