/**
 * The run of a controller as a source of recordings: its roles in the place of slots.
 *
 * @module
 */
import { replayable, replayWith, type EvidenceRecord } from '@assay/kernel';
import { CAST, controller } from '@assay/controller';
import { nativeSha256 } from '@assay/host';
import { underivable } from '../explain/derived.js';
import { misuse } from '../../problems/problem.js';

/** The roles that can be recorded. */
export const RECORDED_ROLES: readonly string[] = CAST;

/**
 * Derives every decision of a closed run again. Raises `Stop`: `run_open`, and exit 3 or 4 where it cannot be
 * done.
 */
export function requireDerived(records: readonly EvidenceRecord[], file: string): void {
  const derived = replayWith([replayable(controller, { sha256: nativeSha256 })], records, {
    sha256: nativeSha256,
  });
  if (derived._tag === 'Left') throw underivable(derived.left.code, derived.left.record, file);
  if (records.at(-1)?.kind !== 'close')
    throw misuse(
      'run_open',
      'this run is not over: more may be asked and answered',
      file,
      'record it when it has ended',
    );
}
