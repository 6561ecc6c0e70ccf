/**
 * Files that the command writes: whole or not at all, and apart from what it reads. What goes wrong, in words.
 */
import * as durable from '@assay/host/files';
import {
  appendFileSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { nativeSha256 } from '@assay/host';
import { utf8Bytes } from '@assay/kernel';
import type { Context } from '../call/output.js';
import { misuse, Stop, badValue } from '../problems/problem.js';
import { show } from '../terminal/shown.js';

/**
 * Writes files, all or none, and replaces none: one that holds these very bytes already is left as it is. Raises
 * {@link Stop}: `exists`, and those of {@link requireTarget}.
 */
export async function writeNew(drafts: readonly durable.Draft[]): Promise<void> {
  await durable.createAll(drafts.filter((draft) => !isSame(draft))).catch(stopWriting);
}

/**
 * Writes files, all or none, over earlier ones; the caller has made sure that these are its own. Raises {@link Stop}.
 */
export async function replaceAll(drafts: readonly durable.Draft[]): Promise<void> {
  await durable.writeAll(drafts).catch(stopWriting);
}

/** {@link durable.moveInto}, raising {@link Stop}. */
export async function moveInto(temporary: string, path: string): Promise<void> {
  await durable.moveInto(temporary, path).catch(stopWriting);
}

/** Says of the text of a file that it is an earlier output of the same command. */
export type IsOwn = (text: string) => boolean;

/** Raises {@link Stop}, `exists`, if a file stands there that {@link writeOver} would not replace. */
export function requireOver(path: string, isOwn: IsOwn = isMarked): void {
  requireTarget(path);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !(found.isFile() && isOwn(readFileSync(path, 'utf8')))) throw exists(path);
}

/** Writes a file anew, over an earlier output of the same command and over nothing else. Raises {@link Stop}. */
export async function writeOver(draft: durable.Draft, isOwn: IsOwn = isMarked): Promise<void> {
  requireOver(draft.path, isOwn);
  const isThere = lstatSync(draft.path, { throwIfNoEntry: false }) !== undefined;
  await (isThere ? replaceAll : writeNew)([draft]);
}

/**
 * A text of XML or Markdown with a last line by which {@link isMarked} knows it again: a later call may replace it
 * as long as nobody has edited it.
 */
export function markedBytes(text: string): Uint8Array {
  const body = text.endsWith('\n') ? text : `${text}\n`;
  return utf8Bytes(`${body}${makeMark(body)}`);
}

function isMarked(text: string): boolean {
  const at = text.lastIndexOf(MARK_START);
  return at !== -1 && text.slice(at) === makeMark(text.slice(0, at));
}

const MARK_START = '<!-- written by assay, which may replace this file while it is unchanged: sha256 ';

function makeMark(body: string): string {
  return `${MARK_START}${nativeSha256(utf8Bytes(body))} -->\n`;
}

function isSame({ path, bytes }: durable.Draft): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size !== bytes.length) return false;
  try {
    return readFileSync(path).equals(bytes);
  } catch {
    // What may not be read was not written by this command.
    return false;
  }
}

function stopWriting(error: unknown): never {
  if (!(error instanceof durable.WriteError)) throw error;
  const { fault } = error;
  switch (fault.code) {
    case 'is_folder':
      throw isFolder(fault.path);
    case 'exists':
      throw exists(fault.path);
    default:
      throw unwritable(fault.path, fault.errno);
  }
}

/** What to raise if an output would replace a file. */
export function exists(path: string): Stop {
  return misuse(
    'exists',
    'this file exists; only an unchanged output of this command and version is replaced; nothing was written',
    path,
    'name another file, or remove this one first',
  );
}

function isFolder(path: string): Stop {
  return misuse('is_folder', 'the output is a folder', path, 'name a file');
}

/** {@link durable.appendTo}, raising {@link Stop}. */
export function appendTo(path: string, bytes: Uint8Array): void {
  inWords(path, () => durable.appendTo(path, bytes));
}

/** {@link durable.endLineAt}, raising {@link Stop}. */
export function endLineAt(path: string, size: number): void {
  inWords(path, () => durable.endLineAt(path, size));
}

function inWords(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw writingProblem(path, error);
  }
}

/** Raises {@link Stop} where a folder cannot be made or written to: asked before work is begun. */
export function requireWritable(folder: string): void {
  if (folder === '') throw badValue('the output name is empty', '-o', 'name a file or folder');
  inWords(folder, () => durable.tryWriting(folder));
}

/** Raises {@link Stop} where a file cannot be written: its folder, or a folder of its name. */
export function requireTarget(path: string): void {
  if (path === '') throw badValue('the output name is empty', '-o', 'name a file or folder');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw isFolder(path);
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

/**
 * What to raise where a file cannot be written: {@link Stop} for a failure of the system, anything else as it
 * is.
 */
export function writingProblem(path: string, error: unknown): unknown {
  const errno = durable.readErrno(error);
  return errno === null ? error : unwritable(path, errno);
}

function unwritable(path: string, errno: string): Stop {
  const say: { readonly [errno: string]: readonly [message: string, remedy: string] } = {
    ENOSPC: ['the disk is full', 'free some space, or write to another place'],
    EDQUOT: ['the disk quota is used up', 'free some space, or write to another place'],
    EROFS: ['the disk is read-only', 'write to another place'],
    EACCES: ['no permission to write here', 'change the permissions, or write to another place'],
    EPERM: ['no permission to write here', 'change the permissions, or write to another place'],
    ENOTDIR: ['a part of this path is a file', 'name a folder with -o'],
    EEXIST: ['a part of this path is a file', 'name a folder with -o'],
  };
  const [message, remedy] = say[errno] ?? [`this cannot be written (${errno})`, 'write to another place'];
  return misuse('unwritable', `${message}; nothing was written`, path, remedy);
}

/** A step summary of GitHub holds at most 1 MiB. */
const SUMMARY_BYTES_MAX = 1_048_576;

/** A report in both forms. `inputs`: files that no summary may be written into. */
type Report = {
  readonly annotations: () => readonly string[];
  readonly summary: () => string;
  readonly inputs: readonly string[];
};

/** Raises {@link Stop}: a ledger, a policy, a page and a database are no summary, whatever name leads to them. */
function requireSummary(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const start = Buffer.alloc(16);
  const file = openSync(path, 'r');
  try {
    readSync(file, start);
  } finally {
    closeSync(file);
  }
  if (/^(?:\s*\{|<!doctype|SQLite format)/i.test(start.toString('latin1')))
    throw misuse('same_file', 'this file is no summary', path, 'name another file');
}

/** Annotates and appends the summary where GitHub runs the command. What cannot be written changes no exit code. */
export function reportToGithub({ output, env }: Context, { annotations, summary, inputs }: Report): void {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  for (const line of annotations()) output.command(line);
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path === '') return;
  const text = summary();
  if (utf8Bytes(text).length > SUMMARY_BYTES_MAX) {
    output.note(show`assay: the step summary would be larger than GitHub takes; it is left out`);
    return;
  }
  try {
    requireApart([path], inputs);
    requireSummary(path);
    appendFileSync(path, text);
  } catch (error) {
    const reason = error instanceof Stop ? error.problem.code : durable.readErrno(error);
    if (reason === null) throw error;
    output.note(
      show`assay: the step summary cannot be written (${reason}); it is left out: GITHUB_STEP_SUMMARY=${path}`,
    );
  }
}
