/**
 * What a written name says about itself: a folder, or a file. Rules see no workspace.
 *
 * @module
 */
import { lowered } from './tokens.js';

/** True where a path says that it names a folder. */
export function isFolderPath(text: string): boolean {
  return /(?:^|\/)\.?$/.test(text) && text !== '';
}

/**
 * True where a text has the form of a file's name: no line ends, no pattern, a stem and an extension that has
 * a letter first.
 */
export function isFileLike(text: string): boolean {
  return /^(?:[^*?\n\r]*\/)?[^/*?\s.][^/*?\n\r]*\.[A-Za-z\u0080-\u{10FFFF}][\w\u0080-\u{10FFFF}-]{0,15}$/u.test(
    text,
  );
}

/** Files without a dot that many workspaces have. */
const KNOWN_FILE = /^(?:readme|licen[cs]e|changelog|codeowners|id_(?:rsa|ed25519))$/i;
const KNOWN_RECIPE =
  /^(?:gnumake|make|docker|container|jenkins|vagrant|rake|gem|proc|brew|pod|just|caddy|tilt)file$/i;
/** The same in large letters, where the word in small ones says something. */
const KNOWN_CAPITALS =
  /^(?:COPYING|AUTHORS|CHANGES|CONTRIBUTING|CONTRIBUTORS|INSTALL|NOTICE|NEWS|VERSION|HISTORY|MAINTAINERS|SECURITY)$/;
/** One word with a slash; one that begins with a dot; one with an ending of any letters and digits. */
const NAMED = [
  /^[\w\u0080-\u{10FFFF}.~@+:-]*[/\\][\w\u0080-\u{10FFFF}.~@+:/\\-]*$/u,
  /^\.[\w\u0080-\u{10FFFF}][^\s/]*$/u,
  /^[\w\u0080-\u{10FFFF}@+-][^\s/*?]*\.[\w\u0080-\u{10FFFF}-]{1,16}$/u,
] as const;

/**
 * True where a quoted text may be the name of a file: more than {@link isFileLike} says, since it only
 * refuses. A number, a time or a date is none.
 */
export function mayBeFile(text: string): boolean {
  return (
    isFileLike(text) ||
    isArchiveName(text) ||
    KNOWN_FILE.test(text) ||
    KNOWN_RECIPE.test(text) ||
    KNOWN_CAPITALS.test(text) ||
    (/[A-Za-z\u0080-\u{10FFFF}]/u.test(text) && NAMED.some((form) => form.test(text)))
  );
}

const ARCHIVE = /\.((?:tar\.)?(?:zip|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|7z|rar|jar|war|cab|iso))$/i;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['tgz', 'tar.gz'],
  ['tbz', 'tar.bz2'],
  ['tbz2', 'tar.bz2'],
  ['txz', 'tar.xz'],
]);

/** Which kind of archive a name says; null for any other file. */
function archiveKind(text: string): string | null {
  const ending = ARCHIVE.exec(lowered(text))?.[1] ?? null;
  return ending === null ? null : (SHORT.get(ending) ?? ending);
}

/**
 * True where a text has the form of an archive's name: files that are in it, or put into it, are none of the
 * workspace.
 */
export function isArchiveName(text: string): boolean {
  return ARCHIVE.test(text);
}

/**
 * True where a file would stand under the name of an archive without being one: it may be meant to be put
 * into it.
 */
export function isPacked(of: string, to: string): boolean {
  const kind = archiveKind(to);
  return kind !== null && kind !== archiveKind(of);
}
