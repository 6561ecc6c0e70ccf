/** What integrity can find. Source: ledger format, "Verdicts". */
import type { Json } from '../json.js';

/**
 * Every code of integrity, in order of precedence within one record. The first faulty record in file
 * order wins; within it, the first code of this list.
 */
export const INTEGRITY_CODES = [
  'empty',
  'size',
  'depth',
  'encoding',
  'final_newline',
  'shape',
  'version',
  'payload_hash',
  'record_hash',
  'parent',
  'ts',
  'order',
  'payload_shape',
  'number',
  'token',
  'proposal_hash',
  'request_id',
  'artifact_hash',
  'graph',
  'close',
] as const;
/** One of {@link INTEGRITY_CODES}. */
export type IntegrityCode = (typeof INTEGRITY_CODES)[number];

/**
 * Where in a record, what the rules give and what is there: as much as is known. `path` is a JSON pointer
 * into the record.
 */
export type FaultDetail = { readonly path?: string; readonly expected?: Json; readonly got?: Json };

/** The first fault of a ledger: `record` is its position in the file, from 0. */
export type IntegrityFault = {
  readonly check: 'integrity';
  readonly code: IntegrityCode;
  readonly record: number;
  readonly detail: FaultDetail;
};

/** A fault before its record is known: what the rules of one record return. */
export type Finding = { readonly code: IntegrityCode; readonly detail: FaultDetail };

/** A finding. */
export function finding(code: IntegrityCode, detail: FaultDetail = {}): Finding {
  return { code, detail };
}
