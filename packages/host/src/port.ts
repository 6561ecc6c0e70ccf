/**
 * Ports: how a host performs what a machine asks for.
 *
 * @module
 */
import type { Proposal, Request, Source, Spent } from '@assay/kernel';
import type { RejectedAnswer } from './rejected.js';

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
