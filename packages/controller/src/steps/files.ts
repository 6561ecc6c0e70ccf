/**
 * Paths of the workspace as tools take and say them, their order, and what is made of names and sizes of files.
 *
 * @module
 */
import { compareText, err, ok, type Json, type JsonObject, type Result, admit, orThrow } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import type { StepFault } from './program.js';

/** The order of texts by code points, which is that of their bytes in UTF-8. */
export function byCodePoints(left: string, right: string): number {
  for (let at = 0; at < left.length && at < right.length; ) {
    const [a, b] = [left.codePointAt(at) ?? 0, right.codePointAt(at) ?? 0];
    if (a !== b) return a - b;
    at += a > 0xffff ? 2 : 1;
  }
  return left.length - right.length;
}

/** Canonical JSON of a value that is admitted; a value that is not is a defect. */
export function canonicalText(value: Json): string {
  return orThrow(admit(value)).text;
}

/** A value as text: a text as it is, anything else as canonical JSON. */
export function renderText(value: Json): string {
  return typeof value === 'string' ? value : canonicalText(value);
}

/**
 * Operands of a command, behind the mark that ends its options where one of them could be taken for an
 * option.
 */
export function operands(...paths: readonly string[]): readonly string[] {
  const named = paths.map(makeOperand);
  return named.some((path) => path.startsWith('-')) ? ['--', ...named] : named;
}

/**
 * A path that was found, as tools take it: `-` alone is the input of a command, and `~` at the beginning the
 * home folder.
 */
export function makeOperand(path: string): string {
  return path === '-' || /^~(?:\/|$)/.test(path) ? `./${path}` : path;
}

/** A path as a search says it: without `./`. */
export function bare(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/**
 * A path in one form: without empty names and `.`, but for `./~`, since `~` at the
 * beginning is the home folder; null where it leaves the workspace or names nothing in it.
 */
export function insidePath(text: string): string | null {
  if (text === '' || text.startsWith('/') || text.includes('\0')) return null;
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.includes('..')) return null;
  if (names[0] !== '~') return names.join('/');
  return text.startsWith('~') ? null : `./${names.join('/')}`;
}

/**
 * What stands after the last dot of a path's name, ASCII letters small; empty where there is no dot but at
 * its beginning.
 */
export function readExtension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).replace(/[A-Z]/g, (letter) => letter.toLowerCase()); // ascii
}

/**
 * A path on one line: itself, or a JSON string where that escapes something: control characters, those from
 * U+007F to U+009F among them, a double quote, a backslash.
 */
export function nameLine(path: string): string {
  const escaped = path.replace(
    /["\\]|[^ -~\u00A0-\uD7FF\uE000-\u{10FFFF}]/gu,
    (sign) => SHORT.get(sign) ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return escaped === path ? path : `"${escaped}"`;
}

/** Signs that JSON escapes by a letter of their own. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

/** Objects by a number; equal ones by their paths, by UTF-16 units. */
export function order(items: readonly JsonObject[], key: string, down: boolean): readonly JsonObject[] {
  const sign = down ? -1 : 1;
  return items.toSorted(
    (left, right) =>
      sign * (readNumber(left, key) - readNumber(right, key)) ||
      compareText(readText(left, 'path'), readText(right, 'path')),
  );
}

/** What `stat` says of one file in the form `%s %.9Y %n`, as an object like those of a search. */
export function statLines(line: string): Result<StepFault, Json> {
  const found = /^([0-9]{1,15}) ([0-9]{1,12})\.([0-9]{9}) (.+)$/su.exec(line);
  if (found === null) return err({ code: 'wrong_value', detail: line });
  const [, size = '', seconds = '', nanoseconds = '', path = ''] = found;
  return ok({
    path: bare(path),
    size: Number(size),
    mtime_ms: Number(seconds) * 1_000 + Number(nanoseconds) / 1_000_000,
  });
}

/**
 * Groups of two or more paths with the same digest, in the order of the paths given. `lines`: one for each
 * path.
 */
export function twins(lines: readonly string[], paths: readonly string[]): Result<StepFault, Json> {
  if (lines.length !== paths.length)
    return err({ code: 'wrong_value', detail: `${lines.length} digests of ${paths.length} files` });
  const groups = new Map<string, string[]>();
  for (const [index, line] of lines.entries()) {
    // A name that had to be escaped is marked by a backslash before the digest.
    const digest = /^\\?([0-9a-f]{64}) /.exec(line)?.[1];
    const path = paths[index];
    if (digest === undefined || path === undefined) return err({ code: 'wrong_value', detail: line });
    groups.set(digest, [...(groups.get(digest) ?? []), path]);
  }
  return ok([...groups.values()].filter((group) => group.length > 1));
}

/**
 * Groups of two or more paths of objects with the same text in a field; paths by code points, groups by their
 * first paths.
 */
export function alike(items: readonly JsonObject[], key: string): Result<StepFault, Json> {
  const groups = new Map<string, string[]>();
  for (const item of items.toSorted((left, right) =>
    byCodePoints(readText(left, 'path'), readText(right, 'path')),
  )) {
    const said = readText(item, key);
    if (said === '') return err({ code: 'wrong_value', detail: `no ${key} of ${readText(item, 'path')}` });
    groups.set(said, [...(groups.get(said) ?? []), readText(item, 'path')]);
  }
  return ok([...groups.values()].filter((group) => group.length > 1));
}

/** Sizes by extension, one line each, extensions by UTF-16 units. Sums are exact below 2^53. */
export function totalsByExtension(items: readonly JsonObject[]): string {
  const totals = new Map<string, number>();
  for (const item of items) {
    const ext = readExtension(readText(item, 'path'));
    totals.set(ext, (totals.get(ext) ?? 0) + readNumber(item, 'size'));
  }
  return [...totals.keys()]
    .toSorted(compareText)
    .map((ext) => `${ext === '' ? '-' : nameLine(ext)}\t${totals.get(ext) ?? 0}\n`)
    .join('');
}

function readNumber(item: JsonObject, key: string): number {
  const value = readField(item, key);
  return typeof value === 'number' ? value : 0;
}
