/**
 * From what a pattern kept to the parts of a goal; what could be either of two things is refused. Source: 003
 * §R1.
 *
 * @module
 */
import { ALL_FILES, type Filter, type Goal } from './goal.js';
import { insidePath } from '@assay/controller/steps';
import { ordinalIn } from './bare-names.js';
import { isOnlyExtension, type Refusal } from './doubts.js';
import { isArchiveName, isFileLike, isFolderPath, mayBeFile } from './names.js';
import type { Kept } from './patterns.js';
import { lowered } from './tokens.js';

type Found = Goal | Refusal;

function pathIn(kept: Kept, name: string): string | null {
  const token = kept.get(name);
  return token === undefined ? null : insidePath(token.text);
}

/** The file that is read; null where it leads out, or is a folder. */
export function sourceIn(kept: Kept): string | null {
  return isFolderPath(kept.get('of')?.text ?? '') ? null : pathIn(kept, 'of');
}

/** What is kept by the patterns of sentences that name no file for the answer. */
export const NOWHERE = 'nowhere';

/**
 * The file that is written. A path with a slash at its end names a folder. `in F` behind files may say where
 * they stand, and behind what is written a folder, unless `F` has an extension.
 */
export function withTo(kept: Kept, make: (to: string) => Found): Found {
  if (kept.has(NOWHERE)) return make('');
  const at = kept.get('at');
  if (kept.has('inside') || (at !== undefined && !isFileLike(at.text))) return 'ambiguous';
  const to = isFolderPath(kept.get('to')?.text ?? '') ? null : pathIn(kept, at === undefined ? 'to' : 'at');
  return to === null ? 'outside_workspace' : make(to);
}

/** One file that is read, another that is written. */
export function withOf(kept: Kept, make: (of: string, to: string) => Goal): Found {
  const of = sourceIn(kept);
  return of === null ? 'outside_workspace' : withTo(kept, (to) => make(of, to));
}

/**
 * A file that keeps its name where it is put into a folder. `into F` is a folder, and says so by a slash; a
 * bare name for a file of a folder does not say in which.
 */
export function withPlace(kept: Kept, make: (of: string, to: string) => Found): Found {
  const of = sourceIn(kept);
  const token = kept.get('to') ?? kept.get('within') ?? kept.get('named') ?? kept.get('home');
  const to = token === undefined ? null : insidePath(token.text);
  if (of === null || token === undefined || to === null) return 'outside_workspace';
  if (kept.has('home') || isFolderPath(token.text)) return make(of, `${to}/${lastName(of)}`);
  if (isOnlyExtension(token) && lastName(of) !== token.text) return 'ambiguous';
  if (kept.has('within') || (kept.has('named') && of.includes('/') && !token.text.includes('/')))
    return 'ambiguous';
  return make(of, to);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A file that gets another name: a bare one in the folder where it stands; a path with a slash is a path. */
export function withName(kept: Kept, make: (of: string, to: string) => Goal): Found {
  const [of, name] = [sourceIn(kept), kept.get('to')?.text ?? ''];
  return withPlace(kept, (from, to) =>
    make(from, of === null || name.includes('/') ? to : `${of.slice(0, of.lastIndexOf('/') + 1)}${to}`),
  );
}

/** A quoted text. Where it has the form of a file's name, only `the text` says that it is not that file. */
export function withSaid(kept: Kept, make: (text: string) => Found): Found {
  const phrase = kept.get('phrase')?.text;
  return phrase !== undefined && mayBeFile(phrase)
    ? 'ambiguous'
    : make(phrase ?? kept.get('said')?.text ?? '');
}

/**
 * A file that is written with what is said of files: behind `put them into`, an archive may be where the
 * files themselves are to go.
 */
export function withList(kept: Kept, make: (to: string) => Found): Found {
  return withTo(kept, (to) => (isArchiveName(to) ? 'ambiguous' : make(to)));
}

/** Which files. */
export function withFilter(kept: Kept, make: (filter: Filter) => Goal): Found {
  const folder = kept.get('under') ?? kept.get('folder') ?? kept.get('home');
  const under = folder === undefined ? null : insidePath(folder.text);
  if (folder !== undefined && under === null) return 'outside_workspace';
  if (kept.get('under')?.isQuoted === false && isArchiveName(kept.get('under')?.text ?? ''))
    return 'ambiguous';
  const pattern = kept.get('glob');
  const glob = pattern?.text ?? null;
  // A pattern in quotes means its own letters, large and small; a bare one such as *.md is a way of saying md
  // files.
  const asExt =
    glob === null || pattern?.isQuoted === true ? null : /^\*\.([\w\u0080-\u{10FFFF}-]{1,16})$/u.exec(glob);
  const ext = (kept.get('ext') ?? kept.get('ending') ?? kept.get('kind'))?.text ?? asExt?.[1] ?? null;
  // Behind `including` a name may be that of a file that is one of them.
  const member = kept.get('member');
  if (member !== undefined && (!member.isQuoted || mayBeFile(member.text))) return 'ambiguous';
  const contains = (kept.get('text') ?? kept.get('plain') ?? member)?.text ?? null;
  return make({
    ...ALL_FILES,
    under,
    ext: ext === null ? null : extensionIn(ext),
    name: asExt === null ? glob : null,
    contains,
  });
}

function extensionIn(text: string): string {
  return lowered(text.replace(/^\*?\./, ''));
}

/** The column: its number from 1, its heading, or null for all numbers. */
export function columnIn(kept: Kept): number | string | null {
  const ordinal = kept.get('ordinal');
  if (ordinal !== undefined) return ordinalIn(ordinal);
  const heading = kept.get('heading') ?? kept.get('known');
  if (heading !== undefined) return heading.text;
  const token = kept.get('column');
  if (token === undefined) return null;
  return token.isQuoted ? token.text : Number(token.text);
}
