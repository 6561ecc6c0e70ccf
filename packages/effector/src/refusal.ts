/** Why a call did not do what it asks: one closed list, so that a policy and a test can speak of it. */
import { readErrno } from '@assay/host/files';

/** A call that policy, confinement or its own form forbids: nothing was done. */
type DeniedCode =
  | 'unknown_tool'
  | 'not_allowed'
  | 'unavailable'
  | 'bad_input'
  | 'needs_confirmation'
  | 'blocked_target'
  | 'absolute_path'
  | 'parent_segment'
  | 'bad_path'
  | 'path_too_long'
  | 'leaves_workspace'
  | 'symlink'
  | 'symlink_loop'
  | 'workspace_changed'
  | 'not_a_file'
  | 'not_a_folder'
  | 'hard_linked'
  | 'bad_pattern';

/**
 * The machine, or what stands in the workspace, did not let it happen. `exit`: a check ended with an error
 * of its own.
 */
export type ErrorCode =
  | 'not_found'
  | 'exists'
  | 'not_text'
  | 'no_space'
  | 'read_only'
  | 'no_permission'
  | 'exit'
  | 'io';

/**
 * A bound was reached, or something could not be looked into (`unreadable`), and the output is not the whole
 * one.
 */
export type TruncatedCode =
  | 'output_limit'
  | 'entry_limit'
  | 'result_limit'
  | 'file_too_long'
  | 'search_limit'
  | 'depth_limit'
  | 'unreadable';

/** Every code of a call that is not `ok`. */
export type ToolCode = DeniedCode | ErrorCode | TruncatedCode | 'wall_time' | 'aborted';

/** A call that ended without its output. */
export type Refusal =
  | { readonly status: 'denied'; readonly code: DeniedCode; readonly message: string }
  | { readonly status: 'error'; readonly code: ErrorCode; readonly message: string }
  | { readonly status: 'timeout'; readonly code: 'wall_time'; readonly message: string }
  | { readonly status: 'interrupted'; readonly code: 'aborted'; readonly message: string };

/** A refusal by policy, confinement or form. */
export function denied(code: DeniedCode, message: string): Refusal {
  return { status: 'denied', code, message };
}

/** A refusal by what is there. */
export function failed(code: ErrorCode, message: string): Refusal {
  return { status: 'error', code, message };
}

/** A failure of the system as a refusal that names `what`; anything else is a defect and is thrown on. */
export function systemRefusal(error: unknown, what: string): Refusal {
  const errno = readErrno(error);
  if (errno === null) throw error;
  const known = ERRNOS.get(errno);
  return known === undefined
    ? failed('io', `${what}: ${errno}`)
    : { ...known, message: `${what}: ${known.message}` };
}

const ERRNOS: ReadonlyMap<string, Refusal> = new Map([
  ['ENOENT', failed('not_found', 'nothing is there')],
  ['EEXIST', failed('exists', 'something is there already')],
  ['ENOSPC', failed('no_space', 'no space is left on the device')],
  ['EDQUOT', failed('no_space', 'the quota is used up')],
  ['EROFS', failed('read_only', 'the file system is read-only')],
  ['EACCES', failed('no_permission', 'the system does not permit it')],
  ['EPERM', failed('no_permission', 'the system does not permit it')],
  ['ENAMETOOLONG', denied('path_too_long', 'the name is too long')],
  ['ELOOP', denied('symlink', 'a symbolic link stands there')],
  ['ENOTDIR', denied('not_a_folder', 'it is no folder')],
  ['EISDIR', denied('not_a_file', 'it is a folder')],
  // What a socket or a device without a driver answers to being opened.
  ['ENXIO', denied('not_a_file', 'it is no regular file')],
]);
