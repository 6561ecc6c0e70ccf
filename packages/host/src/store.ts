/**
 * Stores hold ledgers of runs. A store appends group by group and compares each append with the head.
 * Source: design §7.
 */
import {
  compareText,
  type Digest,
  encodeLine,
  err,
  type EvidenceRecord,
  field,
  type Head,
  isObject,
  isRunId,
  linkFault,
  ok,
  parseRecordLine,
  type Result,
  utf8Bytes,
  hashCanonical,
  type Json,
  match,
  type Run,
} from '@assay/kernel';
import { hash } from 'node:crypto';

/**
 * Why a store did not do what was asked. Precedence, first that applies: `closed`, `url`, `run_id` (`name`),
 * `driver`, `locked`, `unavailable`, `schema`, `not_found`, `torn`, `run_id` (`other_run`), `stale_head`.
 */
export type StoreError =
  /** The store was closed. */
  | { readonly code: 'closed' }
  /** Not an address of such a store. */
  | { readonly code: 'url'; readonly url: string; readonly detail: string }
  /**
   * `name`: no run id. `other_run`: what is stored under this name is the ledger of another run, also if a
   * file system takes two names that differ only in case for one.
   */
  | { readonly code: 'run_id'; readonly run_id: string; readonly detail: 'name' | 'other_run' }
  /** No driver for such a store is installed; `install` is the line to type. */
  | { readonly code: 'driver'; readonly detail: string; readonly install: string }
  /**
   * Another writer holds the run. `owner` says who, in words: `this process` if it is the one that asks.
   * `isAlive`: it is known to live, so that waiting is all there is to do; left out if nothing is known.
   */
  | { readonly code: 'locked'; readonly run_id: string; readonly owner: string; readonly isAlive?: true }
  /**
   * The medium refused. `errno`: the system's name (`ENOSPC`, `EROFS`, `EACCES`, `EIO` …), or the five
   * characters of a database server (`53100`).
   */
  | {
      readonly code: 'unavailable';
      readonly run_id: string | null;
      readonly operation: string;
      readonly errno: string;
    }
  /**
   * What is there is no database of this version of Assay; nothing was changed. `foreign`: somebody else's,
   * or no database at all (`found` is null). `newer`: of a later version. `found`, `expected`: schema
   * versions.
   */
  | {
      readonly code: 'schema';
      readonly detail: 'foreign' | 'newer';
      readonly found: number | null;
      readonly expected: number;
    }
  /** No such run. */
  | { readonly code: 'not_found'; readonly run_id: string }
  /** What is stored is no sequence of whole lines ending in a sound record; nothing was changed. */
  | { readonly code: 'torn'; readonly run_id: string; readonly detail: string }
  /** The ledger does not end where the caller believes; `actual` is null if there is no run. */
  | {
      readonly code: 'stale_head';
      readonly run_id: string;
      readonly expected: Head | null;
      readonly actual: Head | null;
    };

/**
 * What {@link Store.read} raises: an iteration has no other way to say why it ends early. `instanceof` holds
 * for one of another copy of this package too, since a store may bring its own: the `assay` command does,
 * bundled.
 */
