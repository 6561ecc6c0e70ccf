/**
 * One connection to the database of a store: opened when it is needed, in the mode that was asked for, and
 * only where what is there is ours.
 *
 * What is there is first looked at by a connection that can not write: one that could moves the log of a dead
 * writer into the database when it is closed, also into one that is not ours.
 */
import { type BigIntStats, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StoreError } from '@assay/host';
import { makeDurableFolderSync, syncFolderSync } from '@assay/host/files';
import { ok, type Result } from '@assay/kernel';
import type { Connection, SqliteDriver } from './driver.js';
import { isOutOfRoom, READONLY_ROLLBACK, findRefusal, SQLITE, SqliteFailure } from './failure.js';
import { requireFiles } from './files.js';
import { judge, makeTables } from './schema.js';

/**
 * What an append survives once it returned. `power_loss`: the loss of power too (`synchronous=FULL`).
 * `process_death`: only the death of this process; after a loss of power the last groups may be missing,
 * though what is left is still a whole beginning of each run (`synchronous=NORMAL`).
 */
export type Survives = 'power_loss' | 'process_death';

const SYNCHRONOUS: { readonly [survives in Survives]: string } = {
  power_loss: 'FULL',
  process_death: 'NORMAL',
};

/** A database that is there and ours; null where none is, or where nothing was ever written into it. */
export type Opened = Result<StoreError, Connection | null>;

/** How to open: what appends survive, and whether there will be any. */
type DatabaseOptions = { readonly survives: Survives; readonly readsOnly: boolean };

/** How long a file is taken for the same without looking, in milliseconds. */
const LOOK_MS = 20;

/** Opens and keeps a connection. Not a promise anywhere: SQLite works within a call. */
export class Database {
  private readonly path: string;
  private readonly driver: SqliteDriver;
  private readonly options: DatabaseOptions;
  private connection: Connection | null = null;
  private isWriter = false;
  /** What the file looked like when it was opened to be read without locks. */
  private picture: string | null = null;
  private file = '';
  private lookedMs = Number.NEGATIVE_INFINITY;

  constructor(path: string, driver: SqliteDriver, options: DatabaseOptions) {
    this.path = resolve(path);
    this.driver = driver;
    this.options = options;
  }

  /** True where the file is there, whatever it holds. */
  get isThere(): boolean {
    return findRefusal(this.path, constants.F_OK) !== 'ENOENT';
  }

  /** Reads, and changes nothing. Raises what is busy where somebody wrote meanwhile. */
  read<A>(action: (db: Connection | null) => Result<StoreError, A>): Result<StoreError, A> {
    try {
      const opened = this.reader();
      const result = opened._tag === 'Left' ? opened : action(opened.right);
      this.requireUndisturbed();
      return result;
    } catch (error) {
      // What is wrong with pages of which some are new is nothing to report.
      if (error instanceof SqliteFailure) this.requireUndisturbed();
      throw error;
    }
  }

  /** To write to. Makes the folder, the database and the tables that are missing, durably. */
  writer(): Result<StoreError, Connection> {
    if (this.isWriter && this.connection !== null && this.isSameFile()) return ok(this.connection);
    if (!this.isThere) makeDurableFolderSync(dirname(this.path));
    const opened = this.toWrite();
    if (opened._tag === 'Left') return opened;
    const db = opened.right;
    // Before anything is written: the database may have become somebody else's since it was looked at.
    const found = judge(db);
    const made = found._tag === 'Left' ? found : this.prepare(db, found.right === 'empty');
    if (made._tag === 'Right') {
      this.isWriter = true;
      return ok(db);
    }
    this.close();
    return made;
  }

  /** To find out whether it could be written to. Makes nothing; null where there is nothing in it. */
  trier(): Opened {
    if (this.isWriter && this.connection !== null && this.isSameFile()) return ok(this.connection);
    const found = this.looked();
    return found._tag === 'Left' || found.right !== 'empty' ? this.toWrite() : ok(null);
  }

  /** Ends the connection; the next use opens another one. */
  close(): void {
    const { connection } = this;
    this.connection = null;
    this.isWriter = false;
    this.picture = null;
    connection?.close();
  }

  private reader(): Opened {
    if (!this.isThere) {
      this.close();
      return ok(null);
    }
    const db = this.toRead();
    try {
      const state = judge(db);
      if (state._tag === 'Right' && state.right !== 'empty') return ok(db);
      this.requireUndisturbed();
      this.close();
      return state._tag === 'Left' ? state : ok(null);
    } catch (error) {
      if (!isCutOff(error)) throw error;
      return this.cutOff(error);
    }
  }

  /** A write that was cut off is taken back by who may write, where the database is ours. */
  private cutOff(error: unknown): Opened {
    const found = this.looked();
    if (found._tag === 'Left') return found;
    if (found.right === 'empty') return ok(null);
    if (this.options.readsOnly) throw error;
    const opened = this.toWrite();
    if (opened._tag === 'Left') return opened;
    this.close();
    return this.reader();
  }

