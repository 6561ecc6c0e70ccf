/**
 * The command that asks what a run would have been under another threshold.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord } from '@assay/kernel';
import { commandLine } from '../../terminal/quote.js';
import type { Shown } from '../../terminal/shown.js';

/** The command for a ledger at this path; null where no plan was ever made: there no threshold was asked. */
export function whatIfCommand(records: readonly EvidenceRecord[], path: string): Shown | null {
  return records.some(isPlanned) ? commandLine(['assay', 'whatif', path, '--set', 'epsilon=50000']) : null;
}

/** True for the record in which a plan was taken. */
function isPlanned({ kind, payload }: EvidenceRecord): boolean {
  const events = kind === 'decision' && isObject(payload) ? field(payload, 'events') : undefined;
  return (
    isArray(events) &&
    events.some(
      (event) =>
        isObject(event) && field(event, 't') === 'message' && field(event, 'kind') === 'DispatchManifest',
    )
  );
}
