/**
 * The way from the workspace to a name in it. Each folder on the way is opened without following a link and
 * held open; the next name is looked up in that open folder. So the way cannot be bent between a check and a
 * use: what was a folder of the workspace when it was opened stays the one that is used. Links are followed
 * by reading them, never by the system.
 *
 * @module
 */
import { constants, promises as fs, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { err, ok, type Result } from '@assay/kernel';
import { errnoOf } from '@assay/host/files';
import { denied, failed, systemRefusal, type Refusal } from '../refusal.js';
import type { Workspace } from './open.js';
import { insidePath, type InsidePath } from './path.js';

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
 * the link's own. `suppose`: the way ends where nothing is, and the rest of its path is taken as it is
 * written; such a spot is for comparing paths only.
 */
export type Way = { readonly make: boolean; readonly follow: boolean; readonly suppose?: true };

const LINKS_MAX = 40;
const OPEN_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The address of a name in a folder. */
export function at(folder: Folder, name: string): string {
  return `${folder.address}/${name}`;
}

/** The address of a spot. */
export function addressOf(spot: Spot): string {
  return spot.name === null ? spot.folder.address : at(spot.folder, spot.name);
}

/**
 * Goes to a path and does `act` there; the folders are closed when it ends. Codes: `workspace_changed`
 * (another folder stands under the workspace's path), `leaves_workspace` (a link leads out), `symlink_loop`,
 * `not_found`, `not_a_folder`, `symlink` (a link came up on the way while going), and those of the system.
 */
export async function withSpot<T>(
  workspace: Workspace,
  path: InsidePath,
  way: Way,
  act: (spot: Spot) => Promise<Result<Refusal, T>>,
): Promise<Result<Refusal, T>> {
  const stack: Folder[] = [];
  try {
    const spot = await descend(workspace, path, way, stack);
    return spot._tag === 'Left' ? spot : await act(spot.right);
  } catch (error) {
    return err(systemRefusal(error, path.text));
  } finally {
    for (const folder of stack) await folder.handle.close();
  }
}

/** Opens a folder inside an open one, without following a link. Rejects with the system's error. */
export async function openFolder(workspace: Workspace, parent: Folder, name: string): Promise<Folder> {
  return folderOf(workspace, await fs.open(at(parent, name), OPEN_FOLDER), [...parent.segments, name]);
}

async function descend(
  workspace: Workspace,
  path: InsidePath,
  way: Way,
  stack: Folder[],
): Promise<Result<Refusal, Spot>> {
  const root = await openRoot(workspace);
  if (root._tag === 'Left') return root;
  stack.push(root.right);
  const pending = [...path.segments];
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    const here = stack[stack.length - 1] ?? root.right;
    if (name === '..') {
      if (stack.length === 1) return err(leaves(path));
      await stack.pop()?.handle.close();
      continue;
    }
    if (pending.length === 0 && !way.follow) return ok(spotOf(here, name));
    const look = await lookAt(here, name);
    if (look === null) {
      if (pending.length === 0) return ok(spotOf(here, name));
      if (way.suppose === true)
        return ok({ folder: here, name, path: insidePath([...here.segments, name, ...pending]) });
      if (!way.make) return err(failed('not_found', `${path.text}: nothing is there`));
      await makeFolder(here, name);
    } else if (look.isSymbolicLink()) {
      links += 1;
      if (links > LINKS_MAX) return err(denied('symlink_loop', `${path.text}: too many symbolic links`));
      const led = await leadOn(workspace, here, name);
      if (led === null) return err(leaves(path));
      if (led.fromRoot) for (const folder of stack.splice(1)) await folder.handle.close();
      pending.unshift(...led.segments);
      continue;
    } else if (pending.length === 0) return ok(spotOf(here, name));
    stack.push(await openFolder(workspace, here, name));
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
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP') return err(changed);
    throw error;
  }
  const look = await handle.stat({ bigint: true });
  if (`${look.dev}:${look.ino}` === workspace.identity) return ok(folderOf(workspace, handle, []));
  await handle.close();
  return err(changed);
}

function folderOf(workspace: Workspace, handle: FileHandle, segments: readonly string[]): Folder {
  const address =
    workspace.reach === 'descriptor' ? `/proc/self/fd/${handle.fd}` : [workspace.root, ...segments].join('/');
  return { handle, address, segments };
}

function spotOf(folder: Folder, name: string): Spot {
  return { folder, name, path: insidePath([...folder.segments, name]) };
}

/** What stands under a name, a link as itself; null where nothing does. */
async function lookAt(folder: Folder, name: string): Promise<Stats | null> {
  try {
    return await fs.lstat(at(folder, name));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Somebody else may make it at the same time; opening it decides. */
async function makeFolder(folder: Folder, name: string): Promise<void> {
  try {
    await fs.mkdir(at(folder, name));
    await folder.handle.sync();
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
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

function leaves(path: InsidePath): Refusal {
  return denied('leaves_workspace', `${path.text}: a symbolic link leads out of the workspace`);
}
