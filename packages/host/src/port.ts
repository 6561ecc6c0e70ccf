/**
 * Ports: how a host performs what a machine asks for, what a port is told of a rejected answer, and answers
 * that come another day.
 */
import {
  field,
  isObject,
  type Json,
  type JsonObject,
  type Proposal,
  type Rejection,
  type Request,
  type Source,
  type Spent,
} from '@assay/kernel';
import { readSequence, soundRecord, type Store } from './store.js';

/**
 * What a port brings back: the parts of a proposal that are its own. What it leaves out is null or empty;
 * request, source and proposer are the host's to say.
 */
export type PortAnswer = Partial<
  Pick<Proposal, 'value' | 'confidence' | 'failure' | 'at_us' | 'spent' | 'cites' | 'provenance'>
>;

/**
 * What a port is told beside the request. `key`: the idempotency key of this call, the same when the call is
 * made again after a crash. `signal`: aborted when nobody waits for the answer any more. `charge`: says what
 * the call has cost so far, all of it; that is recorded where the call ends without an answer, at a deadline
 * or by an error that states no cost. `rejected`: the answer to this request that was rejected last, read
 * from the ledger; null where there is none.
 */
export type PortCall = {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly charge?: (spent: Spent) => void;
  readonly rejected?: () => Promise<RejectedAnswer | null>;
};

/**
 * One way to have a request answered, bound to one source and one proposer name. A port whose `proposer` is
 * no name, whose `bound` is no amount, or one of whose fields throws when it is read, is not asked.
 */
export type Port = {
  readonly source: Source;
  readonly proposer: string;
  /**
   * Gives this attempt's answer, copied as it comes, a failure too. May reject: with a `PortError`, or an
   * error whose class is known by its code, that is the failure of that class; with any other the failure
   * `unavailable`. After a failure that was given or raised, but for a final one and `malformed`, the next
   * attempt is made after a wait. What throws when it is looked at (a Proxy, say) is `malformed` as an
   * answer; as an error it has no class.
   */
  readonly perform: (request: Request, call: PortCall) => Promise<PortAnswer>;
  /**
   * The most that one attempt at a request can cost, by unit, whole numbers; null, or left out, if it costs
   * nothing. Each unit with a limit must be named, with 0 if nothing of it is spent. See `Budget`.
   */
  readonly bound?: (request: Request) => Spent | null;
};

/** Who answers a request; null where nobody does. It must say the same each time it is asked. */
export type Ports = (request: Request) => Port | null;

/** One port for each kind of request. */
export function portsByKind(table: Readonly<Record<string, Port>>): Ports {
  const ports = new Map(Object.entries(table));
  return (request) => ports.get(request.kind) ?? null;
}

/**
 * Somebody to talk to. `say` shows a line, which may quote a hostile request: who prints it escapes it. `ask`
 * shows a prompt and gives the line typed, without its end, or null once no more will come.
 */
export type Dialogue = {
  readonly say: (line: string) => void;
  readonly ask: (prompt: string) => Promise<string | null>;
};

/**
 * Raised by a port that has no answer yet, such as a person's. Nothing is recorded, no attempt is used, the
 * reserve is given back and the note of the call taken back. This drive goes on with other requests and ends
 * `waiting` where none is left; the next one asks again. If the call was
 * already abandoned, its note stays and it is charged as lost. `until`: when to ask again, in microseconds since
 * 1970; null where nobody knows. Source: calls/C10.
 */
export class Later extends Error {
  override readonly name = 'Later';
  readonly until: number | null;
  // oxlint-disable-next-line no-unused-private-class-members -- a brand, which `in` reads
  readonly #isLater: boolean = true;
  constructor({ until = null }: { readonly until?: number | null } = {}) {
    super(until === null ? 'the answer comes later' : `the answer comes later: ask again at ${until} us`);
    this.until = until;
  }

  /** True for one of these. A port may raise anything, and a revoked Proxy throws when it is looked at. */
  static isLater(error: unknown): error is Later {
    return typeof error === 'object' && error !== null && #isLater in error;
  }
}

/** A request whose port raised {@link Later}, or whose retry waits longer than a drive stays. */
export type Waiting = {
  readonly request_id: string;
  readonly kind: string;
  readonly until: number | null;
};

/** What a request waits for. */
export function waitingFor({ id, kind }: Request, { until }: Pick<Later, 'until'>): Waiting {
  return { request_id: id, kind, until };
}

/** An answer that was recorded and not accepted, with the code and detail it was rejected by. */
export type RejectedAnswer = { readonly proposal: JsonObject; readonly rejection: Rejection };

/**
 * Finds the last rejected answer to a request in the stored ledger, so that it is the same after a crash. One
 * that was recorded by this drive is read from its place; an earlier one costs a reading of the ledger.
 */
export class RejectedAnswers {
  private readonly store: Pick<Store, 'read'>;
  private readonly runId: string;
  /** Sequence of the last rejected proposal of each request that this drive recorded. */
  private readonly places: Map<string, number> = new Map();

  constructor(store: Pick<Store, 'read'>, runId: string) {
    this.store = store;
    this.runId = runId;
  }

  /** Notes where a rejected answer stands. */
  note(requestId: string, ts: string): void {
    const sequence = readSequence(ts);
    if (sequence !== null) this.places.set(requestId, sequence);
  }

  /** Forgets a request that is closed. */
  forget(requestId: string): void {
    this.places.delete(requestId);
  }

  /** Null where none was rejected, or the record is not in this ledger. Raises `StoreReadError`. */
  async find(requestId: string): Promise<RejectedAnswer | null> {
    const from = this.places.get(requestId);
    let [asked, found]: [
      { readonly proposal: JsonObject; readonly hash: string } | null,
      RejectedAnswer | null,
    ] = [null, null];
    for await (const line of this.store.read(this.runId, from)) {
      const record = soundRecord(line);
      const payload = record?.payload;
      if (record === null || payload === undefined || !isObject(payload)) continue;
      if (record.kind === 'proposal')
        asked =
          field(payload, 'request_id') === requestId ? { proposal: payload, hash: record.record_hash } : null;
      else if (record.kind === 'rejection' && asked !== null && record.parent === asked.hash)
        found = { proposal: asked.proposal, rejection: readRejection(payload) };
      if (found !== null && from !== undefined) break;
    }
    return found;
  }
}

function readRejection(payload: JsonObject): Rejection {
  const [code, detail]: readonly (Json | undefined)[] = [field(payload, 'code'), field(payload, 'detail')];
  return { code: typeof code === 'string' ? code : '', detail: detail ?? null };
}
