/**
 * The events of a decision.
 *
 * @module
 */
import type { EvidenceRecord, JsonObject } from '@assay/kernel';
import { listObjects, readField } from '@assay/kernel/shape';

/** The events of a decision; none of another record. */
export function eventsIn({ kind, payload }: EvidenceRecord): readonly JsonObject[] {
  return kind === 'decision' ? listObjects(readField(payload, 'events')) : [];
}
