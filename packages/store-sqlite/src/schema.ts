/**
 * The tables and their version.
 *
 * ```
 * assay_meta  key 'schema_version' → SCHEMA_VERSION
 * runs        one row for each run: its id here, its run id
 * records     one row for each record: run, sequence, the canonical line without its 0A
 * ```
 *
 * Transactions that write, and waiting for those of others.
 */
import type { StoreError } from '@assay/host';
import { compareText, err, ok, type Result } from '@assay/kernel';
import type { Connection, Row } from './driver.js';
import { SQLITE, SqliteFailure, isBusy } from './failure.js';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What marks a database as Assay's, in its header: "ASSY". Source:
 * sqlite.org/pragma.html#pragma_application_id.
 */
export const APPLICATION_ID = 0x41535359;
/** The version of the tables that this version writes and reads. */
export const SCHEMA_VERSION = 1;

const META = 'CREATE TABLE assay_meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID';
const RUNS = 'CREATE TABLE runs (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE) STRICT';
const RECORDS =
  'CREATE TABLE records (run INTEGER NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, ' +
  'PRIMARY KEY (run, seq)) STRICT';
const TABLES: { readonly [name: string]: string } = { assay_meta: META, runs: RUNS, records: RECORDS };

/** What a database is: `empty` has nothing in it yet, `ready` can be used. */
export type State = 'empty' | 'ready';

/**
 * Whether the tables are still of this version, for a connection that has seen them before. Error: `schema`.
 */
export function recognised(db: Connection): Result<StoreError, State> {
  const version = readVersion(db);
  return version === SCHEMA_VERSION
    ? ok('ready')
    : refused(version !== null && version > SCHEMA_VERSION ? 'newer' : 'foreign', version);
}

/** Makes the tables in an empty database; another writer may have made them meanwhile. */
export function makeTables(db: Connection): Result<StoreError, State> {
  return inTransaction(db, () => {
    const judged = judge(db);
    if (judged._tag === 'Left') return judged;
    if (judged.right === 'empty') {
      db.exec(
        `PRAGMA application_id = ${APPLICATION_ID}; ${Object.values(TABLES).join('; ')}; INSERT ` +
          `INTO assay_meta VALUES ('schema_version', ${SCHEMA_VERSION})`,
      );
    }
    return ok('ready');
  });
}

/** Looks whether a database is ours, and changes nothing. Error: `schema`. */
export function judge(db: Connection): Result<StoreError, State> {
  let id: unknown;
  try {
    id = db.rows('PRAGMA application_id')[0]?.['application_id'];
  } catch (error) {
    if (error instanceof SqliteFailure && error.primary === SQLITE.NOTADB) return refused('foreign', null);
    throw error;
  }
  const objects = db.rows(`SELECT type, name, tbl_name, sql FROM sqlite_master WHERE NOT (${SYSTEM_OWN})`);
  // Mark and tables are made in one transaction: where another process made them between these two looks,
  // they do not fit together.
  if (id === 0 && db.rows('PRAGMA application_id')[0]?.['application_id'] !== 0) return judge(db);
  if (id === 0 && objects.length === 0 && db.rows('PRAGMA user_version')[0]?.['user_version'] === 0)
    return ok('empty');
  if (id !== APPLICATION_ID) return refused('foreign', null);
  const version = objects.some(({ name }) => name === 'assay_meta') ? readVersion(db) : null;
  if (version === null || version < 0) return refused('foreign', null);
  if (version > SCHEMA_VERSION) return refused('newer', version);
  if (version < SCHEMA_VERSION) return refused('foreign', version);
  // Views and plain indexes of others do no harm; other tables under our names, code that runs when we write,
  // or what may refuse it, would.
  const isOurs = Object.entries(TABLES).every(([name, sql]) =>
    objects.some((object) => object['name'] === name && object['sql'] === sql),
  );
  return isOurs && objects.every((object) => isHarmless(db, object))
    ? ok('ready')
    : refused('foreign', version);
}

/**
 * What SQLite makes for itself: tables, and indexes without a text. Nobody else can give such a name, but who
 * edits the schema; `_` alone stands for any character. Source: sqlite.org/fileformat2.html#intschema.
 */
