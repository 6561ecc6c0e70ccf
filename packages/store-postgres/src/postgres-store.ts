/**
 * The PostgreSQL store: one row for each record, one row for each run's head, one statement for each group.
 * Source: design §7.
 */
import { compareText, err, isRunId, ok, type EvidenceRecord, type Head, type Result } from '@assay/kernel';
import { headAfter, StoreReadError, type Journal, type Store, type StoreError } from '@assay/host';
import type { Address } from './address.js';
import { Appender, readHead, readPages } from './appender.js';
import { type Ask, type Asking, Connections, retried } from './connections.js';
import { StatementError } from './failure.js';
import { postgresJournal } from './journal.js';
import { Notifier, type Watch, type WatchOptions, watchRun } from './watch.js';
import { attemptWriting, ensureSchema, inspectSchema, type SchemaState } from './schema.js';
import type { Answer, Limits, Statement } from './session.js';
import { statementsFor, type Statements } from './statements.js';

/** Options of a PostgreSQL store. */
export type PostgresStoreOptions = {
  /** The most connections at a time, 4 by default; each watch has one more of its own. */
  readonly connections?: number;
  /** How long to wait for a connection, in milliseconds, by default what the address says, or 10,000. */
  readonly connectTimeoutMs?: number;
  /**
   * How long to wait for the answer to a statement before the connection counts as lost, in milliseconds,
   * 60,000 by default. All tries of one call together take at most as long, those of an append twice as long.
   */
  readonly answerTimeoutMs?: number;
  /** Whether appends tell watchers, true by default. */
  readonly notify?: boolean;
  /**
   * False: a schema that is not there is `unavailable` (ENOENT), not a store without runs, and none is made.
   */
  readonly create?: boolean;
};

/** Runs that come after `after` ('' for the first page), at most `limit` of them. */
export type ListPage = { readonly after: string; readonly limit: number };

/** A store in PostgreSQL, which can also be watched and tried. */
export type PostgresStore = Omit<Store, 'list'> & {
  /** Ids of the stored runs, by UTF-16 code units: all, or a page of those that come after one. */
  readonly list: (page?: ListPage) => ReturnType<Store['list']>;
  /**
   * Calls `onWake` once at the beginning, and soon after a run has grown, or begun; with null instead of a
   * run id, after any run of the store has. A hint: wakes may come late or together, and the reader asks the
   * store what there is. LISTEN makes them quick, looking every `pollMs` makes them sure. Throws a TypeError
   * where `runId` is no run id. Ends with `stop` or with the store.
   */
  readonly watch: (runId: string | null, onWake: () => void, options?: WatchOptions) => Watch;
  /**
   * Whether this user can write now: what an append does, or the making of the tables, is done for a name
   * that is no run's and taken back. No run is touched, nothing is made. Errors: `closed`, `schema`,
   * `unavailable`.
   */
  readonly tryWriting: () => Promise<Result<StoreError, null>>;
  /** What is kept beside the ledgers, in tables of the same schema. */
  readonly journal: Journal;
  /** The schema of its tables. */
  readonly schema: string;
  /** For tables beside the ledgers, in schemas of others. */
  readonly ask: Ask;
};

/**
 * A store in a schema of a database. Nothing is touched before the first call; the first append makes the
 * schema and its tables if they are missing. There are no locks between writers: of two appends to one head
 * the database lets one through, the other gets `stale_head`.
 *
 * A group is one statement: stored whole or not at all, durable when `append` returns. The guide "Keep runs in
 * a store" says what an append does if its connection is lost: after `unavailable` only the head says what is
 * stored. `errno` is the system's name (`ECONNREFUSED` …) or PostgreSQL's five characters (`53100` disk full,
 * `25006` read-only, `28P01` password, `3D000` no such database …).
 */
export function postgresStore(address: Address, options: PostgresStoreOptions = {}): PostgresStore {
  const store = new OpenStore(address, options);
  return {
    append: (runId, expected, records) => store.append(runId, expected, records),
    read: (runId, from = 0) => store.read(runId, from),
    head: (runId) => store.head(runId),
    list: (page) => store.list(page),
    close: () => store.close(),
    tryWriting: () => store.tryWriting(),
    journal: store.journal(),
    schema: address.schema,
    ask: store.ask,
    watch: (runId, onWake, { pollMs = POLL_MS } = {}) => store.watch(runId, onWake, pollMs),
  };
}

