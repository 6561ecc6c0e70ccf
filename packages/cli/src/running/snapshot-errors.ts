/**
 * What is told of a snapshot that could not be kept or is not used: a remark, since the run goes on without
 * it.
 *
 * @module
 */
import type { DriveOptions, SnapshotUse } from '@assay/host';
import { errnoOf } from '@assay/host/files';
import type { Output } from '../output/output.js';
import { show } from '../output/shown.js';

/** How a drive uses these snapshots, and tells of what goes wrong with them; nothing where there are none. */
export function snapshotErrors(
  output: Output,
  snapshots: SnapshotUse | null,
): Pick<DriveOptions, 'snapshots' | 'onSnapshotError'> {
  if (snapshots === null) return {};
  return {
    snapshots,
    onSnapshotError: (fault) => {
      if (typeof fault === 'string')
        output.note(
          show`assay: the snapshot of this run is not used (${fault}): the ledger does not bear it out; it is derived from its first record`,
        );
      else
        output.note(
          show`assay: a snapshot could not be read or kept (${reasonOf(fault.error)}); the run goes on without it`,
        );
    },
  };
}

function reasonOf(error: unknown): string {
  const errno = errnoOf(error);
  if (errno !== null) return errno;
  if (!(error instanceof Error)) return 'nobody knows why';
  // Told by the host of a keeper that gave no answer within its deadline.
  if (error.name === 'TimeoutError') return 'it took too long';
  return Reflect.get(error, 'code') === 'ERR_NO_FILE' ? 'what bears its name is no file' : 'it is too large';
}
