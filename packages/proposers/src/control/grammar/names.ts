/**
 * What a written name says about itself: a folder, or a file. Rules see no workspace.
 *
 * @module
 */

/** True where a path says that it names a folder. */
export function isFolderPath(text: string): boolean {
  return /(?:^|\/)\.?$/.test(text) && text !== '';
}

/** True where a text has the form of a file's name: no line ends, no pattern, a stem and an extension that has a letter first. */
export function isFileLike(text: string): boolean {
  return /^(?:[^*?\n\r]*\/)?[^/*?\s.][^/*?\n\r]*\.\p{L}[\p{L}\p{N}_-]{0,15}$/u.test(text);
}

/** True where a text has the form of an archive's name: files that are in it, or put into it, are none of the workspace. */
export function isArchiveName(text: string): boolean {
  return /\.(?:zip|tar|tgz|gz|bz2|xz|7z|rar|jar)$/i.test(text);
}
