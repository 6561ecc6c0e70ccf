/**
 * A table as data.
 *
 * @module
 */
import { canonicalize, orThrow, decodeUtf8, type Json } from '@assay/kernel';

/** A cell: text, an integer, or nothing. JSON is its canonical text. */
export type SqlCell = string | number | null;

/** A table: its columns, of which those named in `key` tell rows apart, and its rows. */
export type SqlTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly rows: readonly (readonly SqlCell[])[];
};

/** A table of rows by column; what a row does not name is null. */
export function tableOf<C extends string>(
  name: string,
  columns: readonly C[],
  key: readonly C[],
  rows: readonly { readonly [column in C]?: SqlCell }[],
): SqlTable {
  return { name, columns, key, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) };
}

/** A value as JSON text. */
export function json(value: unknown): string {
  return orThrow(decodeUtf8(orThrow(canonicalize(value as Json))));
}
