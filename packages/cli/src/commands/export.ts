/**
 * `assay export`: a ledger for other tools. Nothing here is hashed by Assay or read back by it.
 *
 * @module
 */
import { safeJson } from '@assay/views';
import { readFacts } from '../files/ledger.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import type { Context } from '../call/output.js';
import { CSV_HEADER, csvRow, jsonRow } from './export/rows.js';

const TO_SQLITE = 'assay export LEDGER --to sqlite -o FILE';

/** What a ledger is exported to. */
export const EXPORTS = ['jsonl', 'csv', 'in-toto', 'sqlite'] as const;

/**
 * Prints a ledger whose integrity holds in another form, or writes the tables of a plan. It is judged whole before
 * a line is printed. Raises `Stop`.
 */
export async function exportTo(
  context: Context,
  file: string,
  { to, output: target }: { readonly to: (typeof EXPORTS)[number]; readonly output?: string },
): Promise<ExitCode> {
  const { output } = context;
  if ((to === 'sqlite') !== (target !== undefined))
    throw misuse(
      'conflict',
      'a database is written to a file, the other forms are printed',
      `--to ${to}`,
      TO_SQLITE,
    );
  if (target !== undefined) return (await import('./export/sqlite.js')).exportTables(context, file, target);
  if (file === '-')
    throw misuse('stdin', 'export reads the ledger twice, so it needs a file', '-', 'name a file');
  if (output.isJson && to === 'csv')
    throw misuse(
      'conflict',
      '--json and --to csv exclude each other',
      '--json --to csv',
      'remove one of them',
    );
  const print = (text: string): void => output.data({ parts: [{ text, style: null }] });
  if (to === 'in-toto') {
    const statement = await (await import('./export/in-toto.js')).inTotoStatement(file);
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
