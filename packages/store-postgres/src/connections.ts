/**
 * The connections of a store: a few, shared by everything it does, one statement at a time on each, tried
 * again where one broke.
 */
import type { Address } from './address.js';
import { type Failure, StatementError } from './failure.js';
import { type Answer, type Limits, Session, type Statement } from './session.js';
import { kept } from './statements.js';

/**
 * The statements of one call, which together have so much time: none waits longer than what is left of it.
 */
export type Asking = {
  readonly run: (statement: Statement) => Promise<Answer>;
  readonly isOver: () => boolean;
};

/**
 * Runs a statement, as a transaction of its own unless it says otherwise, and gives its rows as text. It is done again
 * where its connection broke, so done twice it must come to the same. Rejects with the server's condition as `code`.
 */
export type Ask = (text: string, values?: Statement['values']) => Promise<Answer['rows']>;

/** A pool of sessions. Failures are raised as {@link StatementError}. */
export class Connections {
  private readonly address: Address;
  private readonly limits: Limits;
  /** Sessions that nobody uses, the last used at the end, and since when. */
  private readonly idle: { readonly session: Session; readonly sinceMs: number }[] = [];
  /** Closes those that nobody used for long; null where there are none. */
  private sweep: NodeJS.Timeout | null = null;
  /**
   * Who waits for a turn; the driver's own pool counts that as connecting, and would call a busy store
   * unreachable.
   */
  private readonly waiting: (() => void)[] = [];
  private free: number;
  private keepsStatements = true;
  /** What was asked by others, by its text. */
  private readonly asked = new Map<string, Statement>();

  constructor(address: Address, limits: Limits) {
    this.address = address;
    this.limits = limits;
    this.free = limits.connections;
  }

  /**
   * For one call: the time of an answer, or of so many, so that after one that does not come there is time to
   * ask what became of it.
   */
  asking(answers = 1): Asking {
    const until = performance.now() + answers * this.limits.answerTimeoutMs;
    const left = (): number => until - performance.now();
    return {
      run: (statement) =>
        this.run(statement, Math.max(1, Math.ceil(Math.min(left(), this.limits.answerTimeoutMs)))),
      isOver: () => left() <= 0,
    };
  }

  /** See {@link Ask}. */
  readonly ask: Ask = async (text, values) => {
    const asking = this.asking();
    const statement = values === undefined ? { text } : { ...this.named(text), values };
    try {
      return (await retried(asking, () => asking.run(statement))).rows;
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      const code = error.failure.errno;
      throw Object.assign(new Error(`postgres: ${code}`, { cause: error }), { code });
    }
  };

  private named(text: string): Statement {
    const statement = this.asked.get(text) ?? kept(text);
    if (this.asked.size < ASKED_MAX) this.asked.set(text, statement);
    return this.asked.has(text) ? statement : { text };
  }

  /** Runs a statement on a connection of its own, which has so long to answer. */
  async run(statement: Statement, timeoutMs: number = this.limits.answerTimeoutMs): Promise<Answer> {
    if (statement.name === undefined || !this.keepsStatements)
      return this.runOnce(nameless(statement), timeoutMs);
    try {
      return await this.runOnce(statement, timeoutMs);
    } catch (error) {
      // A pooler between, or somebody on the server, keeps no statements. It was not carried out: without its
      // name, then.
      if (!(error instanceof StatementError) || !NO_SUCH_STATEMENT.has(error.failure.errno)) throw error;
      this.keepsStatements = false;
      return this.runOnce(nameless(statement), timeoutMs);
    }
  }

  /** Closes them all; statements under way are over by then. */
  async end(): Promise<void> {
    if (this.sweep !== null) clearTimeout(this.sweep);
    this.sweep = null;
    await Promise.all(this.idle.splice(0).map(({ session }) => session.close()));
  }