const POLL_MS = 1_000;

class OpenStore {
  private readonly address: Address;
  private readonly limits: Limits;
  private readonly connections: Connections;
  private readonly statements: Statements;
  private readonly notifier: Notifier | null;
  private readonly channel: string;
  private readonly appender: Appender;
  private readonly mayCreate: boolean;
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly watches = new Set<Watch>();
  private isReady = false;
  private closing: Promise<void> | null = null;

  constructor(
    address: Address,
    {
      connections = 4,
      connectTimeoutMs = address.connectTimeoutMs ?? 10_000,
      answerTimeoutMs = 60_000,
      notify = true,
      create = true,
    }: PostgresStoreOptions,
  ) {
    this.address = address;
    this.mayCreate = create;
    this.limits = { connections, connectTimeoutMs, answerTimeoutMs };
    this.connections = new Connections(address, this.limits);
    this.statements = statementsFor(address.schema);
    this.appender = new Appender(
      this.connections,
      this.statements,
      () => this.isReady,
      (asking) => this.ready(asking),
    );
    this.channel = `assay ${address.schema}`.slice(0, CHANNEL_MAX);
    this.notifier = notify ? new Notifier(this.connections, this.channel) : null;
  }

  async append(
    runId: string,
    expected: Head | null,
    records: readonly EvidenceRecord[],
  ): Promise<Result<StoreError, Head>> {
    const refusal = this.refuse(runId);
    if (refusal !== null) return err(refusal);
    const next = headAfter(runId, expected, records);
    return this.guard(runId, 'append', async () => {
      const appended = await this.appender.append(expected, next, records);
      if (appended._tag === 'Right' && records.length > 0) this.notifier?.tell(runId);
      return appended;
    });
  }

  async *read(runId: string, from: number): AsyncGenerator<Uint8Array> {
    const refusal = this.refuse(runId);
    if (refusal !== null) throw new StoreReadError(refusal);
    const state = await this.guard(runId, 'read', async () => this.state(this.connections.asking()));
    if (state._tag === 'Left') throw new StoreReadError(state.left);
    if (state.right !== 'ready') throw new StoreReadError({ code: 'not_found', run_id: runId });
    const ask = async (statement: Statement): Promise<Answer> => {
      if (this.closing !== null) throw new StoreReadError({ code: 'closed' });
      const asking = this.connections.asking();
      const answer = await this.guard(runId, 'read', async () =>
        ok(await retried(asking, () => asking.run(statement))),
      );
      if (answer._tag === 'Left') throw new StoreReadError(answer.left);
      return answer.right;
    };
    yield* readPages(ask, this.statements, runId, from);
  }

  async head(runId: string): Promise<Result<StoreError, Head | null>> {
    const refusal = this.refuse(runId);
    if (refusal !== null) return err(refusal);
    return this.guard(runId, 'head', async () => {
      const asking = this.connections.asking();
      const state = await this.state(asking);
      if (state._tag === 'Left') return state;
      return state.right === 'ready'
        ? retried(asking, () => readHead(asking, this.statements, runId))
        : ok(null);
    });
  }

  async list(page?: ListPage): Promise<Result<StoreError, readonly string[]>> {
    if (this.closing !== null) return err({ code: 'closed' });
    return this.guard(null, 'list', async () => {
      const asking = this.connections.asking();
      const state = await this.state(asking);
      if (state._tag === 'Left') return state;
      if (state.right !== 'ready') return ok([]);
      // The text that follows a text, since there is no character 0.
      const from = page === undefined || page.after === '' ? '' : `${page.after}\u0001`;
      const values = [from, page?.limit ?? null];
      const { rows } = await retried(asking, () => asking.run({ text: this.statements.list, values }));
      return ok(rows.map(({ run }) => String(run)).sort(compareText));
    });
  }

  async tryWriting(): Promise<Result<StoreError, null>> {
    if (this.closing !== null) return err({ code: 'closed' });
    return this.guard(null, 'write', async () => {
      const asking = this.connections.asking();
      const there = this.mayCreate ? ok('none') : await this.state(asking);
      return there._tag === 'Left'
        ? there
        : retried(asking, () => attemptWriting(asking, this.address.schema, this.statements));
    });
  }

