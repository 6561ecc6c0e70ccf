/**
 * Paths as a call may write them: relative, downward, in names that a file system has. Names that other
 * programs act on: what belongs to git, and files that are executed or read as configuration without a
 * person's command. Files that this run made.
 */
import type { BigIntStats } from 'node:fs';
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

/** Files of a run, and places from which it moved the files of others. */
export type Made = {
  readonly files: Set<string>;
  readonly left: Set<string>;
};

/** A file by its place on the medium and the time it was made there: no name, no content. */
export function fileKey({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

/** A place by its path. */
export function placeKey({ segments }: InsidePath): string {
  return segments.map(foldName).join('/');
}

/** A name as the most forgiving file system compares it: without case, forms and invisible characters. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC');
}

/** `.git` in every spelling that a file system may take for it, the short names of Windows included. */
const GIT_NAME = /^(?:\.git|git~\d+)[ .]*(?::.*)?$/su;

/** True for `.git`, a folder or a file. It is no part of a workspace: git executes what its files say. */
export function isGitName(name: string): boolean {
  return GIT_NAME.test(foldName(name));
}

/**
 * Names that a program looks for by itself, beside hidden ones. What a person runs by name (a Makefile, a
 * script) is not among them.
 */
const STARTED_NAMES: readonly RegExp[] = [
  // npm and its kin run install scripts of these, and whatever stands in node_modules.
  /^(?:package\.json|binding\.gyp|node_modules)$/u,
  // Python runs these at its start, pytest before each test.
  /^(?:sitecustomize\.py|usercustomize\.py|conftest\.py|.+\.pth)$/u,
  // Agents take these for orders.
  /^(?:agents|claude|gemini)\.md$/u,
  // Continuous integration runs these after a push.
  /^(?:jenkinsfile|(?:azure|bitbucket)-pipelines\.ya?ml|appveyor\.ya?ml|buildspec\.ya?ml|cloudbuild\.ya?ml)$/u,
  // Managers of git hooks and editors.
  /^(?:lefthook\.ya?ml|.+\.code-workspace)$/u,
  // A desktop starts these; with HEAD git takes a folder for a repository and runs what its config says.
  /^(?:.+\.desktop|launchagents|head|.+\.git)$/u,
];

/**
 * True where a part of a path is hidden (begins with a dot), or is a name that programs look for by themselves:
 * a shell's profile, `.envrc`, `.npmrc`, `.husky`, `.github`, `.vscode`, `package.json`.
 */
export function isStartedByItself(path: string): boolean {
  return path.split('/').some((segment) => {
    const name = foldName(segment);
    return (name.startsWith('.') && name !== '.') || STARTED_NAMES.some((pattern) => pattern.test(name));
  });
}