  private async runOnce(statement: Statement, timeoutMs: number): Promise<Answer> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      const session = this.rested() ?? (await this.opened());
      const answer = await session.run(statement, timeoutMs);
      this.keep(session);
      return answer;
    } finally {
      this.giveTurn();
    }
  }

  /** The session used last, which is the least likely to have been cut; null where there is none. */
  private rested(): Session | null {
    for (let kept = this.idle.pop(); kept !== undefined; kept = this.idle.pop())
      if (!kept.session.isOver) return kept.session;
    return null;
  }

  private async opened(): Promise<Session> {
    const session = new Session(this.address, this.limits);
    await session.open();
    return session;
  }

  private keep(session: Session): void {
    session.rest();
    this.idle.push({ session, sinceMs: performance.now() });
    this.sweep ??= this.sweepIn(IDLE_MS);
  }

  /**
   * One timer for all, set once in a while: one for each use would be set and taken back with each statement.
   */
  private sweepIn(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      const longest = performance.now() - IDLE_MS;
      const used = this.idle.findIndex(({ sinceMs }) => sinceMs > longest);
      for (const { session } of this.idle.splice(0, used === -1 ? this.idle.length : used))
        void session.close();
      const [next] = this.idle;
      this.sweep = next === undefined ? null : this.sweepIn(next.sinceMs - longest);
    }, ms);
    return timer.unref();
  }

  private giveTurn(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}

function nameless({ text, values }: Statement): Statement {
  return values === undefined ? { text } : { text, values };
}

const IDLE_MS = 10_000;
/** Texts of others that connections keep. */
const ASKED_MAX = 100;
/** invalid_sql_statement_name, duplicate_prepared_statement. */
const NO_SUCH_STATEMENT: ReadonlySet<string> = new Set(['26000', '42P05']);

/**
 * Most tries of one piece of work, and the first pause in milliseconds; each pause is twice the one before.
 */
const CONFLICT = { tries: 10, pauseMs: 4 };
const LOST = { tries: 6, pauseMs: 40 };

/**
 * Does `work` until it succeeds or fails for good, and gives it how many connections it lost before: after
 * one it can not know whether its last try was carried out. Failing to connect at all ends it at once, unless
 * a connection was lost before: then the server may be on its way back. Raises the last
 * {@link StatementError}. No try begins after its time is over. Pauses: 4 ms to 1 s for conflicts (2 s in
 * all), 40 ms to 640 ms for losses (1.2 s in all), half of each by chance.
 */
export async function retried<A>(
  { isOver }: Pick<Asking, 'isOver'>,
  work: (lost: number) => Promise<A>,
): Promise<A> {
  let conflicts = 0;
  let lost = 0;
  for (;;) {
    try {
      return await work(lost);
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      const { kind }: Failure = error.failure;
      const isLoss = kind === 'lost' || (kind === 'unreached' && lost > 0);
      if (kind === 'conflict') conflicts += 1;
      else if (isLoss) lost += 1;
      else throw error;
      const { tries, pauseMs } = isLoss ? LOST : CONFLICT;
      const tried = isLoss ? lost : conflicts;
      if (tried >= tries || isOver()) throw error;
      await pause(pauseMs * 2 ** (tried - 1));
    }
  }
}

/** Between half of so many milliseconds and all of them: rivals that met once do not meet again. */
async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)));
}

/**
 * Work that is cheaper for many at once: what comes while two groups are under way is the next group.
 * `work` gives what came of each, in their order; where it rejects, it rejects for each of them.
 */
export function batched<A, B>(work: (items: readonly A[]) => Promise<readonly B[]>): (item: A) => Promise<B> {
  let waiting: { item: A; resolve: (value: B) => void; reject: (error: unknown) => void }[] = [];
  let underWay = 0;
  const flush = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    underWay += 1;
    try {
      const values = await work(group.map(({ item }) => item));
      group.forEach(({ resolve }, n) => resolve(values[n] as B));
    } catch (error) {
      group.forEach(({ reject }) => reject(error));
    }
    underWay -= 1;
    if (waiting.length > 0) void flush();
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay < UNDER_WAY_MAX) void flush();
    });
}

const UNDER_WAY_MAX = 2;
