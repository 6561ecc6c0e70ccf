/**
 * The SQLite store: the ledgers of many runs in one database. Source: design §7.
 *
 * A group is one transaction that compares the head and appends. Readers and a writer do not hold each other
 * up (write-ahead log), writers of all runs take turns.
 */
import { encodeLine, err, isRunId, ok, type EvidenceRecord, type Head, type Result } from '@assay/kernel';
import { headAfter, readSequence, StoreReadError, type Store, type StoreError } from '@assay/host';
import { Database, type Survives } from './database.js';
import type { Connection, SqliteDriver } from './driver.js';
import { addLine, addRun, isContinued, tryEmpty, tryRow, type Line } from './extend.js';
import { readErrno, isBusy, SQLITE, SqliteFailure, syncLog } from './failure.js';
import { hashEnd, readPage, type Span, readSpan, type Tail, readTail, torn } from './tail.js';
import { isStray, namesIn, recognised, inTransaction, patiently } from './schema.js';

/** Options of a SQLite store. */
export type SqliteStoreOptions = {
  /** What an append survives: `power_loss` by default. */
  readonly survives?: Survives;
  /** How long to wait for another writer, in milliseconds: 5,000 by default. Then `locked`. */
  readonly patienceMs?: number;
  /** False: a database that is not there is `unavailable` (ENOENT), not a store without runs. */
  readonly create?: boolean;
  /**
   * True: nothing will be appended, and nothing beside the database is made or changed either, where its log
   * has an index. An append is `unavailable` (EROFS). False by default: an index that a dead writer left may
   * be made anew.
   */
  readonly readsOnly?: boolean;
};

/** A store in a database, which can also be tried. */
export type SqliteStore = Store & {
  /**
   * Whether the database can be written to now: a row is written and taken back, and room is looked for. No
   * run is touched, nothing is made. Errors: `closed`, `schema`, `unavailable` (`EROFS`, `EACCES`, `ENOSPC`;
   * `EBUSY` where another connection writes all the while; `ENOENT` where there is no database).
   */
  readonly tryWriting: () => Promise<Result<StoreError, null>>;
};

/**
 * A store in the database at a path. Nothing is touched before the first append, which makes folder, database
 * and tables where they are missing. No run is locked: of two writers the slower one is `stale_head`. A group
 * is stored whole or not at all.
 */
export function sqliteStore(
  path: string,
  driver: SqliteDriver,
  options: SqliteStoreOptions = {},
): SqliteStore {
  const store = new OpenStore(path, driver, options);
  return {
    append: (runId, expected, records) => store.append(runId, expected, records),
    read: (runId, from = 0) => store.read(runId, from),
    head: (runId) => store.head(runId),
    list: () => store.list(),
    close: () => store.close(),
    tryWriting: () => store.tryWriting(),
  };
}

class OpenStore {
  private readonly path: string;
  private readonly database: Database;
  private readonly patienceMs: number;
  private readonly mayCreate: boolean;
  private readonly readsOnly: boolean;
  /** Runs as the connection `seen` left them: sound then, and compared again before they are extended. */
  private readonly known = new Map<string, Tail>();
  private seen: Connection | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(
    path: string,
    driver: SqliteDriver,
    { survives = 'power_loss', patienceMs = 5_000, create = true, readsOnly = false }: SqliteStoreOptions,
  ) {
    this.path = path;
    this.database = new Database(path, driver, { survives, readsOnly });
    this.readsOnly = readsOnly;
    this.patienceMs = patienceMs;
    this.mayCreate = create;
  }

  async append(
    runId: string,
    expected: Head | null,
    records: readonly EvidenceRecord[],
  ): Promise<Result<StoreError, Head>> {
    const refusal = this.refuse(runId);
    if (refusal !== null) return err(refusal);
    const next = headAfter(runId, expected, records);
    if (this.readsOnly)
      return err({ code: 'unavailable', run_id: runId, operation: 'append', errno: 'EROFS' });
    const group = records.map((record) => ({
      sequence: readSequence(record.ts) ?? 0,
      line: encodeLine(record),
    }));
    return this.inTurn(runId, 'append', () => {
      const db = this.isMissing() ? err(MISSING) : this.database.writer();
      return db._tag === 'Left' ? db : this.extend(db.right, runId, expected, next, group);
    });
  }

  async *read(runId: string, from: number): AsyncGenerator<Uint8Array> {
    const refusal = this.refuse(runId);
    if (refusal !== null) throw new StoreReadError(refusal);
    let span = raised(
      await this.reading(runId, (db) =>
        db === null ? err({ code: 'not_found', run_id: runId }) : readSpan(db, runId, from),
      ),
    );
    while (span.next <= span.last) {
      const page = raised(await this.reading(runId, (db) => nextPage(db, span)));
      yield* page;
      span = { ...span, next: span.next + page.length };
    }
  }

  async head(runId: string): Promise<Result<StoreError, Head | null>> {
    const refusal = this.refuse(runId);
    if (refusal !== null) return err(refusal);
    return this.inTurn(runId, 'head', () =>
      this.withReader((db) => {
        const tail = db === null ? ok(null) : readTail(db, runId);
        return tail._tag === 'Left' ? tail : ok(tail.right?.head ?? null);
      }),
    );
  }

  async list(): Promise<Result<StoreError, readonly string[]>> {
    if (this.isClosed) return err({ code: 'closed' });
    return this.inTurn(null, 'list', () => this.withReader((db) => ok(db === null ? [] : namesIn(db))));
  }

