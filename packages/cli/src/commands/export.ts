/** `assay export`: a ledger for other tools. Nothing here is hashed by Assay or read back by it. */
import { safeJson, forCsv } from '@assay/views';
import { readFacts, ledgerChunks } from '../files/ledger.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import type { Context } from '../call/output.js';
import type { EvidenceRecord, Json, RunSummary } from '@assay/kernel';
import { createHash } from 'node:crypto';
import { MerkleTree, signedHead, type SignedHead } from '@assay/attest';
import { nativeSha256 } from '@assay/host';

/** What a ledger is exported to. */
export const EXPORTS = ['jsonl', 'csv', 'in-toto'] as const;

/**
 * Prints a ledger whose integrity holds in another form. It is judged whole before a line is printed. Raises `Stop`.
 */
export async function exportTo(
  { output }: Context,
  file: string,
  to: (typeof EXPORTS)[number],
): Promise<ExitCode> {
  if (file === '-')
    throw misuse('stdin', 'export reads the ledger twice, so it needs a file', '-', 'name a file');
  if (output.isJson && to === 'csv')
    throw misuse('conflict', '--json and csv exclude each other', '--json csv', 'remove one of them');
  const print = (text: string): void => output.data({ parts: [{ text, style: null }] });
  if (to === 'in-toto') {
    const statement = await inTotoStatement(file);
    output.document(statement);
    print(safeJson(statement));
    return EXIT.done;
  }
  const summary = await readFacts(file);
  const rows: unknown[] = [];
  if (to === 'csv') print(CSV_HEADER);
  let position = 0;
  await readFacts(file, (record) => {
    const row = jsonRow(summary, position, record);
    if (output.isJson) rows.push(row);
    else print(to === 'csv' ? csvRow(row) : safeJson(row));
    position += 1;
  });
  output.document({ records: rows });
  return EXIT.done;
}

/**
 * One record, told as a row. `sequence` is null in a foreign chain; `payload` is null where it was erased.
 */
type Row = {
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
const CSV_HEADER: string = COLUMNS.join(',');

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

/** Statement v1 about one file: its name and SHA-256, and as predicate its head. */
type HeadStatement = {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: 'urn:assay:head:v1';
  readonly predicate: SignedHead;
};

/**
 * The statement on a ledger whose integrity holds; any tool can compare the digest, and the head is what
 * Assay recomputes. Raises `Stop`.
 */
async function inTotoStatement(file: string): Promise<HeadStatement> {
  const tree = new MerkleTree(nativeSha256);
  const summary = await readFacts(file, ({ record_hash }) => tree.add(record_hash));
  const hash = createHash('sha256');
  for await (const chunk of ledgerChunks(file)) hash.update(chunk);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: `${summary.run_id ?? 'foreign'}.ledger.jsonl`, digest: { sha256: hash.digest('hex') } },
    ],
    predicateType: 'urn:assay:head:v1',
    predicate: signedHead(summary, tree.root()),
  };
}
