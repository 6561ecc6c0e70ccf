/**
 * The answers of a run by slot, from its records.
 *
 * @module
 */
import { ledgerRecord, type EvidenceRecord, type RecordedProposal, type Request } from '@assay/kernel';
import type { AnsweredBy } from '@assay/views';
import { textIn } from '../terminal/fields.js';

/** The last proposal of each slot: the accepted one, unless all were rejected. */
export function answersBySlot(records: readonly EvidenceRecord[]): ReadonlyMap<string, RecordedProposal> {
  return answersBy(records, ({ body }) => textIn(body, 'slot'));
}

/** The last proposal to the requests of each name. */
export function answersBy(
  records: readonly EvidenceRecord[],
  nameOf: (request: Request) => string,
): ReadonlyMap<string, RecordedProposal> {
  const slots = new Map<string, string>();
  const found = new Map<string, RecordedProposal>();
  for (const record of records) {
    const typed = ledgerRecord(record);
    if (typed?.kind === 'decision')
      for (const request of typed.payload?.requests ?? []) slots.set(request.id, nameOf(request));
    if (typed?.kind === 'proposal' && typed.payload !== undefined)
      found.set(slots.get(typed.payload.request_id) ?? '', typed.payload);
  }
  return found;
}

/** Who answered each slot. */
export function answeredBy(records: readonly EvidenceRecord[]): readonly AnsweredBy[] {
  return [...answersBySlot(records)].map(([slot, { proposer, source }]) => ({ slot, proposer, source }));
}
