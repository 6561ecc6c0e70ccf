/**
 * What a bare word in the place of a path may be instead: an address, a time, an extension, several paths.
 * Quotes say that it is a path. Source: 003 §R1.
 *
 * @module
 */
import { isArchiveName } from './names.js';
import type { Kept } from './patterns.js';
import { EXTENSIONS } from './phrases.js';
import { lowered, type Token } from './tokens.js';

/**
 * Why what was kept is no goal: a path leads out or names a folder where a file is meant, or words could say
 * either of two things.
 */
export type Refusal = 'outside_workspace' | 'ambiguous';

/** Names under which patterns keep paths. */
const PATHS = ['to', 'at', 'inside', 'within', 'named', 'of', 'value'] as const;
/** Names under which they keep folders, of which digits or an extension may be all. */
const FOLDERS = ['under', 'home', 'folder'] as const;

/** Signs that part several, steer a shell, or stand around a word. */
const SEVERAL = /[,;|&<>"{}]|^[([]|[)\]]$/;
/** Signs of patterns that the tools do not know. */
const OTHER_PATTERN = /[[\]{}!()^$\\]/;
/** The beginning of an address, which no quotes make a path. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/**
 * A colon stands behind a scheme, a host or a drive, a backslash between folders of another system; a name
 * with `@` is that of a person or a host.
 */
const ELSEWHERE = /[:\\]|^[$%]|^[Ww]{3}\.|[^/]@[A-Za-z\u0080-\u{10FFFF}]/u;
/** Digits with signs between them: a time, a date, a number. */
const TIME = /^[\d.:/-]*\d(?:am|pm|h)?$/i;
/** A name that is only an extension. */
const ONLY_EXTENSION = /^(?:.*\/)?\.([\w\u0080-\u{10FFFF}-]{1,16})$/u;
/** Hidden files that are known by that name. */
const HIDDEN: ReadonlySet<string> = new Set(
  (
    'env gitignore gitattributes gitmodules gitkeep mailmap dockerignore npmignore npmrc ' +
    'nvmrc editorconfig prettierrc eslintrc babelrc htaccess bashrc zshrc vimrc profile'
  ).split(' '),
);

/** Why what a pattern kept is no path, where a word may be something else; null where there is no doubt. */
export function doubtIn(kept: Kept): Refusal | null {
  const glob = kept.get('glob');
  if (glob !== undefined && !glob.isQuoted && (SEVERAL.test(glob.text) || OTHER_PATTERN.test(glob.text)))
    return 'ambiguous';
  const doubts = [
    ...PATHS.map((name) => doubtOf(kept.get(name), false)),
    ...FOLDERS.map((name) => doubtOf(kept.get(name), true)),
  ];
  return (
    doubts.find((doubt) => doubt === 'outside_workspace') ?? doubts.find((doubt) => doubt !== null) ?? null
  );
}

/** True for a bare name without a folder that may be the extension which a file is to get. */
export function isOnlyExtension({ text, isQuoted }: Token): boolean {
  return !isQuoted && !text.includes('/') && ONLY_EXTENSION.test(text);
}

function doubtOf(token: Token | undefined, isFolder: boolean): Refusal | null {
  if (token === undefined) return null;
  const { text, isQuoted } = token;
  if (ADDRESS.test(text)) return 'outside_workspace';
  if (isQuoted) return null;
  if (SEVERAL.test(text)) return 'ambiguous';
  if (!isFolder && TIME.test(text)) return 'ambiguous';
  if (ELSEWHERE.test(text)) return 'outside_workspace';
  if (text.split('/').slice(0, -1).some(isArchiveName)) return 'ambiguous';
  const ending = ONLY_EXTENSION.exec(lowered(text))?.[1];
  return ending !== undefined && (EXTENSIONS.has(ending) || !(isFolder || HIDDEN.has(ending)))
    ? 'ambiguous'
    : null;
}
