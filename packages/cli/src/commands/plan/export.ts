/**
 * `assay plan export`: a plan's run as a SQLite database of eleven tables. Nothing reads it back; the ledger is
 * the truth. Source: 000 §2.
 *
 * @module
 */
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { temporaryBeside } from '@assay/host/files';
import { planTables, type SqlTable } from '@assay/planner/tables';
import { findDriver } from '@assay/store-sqlite';
import { soundLedger } from '../../files/ledger.js';
import { nameOf } from '../../files/read.js';
import { storeProblem } from '../../files/store.js';
import { exists, moveNew, requireTarget } from '../../files/write.js';
import { EXIT, type ExitCode } from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import type { Context } from '../../call/context.js';
import { requirePlan } from './derived.js';

/** Writes the database, whole or not at all: exit 3 where the ledger does not hold or re-derive. Raises `Stop`. */
export async function planExport(
  { output }: Context,
  path: string,
  { sqlite }: { readonly sqlite: string },
): Promise<ExitCode> {
  requireTarget(sqlite);
  if (existsSync(sqlite)) throw exists(sqlite);
  const { records } = await soundLedger(path);
  const file = nameOf(path);
  const tables = planTables(requirePlan(records, file));
  const driver = await findDriver();
  if (driver._tag === 'Left') throw storeProblem(driver.left, sqlite);
  const temporary = temporaryBeside(dirname(sqlite));
  try {
    const database = driver.right.open(temporary);
    try {
      for (const table of tables) fill(database, table);
    } finally {
      database.close();
    }
    await moveNew(temporary, sqlite);
  } finally {
    rmSync(temporary, { force: true });
  }
  output.document({
    file,
    database: sqlite,
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows.length])),
  });
  for (const { name, rows } of tables) output.line(show`${name.padEnd(22)}${rows.length}`);
  return EXIT.done;
}

type Database = ReturnType<
  Extract<Awaited<ReturnType<typeof findDriver>>, { readonly right: unknown }>['right']['open']
>;

/** Names are ours and evidence is bound, so no text of it is SQL. */
function fill(database: Database, { name, columns, key, rows }: SqlTable): void {
  database.exec(
    `CREATE TABLE ${name} (${columns.join(', ')}, PRIMARY KEY (${key.join(', ')})) WITHOUT ROWID`,
  );
  const insert = `INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`;
  database.exec('BEGIN');
  for (const row of rows) database.rows(insert, ...row);
  database.exec('COMMIT');
}
