/**
 * The connections of a store: a few, shared by everything it does, one statement at a time on each.
 *
 * @module
 */
import type { Address } from './address.js';
import { StatementError } from './failure.js';
import { Session, type Answer, type Limits, type Statement } from './session.js';

/** The statements of one call, which together have so much time: none waits longer than what is left of it. */
export type Asking = { readonly run: (statement: Statement) => Promise<Answer>; readonly isOver: () => boolean };

/** A pool of sessions. Failures are raised as {@link StatementError}; other errors are defects. */
export class Connections {
  private readonly address: Address;
  private readonly limits: Limits;
  /** Sessions that nobody uses, the last used at the end, and when each is closed for want of use. */
  private readonly idle: { readonly session: Session; readonly timer: NodeJS.Timeout }[] = [];
  /** Who waits for a turn; the driver's own pool counts that as connecting, and would call a busy store unreachable. */
  private readonly waiting: (() => void)[] = [];
  private free: number;
  private keepsStatements = true;

  constructor(address: Address, limits: Limits) {
    this.address = address;
    this.limits = limits;
    this.free = limits.connections;
  }

  /** For one call: the time of an answer, or of so many, so that after one that does not come there is time to ask what became of it. */
  asking(answers = 1): Asking {
    const until = performance.now() + answers * this.limits.answerTimeoutMs;
    const left = (): number => until - performance.now();
    return { run: (statement) => this.run({ ...statement, timeoutMs: Math.max(1, Math.ceil(Math.min(left(), this.limits.answerTimeoutMs))) }), isOver: () => left() <= 0 };
  }

  /** Runs a statement on a connection of its own. */
  async run(statement: Statement): Promise<Answer> {
    const { name, ...nameless } = statement;
    try {
      return await this.runOnce(this.keepsStatements ? statement : nameless);
    } catch (error) {
      // A pooler between, or somebody on the server, keeps no statements. It was not carried out: without its name, then.
      if (name === undefined || !(error instanceof StatementError) || !NO_SUCH_STATEMENT.has(error.failure.errno)) throw error;
      this.keepsStatements = false;
      return this.runOnce(nameless);
    }
  }

  /** Closes them all; statements under way are over by then. */
  async end(): Promise<void> {
    await Promise.all(this.idle.splice(0).map(({ session, timer }) => {
      clearTimeout(timer);
      return session.close();
    }));
  }

  private async runOnce(statement: Statement): Promise<Answer> {
    await this.takeTurn();
    try {
      const session = await this.take();
      const answer = await session.run(statement);
      this.keep(session);
      return answer;
    } finally {
      this.giveTurn();
    }
  }

  /** The session used last, which is the least likely to have been cut; a new one where there is none. */
  private async take(): Promise<Session> {
    for (let kept = this.idle.pop(); kept !== undefined; kept = this.idle.pop()) {
      clearTimeout(kept.timer);
      if (!kept.session.isOver) return kept.session;
    }
    const session = new Session(this.address, this.limits);
    await session.open();
    return session;
  }

  private keep(session: Session): void {
    session.rest();
    const timer = setTimeout(() => {
      const place = this.idle.findIndex((kept) => kept.session === session);
      if (place !== -1) this.idle.splice(place, 1);
      void session.close();
    }, IDLE_MS);
    timer.unref();
    this.idle.push({ session, timer });
  }

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

const IDLE_MS = 10_000;
/** invalid_sql_statement_name, duplicate_prepared_statement. */
const NO_SUCH_STATEMENT: ReadonlySet<string> = new Set(['26000', '42P05']);
