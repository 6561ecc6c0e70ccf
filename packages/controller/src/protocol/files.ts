/**
 * Files that a criterion names, and whether calls show them: what a model says of a file is no evidence of it.
 * Source: 003 §R4a; calls/C6.
 *
 * @module
 */
import type { CallSeen } from './claims.js';

/** A word of a text: no white space, quotes, brackets or separators. */
const WORD = /[^\s"'`“”‘’()[\]{}<>,;]+/gu;
/** Addresses and calls of functions are no paths. */
const NO_WORD = /[A-Za-z][A-Za-z0-9+.-]*:\/\/\S*|\S+@\S+|[^\s()]+\(/g;
/** Names, then a name with an ending of at most 8 characters that begins with a letter. */
const PATH = /^\/?(?:[^/*?]+\/)*[^/*?]*[^/*?.]\.[A-Za-z][A-Za-z0-9]{0,7}$/;
/** Abbreviations, hosts, and products that are written like files. */
const NO_PATH =
  /^(?:[A-Za-z](?:\.[A-Za-z])+|[^/]+\.(?:com|org|net|NET)|(?:[Nn]ode|[Vv]ue|[Nn]ext|[Nn]uxt|[Tt]hree|[Ee]xpress)\.js)$/;

/**
 * The paths that stand in a text: words with a name and an ending, such as `report.md` or `docs/a.txt`. Not a
 * pattern, an address, a call of a function, an abbreviation or a name without an ending.
 */
export function filesNamed(text: string): readonly string[] {
  const words = text.replaceAll(NO_WORD, ' ').match(WORD) ?? [];
  const paths = words
    .map((word) => word.replace(/[.:!?…]+$/u, '').replace(/^(?:\.\/)+/, ''))
    .filter((word) => PATH.test(word) && !NO_PATH.test(word));
  return [...new Set(paths)];
}

/**
 * The first file that a text names and no call shows; null where each is shown. A file is shown by a call that
 * wrote or read it with success, by whatever link, unless a later call that acts on it went wrong. Searches
 * show nothing.
 */
export function fileNotShown(text: string, calls: readonly CallSeen[]): string | null {
  return filesNamed(text).find((file) => !isShown(file, text, calls)) ?? null;
}

function isShown(file: string, text: string, calls: readonly CallSeen[]): boolean {
  const names = (path: string): boolean => isSame(path, file, text);
  const behind = new Set(calls.flatMap(({ named, target }) => (named && names(named) ? [target] : [])));
  const last = calls.findLast(
    (call) =>
      call.kind !== 'search' &&
      (call.kind === 'act' ? call.status !== 'denied' : isRead(call)) &&
      (behind.has(call.target) || splitTarget(call.target).some(names)),
  );
  return last !== undefined && (last.kind === 'act' ? last.status === 'ok' : true);
}

function isRead({ status }: CallSeen): boolean {
  return status === 'ok' || status === 'truncated';
}

/** A file without a folder is also one in a folder that the same text names; of a name with spaces the last word is. */
function isSame(path: string, file: string, text: string): boolean {
  if (path.endsWith(` ${file}`) && text.includes(path)) return true;
  if (path === file || (file.startsWith('/') && file.endsWith(`/${path}`))) return true;
  const folder = path.slice(0, -file.length - 1);
  return folder !== '' && path === `${folder}/${file}` && text.includes(folder);
}

/** The paths that a target may name: itself, and its words, since it may be a line, a list or an input. */
export function splitTarget(target: string): readonly string[] {
  return [target, ...target.split(/[\s"'`,{}[\]:]+/u)];
}
