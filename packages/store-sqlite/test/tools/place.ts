import { cp, mkdir, open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeLine, type EvidenceRecord } from '@assay/kernel';
import { temporaryFolder, type StorePlace } from '@assay/testing/store-contract';
import { sqliteStore } from '../../src/index.ts';
import type { Connection, SqliteDriver } from '../../src/driver.ts';
import type { SqliteStoreOptions } from '../../src/sqlite-store.ts';

/** The files of a database. */
export const FILES = ['runs.db', 'runs.db-wal', 'runs.db-shm'] as const;

/** A raw connection, behind the store's back. */
export function raw(driver: SqliteDriver, folder: string): Connection {
  const db = driver.open(join(folder, 'runs.db'));
  // So small that pages of a transaction under way are written to the log before its commit.
  db.exec(
    'PRAGMA synchronous = FULL; PRAGMA cache_size = 1; PRAGMA cache_spill = 1; PRAGMA wal_autocheckpoint = 0',
  );
  return db;
}

/** Inserts records of a run that exists, as the store does. */
export function insert(db: Connection, runId: string, records: readonly EvidenceRecord[]): void {
  for (const record of records)
    db.rows(
      'INSERT INTO records SELECT id, ?, ? FROM runs WHERE run_id = ?',
      Number(record.ts.slice(-12)),
      encodeLine(record),
      runId,
    );
}

/**
 * The files as they are now, while connections are open: what a killed process leaves. `without`: not copied.
 */
export async function copyFiles(from: string, to: string, without: readonly string[] = []): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  for (const file of FILES)
    if (!without.includes(file)) await cp(join(from, file), join(to, file)).catch(ignoreMissing);
}

/** Overwrites from a position on with zeros, as some media do with what was never written. */
export async function zeroFrom(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+');
  const { size } = await file.stat();
  if (size > position) await file.write(new Uint8Array(size - position), 0, size - position, position);
  await file.close();
}

/**
 * A place for the suite, in a `folder`, with every kind of damage. What a death leaves is a copy of the files
 * at that moment.
 */
export async function sqlitePlace(
  driver: SqliteDriver,
  options: SqliteStoreOptions = {},
): Promise<StorePlace & { readonly folder: string }> {
  const { path, remove } = await temporaryFolder();
  let folder = path;
  let copies = 0;
  const leave = async (without: readonly string[] = []): Promise<void> => {
    const copy = join(path, `copy-${(copies += 1)}`);
    await copyFiles(folder, copy, without);
    folder = copy;
  };
  return {
    folder,
    open: async () => sqliteStore(join(folder, 'runs.db'), driver, options),
    remove,
    async die({ run_id }, group, after) {
      const db = raw(driver, folder);
      db.exec('BEGIN IMMEDIATE');
      insert(db, run_id, group.slice(0, after));
      if (after === group.length) db.exec('COMMIT');
      await leave();
      if (after < group.length) db.exec('ROLLBACK');
      db.close();
    },
    async tear(runId) {
      const db = raw(driver, folder);
      const last =
        'run = (SELECT id FROM runs WHERE run_id = ?) AND seq = (SELECT max(seq) FROM records ' +
        'WHERE run = (SELECT id FROM runs WHERE run_id = ?))';
      const row = db.rows(`SELECT run, seq, line FROM records WHERE ${last}`, runId, runId)[0];
      db.rows(`DELETE FROM records WHERE ${last}`, runId, runId);
      db.rows('PRAGMA wal_checkpoint(TRUNCATE)');
      db.rows(
        'INSERT INTO records VALUES (?, ?, ?)',
        Number(row?.['run']),
        Number(row?.['seq']),
        String(row?.['line']),
      );
      await leave(['runs.db-shm']);
      db.close();
      const log = join(folder, 'runs.db-wal');
      const file = await open(log);
      const { size } = await file.stat();
      await file.close();
      await truncate(log, size - 1_500);
    },
    async spoil(runId, sequence) {
      const db = raw(driver, folder);
      db.rows(
        `UPDATE records SET line = replace(line, '"value":', '"valve":') WHERE run = (SELECT id ` +
          'FROM runs WHERE run_id = ?) AND seq = ?',
        runId,
        sequence,
      );
      db.close();
    },
  };
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
