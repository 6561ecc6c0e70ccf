/** Files given by name, and standard input as `-`. */
import { constants, existsSync, openSync, promises as fs, readdirSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { maskedAddress } from '@assay/host';
import { readErrno } from '@assay/host/files';
import { misuse, type Remedy, type Stop } from '../problems/problem.js';
import { commandLine, show } from '../terminal/shown.js';
import { LINE_LIMITS, LineSplitter, OUTSIDE_LIMITS, admit, type Json, type Limits } from '@assay/kernel';

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

/** A line of a file. `at`: the file and the line, as messages name them; `number`: from 1. */
export type TextLine = { readonly at: string; readonly number: number; readonly text: string };

/**
 * Reads line by line, each as soon as it is there; empty ones are left out. Ends early where `signal` is aborted.
 * Raises {@link Stop}: `bad_line` for one that is too long, `not_text`, and those of {@link readChunks}.
 */
export async function* readLines(
  path: string,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<TextLine> {
  const place = shortenName(path);
  const splitter = new LineSplitter();
  const chunks = readChunks(path);
  const aborted = new Promise<{ readonly done: true }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true }));
  });
  let number = 0;
  try {
    for (let isOver = false; !isOver && !signal.aborted; ) {
      const next = await Promise.race([chunks.next(), aborted]);
      isOver = next.done === true;
      for (const { bytes } of next.done === true ? splitter.end() : splitter.push(next.value)) {
        number += 1;
        const at = `${place}:${number}`;
        const text = decodeLine(bytes, at);
        if (text.trim() !== '') yield { at, number, text };
      }
    }
  } finally {
    void chunks.return(undefined);
  }
}

function decodeLine(bytes: Uint8Array, at: string): string {
  if (bytes.length > LINE_LIMITS.bytes)
    throw misuse('bad_line', `a line has at most ${LINE_LIMITS.bytes} bytes`, at, 'give shorter lines');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw misuse('not_text', 'not UTF-8 text', at, 'save the file as UTF-8 text');
  }
}

/** A package that a user may leave out; null where it is not installed. */
export async function loadOptional<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** A path as messages name it; an address of a server without its password. */
export function shortenName(path: string): string {
  if (/^\w+:\/\//.test(path)) return maskedAddress(path);
  return path === '-' ? 'standard input' : path;
}

/** Raises {@link Stop}, `stdin`, where standard input is named twice. */
export function requireOneStdin(paths: readonly string[]): void {
  if (paths.filter((path) => path === '-').length > 1)
    throw misuse('stdin', 'standard input can be read once', '-', 'give - once');
}

/** A named pipe is not opened like a file: a thread would wait for its writer, and the process for that thread. */
async function* chunksIn(path: string): AsyncGenerator<Uint8Array, void> {
  const stat = await fs.stat(path);
  if (stat.isDirectory()) throw isFolder(path);
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

/** What to type instead of a path that is not there: a run of a folder is named as one of a store. */
export function missingRemedy(path: string): Remedy {
  const [folder = '', run] = path.split('#', 2);
  if (run === undefined || !existsSync(folder)) return 'check the path; it is relative to the current folder';
  return listLedgers(folder).length > 0
    ? `did you mean file:${path}?`
    : show`import sessions of an agent first: ${commandLine(['assay', 'import', folder, '-o', 'sessions'])}`;
}

/** The `*.ledger.jsonl` of a folder, by name. Empty for anything else. */
export function listLedgers(folder: string): readonly string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ledger.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}

/** What to raise for a folder: it names ledgers in it, if it has some. */
function isFolder(path: string): Stop {
  const ledgers = listLedgers(path).slice(0, 2);
  const all = commandLine(['assay', 'report', path, '--serve']);
  const remedy =
    ledgers.length === 0
      ? 'name a file in it'
      : show`${ledgers.length > 1 ? 'choose' : 'name'} a file in it, such as ${ledgers.join(' or ')}; ${all} lists all`;
  return misuse('is_folder', 'this is a folder, not a file', path, remedy);
}

/** What stopped the reading of a file: a failure of the system as a problem, anything else as it is. */
export function notRead(path: string, error: unknown): unknown {
  const errno = readErrno(error);
  if (errno === null) return error;
  const place = shortenName(path);
  const known: { readonly [errno: string]: () => Stop } = {
    ENOENT: () => misuse('missing_file', 'no such file', place, missingRemedy(path)),
    ENOTDIR: () => misuse('missing_file', 'a part of this path is not a folder', place, 'check the path'),
    EISDIR: () => isFolder(path),
    EACCES: () =>
      misuse('unreadable', 'no permission to read this file', place, 'change its permissions, or copy it'),
    ENAMETOOLONG: () => misuse('missing_file', 'this file name is too long', place, 'check the path'),
  };
  return (
    known[errno]?.() ??
    misuse('unreadable', `this file cannot be read (${errno})`, place, 'check the path and the disk')
  );
}

/**
 * Reads one JSON value. Raises: `json` where the text is no JSON or writes a key twice, `inadmissible` where the
 * value is outside the limits, and those of reading a file.
 */
export async function readJson(path: string, limits: Limits = OUTSIDE_LIMITS): Promise<Json> {
  return parseJson((await readText(path)).replace(/^\ufeff/, ''), path, limits);
}

/** The same of a text at hand. `path`: how messages name it. */
export function parseJson(text: string, path: string, limits: Limits = OUTSIDE_LIMITS): Json {
  const admitted = admit(parsePlain(text, path, limits.depth), limits);
  if (admitted._tag === 'Right') return admitted.right.value;
  const { code, path: at } = admitted.left;
  throw misuse(
    'inadmissible',
    `invalid value: ${code} at ${at === '' ? 'its root' : at}`,
    path,
    'see docs/formats/limits.md',
  );
}

/** A value that whoever takes it admits: JSON without a key twice. Raises `json`, and `inadmissible` for its depth. */
export function parsePlain(text: string, path: string, depthMax: number): unknown {
  requirePlain(path, text, depthMax);
  return parse(path, text);
}

/**
 * Read on the text, before any parser could exhaust its stack or drop the first of two equal keys in silence.
 */
function requirePlain(path: string, text: string, depthMax: number): void {
  const levels: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*"?)(\s*:)?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') levels.push(new Set());
    else if (token === ']' || token === '}') levels.pop();
    if (levels.length > depthMax)
      throw misuse(
        'inadmissible',
        `this value has more than ${depthMax} levels`,
        path,
        'see docs/formats/limits.md',
      );
    if (string === undefined || colon === undefined) continue;
    const keys = levels.at(-1);
    const key = readKey(string);
    if (keys?.has(key) === true)
      throw misuse('json', `the key ${string} occurs twice in one object`, path, 'write each key once');
    keys?.add(key);
  }
}

/**
 * The key that a string token writes, escapes read: "a" and "\\u0061" are one. What is no JSON string is
 * refused by the parser later.
 */
function readKey(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (text.trim() === '')
      throw misuse('json', 'not JSON: the file is empty', path, 'check that the file is complete');
    if (isLines(text))
      throw misuse(
        'json',
        'not one JSON value, but one on each line',
        path,
        'this may be a ledger; name one of the .json files beside it',
      );
    throw misuse('json', `not JSON: ${error.message}`, path, 'check the file with a JSON editor');
  }
}

/** True where the first of several lines is JSON of its own. */
function isLines(text: string): boolean {
  const end = text.indexOf('\n');
  if (end <= 0 || text.slice(end).trim() === '') return false;
  try {
    return typeof JSON.parse(text.slice(0, end)) === 'object';
  } catch {
    return false;
  }
}
