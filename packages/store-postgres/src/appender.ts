/**
 * Appending a group: one statement that compares the head and stores, what its failures mean, and the heads
 * that are known from the last append.
 *
 * @module
 */
import type { StoreError } from '@assay/host';
import { encodeLine, err, type EvidenceRecord, type Head, ok, type Result } from '@assay/kernel';
import { type Asking, type Connections, retried } from './connections.js';
import { StatementError } from './failure.js';
import { readHead } from './ledger-ends.js';
import type { Statement } from './session.js';
import type { Statements } from './statements.js';

/**
 * Appends to the runs of one schema. `isReady`: its tables were seen. `ready`: sees to them. Raises
 * {@link StatementError}.
 */
export class Appender {
  private readonly connections: Connections;
  private readonly statements: Statements;
  /** Ends of ledgers that this store has seen or made: whoever appends there needs no look first. */
  private readonly known = new KnownHeads();
  /** The last append under way of each run; appends of one run go one after the other. */
  private readonly queues = new Map<string, Promise<unknown>>();

  private readonly isReady: () => boolean;
  private readonly ready: (asking: Asking) => Promise<Result<StoreError, unknown>>;

  constructor(
    connections: Connections,
    statements: Statements,
    isReady: () => boolean,
    ready: (asking: Asking) => Promise<Result<StoreError, unknown>>,
  ) {
    this.connections = connections;
    this.statements = statements;
    this.isReady = isReady;
    this.ready = ready;
  }

  /**
   * Appends records after `expected`, when earlier appends to this run are over; `next` is the head after
   * them. Errors: `schema`, `torn`, `run_id`, `stale_head`.
   */
  async append(
    expected: Head | null,
    next: Head,
    records: readonly EvidenceRecord[],
  ): Promise<Result<StoreError, Head>> {
    const runId = next.run_id;
    const before = this.queues.get(runId);
    const turn =
      before === undefined
        ? this.write(expected, next, records)
        : Promise.allSettled([before]).then(() => this.write(expected, next, records));
    this.queues.set(runId, turn);
    try {
      return await turn;
    } finally {
      if (this.queues.get(runId) === turn) this.queues.delete(runId);
    }
  }

  private async write(
    expected: Head | null,
    next: Head,
    records: readonly EvidenceRecord[],
  ): Promise<Result<StoreError, Head>> {
    const asking = this.connections.asking(2);
    if (!this.isReady()) {
      const ready = await retried(asking, () => this.ready(asking));
      if (ready._tag === 'Left') return ready;
    }
    // A group without records asks what is there; so does the first append to a run that others began.
    if (expected !== null && (records.length === 0 || !this.known.has(expected))) {
      const found = await this.expect(asking, expected);
      if (found._tag === 'Left' || records.length === 0) return found;
    }
    const lines = records.map(encodeLine);
    const isStored = await retried(asking, (lost) => this.store(asking, expected, next, lines, lost > 0));
    if (!isStored) return this.stale(asking, next.run_id, expected);
    // A closed run has no next writer.
    if (records.at(-1)?.kind === 'close') this.known.forget(next.run_id);
    else this.known.remember(next);
    return ok(next);
  }

  /** One try to store a group: true where it is stored, also by a try whose answer was lost. */
  private async store(
    asking: Asking,
    expected: Head | null,
    next: Head,
    lines: readonly string[],
    mayBeStored: boolean,
  ): Promise<boolean> {
    if (mayBeStored && (await this.isStored(asking, next, lines))) return true;
    if ((await this.inserted(asking, this.statementFor(expected, next, lines))) === lines.length) return true;
    // The lost try may have waited in the server, and have been carried out just before this one.
    return mayBeStored && this.isStored(asking, next, lines);
  }

  private statementFor(
    expected: Head | null,
    { run_id: runId, count, hash }: Head,
    lines: readonly string[],
  ): Statement {
    const first = count - lines.length;
    const { begin, extend, extendLong } = this.statements;
    if (expected === null)
      return { name: begin.name, text: begin.text, values: [runId, count, hash, first, lines.join('\n')] };
    const own = extend[lines.length - 1];
    const { name, text } = own ?? extendLong;
    return {
      name,
      text,
      values: [runId, count, hash, first, expected.hash, ...(own === undefined ? [lines.join('\n')] : lines)],
    };
  }

  /** Whether the last line of a group stands where it belongs: its hash names all that is before it. */
  private async isStored(asking: Asking, next: Head, lines: readonly string[]): Promise<boolean> {
    return (
      (
        await asking.run({
          text: this.statements.holds,
          values: [next.run_id, next.count - 1, lines.at(-1) ?? ''],
        })
      ).count === 1
    );
  }

  /** Rows that an append added: none where a record stands there that the head knows nothing of. */
  private async inserted(asking: Asking, append: Statement): Promise<number> {
    try {
      return (await asking.run(append)).count;
    } catch (error) {
      if (error instanceof StatementError && error.failure.errno === UNIQUE_VIOLATION) return 0;
      throw error;
    }
  }

  /** The head where it is the expected one; else why not. */
  private async expect(asking: Asking, expected: Head): Promise<Result<StoreError, Head>> {
    const actual = await this.look(asking, expected.run_id);
    if (actual._tag === 'Left') return actual;
    const head = actual.right;
    if (head?.hash !== expected.hash || head.count !== expected.count)
      return err({ code: 'stale_head', run_id: expected.run_id, expected, actual: head });
    this.known.remember(head);
    return ok(head);
  }

  /** Why a group was not stored. */
  private async stale(
    asking: Asking,
    runId: string,
    expected: Head | null,
  ): Promise<Result<StoreError, never>> {
    const actual = await this.look(asking, runId);
    if (actual._tag === 'Left') return actual;
    // The run ends where it was to go on: no other writer was first, but a key that somebody else put on our
    // tables is taken.
    if (actual.right?.hash === expected?.hash && actual.right?.count === expected?.count)
      return err({ code: 'unavailable', run_id: runId, operation: 'append', errno: UNIQUE_VIOLATION });
    return err({ code: 'stale_head', run_id: runId, expected, actual: actual.right });
  }

  private look(asking: Asking, runId: string): Promise<Result<StoreError, Head | null>> {
    return retried(asking, () => readHead(asking, this.statements, runId));
  }
}

const UNIQUE_VIOLATION = '23505';

/** The last known head of each run, of at most 10,000 runs: beyond, the one known longest is forgotten. */
class KnownHeads {
  private readonly heads = new Map<string, Head>();

  /** True where this head was the last one known of its run. */
  has({ run_id, hash, count }: Head): boolean {
    const known = this.heads.get(run_id);
    return known?.hash === hash && known.count === count;
  }

  /** Takes this for the head of its run. */
  remember(head: Head): void {
    this.heads.delete(head.run_id);
    this.heads.set(head.run_id, head);
    const [oldest] = this.heads.keys();
    if (this.heads.size > KNOWN_MAX && oldest !== undefined) this.heads.delete(oldest);
  }

  /** Knows nothing of this run. */
  forget(runId: string): void {
    this.heads.delete(runId);
  }
}

const KNOWN_MAX = 10_000;
