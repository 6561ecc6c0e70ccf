/**
 * What the answers must be, found by walking the real files. Written apart from the rules: nothing here uses
 * their code, and nothing looks at what a run says of itself.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { walk } from './world.ts';

export type Which = {
  readonly ext?: string;
  readonly under?: string;
  readonly contains?: string;
  readonly but?: string;
};

/** Paths of the files that are meant. */
export function chosen(root: string, { ext, under, contains, but }: Which = {}): readonly string[] {
  return walk(root).filter(
    (path) =>
      path !== but &&
      (ext === undefined || extname(basename(path)).toLowerCase() === `.${ext}`) &&
      (under === undefined || path.startsWith(`${under}/`)) &&
      (contains === undefined || readFileSync(join(root, path)).includes(Buffer.from(contains))),
  );
}

/** Paths in the order of their bytes. */
export function byBytes(paths: readonly string[]): readonly string[] {
  return [...paths].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

const UTF16 = (left: string, right: string): number => (left < right ? -1 : 1);

/** The path with the greatest or the least figure; of equal ones the least path by UTF-16 units. */
export function extreme(
  root: string,
  paths: readonly string[],
  which: 'largest' | 'smallest' | 'newest' | 'oldest',
): string | null {
  const figure = (path: string): number => {
    const look = statSync(join(root, path));
    return which === 'largest' || which === 'smallest' ? look.size : Math.floor(look.mtimeMs);
  };
  let best: string | null = null;
  for (const path of [...paths].sort(UTF16)) {
    if (
      best === null ||
      (which === 'largest' || which === 'newest' ? figure(path) > figure(best) : figure(path) < figure(best))
    )
      best = path;
  }
  return best;
}

/** A path as an answer shows it. */
export function shown(path: string): string {
  if (!/["\\]/.test(path) && ![...path].some((sign) => sign < ' ' || (sign >= '\x7f' && sign <= '\x9f')))
    return path;
  return [...JSON.stringify(path)]
    .map((sign) => (sign >= '\x7f' && sign <= '\x9f' ? `\\u00${sign.charCodeAt(0).toString(16)}` : sign))
    .join('');
}

/** Groups of equal files as an answer shows them. */
export function twinLines(root: string, paths: readonly string[]): string {
  const groups: string[][] = [];
  const hashes: string[] = [];
  for (const path of byBytes(paths)) {
    const hash = createHash('sha1')
      .update(readFileSync(join(root, path)))
      .digest('hex');
    const at = hashes.indexOf(hash);
    if (at < 0) {
      hashes.push(hash);
      groups.push([path]);
    } else groups[at]?.push(path);
  }
  return groups
    .filter((group) => group.length > 1)
    .map((group) => group.map((path) => `${shown(path)}\n`).join(''))
    .join('\n');
}

/** Sizes by extension as an answer shows them. */
export function sizeLines(root: string, paths: readonly string[]): string {
  const sums: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const path of paths) {
    const ext = extname(basename(path)).slice(1).toLowerCase() || '-';
    sums[ext] = (sums[ext] ?? 0) + statSync(join(root, path)).size;
  }
  return Object.keys(sums)
    .sort(UTF16)
    .map((ext) => `${ext}\t${sums[ext]}\n`)
    .join('');
}
