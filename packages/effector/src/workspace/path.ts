/**
 * Paths as a call may write them: relative, downward, in names that a file system has.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import { denied, type Refusal } from '../refusal.js';

/** Longest path in UTF-8 bytes, and longest name in it: what Linux file systems take. */
const PATH_BYTES = 4_095;
const NAME_BYTES = 255;

/**
 * A path inside the workspace. `text` is canonical: names joined by `/`, `.` for the workspace itself; where
 * it was written, `./~` for a name that is `~`.
 */
export type InsidePath = { readonly segments: readonly string[]; readonly text: string };

/**
 * Reads a path. Empty names and `.` are dropped; `..` is refused even where it would stay inside, for what it
 * means depends on links. Codes: `bad_path` (empty, a NUL, a lone surrogate), `absolute_path` (also `~` at
 * the beginning: the home folder; what is named `~` in the workspace is `./~`), `parent_segment`,
 * `path_too_long`.
 */
export function parsePath(text: string): Result<Refusal, InsidePath> {
  if (text === '' || text.includes('\0') || !text.isWellFormed())
    return err(denied('bad_path', 'a path is text without NUL and lone surrogates'));
  if (text.startsWith('/')) return err(denied('absolute_path', 'paths are relative to the workspace'));
  const segments = text.split('/').filter((name) => name !== '' && name !== '.');
  const isTilde = segments[0] === '~';
  if (isTilde && text.startsWith('~'))
    return err(
      denied('absolute_path', 'the home folder is no part of the workspace; what is named ~ there is ./~'),
    );
  if (segments.includes('..')) return err(denied('parent_segment', 'a path goes down only'));
  if (Buffer.byteLength(text) > PATH_BYTES || segments.some((name) => Buffer.byteLength(name) > NAME_BYTES)) {
    return err(denied('path_too_long', `a path has at most ${PATH_BYTES} bytes, a name ${NAME_BYTES}`));
  }
  const path = insidePath(segments);
  // What is recorded can be called again.
  return ok(isTilde ? { segments, text: `./${path.text}` } : path);
}

/** The path of these names. */
export function insidePath(segments: readonly string[]): InsidePath {
  return { segments, text: segments.length === 0 ? '.' : segments.join('/') };
}

/**
 * A path as one line: itself, or a JSON string where that escapes something (control characters, those from
 * U+007F to U+009F among them, a double quote, a backslash), so that no name can look like two lines or like
 * another name.
 */
export function pathLine(path: string): string {
  // JSON itself leaves these as they are.
  const quoted = JSON.stringify(path).replace(
    /[\u007F-\u009F]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return quoted === `"${path}"` ? path : quoted;
}
