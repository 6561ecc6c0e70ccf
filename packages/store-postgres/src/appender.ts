/**
 * Appending a group: one statement that compares the head and stores, what its failures mean, and the heads
 * that are known from the last append. Where a stored ledger ends, whether it is one that can go on, and its
 * lines page by page.
 */
import { type StoreError, readRunId, readSequence, soundRecord, StoreReadError } from '@assay/host';
import {
  encodeLine,
  err,
  type EvidenceRecord,
  type Head,
  ok,
  type Result,
  type Digest,
  utf8Bytes,
} from '@assay/kernel';
import { type Asking, type Connections, retried } from './connections.js';
import { StatementError } from './failure.js';
import type { Statement, Answer } from './session.js';
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

/**
 * Reads a ledger's head, null where there is no run. Only its row, its first and its last line are read: the
 * last must be a sound record that stands where the row says, the first must not stand before record 0, nor
 * name another run. Errors: `torn`, `run_id`.
 */
export async function readHead(
  asking: Asking,
  statements: Statements,
  runId: string,
): Promise<Result<StoreError, Head | null>> {
  const row = (await asking.run({ ...statements.ends, values: [runId] })).rows[0] ?? {};
  const {
    count,
    hash,
    first: firstSequence,
    first_text: first,
    last: lastSequence,
    last_text: lastText,
  } = row;
  const hasRow = typeof count === 'string' && typeof hash === 'string';
  const hasLines = typeof first === 'string' && typeof lastText === 'string';
  if (!hasRow && !hasLines) return ok(null);
  if (!hasRow) return torn(runId, 'there are records, and no row in runs');
  if (!hasLines) return torn(runId, 'there is a row in runs, and no records');
  if (Number(firstSequence) < 0) return torn(runId, `row ${firstSequence} stands before record 0`);
  const last = soundRecord(utf8Bytes(lastText));
  if (last === null) return torn(runId, 'the last record is not sound');
  if (isOfOtherRun(first, runId)) return err({ code: 'run_id', run_id: runId, detail: 'other_run' });
  const sequence = readSequence(last.ts);
  if (
    sequence === null ||
    String(sequence) !== lastSequence ||
    String(sequence + 1) !== count ||
    last.record_hash !== hash
  )
    return torn(runId, 'the last record is not where its row in runs says the ledger ends');
  return ok({ run_id: runId, count: sequence + 1, hash: last.record_hash satisfies Digest });
}

/** True where the first line of a ledger names another run. */
export function isOfOtherRun(first: string, runId: string): boolean {
  const record = soundRecord(utf8Bytes(first));
  const named = record === null ? null : readRunId(record);
  return named !== null && named !== runId;
}

function torn(runId: string, detail: string): Result<StoreError, never> {
  return err({ code: 'torn', run_id: runId, detail });
}

/**
 * The lines that a run has when the reading begins, from sequence `from` on. `ask` runs a statement, and may
 * run it again: what is stored does not change. No transaction stays open between pages, so a slow reader
 * holds nothing. Memory: a page, which is 512 lines, or 1 MiB and a line. Raises `not_found`, `run_id` where
 * the first line names another run, `torn` where a line is missing, or a row stands before record 0.
 */
export async function* readPages(
  ask: (statement: Statement) => Promise<Answer>,
  statements: Statements,
  runId: string,
  from: number,
): AsyncGenerator<Uint8Array> {
  const start = (await ask({ text: statements.start, values: [runId] })).rows[0] ?? {};
  const { count, first, first_text: firstText } = start;
  if (typeof count !== 'string' && typeof first !== 'string')
    throw new StoreReadError({ code: 'not_found', run_id: runId });
  if (typeof count !== 'string' || typeof first !== 'string' || typeof firstText !== 'string')
    throw tornRead(runId, 'there are records, and no row in runs, or the other way round');
  if (Number(first) < 0) throw tornRead(runId, `row ${first} stands before record 0`);
  if (isOfOtherRun(firstText, runId))
    throw new StoreReadError({ code: 'run_id', run_id: runId, detail: 'other_run' });
  const end = Number(count);
  for (let next = Math.max(from, Number(first)); next < end; ) {
    const { rows } = await ask({ text: statements.page, values: [runId, next, end] });
    if (rows.length === 0) throw tornRead(runId, `record ${next} is missing`);
    for (const { seq, text } of rows) {
      if (seq !== String(next) || typeof text !== 'string')
        throw tornRead(runId, `record ${next} is missing`);
      yield utf8Bytes(text);
      next += 1;
    }
  }
}

function tornRead(runId: string, detail: string): StoreReadError {
  return new StoreReadError({ code: 'torn', run_id: runId, detail });
}
