/**
 * The one machine interface. Source: machine interface; 001 §1, §2.4, §6.
 *
 * A machine is a pure decider over recorded answers: `decide` looks at one answer and says what follows
 * as events, asks and results; `evolve` folds events into state. Everything it hands out is JSON the
 * kernel admits; everything hashed is a `type`, since interfaces are not assignable to {@link Json}.
 */
import type { Digest } from '../hash/sha256.js';
import type { Json } from '../json.js';
import type { EdgeKind, NodeKind } from '../graph/kinds.js';
import type { Source } from '../ledger/names.js';
import type { Failure, Genesis, Proposal, Request, Spent, Status } from '../ledger/payloads.js';
import type { Result } from '../result.js';
import type { Meter } from './meter.js';

/**
 * What a machine asks for. `body` holds local keys only, no run id and nothing derived from one, so that
 * recorded answers match across runs. `attempts` n: the n-th attempt is the last; 0: none is (standing
 * invitations only). `accepts: ['human']` is "a person must say so".
 */
export type Ask<A extends Json = Json> = {
  readonly kind: string;
  readonly body: A;
  readonly accepts: readonly Source[];
  readonly attempts: number;
};

/** A proposal as machines see it: its provenance is evidence, never an argument. */
export type SeenProposal = Omit<Proposal, 'provenance'>;

/**
 * One accepted answer. `input`: what `parse` made of the value, or the failure. `spent`: this attempt and
 * every rejected one on this request.
 */
export type Answer<I, A extends Json = Json> = {
  readonly request: Request<A>;
  readonly proposal: SeenProposal;
  readonly input: Result<Failure, I>;
  readonly spent: Spent;
};

/**
 * Position and digest. `sequence`: of the decision being derived; `input_hash`: hash of the record it
 * answers. `hash` is H and throws on what is no JSON. `meter`: new for each answer; a machine counts its work in
 * it and ends by an outcome of its own once it is spent.
 */
export type Context = {
  readonly run_id: string;
  readonly sequence: number;
  readonly input_hash: Digest;
  readonly hash: (value: Json) => Digest;
  readonly meter: Meter;
};

/** A node a machine adds: the kernel derives the id, and `context.hash` gives it beforehand. */
export type NodeDraft = { readonly kind: NodeKind; readonly payload: Json };
/** An edge a machine adds; `from_id` is the dependent. */
export type EdgeDraftByMachine = {
  readonly kind: EdgeKind;
  readonly from_id: Digest;
  readonly to_id: Digest;
};

/** How a run ends: refused needs at least one reason code. */
export type Outcome = { readonly status: Status; readonly reasons: readonly string[] };

/** What follows from one answer. With an `outcome` nothing is asked. */
export type Decision<E extends Json = Json, A extends Json = Json> = {
  readonly events: readonly E[];
  readonly asks?: readonly Ask<A>[];
  /** Ids open before this decision, not the answered one, each once. */
  readonly withdraw?: readonly string[];
  readonly graph?: { readonly nodes: readonly NodeDraft[]; readonly edges: readonly EdgeDraftByMachine[] };
  readonly artifacts?: { readonly [name: string]: Json };
  readonly outcome?: Outcome;
};

/**
 * Why a proposal is not accepted, or why a run cannot be opened. `code` is API; `detail` is structured data,
 * integers only.
 */
export type Rejection = { readonly code: string; readonly detail: Json };

/** What `open` gives: the state before its events, and the first decision. */
export type Opening<S, E extends Json, A extends Json> = {
  readonly state: S;
  readonly decision: Decision<E, A>;
};

/**
 * A pure decider. All methods are total on what their types admit, change nothing they are given and
 * depend on nothing else. `version` numbers the *decisions*: it rises whenever recorded bytes could differ.
 */
export type Machine<S, I, E extends Json = Json, A extends Json = Json> = {
  readonly name: string;
  readonly version: number;
  /**
   * What runs code of others inside it, null for nothing of the kind; genesis records it, and a ledger of
   * another engine is another machine's. Left out where the version alone tells.
   */
  readonly engine?: string | null;
  /** Parses its own policy and input, and emits the first requests. */
  readonly open: (genesis: Genesis, context: Context) => Result<Rejection, Opening<S, E, A>>;
  /** Total on any JSON. */
  readonly parse: (value: Json, request: Request<A>) => Result<Rejection, I>;
  /** Never a Left where `answer.input` is a failure. */
  readonly decide: (state: S, answer: Answer<I, A>, context: Context) => Result<Rejection, Decision<E, A>>;
  /** Total; events explain all of the state. */
  readonly evolve: (state: S, event: E) => S;
  readonly encode: (state: S) => Json;
  readonly decode: (json: Json) => Result<Rejection, S>;
};

/** Why a proposal was not recorded at all. */
export type Refused = {
  readonly code: 'run_closed' | 'inadmissible' | 'proposal_shape';
  /** JSON pointer into the proposal; "" for `run_closed`. */
  readonly path: string;
  /** For `inadmissible`: the admission or token code. */
  readonly reason: string | null;
};