export class StoreReadError extends Error {
  override readonly name = 'StoreReadError';
  /** The reason, as everywhere else in the store. */
  readonly error: StoreError;
  constructor(error: StoreError) {
    super(`store: ${error.code}`);
    this.error = error;
  }
  /** True for such an error of any copy: an `Error` of this name with an `error`. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'StoreReadError' && 'error' in value;
  }
}

/** The error `store` for a {@link StoreReadError}; rethrows anything else. */
export function readFault(
  error: unknown,
): Result<{ readonly code: 'store'; readonly error: StoreError }, never> {
  if (error instanceof StoreReadError) return err({ code: 'store', error: error.error });
  throw error;
}

/**
 * Ledgers of runs. One writer at a time extends a run; readers need no leave. What is stored is the
 * canonical text of each record.
 */
export type Store = {
  /**
   * Appends a whole group after `expected` (null: the run does not exist yet) and returns the new head.
   * When it returns a head, everything up to it is durable. Two writers can not fork a run: one wins, the
   * other gets `stale_head` or `locked`. After a Left the caller does not know whether some first records
   * of the group are stored: the head says.
   *
   * Without records it claims the run for this writer, mends a torn end and makes durable what is stored,
   * which is how a resumed run begins.
   *
   * Records that do not continue `expected` are a defect of the caller ({@link headAfter}).
   */
  readonly append: (
    runId: string,
    expected: Head | null,
    records: readonly EvidenceRecord[],
  ) => Promise<Result<StoreError, Head>>;
  /**
   * The stored lines, each without its 0A, from sequence `from` on (the first by default): what is whole
   * when the reading begins, a group still being appended perhaps included. Raises {@link StoreReadError}.
   */
  readonly read: (runId: string, from?: number) => AsyncIterable<Uint8Array>;
  /** Where a run's ledger ends, null where there is no such run. */
  readonly head: (runId: string) => Promise<Result<StoreError, Head | null>>;
  /** Ids of the stored runs, by UTF-16 code units. */
  readonly list: () => Promise<Result<StoreError, readonly string[]>>;
  /**
   * Waits for appends under way and gives everything up. Further calls are `closed`; closing again does
   * nothing.
   */
  readonly close: () => Promise<void>;
};

/**
 * The head after a group. Throws a RangeError where the group does not continue `expected`: no record, a
 * parent that is not the hash before it, a gap in sequence, a genesis of another run.
 */
export function headAfter(runId: string, expected: Head | null, records: readonly EvidenceRecord[]): Head {
  if (expected !== null && expected.run_id !== runId)
    throw new RangeError(`append: expected head is of run ${expected.run_id}, not of ${runId}`);
  let parent: Digest | null = expected?.hash ?? null;
  let count = expected?.count ?? null;
  for (const [index, record] of records.entries()) {
    const sequence = readSequence(record.ts);
    if (record.parent !== parent)
      throw new RangeError(
        `append: record ${index} of the group has parent ${record.parent}, expected ${parent}`,
      );
    if (sequence === null || (count !== null && sequence !== count))
      throw new RangeError(
        `append: record ${index} of the group has ts ${record.ts}, expected sequence ${count}`,
      );
    const owner = readRunId(record);
    if (owner !== null && owner !== runId)
      throw new RangeError(`append: record ${index} is the genesis of run ${owner}, not of ${runId}`);
    parent = record.record_hash;
    count = sequence + 1;
  }
  if (parent === null || count === null) throw new RangeError('append: a new run needs at least one record');
  return { run_id: runId, count, hash: parent };
}

/** Sequence of a logical time `<base>#<12 digits>`, null for any other text. */
export function readSequence(ts: string): number | null {
  const digits = LOGICAL_TIME.exec(ts)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The run a genesis record names, null for every other record. */
export function readRunId(record: EvidenceRecord): string | null {
  if (record.kind !== 'genesis' || !isObject(record.payload)) return null;
  const runId = field(record.payload, 'run_id');
  return typeof runId === 'string' ? runId : null;
}

const LOGICAL_TIME = /#([0-9]{12})$/;

/** A record line that holds by itself: canonical, and its two hashes are right. Null otherwise. */
export function soundRecord(line: Uint8Array): EvidenceRecord | null {
  const record = parseRecordLine(line);
  if (record._tag === 'Left') return null;
  return linkFault(record.right, record.right.parent, null, nativeSha256) === null ? record.right : null;
}

/** What memory stores share: give two of them one of these and they are two writers of the same runs. */
export type MemoryRuns = Map<string, { readonly lines: Uint8Array[]; first: number; head: Head }>;

/**
 * A store that lives and ends with this process. Nothing is durable, every other promise of {@link Store}
 * is kept.
 */
export function memoryStore(runs: MemoryRuns = new Map()): Store {
  let isClosed = false;

  function refuse(runId: string): StoreError | null {
    if (isClosed) return { code: 'closed' };
    return isRunId(runId) ? null : { code: 'run_id', run_id: runId, detail: 'name' };
  }

  function append(
    runId: string,
    expected: Head | null,
    records: readonly EvidenceRecord[],
  ): Result<StoreError, Head> {
    const refusal = refuse(runId);
    if (refusal !== null) return err(refusal);
    const next = headAfter(runId, expected, records);
    const actual = runs.get(runId)?.head ?? null;
    if (actual?.hash !== expected?.hash || actual?.count !== expected?.count)
      return err({ code: 'stale_head', run_id: runId, expected, actual });
    const stored = runs.get(runId) ?? {
      lines: [],
      first: readSequence(records[0]?.ts ?? '') ?? 0,
      head: next,
    };
    for (const record of records) stored.lines.push(utf8Bytes(encodeLine(record)));
    stored.head = next;
    runs.set(runId, stored);
    return ok(next);
  }

  async function* read(runId: string, from = 0): AsyncGenerator<Uint8Array> {
    const refusal = refuse(runId);
    if (refusal !== null) throw new StoreReadError(refusal);
    const stored = runs.get(runId);
    if (stored === undefined) throw new StoreReadError({ code: 'not_found', run_id: runId });
    for (const line of stored.lines.slice(Math.max(0, from - stored.first))) yield line.slice();
  }

  return {
    append: async (runId, expected, records) => append(runId, expected, records),
    read,
    head: async (runId) => {
      const refusal = refuse(runId);
      return refusal === null ? ok(runs.get(runId)?.head ?? null) : err(refusal);
    },
    list: async () => (isClosed ? err({ code: 'closed' }) : ok([...runs.keys()].sort(compareText))),
    close: async () => {
      isClosed = true;
    },
  };
}

/** A run's id and its base of logical time. */
export type Identity = { readonly run_id: string; readonly ts_base: string };

const DIGITS = 12;

/**
 * `run-<12 digits>` and `input-<12 digits>` of H({t: "run", input, policy}); without digits where that is
 * inadmissible, and no run can be opened. `more`: what else makes a run this one, such as the contents of files it
 * reads; its id is then of H({t: "call", input, policy, with: more}).
 */
export function derivedIdentity(input: Json, policy: Json, more?: Json): Identity {
  const digits = hashDigits({ t: 'run', input, policy });
  const own = more === undefined ? digits : hashDigits({ t: 'call', input, policy, with: more });
  return { run_id: `run-${own}`, ts_base: `input-${digits}` };
}

function hashDigits(value: Json): string {
  return match(
    hashCanonical(value, nativeSha256),
    () => '',
    (hash) => hash.slice(0, DIGITS),
  );
}

/** SHA-256 by `node:crypto`, as a `Sha256` of the kernel. */
export function nativeSha256(bytes: Uint8Array): Digest {
  // One call for a whole text costs half of what a hash object does; the kernel tries an injected digest
  // once.
  return hash('sha256', bytes, 'hex') as Digest;
}

/**
 * The idempotency key of the next call for a request: genesis hash, request id, attempts used. Source:
 * machine interface.
 */
export function idempotencyKey<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  requestId: string,
): string {
  return deriveKey(run.genesisRecord.record_hash, requestId, run.open.get(requestId)?.rejections ?? 0);
}

/** The same where no run is at hand: by the hash of its first record, and the attempts used. */
export function deriveKey(genesis: Digest, requestId: string, rejections: number): string {
  return `${genesis}/${requestId}/${rejections}`;
}
