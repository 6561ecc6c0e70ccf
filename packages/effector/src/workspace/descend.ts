/**
 * The way from the workspace to a name in it. Each folder on the way is opened without following a link and
 * held open; the next name is looked up in that open folder. So the way cannot be bent between a check and a
 * use: what was a folder of the workspace when it was opened stays the one that is used. Links are followed
 * by reading them, never by the system.
 */
import { constants, promises as fs, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { err, ok, type Result } from '@assay/kernel';
import { readErrno } from '@assay/host/files';
import { denied, failed, systemRefusal, type Refusal } from '../refusal.js';
import { foldName, insidePath, type InsidePath, isGitName } from './path.js';
import type { Workspace } from './open.js';

/**
 * An open folder of the workspace. `address`: a path by which names in it are reached. `segments`: where it
 * was found.
 */
export type Folder = {
  readonly handle: FileHandle;
  readonly address: string;
  readonly segments: readonly string[];
};

/**
 * The end of a way: a name in an open folder, whether something is there or not; a null name is the folder
 * itself.
 */
export type Spot = { readonly folder: Folder; readonly name: string | null; readonly path: InsidePath };

/**
 * `make`: missing folders on the way are made. `follow`: a link at the end is followed too; else the spot is
 * the link's own. `found`: is told the path by which the way ends without links, or how far it could be gone
 * and the rest as it is written, before anything is made; what it gives ends the way. `fresh`: is asked the
 * same before folders are made for a file that is not there.
 */
export type Way = {
  readonly make: boolean;
  readonly follow: boolean;
  readonly found?: (path: InsidePath) => Refusal | null;
  readonly fresh?: (path: InsidePath) => Refusal | null;
};

const LINKS_MAX = 40;
const OPEN_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The address of a name in a folder. */
export function at(folder: Folder, name: string): string {
  return `${folder.address}/${name}`;
}

/** The address of a spot. */
export function renderSpot(spot: Spot): string {
  return spot.name === null ? spot.folder.address : at(spot.folder, spot.name);
}

/**
 * Goes to a path and does `act` there; the folders are closed when it ends. Codes: `workspace_changed`
 * (another folder stands under the workspace's path), `leaves_workspace` (a link leads out, or a name is git's
 * own), `symlink_loop`,
 * `not_found`, `not_a_folder`, `symlink` (a link came up on the way while going), and those of the system.
 */
export async function withSpot<T>(
  workspace: Workspace,
  path: InsidePath,
  way: Way,
  act: (spot: Spot) => Promise<Result<Refusal, T>>,
): Promise<Result<Refusal, T>> {
  const trail: Trail = { stack: [], pending: [...path.segments] };
  let spot: Result<Refusal, Spot>;
  try {
    spot = await descend(workspace, path, way, trail);
  } catch (error) {
    spot = err(systemRefusal(error, path.text));
  }
  try {
    const end = spot._tag === 'Left' ? renderRest(trail, path) : spot.right.path;
    const refusal = way.found?.(end) ?? null;
    if (refusal !== null) return err(refusal);
    return spot._tag === 'Left' ? spot : await act(spot.right);
  } catch (error) {
    return err(systemRefusal(error, path.text));
  } finally {
    for (const folder of trail.stack) await folder.handle.close();
  }
}

/** How far a way was gone: open folders from the workspace down, and the names that are left. */
type Trail = { readonly stack: Folder[]; readonly pending: string[] };

/** Where a way leads that goes no further; as it was asked where that depends on what is not there. */
function renderRest({ stack, pending }: Trail, path: InsidePath): InsidePath {
  const here = stack.at(-1);
  return here === undefined || pending.includes('..') ? path : insidePath([...here.segments, ...pending]);
}

/** Opens a folder inside an open one, without following a link. Rejects with the system's error. */
export async function openFolder(workspace: Workspace, parent: Folder, name: string): Promise<Folder> {
  return walkFolder(workspace, await fs.open(at(parent, name), OPEN_FOLDER), [...parent.segments, name]);
}

async function descend(
  workspace: Workspace,
  path: InsidePath,
  way: Way,
  trail: Trail,
): Promise<Result<Refusal, Spot>> {
  const { stack, pending } = trail;
  const root = await openRoot(workspace);
  if (root._tag === 'Left') return root;
  stack.push(root.right);
  let links = 0;
  for (let [asked] = pending; asked !== undefined; [asked] = pending) {
    const here = stack[stack.length - 1] ?? root.right;
    if (pending.some(isGitName)) return err(gits(path));
    if (asked === '..') {
      if (stack.length === 1) return err(leaves(path));
      await stack.pop()?.handle.close();
      pending.shift();
      continue;
    }
    const isLast = pending.length === 1;
    const look = await lookAt(here, asked);
    const name = look === null ? asked : await resolveName(here, asked, look);
    if (isGitName(name)) return err(gits(path));
    if (isLast && (look === null || !way.follow)) return ok(makeSpot(here, name));
    if (look === null) {
      // What lies above something that is not there is nowhere.
      if (pending.includes('..')) return err(nothing(path));
      if (!way.make) return err(nothing(path));
      const end = renderRest(trail, path);
      const refusal = way.found?.(end) ?? way.fresh?.(end) ?? null;
      if (refusal !== null) return err(refusal);
      await makeFolder(here, name);
    } else if (look.isSymbolicLink()) {
      links += 1;
      if (links > LINKS_MAX) return err(denied('symlink_loop', `${path.text}: too many symbolic links`));
      const led = await leadOn(workspace, here, name);
      if (led === null) return err(leaves(path));
      if (led.fromRoot) for (const folder of stack.splice(1)) await folder.handle.close();
      pending.splice(0, 1, ...led.segments);
      continue;
    } else if (isLast) return ok(makeSpot(here, name));
    stack.push(await openFolder(workspace, here, name));
    pending.shift();
  }
  const last = stack[stack.length - 1] ?? root.right;
  return ok({ folder: last, name: null, path: insidePath(last.segments) });
}

/** The workspace's own folder, opened; `workspace_changed` where its path leads to another one by now. */
async function openRoot(workspace: Workspace): Promise<Result<Refusal, Folder>> {
  const changed = denied('workspace_changed', 'another folder stands under the path of the workspace');
  let handle;
  try {
    handle = await fs.open(workspace.root, OPEN_FOLDER);
  } catch (error) {
    const errno = readErrno(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP') return err(changed);
    throw error;
  }
  const look = await handle.stat({ bigint: true });
  if (`${look.dev}:${look.ino}` === workspace.identity) return ok(walkFolder(workspace, handle, []));
  await handle.close();
  return err(changed);
}

function walkFolder(workspace: Workspace, handle: FileHandle, segments: readonly string[]): Folder {
  const address =
    workspace.reach === 'descriptor' ? `/proc/self/fd/${handle.fd}` : [workspace.root, ...segments].join('/');
  return { handle, address, segments };
}

function makeSpot(folder: Folder, name: string): Spot {
  return { folder, name, path: insidePath([...folder.segments, name]) };
}

/** What stands under a name, a link as itself; null where nothing does. */
async function lookAt(folder: Folder, name: string): Promise<Stats | null> {
  try {
    return await fs.lstat(at(folder, name));
  } catch (error) {
    if (readErrno(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Somebody else may make it at the same time; opening it decides. */
async function makeFolder(folder: Folder, name: string): Promise<void> {
  try {
    await fs.mkdir(at(folder, name));
    await folder.handle.sync();
  } catch (error) {
    if (readErrno(error) !== 'EEXIST') throw error;
  }
}

/** The names a link leads over; null where it names a place outside by its path. */
async function leadOn(
  workspace: Workspace,
  folder: Folder,
  name: string,
): Promise<{ readonly fromRoot: boolean; readonly segments: readonly string[] } | null> {
  const target = await fs.readlink(at(folder, name));
  const fromRoot = target.startsWith('/');
  if (fromRoot && target !== workspace.root && !target.startsWith(`${workspace.root}/`)) return null;
  const rest = fromRoot ? target.slice(workspace.root.length) : target;
  return { fromRoot, segments: rest.split('/').filter((part) => part !== '' && part !== '.') };
}

/**
 * The name under which something stands that was found by `asked`: another one where a folder tells no case,
 * or no Unicode forms, apart. Costs a look where it does; the names of the folder where it does not.
 */
async function resolveName(folder: Folder, asked: string, look: Stats): Promise<string> {
  const other = SPELLINGS.map((spell) => spell(asked)).find((spelled) => spelled !== asked);
  const twin = other === undefined ? null : await lookAt(folder, other);
  if (twin === null || !isSame(twin, look)) return asked;
  const names = (await fs.readdir(folder.address)).filter((name) => foldName(name) === foldName(asked));
  if (names.includes(asked)) return asked;
  for (const name of names) {
    const there = await lookAt(folder, name);
    if (there !== null && isSame(there, look)) return name;
  }
  return asked;
}

const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.normalize('NFD'),
  (name) => name.normalize('NFC'),
];

/** True for two looks at one file. */
export function isSame(left: Stats, right: Stats): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}

function nothing(path: InsidePath): Refusal {
  return failed('not_found', `${path.text}: nothing is there`);
}

function gits(path: InsidePath): Refusal {
  return denied('leaves_workspace', `${path.text}: .git is no part of the workspace`);
}

function leaves(path: InsidePath): Refusal {
  return denied('leaves_workspace', `${path.text}: a symbolic link leads out of the workspace`);
}
