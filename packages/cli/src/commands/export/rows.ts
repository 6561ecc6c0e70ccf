/**
 * A record as a row of a table.
 *
 * @module
 */
import type { EvidenceRecord, Json, RunSummary } from '@assay/kernel';
import { forCsv, safeJson } from '@assay/views';

/**
 * One record, told as a row. `sequence` is null in a foreign chain; `payload` is null where it was erased.
 */
export type Row = {
  readonly run_id: string | null;
  readonly position: number;
  readonly sequence: number | null;
  readonly ts: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly payload_hash: string;
  readonly record_hash: string;
  readonly is_erased: boolean;
  readonly payload: Json;
};

const COLUMNS: readonly (keyof Row)[] = [
  'run_id',
  'position',
  'sequence',
  'ts',
  'kind',
  'parent',
  'payload_hash',
  'record_hash',
  'is_erased',
  'payload',
];

/** The first line of the table. */
export const CSV_HEADER: string = COLUMNS.join(',');

/** The row of a record. */
export function jsonRow(
  { run_id, first, isForeign }: Pick<RunSummary, 'run_id' | 'first' | 'isForeign'>,
  position: number,
  { ts, kind, parent, payload, payload_hash, record_hash }: EvidenceRecord,
): Row {
  return {
    run_id,
    position,
    sequence: isForeign ? null : first + position,
    ts,
    kind,
    parent,
    payload_hash,
    record_hash,
    is_erased: payload === undefined,
    payload: payload ?? null,
  };
}

/** The row as a line of CSV (RFC 4180), without a line end; a payload is its JSON text. */
export function csvRow(row: Row): string {
  return COLUMNS.map((column) => {
    if (column === 'payload') return row.is_erased ? '' : forCsv(safeJson(row.payload));
    const value = row[column];
    return value === null ? '' : forCsv(String(value));
  }).join(',');
}
