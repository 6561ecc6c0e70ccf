/**
 * The answers of a run by slot, from its records.
 *
 * @module
 */
import { isArray, isObject, type EvidenceRecord, type Json, type JsonObject } from '@assay/kernel';
import type { AnsweredBy } from '@assay/views';
import { textIn, valueIn } from '../../terminal/fields.js';

/** The last proposal of each slot: the accepted one, unless all were rejected. */
export function answersBySlot(records: readonly EvidenceRecord[]): ReadonlyMap<string, JsonObject> {
  return answersBy(records, (request) => textIn(valueIn(request, 'body'), 'slot'));
}

/** The last proposal to the requests of each name. */
export function answersBy(
  records: readonly EvidenceRecord[],
  nameOf: (request: Json) => string,
): ReadonlyMap<string, JsonObject> {
  const slots = new Map<string, string>();
  const found = new Map<string, JsonObject>();
  for (const { kind, payload } of records) {
    if (payload === undefined || !isObject(payload)) continue;
    const requests = valueIn(payload, 'requests');
    if (kind === 'decision' && isArray(requests))
      for (const request of requests) slots.set(textIn(request, 'id'), nameOf(request));
    if (kind === 'proposal') found.set(slots.get(textIn(payload, 'request_id')) ?? '', payload);
  }
  return found;
}

/** Who answered each slot. */
export function answeredBy(records: readonly EvidenceRecord[]): readonly AnsweredBy[] {
  return [...answersBySlot(records)].map(([slot, payload]) => ({
    slot,
    proposer: textIn(payload, 'proposer'),
    source: textIn(payload, 'source'),
  }));
}