  readonly ask: Ask = (text, values) => this.connections.ask(text, values);

  journal(): Journal {
    return postgresJournal({
      schema: this.address.schema,
      ask: this.ask,
      ready: async () => {
        const ready = await this.guard(null, 'write', () => this.ready(this.connections.asking()));
        if (ready._tag === 'Left') throw Object.assign(new Error('journal'), { code: codeOf(ready.left) });
      },
    });
  }

  watch(runId: string | null, onWake: () => void, pollMs: number): Watch {
    if (runId !== null && !isRunId(runId)) throw new TypeError('watch: expected a run id');
    if (!(pollMs >= 1 && pollMs <= POLL_MAX_MS))
      throw new RangeError(`watch: expected pollMs of 1 to ${POLL_MAX_MS}, got ${pollMs}`);
    const watch = watchRun(
      this.address,
      this.limits,
      { runId, channel: this.channel, onWake, count: () => this.count(runId) },
      pollMs,
    );
    const own: Watch = {
      stop: async () => {
        this.watches.delete(own);
        await watch.stop();
      },
    };
    this.watches.add(own);
    if (this.closing !== null) void own.stop();
    return own;
  }

  async close(): Promise<void> {
    this.closing ??= this.shut();
    await this.closing;
  }

  private async shut(): Promise<void> {
    await Promise.all([...this.watches].map((watch) => watch.stop()));
    await Promise.allSettled(this.underWay);
    await this.notifier?.close();
    await this.connections.end();
  }

  /** Records of a run, or of all of them, for a watch: 0 where there is none, null where nobody answers. */
  private async count(runId: string | null): Promise<number | null> {
    if (this.closing !== null) return null;
    const counted = await this.guard(runId, 'watch', async () => {
      const asking = this.connections.asking();
      const state = await this.state(asking);
      if (state._tag === 'Left') return state;
      if (state.right !== 'ready') return ok(0);
      const { rows } = await asking.run({ text: this.statements.count, values: [runId] });
      return ok(rows[0] === undefined ? 0 : Number(rows[0]['count'] ?? 0));
    });
    return counted._tag === 'Left' ? null : counted.right;
  }

  /** Sees to the tables: one try. */
  private async ready(asking: Asking): Promise<Result<StoreError, SchemaState>> {
    if (this.isReady) return ok('ready');
    const there = this.mayCreate ? ok('none') : await this.state(asking);
    const ready =
      there._tag === 'Left' ? there : await ensureSchema(asking, this.address.schema, this.statements);
    this.isReady = ready._tag === 'Right';
    return ready;
  }

  private async state(asking: Asking): Promise<Result<StoreError, SchemaState>> {
    if (this.isReady) return ok('ready');
    const state = await retried(asking, () => inspectSchema(asking, this.address.schema, this.statements));
    this.isReady = state._tag === 'Right' && state.right === 'ready';
    return state._tag === 'Right' && state.right === 'none' && !this.mayCreate ? err(MISSING) : state;
  }

  private refuse(runId: string): StoreError | null {
    if (this.closing !== null) return { code: 'closed' };
    return isRunId(runId) ? null : { code: 'run_id', run_id: runId, detail: 'name' };
  }

  /** Work that closing waits for; a failed statement becomes `unavailable`. */
  private guard<A>(
    runId: string | null,
    operation: string,
    work: () => Promise<Result<StoreError, A>>,
  ): Promise<Result<StoreError, A>> {
    const guarded = (async (): Promise<Result<StoreError, A>> => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StatementError)) throw error;
        return err({ code: 'unavailable', run_id: runId, operation, errno: error.failure.errno });
      }
    })();
    this.underWay.add(guarded);
    const over = (): void => void this.underWay.delete(guarded);
    guarded.then(over, over);
    return guarded;
  }
}

/** Why there is no journal, as a system's name. */
function codeOf(error: StoreError): string {
  return error.code === 'unavailable' ? error.errno : error.code;
}

const MISSING: StoreError = { code: 'unavailable', run_id: null, operation: 'open', errno: 'ENOENT' };
/** The longest name of a channel, and of anything else in PostgreSQL, in bytes. */
const CHANNEL_MAX = 63;
const POLL_MAX_MS = 3_600_000;
