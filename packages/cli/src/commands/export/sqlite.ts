/**
 * `assay export --to sqlite`: a plan's run as a SQLite database of eleven tables. Nothing reads it back; the ledger is
 * the truth. Source: 000 §2.
 *
 * @module
 */
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { nativeSha256 } from '@assay/host';
import { temporaryBeside } from '@assay/host/files';
import { replayable, type DerivedRecord, type EvidenceRecord } from '@assay/kernel';
import { planner } from '@assay/planner';
import { planTables, type SqlTable } from '@assay/planner/tables';
import { findDriver } from '@assay/store-sqlite';
import { derivedAgain } from '@assay/verifier/impact';
import { soundLedger, underivable } from '../../files/ledger.js';
import { shortenName } from '../../files/read.js';
import { storeProblem } from '../../files/store.js';
import { exists, moveNew, requireTarget } from '../../files/write.js';
import { EXIT, misuse, type ExitCode } from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import type { Context } from '../../call/output.js';
import { requireGenesis } from '../whatif/fork.js';

/** Writes the database, whole or not at all: exit 3 where the ledger does not hold or re-derive. Raises `Stop`. */
export async function exportTables({ output }: Context, path: string, sqlite: string): Promise<ExitCode> {
  requireTarget(sqlite);
  if (existsSync(sqlite)) throw exists(sqlite);
  const { records } = await soundLedger(path);
  const file = shortenName(path);
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

/** The records of a plan's run, recomputed. Raises `Stop`: exit 3 where they differ, `other_machine`. */
export function requirePlan(records: readonly EvidenceRecord[], file: string): readonly DerivedRecord[] {
  const { genesis } = requireGenesis(records, file);
  if (genesis.machine.name !== planner.name)
    throw misuse(
      'other_machine',
      `this is a run of ${genesis.machine.name}`,
      file,
      'name a ledger of assay plan',
    );
  const derived = derivedAgain(replayable(planner, { sha256: nativeSha256 }), { genesis, records });
  if (derived._tag === 'Left') throw underivable(derived.left.code, derived.left.record, file, []);
  return derived.right.records;
}
