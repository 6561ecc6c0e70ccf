/**
 * SQLite itself: Node's own (`node:sqlite`, Node 22.13 or newer), else the optional package `libsql`, whose
 * prebuilt binaries need no compiler. Both behind one small face, with failures as one kind of error.
 *
 * Two copies of SQLite in one process must not open one database: each would let go of the other's locks.
 */
import { err, ok, type Result } from '@assay/kernel';
import type { StoreError } from '@assay/host';
import { SqliteFailure } from './failure.js';

/** What is bound to a statement. Text is stored as UTF-8. */
export type SqlValue = string | number | null;

/** One row, by column name. */
export type Row = { readonly [column: string]: unknown };

/** An open database. Every failure is thrown as a {@link SqliteFailure}. */
export type Connection = {
  /** Runs statements that give no rows. */
  readonly exec: (sql: string) => void;
  /** All rows of one statement, which is kept prepared. */
  readonly rows: (sql: string, ...values: readonly SqlValue[]) => readonly Row[];
  readonly close: () => void;
};

/** A copy of SQLite. `name`: the module, `version`: SQLite's own. */
export type SqliteDriver = {
  readonly name: 'node:sqlite' | 'libsql';
  readonly version: string;
  /** Opens a path or a `file:` URI, making an empty database where none is. Waits for no lock. */
  readonly open: (place: string) => Connection;
};

/** The version of `libsql` that the store is tested with. */
export const LIBSQL_VERSION = '0.5.29';

/**
 * The first driver that is there: Node's own, else libsql (`candidates`, for tests: others). Error: `driver`,
 * with the line to type.
 */
export async function findDriver(
  candidates: readonly (() => SqliteDriver | null | Promise<SqliteDriver | null>)[] = [
    nodeDriver,
    libsqlDriver,
  ],
): Promise<Result<StoreError, SqliteDriver>> {
  for (const candidate of candidates) {
    const driver = await candidate();
    if (driver !== null) return ok(driver);
  }
  return err({
    code: 'driver',
    detail: `this Node (${process.versions.node}) has no node:sqlite, and libsql is not installed`,
    install: `npm install libsql@${LIBSQL_VERSION}`,
  });
}

/** `node:sqlite`; null before Node 22.13. */
export function nodeDriver(): SqliteDriver | null {
  const module: unknown = process.getBuiltinModule('node:sqlite');
  if (!hasConstructor(module, 'DatabaseSync')) return null;
  const { DatabaseSync } = module;
  return makeDriver(
    'node:sqlite',
    (place) => new DatabaseSync(place),
    () => undefined,
  );
}

/** `libsql`; null where it is not installed or has no binary for this machine. */
export async function libsqlDriver(): Promise<SqliteDriver | null> {
  let module: unknown;
  try {
    module = await import('libsql');
  } catch {
    return null;
  }
  if (!hasConstructor(module, 'default')) return null;
  const { default: Libsql } = module;
  return makeDriver(
    'libsql',
    (place) => new Libsql(place, { timeout: 0 }),
    // Its close waits for the garbage collector to find the last statement; what this connection put in the
    // log is moved now. Never what it only found there.
    (database) => {
      const [row] = database.prepare('SELECT total_changes() AS changes').all() as Row[];
      if (row?.['changes'] !== 0) database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    },
  );
}

/**
 * What both drivers have in common. Never `get`: libsql adds a column to its row. Never `iterate`: a reader
 * that stops early would keep its snapshot.
 */
type Database = {
  readonly exec: (sql: string) => unknown;
  readonly prepare: (sql: string) => { readonly all: (...values: readonly SqlValue[]) => unknown[] };
  readonly close: () => unknown;
};
type DatabaseClass = new (place: string, options?: { readonly timeout: number }) => Database;

function hasConstructor<K extends string>(
  module: unknown,
  name: K,
): module is { readonly [key in K]: DatabaseClass } {
  return (
    typeof module === 'object' &&
    module !== null &&
    name in module &&
    typeof (module as Readonly<Record<string, unknown>>)[name] === 'function'
  );
}

function makeDriver(
  name: SqliteDriver['name'],
  open: (place: string) => Database,
  beforeClose: (database: Database) => unknown,
): SqliteDriver {
  const memory = open(':memory:');
  const version = String((memory.prepare('SELECT sqlite_version() AS version').all()[0] as Row)['version']);
  memory.close();
  return {
    name,
    version,
    open: (place) =>
      connect(
        guarded(() => open(place)),
        beforeClose,
      ),
  };
}

function connect(database: Database, beforeClose: (database: Database) => unknown): Connection {
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  return {
    exec: (sql) => void guarded(() => database.exec(sql)),
    rows: (sql, ...values) =>
      guarded(() => {
        const statement = prepared.get(sql) ?? database.prepare(sql);
        prepared.set(sql, statement);
        return statement.all(...values) as Row[];
      }),
    close: () => {
      try {
        guarded(() => beforeClose(database));
      } catch (error) {
        // What could not be moved stays in the log, from which the next connection reads it.
        if (!(error instanceof SqliteFailure)) throw error;
      } finally {
        prepared.clear();
        database.close();
      }
    },
  };
}

function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw SqliteFailure.of(error) ?? error;
  }
}