const SYSTEM_OWN = "name LIKE 'sqlite\\_%' ESCAPE '\\' AND (type = 'table' OR sql IS NULL)";

/**
 * No trigger, and no index on our tables that may refuse a row: unique, over an expression, of some rows
 * only, or in an order of others.
 */
function isHarmless(db: Connection, { type, name, tbl_name: table }: Row): boolean {
  if (
    type !== 'index' ||
    typeof name !== 'string' ||
    typeof table !== 'string' ||
    !Object.hasOwn(TABLES, table)
  )
    return type !== 'trigger';
  const about = db.rows('SELECT "unique", partial FROM pragma_index_list(?) WHERE name = ?', table, name)[0];
  if (about?.['unique'] !== 0 || about['partial'] !== 0) return false;
  return db
    .rows('SELECT cid, coll FROM pragma_index_xinfo(?) WHERE key = 1', name)
    .every(({ cid, coll }) => Number(cid) >= -1 && BUILT_IN_ORDERS.has(String(coll).toUpperCase()));
}

const BUILT_IN_ORDERS: ReadonlySet<string> = new Set(['BINARY', 'NOCASE', 'RTRIM']);

/** Null where there is none, or no table of its form. */
function readVersion(db: Connection): number | null {
  try {
    const value = db.rows("SELECT value FROM assay_meta WHERE key = 'schema_version'")[0]?.['value'];
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
  } catch (error) {
    if (error instanceof SqliteFailure && error.primary === SQLITE.ERROR) return null;
    throw error;
  }
}

function refused(detail: 'foreign' | 'newer', found: number | null): Result<StoreError, never> {
  return err({ code: 'schema', detail, found, expected: SCHEMA_VERSION });
}

/**
 * Names by UTF-16 code units. Of records whose run is not there, the first row of each such run:
 * `records(RUN,SEQ)`, which is no run id. Linear in the runs, not in their records.
 */
export function namesIn(db: Connection): readonly string[] {
  const names = [
    ...db.rows('SELECT run_id FROM runs').map((row) => row['run_id']),
    ...db.rows(STRAYS).map((row) => row['name']),
  ];
  return names.map(String).sort(compareText);
}

/** True for the name of a row that belongs to no run. */
export function isStray(name: string): boolean {
  return /^records\(-?[0-9]+,-?[0-9]+\)$/.test(name);
}

/** Steps from run to run by the key, past the records of each. */
const STRAYS =
  `WITH RECURSIVE each(run) AS (
    SELECT min(run) FROM records UNION ALL SELECT (SELECT min(run) FROM records WHERE run > each.run) ` +
  `FROM each WHERE run IS NOT NULL
  ) SELECT 'records(' || run || ',' || (SELECT min(seq) FROM records WHERE records.run = each.run) || ')' AS name
  FROM each WHERE run IS NOT NULL AND run NOT IN (SELECT id FROM runs)`;

/**
 * Performs `action` as the only writer. A Right is committed and then durable as far as the connection's mode
 * goes; a Left, and whatever is thrown, is rolled back.
 */
export function inTransaction<E, A>(db: Connection, action: () => Result<E, A>): Result<E, A> {
  db.exec('BEGIN IMMEDIATE');
  let isCommitted = false;
  try {
    const result = action();
    if (result._tag === 'Right') {
      db.exec('COMMIT');
      isCommitted = true;
    }
    return result;
  } finally {
    if (!isCommitted) rollBack(db);
  }
}

/**
 * Tries again while another connection is in the way, for at most so many milliseconds, without holding up
 * this process. Then the last failure is thrown.
 */
export async function patiently<T>(patienceMs: number, action: () => T): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
    await sleep(pause);
  }
}

/** Long enough to let others work, short beside a person's patience. */
const PAUSE_MAX_MS = 16;

function rollBack(db: Connection): void {
  try {
    db.exec('ROLLBACK');
  } catch (error) {
    // Some failures have rolled back already, and then there is nothing to roll back.
    if (!(error instanceof SqliteFailure)) throw error;
  }
}
