/**
 * Records by kind: what integrity established of a record, as a type.
 *
 * @module
 */
import { RECORD_KINDS, type RecordKind } from '../ledger/names.js';
import {
  PAYLOADS,
  type ArtifactPayload,
  type ClosePayload,
  type DecisionPayload,
  type Genesis,
  type RecordedProposal,
  type RejectionPayload,
} from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';

/** The payload of each kind of record. */
export type Payloads = {
  readonly genesis: Genesis;
  readonly proposal: RecordedProposal;
  readonly decision: DecisionPayload;
  readonly rejection: RejectionPayload;
  readonly artifact: ArtifactPayload;
  readonly close: ClosePayload;
};

/** A record of one kind. Without `payload` it is erased. */
export type RecordOf<K extends RecordKind> = Omit<EvidenceRecord, 'kind' | 'payload'> & {
  readonly kind: K;
  readonly payload?: Payloads[K];
};

/** A record of a run, by its kind. */
export type LedgerRecord = { readonly [K in RecordKind]: RecordOf<K> }[RecordKind];

/** A record that was derived again, or an answer that was taken: nothing of it is erased. */
export type DerivedRecord = {
  readonly [K in RecordKind]: RecordOf<K> & { readonly payload: Payloads[K] };
}[RecordKind];

/**
 * The record with the type of its kind; null where its kind is none of a run, or its payload has not the
 * form of that kind. A ledger whose integrity holds and that is no foreign chain has none of those. Linear
 * in the payload.
 */
export function ledgerRecord(record: EvidenceRecord): LedgerRecord | null {
  const kind = RECORD_KINDS.find((known) => known === record.kind);
  if (kind === undefined) return null;
  const isFit = record.payload === undefined || PAYLOADS[kind](record.payload) === null;
  return isFit ? (record as LedgerRecord) : null;
}
