/** A walk over the folders of the workspace, each opened from the one above it and never through a link. */
import { promises as fs, type Stats } from 'node:fs';
import { err, ok, type Result } from '@assay/kernel';
import { readErrno } from '@assay/host/files';
import type { CallContext } from '../calls/call.js';
import type { Refusal, TruncatedCode } from '../refusal.js';
import { insidePath, type InsidePath, isGitName } from '../workspace/path.js';
import { at, openFolder, withSpot, type Folder, type Way } from '../workspace/descend.js';

/** A file or folder that was come by. `folder`: the open folder it is in, as long as the visit lasts. */
export type Entry = {
  readonly folder: Folder;
  readonly name: string;
  readonly path: InsidePath;
  readonly look: Stats;
};

/** What is done at each entry; of a folder, `down` says whether to go into it. */
type Visit = (entry: Entry) => Promise<Result<Refusal, { readonly down: boolean }>>;

/** A walk that is over. `cut`: a bound was reached, or something could not be looked into. */
type Scanned = { readonly cut: Cut | null };

/** Why a search is not whole. `why`: what could not be looked into; null where the code names a bound. */
export type Cut = { readonly code: TruncatedCode; readonly why: string | null };

/**
 * Visits the regular files and the folders below `under`, in each folder in the order of the code units of
 * their names. `.git`, links, sockets, devices and FIFOs are passed by. Bounds: `entries`, `depth`, the wall time.
 */
export function scan(
  context: CallContext,
  way: Way,
  under: InsidePath,
  visit: Visit,
): Promise<Result<Refusal, Scanned>> {
  return withSpot(context.workspace, under, way, async (spot) => {
    const walk: Walk = { context, visit, seen: 0, cut: null };
    if (spot.name === null) return finished(walk, await inFolder(walk, spot.folder));
    const top = await openFolder(context.workspace, spot.folder, spot.name);
    try {
      return finished(walk, await inFolder(walk, top));
    } finally {
      await top.handle.close();
    }
  });
}

type Walk = { readonly context: CallContext; readonly visit: Visit; seen: number; cut: Cut | null };

function finished(walk: Walk, stopped: Refusal | null): Result<Refusal, Scanned> {
  return stopped === null ? ok({ cut: walk.cut }) : err(stopped);
}

/**
 * Names of a folder that are looked at together: one after the other, most of the time of a search in many
 * files goes by waiting. What is done at each is done in order, by what was seen of it a moment before;
 * whoever opens it looks again.
 */
const TOGETHER = 64;

async function inFolder(walk: Walk, folder: Folder): Promise<Refusal | null> {
  const names = await namesIn(walk, folder);
  for (let from = 0; from < names.length; from += TOGETHER) {
    // None is looked at beyond the bound.
    const some = names.slice(from, from + Math.min(TOGETHER, walk.context.limits.entries - walk.seen + 1));
    const looks = await Promise.all(some.map((name) => lookAt(folder, name)));
    for (const [index, name] of some.entries()) {
      const stop = walk.context.watch.stop();
      if (stop !== null) return stop;
      walk.seen += 1;
      if (walk.seen > walk.context.limits.entries) {
        walk.cut = ENTRY_LIMIT;
        return null;
      }
      const stopped = await atName(walk, folder, name, looks[index]);
      if (stopped !== null || walk.cut === ENTRY_LIMIT) return stopped;
    }
  }
  return null;
}

async function atName(
  walk: Walk,
  folder: Folder,
  name: string,
  seen: Stats | { readonly error: unknown } | undefined,
): Promise<Refusal | null> {
  const look =
    seen === undefined ? null : 'error' in seen ? passed(walk, seen.error, [...folder.segments, name]) : seen;
  if (look === null || !(look.isFile() || look.isDirectory())) return null;
  const visited = await walk.visit({ folder, name, path: insidePath([...folder.segments, name]), look });
  if (visited._tag === 'Left') return visited.left;
  if (!look.isDirectory() || !visited.right.down) return null;
  if (folder.segments.length + 1 >= walk.context.limits.depth) {
    walk.cut ??= { code: 'depth_limit', why: null };
    return null;
  }
  const inner = await openPast(walk, folder, name);
  if (inner === null) return null;
  try {
    return await inFolder(walk, inner);
  } finally {
    await inner.handle.close();
  }
}

/** Names that are text, in order. One that is not cannot be said to anybody: the walk is then not whole. */
async function namesIn(walk: Walk, folder: Folder): Promise<readonly string[]> {
  const names: string[] = [];
  const wrong: string[] = [];
  for (const raw of await fs.readdir(folder.address, { encoding: 'buffer' })) {
    const name = raw.toString('utf8');
    if (isGitName(name)) continue;
    if (Buffer.from(name, 'utf8').equals(raw)) names.push(name);
    else wrong.push(name);
  }
  const [first] = wrong.sort(byCodeUnits);
  if (first !== undefined)
    walk.cut ??= {
      code: 'unreadable',
      why: `a name in ${JSON.stringify(insidePath(folder.segments).text)} is no UTF-8: ${JSON.stringify(first)}`,
    };
  return names.sort(byCodeUnits);
}

/**
 * What stands under a name, a link as itself; or what the system said, which is judged when it is the name's
 * turn.
 */
async function lookAt(folder: Folder, name: string): Promise<Stats | { readonly error: unknown }> {
  try {
    return await fs.lstat(at(folder, name));
  } catch (error) {
    return { error };
  }
}

/** Null for what vanished meanwhile, or may not be looked into. */
async function openPast(walk: Walk, folder: Folder, name: string): Promise<Folder | null> {
  try {
    return await openFolder(walk.context.workspace, folder, name);
  } catch (error) {
    return passed(walk, error, [...folder.segments, name]);
  }
}

function passed(walk: Walk, error: unknown, segments: readonly string[]): null {
  const errno = readErrno(error);
  // Removed, or exchanged for something else, while the walk went by.
  if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP') return null;
  if (errno !== 'EACCES' && errno !== 'EPERM') throw error;
  walk.cut ??= unreadable(insidePath(segments));
  return null;
}

/** Something that the system does not let a search look into. */
export function unreadable(path: InsidePath): Cut {
  return { code: 'unreadable', why: `${JSON.stringify(path.text)} may not be looked into` };
}

const ENTRY_LIMIT: Cut = { code: 'entry_limit', why: null };

/** The order of texts by UTF-16 code units: the same on every machine. */
export function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