  async tryWriting(): Promise<Result<StoreError, null>> {
    if (this.isClosed) return err({ code: 'closed' });
    return this.inTurn(null, 'write', () => {
      const db = this.database.isThere ? this.database.trier() : err(MISSING);
      if (db._tag === 'Left') return db;
      const errno = db.right === null ? tryEmpty(this.path) : tryRow(db.right, this.path);
      return errno === null
        ? ok(null)
        : err({ code: 'unavailable', run_id: null, operation: 'write', errno });
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.turn;
    this.forget();
  }

  private extend(
    db: Connection,
    runId: string,
    expected: Head | null,
    next: Head,
    group: readonly Line[],
  ): Result<StoreError, Head> {
    const known = this.knownOf(db, runId, expected);
    if (known !== null && isContinued(db, known, group))
      return this.left({ run: known.run, head: next, end: hashEnd(group.at(-1)?.line ?? '') });
    // Not what it was, or not looked at before: what is stored decides.
    const written = inTransaction<StoreError, Tail>(db, () => {
      const state = recognised(db);
      const tail = state._tag === 'Left' ? state : readTail(db, runId);
      if (tail._tag === 'Left') return tail;
      const actual = tail.right?.head ?? null;
      if (actual?.hash !== expected?.hash || actual?.count !== expected?.count)
        return err({ code: 'stale_head', run_id: runId, expected, actual });
      const run = tail.right?.run ?? addRun(db, runId);
      for (const line of group) addLine(db, run, line);
      return ok({
        run,
        head: next,
        end: group.length === 0 ? (tail.right?.end ?? '') : hashEnd(group.at(-1)?.line ?? ''),
      });
    });
    if (written._tag === 'Left') return written;
    // A commit syncs the log with all that stands in it; without one, what a dead writer left may be in
    // memory only.
    if (group.length === 0) syncLog(this.path);
    return this.left(written.right);
  }

  private left(tail: Tail): Result<StoreError, Head> {
    this.known.set(tail.head.run_id, tail);
    return ok(tail.head);
  }

  /** The run as this connection left it, where that is where the caller goes on. */
  private knownOf(db: Connection, runId: string, expected: Head | null): Tail | null {
    if (this.seen !== db) this.known.clear();
    this.seen = db;
    const known = this.known.get(runId);
    return known !== undefined && known.head.hash === expected?.hash && known.head.count === expected.count
      ? known
      : null;
  }

  private reading<A>(
    runId: string,
    action: (db: Connection | null) => Result<StoreError, A>,
  ): Promise<Result<StoreError, A>> {
    return this.isClosed
      ? Promise.resolve(err({ code: 'closed' }))
      : this.attempt(runId, 'read', () => this.withReader(action));
  }

  private withReader<A>(action: (db: Connection | null) => Result<StoreError, A>): Result<StoreError, A> {
    return this.isMissing() ? err(MISSING) : this.database.read(action);
  }

  /** True where a database has to be there, and is not. */
  private isMissing(): boolean {
    return !this.mayCreate && !this.database.isThere;
  }

  /** One after the other, in the order they were asked for: an append that waits is not overtaken. */
  private inTurn<A>(
    runId: string | null,
    operation: string,
    action: () => Result<StoreError, A>,
  ): Promise<Result<StoreError, A>> {
    const done = this.turn.then(() => this.attempt(runId, operation, action));
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async attempt<A>(
    runId: string | null,
    operation: string,
    action: () => Result<StoreError, A>,
  ): Promise<Result<StoreError, A>> {
    try {
      return await patiently(this.patienceMs, action);
    } catch (error) {
      const refusal = this.refusalFor(error, runId, operation);
      // What a connection believes after its medium failed is not worth keeping.
      if (!isBusy(error)) this.forget();
      if (refusal === null) throw error;
      return err(refusal);
    }
  }

  /** A failure as the store's refusal, null for a defect. */
  private refusalFor(error: unknown, runId: string | null, operation: string): StoreError | null {
    if (runId !== null && operation === 'append' && isBusy(error))
      return { code: 'locked', run_id: runId, owner: 'another connection to the database' };
    if (
      error instanceof SqliteFailure &&
      (error.primary === SQLITE.CORRUPT || error.primary === SQLITE.NOTADB)
    ) {
      return runId === null
        ? { code: 'unavailable', run_id: null, operation, errno: 'SQLITE_CORRUPT' }
        : torn(runId, 'the database is damaged (SQLITE_CORRUPT)');
    }
    const errno = readErrno(error, this.path);
    return errno === null ? null : { code: 'unavailable', run_id: runId, operation, errno };
  }

  private forget(): void {
    this.known.clear();
    this.seen = null;
    this.database.close();
  }

  private refuse(runId: string): StoreError | null {
    if (this.isClosed) return { code: 'closed' };
    if (isRunId(runId)) return null;
    return isStray(runId)
      ? torn(runId, 'this row belongs to no run')
      : { code: 'run_id', run_id: runId, detail: 'name' };
  }
}

const MISSING: StoreError = { code: 'unavailable', run_id: null, operation: 'open', errno: 'ENOENT' };

function nextPage(db: Connection | null, span: Span): Result<StoreError, readonly Uint8Array[]> {
  return db === null ? err({ code: 'not_found', run_id: span.runId }) : readPage(db, span);
}

function raised<A>(result: Result<StoreError, A>): A {
  if (result._tag === 'Left') throw new StoreReadError(result.left);
  return result.right;
}
