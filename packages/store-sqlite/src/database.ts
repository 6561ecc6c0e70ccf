/**
 * One connection to the database of a store: opened when it is needed, in the mode that was asked for, and
 * only where what is there is ours.
 *
 * @module
 */
import { constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ok, type Result } from '@assay/kernel';
import type { StoreError } from '@assay/host';
import type { Connection, SqliteDriver } from './driver.js';
import { refusalOf, SQLITE, SqliteFailure } from './failure.js';
import { makeDurableFolder, syncFolder } from './folder.js';
import { makeTables, recognise } from './schema.js';

/**
 * What an append survives once it returned. `power_loss`: the loss of power too (`synchronous=FULL`).
 * `process_death`: only the death of this process; after a loss of power the last groups may be missing, though
 * what is left is still a whole beginning of each run (`synchronous=NORMAL`).
 */
export type Survives = 'power_loss' | 'process_death';

const SYNCHRONOUS: { readonly [survives in Survives]: string } = { power_loss: 'FULL', process_death: 'NORMAL' };

/** A database that is there and ours; null where none is, or where nothing was ever written into it. */
export type Opened = Result<StoreError, Connection | null>;

/** How long a file is taken for the same without looking, in milliseconds. */
const LOOK_MS = 20;

/** Opens and keeps a connection. Not a promise anywhere: SQLite works within a call. */
export class Database {
  private readonly path: string;
  private readonly driver: SqliteDriver;
  private readonly survives: Survives;
  private connection: Connection | null = null;
  private isWriter = false;
  private file = '';
  private lookedMs = Number.NEGATIVE_INFINITY;

  constructor(path: string, driver: SqliteDriver, survives: Survives) {
    this.path = resolve(path);
    this.driver = driver;
    this.survives = survives;
  }

  /** True where the file is there, whatever it holds. */
  get isThere(): boolean {
    return refusalOf(this.path, constants.F_OK) !== 'ENOENT';
  }

  /** To read from. Makes nothing; an older version is migrated. */
  reader(): Opened {
    if (!this.isThere) {
      this.close();
      return ok(null);
    }
    const db = this.opened();
    const state = recognise(db);
    if (state._tag === 'Right' && state.right === 'ready') return ok(db);
    this.close();
    return state._tag === 'Left' ? state : ok(null);
  }

  /** To write to. Makes the folder, the database and the tables that are missing, durably. */
  writer(): Result<StoreError, Connection> {
    if (this.isWriter && this.connection !== null && this.isSameFile()) return ok(this.connection);
    if (!this.isThere) makeDurableFolder(dirname(this.path));
    const db = this.opened();
    // Before anything is written: the database may be somebody else's.
    const found = recognise(db);
    const made = found._tag === 'Left' ? found : this.prepare(db, found.right === 'empty');
    if (made._tag === 'Right') {
      this.isWriter = true;
      return ok(db);
    }
    this.close();
    return made;
  }

  /** Ends the connection; the next use opens another one. */
  close(): void {
    const { connection } = this;
    this.connection = null;
    this.isWriter = false;
    connection?.close();
  }

  private prepare(db: Connection, isEmpty: boolean): Result<StoreError, unknown> {
    // Kept in the database; this waits for other connections, so it is only set where it is not yet so.
    if (db.rows('PRAGMA journal_mode')[0]?.['journal_mode'] !== 'wal') db.rows('PRAGMA journal_mode = WAL');
    const made = isEmpty ? makeTables(db) : ok('ready');
    // Also where the tables were there: who made them may have died before this.
    if (made._tag === 'Right') syncFolder(dirname(this.path));
    return made;
  }

  private opened(): Connection {
    if (this.connection !== null && this.isSameFile()) return this.connection;
    this.close();
    this.connection = this.open();
    this.file = this.identity();
    return this.connection;
  }

  private open(): Connection {
    const db = this.driver.open(this.path);
    try {
      db.exec(`PRAGMA synchronous = ${SYNCHRONOUS[this.survives]}`);
      db.rows('SELECT count(*) FROM sqlite_master');
      return db;
    } catch (error) {
      db.close();
      if (isFailure(error, SQLITE.NOTADB)) return this.driver.open(this.path);
      if (!this.isOnReadOnlyMedium(error)) throw error;
      return this.driver.open(`${pathToFileURL(this.path).href}?immutable=1`);
    }
  }

  /**
   * On a medium mounted read-only SQLite can not make the index that reading beside writers needs. Where
   * no log is left there is nothing to index; where writers live elsewhere, their index is there and this is not asked.
   */
  private isOnReadOnlyMedium(error: unknown): boolean {
    if (!isFailure(error, SQLITE.CANTOPEN) && !isFailure(error, SQLITE.READONLY)) return false;
    return refusalOf(this.path, constants.W_OK) === 'EROFS' && (statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  }

  /**
   * False where the file was removed or replaced: what is written to the old one, nobody will find. Looked at
   * again after a moment only, since what was written just before a removal is lost with it all the same.
   */
  private isSameFile(): boolean {
    const now = performance.now();
    if (this.connection !== null && now - this.lookedMs < LOOK_MS) return true;
    this.lookedMs = now;
    return this.connection !== null && this.file === this.identity();
  }

  private identity(): string {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.dev}:${stat.ino}`;
  }
}

function isFailure(error: unknown, primary: number): boolean {
  return error instanceof SqliteFailure && error.primary === primary;
}
