/**
 * What is told of a snapshot that could not be kept or is not used: a remark, since the run goes on without it.
 *
 * @module
 */
import type { DriveOptions, SnapshotUse } from '@assay/host';
import type { Output } from '../output/output.js';
import { show } from '../output/shown.js';
import { errnoOf } from '../problem.js';

/** How a drive uses these snapshots, and tells of what goes wrong with them; nothing where there are none. */
export function snapshotErrors(output: Output, snapshots: SnapshotUse | null): Pick<DriveOptions, 'snapshots' | 'onSnapshotError'> {
  if (snapshots === null) return {};
  return {
    snapshots,
    onSnapshotError: (fault) => {
      if (typeof fault === 'string') output.note(show`assay: the snapshot of this run is not used (${fault}): the ledger does not bear it out; it is derived from its first record`);
      else output.note(show`assay: a snapshot could not be read or kept (${errnoOf(fault.error) ?? (isTimeout(fault.error) ? 'it took too long' : 'it is too large')}); the run goes on without it`);
    },
  };
}

/** What the host tells of a snapshot whose keeper gave no answer within its deadline. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
