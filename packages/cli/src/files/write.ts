/**
 * Files written whole or not at all: a temporary file beside the target, synced, renamed, the folder synced.
 *
 * @module
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf, misuse, type Stop } from '../problem.js';

/** A file to write. `mode`: its permissions, those of any new file if left out. */
export type Draft = { readonly path: string; readonly bytes: Uint8Array; readonly mode?: number };

/** Temporary files of this process that an interruption has to remove. */
const unfinished = new Set<string>();

/** Removes what was being written. Called when the process is interrupted. */
export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
}

/**
 * Writes files, all of them or none: every one is complete and synced beside its target before the first is
 * renamed. Makes the folders that are missing. Existing files are replaced. Raises {@link Stop}. They are
 * synced at once: a medium that is asked together answers together, and waiting for one after the other took
 * most of a run.
 */
export async function writeAll(drafts: readonly Draft[]): Promise<void> {
  await place(drafts, renameSync);
}

/**
 * Writes files that must not exist yet: nothing is ever replaced. Raises {@link Stop}: `exists`, and those of
 * {@link writeAll}.
 */
export async function createAll(drafts: readonly Draft[]): Promise<void> {
  const refuse = (path: string): Stop =>
    misuse(
      'exists',
      'there is a file of this name; nothing was written',
      path,
      'name another file: this one is never replaced',
    );
  for (const { path } of drafts) {
    requireTarget(path);
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) throw refuse(path);
  }
  const linked: string[] = [];
  try {
    await place(drafts, (temporary, path) => {
      // A link, unlike a rename, fails where somebody made the file meanwhile.
      linkSync(temporary, path);
      linked.push(path);
      unlinkSync(temporary);
    });
  } catch (error) {
    for (const path of linked) rmSync(path, { force: true });
    throw errnoOf(error) === 'EEXIST' ? refuse(drafts[linked.length]?.path ?? '') : error;
  }
}

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
  renameSync(temporary, path);
  unfinished.delete(temporary);
  syncFolder(dirname(path));
}

async function place(
  drafts: readonly Draft[],
  put: (temporary: string, path: string) => void,
): Promise<void> {
  const made: Made[] = [];
  try {
    for (const draft of drafts) made.push(prepared(draft));
    await syncAll(made);
    for (const { temporary, path } of made) {
      put(temporary, path);
      unfinished.delete(temporary);
    }
    for (const folder of new Set(made.map(({ path }) => dirname(path)))) syncFolder(folder);
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
        throw writingProblem(path, error);
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

/**
 * Raises {@link Stop} where a folder cannot be made or written to: asked before work is begun. Makes nothing:
 * a file is made and removed in the folder, or in the nearest one above it that exists.
 */
export function requireWritable(folder: string): void {
  if (folder === '') throw misuse('empty_path', 'the output has an empty name', '-o', 'name it');
  try {
    let existing = resolve(folder);
    while (statSync(existing, { throwIfNoEntry: false }) === undefined && dirname(existing) !== existing)
      existing = dirname(existing);
    const probe = temporaryIn(existing);
    closeSync(openSync(probe, 'wx'));
    unlinkSync(probe);
  } catch (error) {
    throw writingProblem(folder, error);
  }
}

/** Raises {@link Stop} where a file cannot be written: its folder, or a folder of its name. */
export function requireTarget(path: string): void {
  if (path === '') throw misuse('empty_path', 'the output has an empty name', '-o', 'name it');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw misuse('is_folder', 'the output is a folder', path, 'name a file');
  requireWritable(dirname(path));
}

/**
 * Raises {@link Stop} where an output is one of the inputs, under whatever name: links are followed, and what
 * does not exist yet is named by the folder it will be in. `-` is standard input. Asked before anything is
 * written.
 */
export function requireApart(outputs: readonly string[], inputs: readonly string[]): void {
  // What is not there cannot be replaced: a quoted request, a pin like key=value.
  const real = new Map(
    inputs
      .filter((input) => input !== '-' && existsSync(input))
      .map((input) => [realPath(input), input] as const),
  );
  for (const output of outputs) {
    const input = real.get(realPath(output));
    if (input !== undefined)
      throw misuse('same_file', `the output would replace an input (${input})`, output, 'name another file');
  }
}

/**
 * Where a path leads in the end: links are followed, and what is not there yet is named by the folder it will
 * be in.
 */
export function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    // It, or a folder above it, is not there yet; whoever reads or writes it says what else is wrong with it.
    return dirname(whole) === whole ? whole : join(realPath(dirname(whole)), basename(whole));
  }
}

function prepared({ path, bytes, mode }: Draft): Made {
  const temporary = temporaryIn(dirname(path));
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw misuse('is_folder', 'the output is a folder', path, 'name a file');
    mkdirSync(dirname(path), { recursive: true });
    writeNew(temporary, bytes, mode);
    return { temporary, path };
  } catch (error) {
    discard(temporary);
    throw writingProblem(path, error);
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

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  // Windows opens no folder as a file, and its file systems keep names without being asked.
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function discard(temporary: string): void {
  if (!unfinished.delete(temporary)) return;
  rmSync(temporary, { force: true });
}

/**
 * What to raise where a file cannot be written: {@link Stop} for a failure of the system, anything else as it
 * is.
 */
export function writingProblem(path: string, error: unknown): unknown {
  const errno = errnoOf(error);
  if (errno === null) return error;
  const say: { readonly [errno: string]: readonly [message: string, remedy: string] } = {
    ENOSPC: ['there is no room left on this medium', 'make room, or write elsewhere'],
    EDQUOT: ['the quota of this medium is used up', 'make room, or write elsewhere'],
    EROFS: ['this medium is read-only', 'write elsewhere'],
    EACCES: ['writing here is not permitted', 'write elsewhere, or change the permissions'],
    EPERM: ['writing here is not permitted', 'write elsewhere, or change the permissions'],
    ENOTDIR: ['a part of this path is a file', 'name a folder with -o'],
    EEXIST: ['a part of this path is a file', 'name a folder with -o'],
  };
  const [message, remedy] = say[errno] ?? [`this cannot be written (${errno})`, 'write elsewhere'];
  const stop: Stop = misuse('unwritable', `${message}; nothing was written`, path, remedy);
  return stop;
}
