/**
 * A ledger folded once, by what readers ask for. Records by kind: what integrity established of a record, as
 * a type.
 */
import type { Json } from '../json.js';
import {
  type ClosePayload,
  type Genesis,
  type RecordedProposal,
  type RejectionPayload,
  type Request,
  PAYLOADS,
  type ArtifactPayload,
  type DecisionPayload,
} from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { err, ok, type Result } from '../result.js';
import { RECORD_KINDS, type RecordKind } from '../ledger/names.js';

/** Something and the position in the file of the record that holds it, from 0. */
export type Found<T> = { readonly value: T; readonly record: number };

/** One recorded answer. `rejection`: why it was not accepted, null if it was. */
export type RecordedAnswer = {
  readonly proposal: RecordedProposal;
  readonly record: number;
  readonly rejection: RejectionPayload | null;
};

/** A run by its parts. Erased payloads are left out; `erased` counts them. */
export type RunView = {
  readonly genesis: Genesis;
  /** Every request by id, those carried over from the base at record 0. */
  readonly requests: ReadonlyMap<string, Found<Request>>;
  /** Recorded answers by request id, in order. */
  readonly answers: ReadonlyMap<string, readonly RecordedAnswer[]>;
  /** Events of all decisions, in order. */
  readonly events: readonly Found<Json>[];
  /** The latest content of each artifact. */
  readonly artifacts: ReadonlyMap<string, Found<Json>>;
  /** null while the run is open. */
  readonly close: Found<ClosePayload> | null;
  readonly erased: number;
};

/** Why records are not a run: the first record that does not belong to one. */
export type NoRun = { readonly code: 'no_run' | 'payload_erased'; readonly record: number };

/**
 * Folds the records of a ledger whose integrity holds. Errors: `no_run` where the first record is no genesis
 * or a record has not the form of its kind, `payload_erased` where the genesis is erased. Linear.
 */
export function runView(records: Iterable<EvidenceRecord>): Result<NoRun, RunView> {
  const requests = new Map<string, Found<Request>>();
  const answers = new Map<string, RecordedAnswer[]>();
  const events: Found<Json>[] = [];
  const artifacts = new Map<string, Found<Json>>();
  let genesis: Genesis | null = null;
  let close: Found<ClosePayload> | null = null;
  let erased = 0;
  let position = 0;
  let last: RecordedAnswer[] | null = null;
  for (const given of records) {
    const record = ledgerRecord(given);
    if (record === null || (record.kind === 'genesis') !== (position === 0))
      return err({ code: 'no_run', record: position });
    if (record.payload === undefined) {
      if (record.kind === 'genesis') return err({ code: 'payload_erased', record: 0 });
      if (record.kind === 'proposal') last = null;
      erased += 1;
    } else if (record.kind === 'genesis') {
      genesis = record.payload;
      for (const { request } of Object.values(genesis.base?.snapshot?.open ?? {}))
        requests.set(request.id, { value: request, record: 0 });
    } else if (record.kind === 'proposal') {
      last = answers.get(record.payload.request_id) ?? [];
      last.push({ proposal: record.payload, record: position, rejection: null });
      answers.set(record.payload.request_id, last);
    } else if (record.kind === 'rejection') {
      // A rejection follows the answer it rejects.
      const answer = last?.pop();
      if (answer !== undefined) last?.push({ ...answer, rejection: record.payload });
    } else if (record.kind === 'decision') {
      for (const value of record.payload.events) events.push({ value, record: position });
      for (const value of record.payload.requests) requests.set(value.id, { value, record: position });
    } else if (record.kind === 'artifact') {
      artifacts.set(record.payload.name, { value: record.payload.content, record: position });
    } else {
      close = { value: record.payload, record: position };
    }
    position += 1;
  }
  return genesis === null
    ? err({ code: 'no_run', record: 0 })
    : ok({ genesis, requests, answers, events, artifacts, close, erased });
}

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
 * The record with the type of its kind; null if its kind is none of a run, or its payload has not the
 * form of that kind. A ledger whose integrity holds and that is no foreign chain has none of those. Linear
 * in the payload.
 */
export function ledgerRecord(record: EvidenceRecord): LedgerRecord | null {
  const kind = RECORD_KINDS.find((known) => known === record.kind);
  if (kind === undefined) return null;
  const isFit = record.payload === undefined || PAYLOADS[kind](record.payload) === null;
  return isFit ? (record as LedgerRecord) : null;
}
