/**
 * Paths of the workspace as tools take and say them, their order, and what is made of names and sizes of files.
 */
import { compareText, type Json, type JsonObject, admit, orThrow } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';

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

/** A path that was found, as tools take it: `~` at the beginning is the home folder. */
export function makeOperand(path: string): string {
  return /^~(?:\/|$)/.test(path) ? `./${path}` : path;
}

/** The same path as a search says it, by which paths are compared. */
export function foundPath(operand: string): string {
  return operand.replace(/^\.\//, '');
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

/**
 * Paths of objects that say the same under a key as another, one a line; an empty line between groups, which stand by
 * their first paths.
 */
export function groupAlike(items: readonly JsonObject[], key: string): string {
  const groups = new Map<string, string>();
  const sorted = items.toSorted((left, right) =>
    byCodePoints(readText(left, 'path'), readText(right, 'path')),
  );
  for (const item of sorted) {
    const said = readText(item, key);
    groups.set(said, `${groups.get(said) ?? ''}${nameLine(readText(item, 'path'))}\n`);
  }
  return [...groups.values()].filter((group) => group.indexOf('\n') < group.length - 1).join('\n');
}

function readNumber(item: JsonObject, key: string): number {
  const value = readField(item, key);
  return typeof value === 'number' ? value : 0;
}
