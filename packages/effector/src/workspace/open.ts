/** The folder a run works in, looked at once and recognised at each call. */
import { constants, existsSync, promises as fs } from 'node:fs';
import { resolve } from 'node:path';
import { err, ok, type Result } from '@assay/kernel';
import { readErrno } from '@assay/host/files';
import { isGitName } from './path.js';

/**
 * Why a folder cannot be a workspace. `real` of `symlink`: where the path leads; who means that, names it.
 */
type WorkspaceError =
  | {
      readonly code:
        | 'missing'
        | 'not_a_folder'
        | 'no_permission'
        | 'root_folder'
        | 'git_folder'
        | 'system_folder'
        | 'bad_path'
        | 'unsupported_platform';
      readonly path: string;
    }
  | { readonly code: 'symlink'; readonly path: string; readonly real: string };

/** A folder that was looked at. */
export type Workspace = {
  /** Its real path. */
  readonly root: string;
  /** The folder itself, whatever stands under its path later. */
  readonly identity: string;
  /**
   * How names in it are reached. `descriptor`: from an open folder, so that nobody can put another one under
   * its path in between. `path`: where the system has no such way; then there is a moment between check and
   * use.
   */
  readonly reach: 'descriptor' | 'path';
};

/**
 * Looks at a folder. A path with a symbolic link anywhere in it is refused, for a run must not depend on
 * where a link leads tomorrow. Codes in order: `unsupported_platform` (Windows), `bad_path`, `missing`,
 * `no_permission`, `symlink`, `not_a_folder`, `root_folder`, `git_folder` (in or below `.git`), `system_folder`
 * (what the kernel shows of itself: proc, sys).
 */
export async function openWorkspace(dir: string): Promise<Result<WorkspaceError, Workspace>> {
  if (process.platform === 'win32') return err({ code: 'unsupported_platform', path: dir });
  if (dir === '' || dir.includes('\0')) return err({ code: 'bad_path', path: dir });
  const path = resolve(dir);
  try {
    const real = await fs.realpath(path);
    if (real !== path) return err({ code: 'symlink', path, real });
    const look = await fs.lstat(path, { bigint: true });
    if (!look.isDirectory()) return err({ code: 'not_a_folder', path });
    if (path === '/') return err({ code: 'root_folder', path });
    if (path.split('/').some(isGitName)) return err({ code: 'git_folder', path });
    if (SYSTEM_TYPES.has((await fs.statfs(path, { bigint: true })).type) && process.platform === 'linux')
      return err({ code: 'system_folder', path });
    await fs.access(path, constants.R_OK | constants.X_OK);
    return ok({
      root: path,
      identity: `${look.dev}:${look.ino}`,
      // Whether a name below an open folder can be reached by the folder's descriptor.
      reach: process.platform === 'linux' && existsSync('/proc/self/fd') ? 'descriptor' : 'path',
    });
  } catch (error) {
    return err(workspaceError(error, path));
  }
}

/** Magic numbers of proc and sys. */
const SYSTEM_TYPES: ReadonlySet<bigint> = new Set([0x9fa0n, 0x62656572n]);

function workspaceError(error: unknown, path: string): WorkspaceError {
  const errno = readErrno(error);
  if (errno === null) throw error;
  switch (errno) {
    case 'ENOENT':
      return { code: 'missing', path };
    case 'ENOTDIR':
      return { code: 'not_a_folder', path };
    case 'ELOOP':
      return { code: 'symlink', path, real: path };
    case 'EACCES':
    case 'EPERM':
      return { code: 'no_permission', path };
    default:
      return { code: 'bad_path', path };
  }
}
