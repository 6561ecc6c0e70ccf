/**
 * What the tools of one run made, kept in the memory of their process: a file that nobody made here, or that
 * was made before a resume, is somebody's.
 *
 * @module
 */
import type { BigIntStats } from 'node:fs';
import { foldName } from './foreign.js';
import type { InsidePath } from './path.js';

/** Files of a run, and places from which it moved the files of others. */
export type Made = {
  readonly files: Set<string>;
  readonly left: Set<string>;
};

/** Nothing was made yet. */
export function nothingMade(): Made {
  return { files: new Set(), left: new Set() };
}

/** A file by its place on the medium and the time it was made there: no name, no content. */
export function fileKey({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

/** A place by its path. */
export function placeKey({ segments }: InsidePath): string {
  return segments.map(foldName).join('/');
}
