/**
 * The answers that a run recorded, and what each may be called by.
 *
 * @module
 */
import { field, isObject, type DerivedRecord, type Proposal, type Request } from '@assay/kernel';

/** An answer to a request that was taken up: `index` is its record's position. */
export type Answered = { readonly index: number; readonly answer: Proposal; readonly request: Request };

/** The answers to open requests, in order; those carried over from a base among them. */
export function answersIn(records: readonly DerivedRecord[]): readonly Answered[] {
  const asked = new Map<string, Request>();
  return records.flatMap((record, index): readonly Answered[] => {
    if (record.kind === 'genesis')
      for (const { request } of Object.values(record.payload.base?.snapshot?.open ?? {}))
        asked.set(request.id, request);
    if (record.kind === 'decision')
      for (const request of record.payload.requests) asked.set(request.id, request);
    if (record.kind !== 'proposal') return [];
    const { proposal_hash: _, ...answer } = record.payload;
    const request = asked.get(answer.request_id);
    const next = records[index + 1];
    const isLate = next?.kind === 'rejection' && next.payload.code === 'not_open';
    return request === undefined || isLate ? [] : [{ index, answer, request }];
  });
}

/** The requests that are open after these records. */
export function openIn(records: readonly DerivedRecord[]): readonly Request[] {
  const open = new Map<string, Request>();
  let answering = '';
  for (const record of records) {
    if (record.kind === 'genesis')
      for (const { request } of Object.values(record.payload.base?.snapshot?.open ?? {}))
        open.set(request.id, request);
    if (record.kind === 'proposal') answering = record.payload.request_id;
    if (record.kind !== 'decision') continue;
    open.delete(answering);
    for (const id of record.payload.withdrawn) open.delete(id);
    for (const request of record.payload.requests) open.set(request.id, request);
  }
  return [...open.values()];
}

/** What an answer may be called by to leave it out: who gave it, its slot, the kind of its request, its source. */
export function namesOf({ answer, request: { kind, body } }: Answered): readonly string[] {
  const slot = isObject(body) ? field(body, 'slot') : null;
  return [answer.proposer, ...(typeof slot === 'string' ? [slot] : []), kind, answer.source];
}
