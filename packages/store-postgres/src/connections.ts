/**
 * The connections of a store: a few, shared by everything it does, one statement at a time on each.
 *
 * @module
 */
import { Pool, type ClientConfig, type PoolClient, type QueryResult } from 'pg';
import type { Address } from './address.js';
import { connectFailure, statementFailure, StatementError } from './failure.js';

/** How a store connects. Milliseconds; `connections`: the most at a time. */
export type Limits = { readonly connections: number; readonly connectTimeoutMs: number; readonly answerTimeoutMs: number };

/**
 * A statement and its parameters. No parameters: several statements may stand in one text. A statement with a
 * name is parsed and planned once for each connection, and must change nothing where it fails.
 */
export type Statement = { readonly name?: string; readonly text: string; readonly values?: readonly (string | number | null)[] };

/** What a statement gave: its rows as text, and how many rows it touched. */
export type Answer = { readonly rows: readonly { readonly [column: string]: string | null }[]; readonly count: number };

/** A pool of connections. Every failure is raised as a {@link StatementError}; other errors are defects. */
export class Connections {
  private readonly pool: Pool;
  private free: number;
  private readonly waiting: (() => void)[] = [];
  private keepsStatements = true;

  constructor(address: Address, limits: Limits) {
    this.pool = new Pool({ ...clientConfig(address, limits), max: limits.connections, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true });
    // A connection that breaks while nobody uses it is no news: the pool drops it. One that breaks in use says
    // so twice, to its statement and as an event, which would end the process where nobody listens.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.free = limits.connections;
  }

  /** Runs a statement, as a transaction of its own unless it says otherwise. */
  async run(statement: Statement): Promise<Answer> {
    try {
      return await this.runOnce(statement);
    } catch (error) {
      // A pooler between, or somebody on the server, keeps no statements. It was not carried out: without its name, then.
      if (statement.name === undefined || !(error instanceof StatementError) || !NO_SUCH_STATEMENT.has(error.failure.errno)) throw error;
      this.keepsStatements = false;
      return this.runOnce(statement);
    }
  }

  private async runOnce({ name, text, values }: Statement): Promise<Answer> {
    await this.takeTurn();
    try {
      const client = await this.connect();
      let isSound = false;
      try {
        const result: unknown = await client.query({ text, ...(name === undefined || !this.keepsStatements ? {} : { name }), ...(values === undefined ? {} : { values: [...values] }), types: { getTypeParser: () => asText } });
        isSound = true;
        return answerOf(result);
      } catch (error) {
        throw raised(error, statementFailure(error));
      } finally {
        // After a failure nobody knows what the session is in the middle of.
        client.release(!isSound);
      }
    } finally {
      this.giveTurn();
    }
  }

  /** Closes them all; statements under way are over by then. */
  async end(): Promise<void> {
    await this.pool.end();
  }

  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw raised(error, connectFailure(error));
    }
  }

  /** The pool counts waiting for a free connection as connecting, and would call a busy store unreachable. */
  private async takeTurn(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private giveTurn(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}

/** What the driver is told for one connection. */
export function clientConfig({ host, port, user, password, database, sslmode }: Address, { connectTimeoutMs, answerTimeoutMs }: Limits): ClientConfig {
  return {
    ...(host === null ? {} : { host }),
    ...(port === null ? {} : { port }),
    ...(user === null ? {} : { user }),
    ...(password === null ? {} : { password }),
    database,
    ssl: sslmode === 'disable' ? false : { rejectUnauthorized: sslmode === 'verify-full' },
    application_name: 'assay',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
  };
}

const IDLE_MS = 10_000;
/** invalid_sql_statement_name, duplicate_prepared_statement. */
const NO_SUCH_STATEMENT: ReadonlySet<string> = new Set(['26000', '42P05']);

/** Several statements in one text have a list of results; nobody asks for those. */
function answerOf(result: unknown): Answer {
  if (Array.isArray(result)) return { rows: [], count: 0 };
  const { rows, rowCount } = result as QueryResult<{ [column: string]: string | null }>;
  return { rows, count: rowCount ?? 0 };
}

function raised(error: unknown, failure: ReturnType<typeof statementFailure>): unknown {
  return failure === null ? error : new StatementError(failure);
}

/** Values stay the text the server sent: what a type parser of the process makes of them is not ours. */
function asText(value: string | Buffer): string {
  return String(value);
}