  private prepare(db: Connection, isEmpty: boolean): Result<StoreError, unknown> {
    // Kept in the database; this waits for other connections, so it is only set where it is not yet so.
    if (db.rows('PRAGMA journal_mode')[0]?.['journal_mode'] !== 'wal') db.rows('PRAGMA journal_mode = WAL');
    const made = isEmpty ? makeTables(db) : ok('ready');
    // Also where the tables were there: who made them may have died before this.
    if (made._tag === 'Right') syncFolderSync(dirname(this.path));
    return made;
  }

  private toRead(): Connection {
    if (this.connection !== null && this.isUndisturbed() && this.isSameFile()) return this.connection;
    this.close();
    const picture = quietPicture(this.path, { isSettled: true });
    this.keep(this.openToRead(picture !== null));
    this.picture = picture;
    return this.connection as Connection;
  }

  /** A connection that can write, where what is there is ours or nothing. */
  private toWrite(): Result<StoreError, Connection> {
    this.close();
    const found = this.looked();
    if (found._tag === 'Left') return found;
    requireFiles(this.path, { isNew: !this.isThere });
    const db = this.driver.open(this.path);
    this.keep(db);
    // Somebody's table may refer to ours: what it asks for is not asked of us.
    db.exec(`PRAGMA synchronous = ${SYNCHRONOUS[this.options.survives]}; PRAGMA foreign_keys = OFF`);
    db.rows('SELECT count(*) FROM sqlite_master');
    return ok(db);
  }

  /**
   * What there is, by a connection of its own that can not write. Where a write was cut off: as far as it
   * came.
   */
  private looked(): ReturnType<typeof judge> {
    if (!this.isThere) return ok('empty');
    const isQuiet = quietPicture(this.path, { isSettled: false }) !== null;
    try {
      return this.judged(isQuiet);
    } catch (error) {
      if (!isCutOff(error)) throw error;
      return this.judged(true);
    }
  }

  private judged(isQuiet: boolean): ReturnType<typeof judge> {
    const db = this.openToRead(isQuiet);
    try {
      return judge(db);
    } finally {
      db.close();
    }
  }

  /**
   * `isQuiet`: what is in the file itself, which is all there is. Else beside writers, or what a dead one
   * left.
   */
  private openToRead(isQuiet: boolean): Connection {
    requireFiles(this.path);
    const { href } = pathToFileURL(this.path);
    if (isQuiet) return this.driver.open(`${href}?immutable=1`);
    const hasIndex = readSize(`${this.path}-shm`) > 0;
    // An index that can not be made whole would stay behind.
    if (
      !hasIndex &&
      findRefusal(dirname(this.path), constants.W_OK) === null &&
      isOutOfRoom(dirname(this.path))
    )
      throw new SqliteFailure(SQLITE.FULL, 'no room for the index of the log');
    // An index that was opened so stays so for the whole process: only where nothing will be written.
    return this.driver.open(`${href}?mode=ro${this.options.readsOnly && hasIndex ? '&readonly_shm=1' : ''}`);
  }

  private keep(db: Connection): void {
    this.connection = db;
    this.file = this.identity();
    this.lookedMs = performance.now();
  }

  private requireUndisturbed(): void {
    if (this.isUndisturbed()) return;
    this.close();
    throw disturbed();
  }

  /** False where somebody has written to a file that is read without locks, or is about to. */
  private isUndisturbed(): boolean {
    return this.picture === null || this.picture === quietPicture(this.path, { isSettled: false });
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

/** True where a journal stands beside the database, which somebody who may write has to take back first. */
function isCutOff(error: unknown): boolean {
  return error instanceof SqliteFailure && error.code === READONLY_ROLLBACK;
}

/**
 * What a file says of itself that nobody writes; null where a log or a journal says that somebody does, or
 * did and died. Two pictures that are equal are of the same content. `isSettled`: raised as busy where the
 * file was written so short a time ago that its clock would not show the next write.
 */
function quietPicture(path: string, { isSettled }: { readonly isSettled: boolean }): string | null {
  if (readSize(`${path}-wal`) > 0 || readSize(`${path}-journal`) > 0) return null;
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (isSettled && Math.abs(Date.now() - changedMs(stat)) < CLOCK_MS) throw disturbed();
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** Somebody writes what was being read: to be tried again. */
function disturbed(): SqliteFailure {
  return new SqliteFailure(SQLITE.BUSY, 'the database was written while it was read');
}

/** Bytes of a file, 0 where there is none. */
export function readSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Systems date a write by the last tick of their clock, at most 10 ms ago. */
const CLOCK_MS = 20;

function changedMs({ mtimeNs, ctimeNs }: BigIntStats): number {
  return Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
}
