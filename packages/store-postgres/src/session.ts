/**
 * One connection to the server, from its socket on: whatever the other side does, it can be given up at once,
 * or at its deadline.
 */
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig, type QueryConfig, type QueryResult } from 'pg';
import type { Address, SslMode } from './address.js';
import { connectFailure, StatementError, statementFailure, unreadable } from './failure.js';

/** How a store connects. Milliseconds; `connections`: the most at a time. */
export type Limits = {
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly answerTimeoutMs: number;
};

/**
 * A statement and its parameters. No parameters: several statements may stand in one text. A statement with a
 * name is parsed and planned once for each connection, and must change nothing where it fails.
 */
export type Statement = {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly (string | number | null)[];
};

/** What a statement gave: its rows as text, and how many rows it touched. */
export type Answer = {
  readonly rows: readonly { readonly [column: string]: string | null }[];
  readonly count: number;
};

/** A connection. Failures are raised as {@link StatementError}. */
export class Session {
  private readonly socket = new Socket();
  private readonly client: Client;
  private readonly deadline: Deadline;
  private readonly answerTimeoutMs: number;
  private isGone = false;
  private isLate = false;

  constructor(
    { host, port, user, password, database, sslmode, channelBinding, applicationName }: Address,
    { connectTimeoutMs, answerTimeoutMs }: Limits,
  ) {
    this.client = new Client({
      ...(host === null ? {} : { host }),
      ...(port === null ? {} : { port }),
      ...(user === null ? {} : { user }),
      ...(password === null ? {} : { password }),
      database,
      ssl: SSL[sslmode],
      enableChannelBinding: channelBinding !== null,
      application_name: applicationName ?? 'assay',
      keepAlive: true,
      connectionTimeoutMillis: connectTimeoutMs,
      types: { getTypeParser: () => asText },
      stream: () => this.socket,
    });
    this.answerTimeoutMs = answerTimeoutMs;
    this.deadline = new Deadline(() => {
      this.isLate = true;
      this.giveUp();
    });
    endAtUnreadable(this.client);
    if (channelBinding === 'require') this.refuseUnbound();
    // A connection that breaks says so to its statement, and as an event that ends the process where nobody
    // listens.
    this.client.on('error', () => this.giveUp());
    this.client.on('end', () => this.giveUp());
  }

  /** True once the connection is over. */
  get isOver(): boolean {
    return this.isGone;
  }

  /** Connects. After a failure nothing of it is left. */
  async open(): Promise<void> {
    try {
      await this.client.connect();
    } catch (error) {
      this.giveUp();
      throw new StatementError(connectFailure(error));
    }
  }

  /**
   * Runs a statement, as a transaction of its own unless it says otherwise. After a failure the connection is
   * given up: nobody knows what it is in the middle of. So it is where no answer came in time.
   */
  async run({ name, text, values }: Statement, timeoutMs: number = this.answerTimeoutMs): Promise<Answer> {
    this.socket.ref();
    this.deadline.begin(timeoutMs);
    try {
      const result: unknown = await this.client.query({ name, text, values } as QueryConfig);
      this.deadline.end();
      return readAnswer(result);
    } catch (error) {
      this.giveUp();
      if (this.isLate) throw new StatementError({ kind: 'lost', errno: 'ETIMEDOUT' });
      throw new StatementError(statementFailure(error));
    }
  }

  /**
   * Ends the connection where the server asks for another login than one that is bound to it, before anything
   * is answered: these listeners come before the driver's own.
   */
  private refuseUnbound(): void {
    let isBound = false;
    const refuse = (): void => {
      if (isBound) return;
      const error = new Error('the login is not bound to the connection');
      this.client.connection.emit('error', Object.assign(error, { code: 'CHANNEL_BINDING' }));
      this.giveUp();
    };
    this.client.connection.on('authenticationSASL', ({ mechanisms }: { mechanisms: readonly string[] }) => {
      isBound = mechanisms.includes('SCRAM-SHA-256-PLUS');
      refuse();
    });
    for (const other of ['authenticationCleartextPassword', 'authenticationMD5Password', 'authenticationOk'])
      this.client.connection.on(other, refuse);
  }

  /** Calls `onPayload` for each notification that this connection is sent. */
  onNotification(onPayload: (payload: string) => void): void {
    this.client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  }

  /** From now on this connection alone does not keep the process alive. */
  rest(): void {
    this.socket.unref();
  }

  /** Says goodbye, and does not wait long for an answer. */
  async close(): Promise<void> {
    if (this.isGone) return;
    const timer = setTimeout(() => this.giveUp(), GOODBYE_MS);
    await this.client.end().catch(() => undefined);
    clearTimeout(timer);
    this.giveUp();
  }

  /** Ends the connection here and now. */
  giveUp(): void {
    this.isGone = true;
    this.deadline.end();
    this.socket.destroy();
  }
}

const GOODBYE_MS = 500;

/** What TLS checks of a server. */
const SSL: { readonly [mode in SslMode]: ClientConfig['ssl'] } = {
  disable: false,
  require: { rejectUnauthorized: false },
  'verify-ca': { rejectUnauthorized: true, checkServerIdentity: () => undefined },
  'verify-full': { rejectUnauthorized: true },
};

/** Where the driver begins to listen: to the socket, or to what is encrypted in it. Its types do not name it. */
type Listening = { attachListeners: (stream: EventEmitter) => void };

/**
 * Ends the connection where the driver throws. It does so in the handler of the socket, where nobody could
 * catch it and the process would end.
 */
function endAtUnreadable(client: Client): void {
  const connection = client.connection as unknown as Listening;
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const bytes = new EventEmitter();
    attach(bytes);
    stream.on('data', (chunk: Buffer) => {
      try {
        bytes.emit('data', chunk);
      } catch (error) {
        (stream as Duplex).destroy(unreadable(error));
      }
    });
  };
}

/** Several statements in one text have a list of results; nobody asks for those. */
function readAnswer(result: unknown): Answer {
  if (Array.isArray(result)) return { rows: [], count: 0 };
  const { rows, rowCount } = result as QueryResult<{ [column: string]: string | null }>;
  return { rows, count: rowCount ?? 0 };
}

/** Values stay the text the server sent: what a type parser of the process makes of them is not ours. */
function asText(value: string | Buffer): string {
  return String(value);
}

/**
 * Calls `onOver` where what was begun has not ended in time. Its timer is not taken back at each end but
 * finds, when it fires, how much time is left: setting one for each statement costs more than all else that
 * is done here for it. Keeps no process alive.
 */
export class Deadline {
  private readonly onOver: () => void;
  private timer: NodeJS.Timeout | null = null;
  private firesMs = Infinity;
  private dueMs = Infinity;

  constructor(onOver: () => void) {
    this.onOver = onOver;
  }

  /** From now on there is so much time, in milliseconds. */
  begin(ms: number): void {
    this.dueMs = performance.now() + ms;
    if (this.dueMs < this.firesMs) this.fireIn(ms);
  }

  /** There is time without end. */
  end(): void {
    this.dueMs = Infinity;
  }

  private fireIn(ms: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    const most = Math.min(ms, TIMER_MAX_MS);
    this.firesMs = performance.now() + most;
    this.timer = setTimeout(() => this.fire(), most).unref();
  }

  private fire(): void {
    this.timer = null;
    this.firesMs = Infinity;
    if (this.dueMs === Infinity) return;
    const left = this.dueMs - performance.now();
    if (left > 0) this.fireIn(left);
    else this.onOver();
  }
}

/** The longest that a timer of the runtime takes; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
