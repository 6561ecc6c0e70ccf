/**
 * The payload of each kind of record: types and total parsers. All key sets are closed and every key is
 * present, null or empty where there is nothing. Source: ledger format, "Payloads".
 *
 * @module
 */
import type { Digest } from '../hash/sha256.js';
import type { Json, JsonObject } from '../json.js';
import type { GraphEdge, GraphNode } from '../graph/kinds.js';
import {
  isTsBase,
  isName,
  isProposer,
  isRequestId,
  isRunId,
  FAILURE_CODES,
  SOURCES,
  type FailureCode,
  type Source,
} from './names.js';
import {
  closed,
  digest,
  flag,
  free,
  freeObject,
  integer,
  list,
  nullable,
  oneOf,
  table,
  text,
  type Shape,
} from './shape.js';

/** The ledger format this kernel writes and knows. */
export const FORMAT = 'assay/0';

/**
 * A position in a ledger from outside it: `count` = sequence of the last record + 1, `hash` its record hash.
 */
export type Head = { readonly run_id: string; readonly count: number; readonly hash: Digest };

/** Costs by unit, integers: tokens, micro-units of money, milliseconds, bytes. */
export type Spent = { readonly [unit: string]: number };

/** "No acceptable value came", as an answer. `final`: no further attempt makes sense. */
export type Failure = { readonly code: FailureCode; readonly final: boolean; readonly detail: Json };

/**
 * What a machine wants from outside, as data. `accepts`: sources allowed to answer with a value. `attempts`
 * n: the n-th attempt is the last; 0: none is.
 */
export type Request<A extends Json = Json> = {
  readonly id: string;
  readonly kind: string;
  readonly body: A;
  readonly accepts: readonly Source[];
  readonly attempts: number;
};

/**
 * One row of the open-request table: `rejections` = attempts used, `spent` = sum over the recorded proposals
 * to it.
 */
export type OpenRequest = { readonly rejections: number; readonly spent: Spent; readonly request: Request };

/** What a state hash covers: the machine's encoded state, the open requests and the artifacts. */
export type State = {
  readonly t: 'state';
  readonly machine: Json;
  readonly open: { readonly [id: string]: OpenRequest };
  readonly artifacts: { readonly [name: string]: Digest };
};

/** The head of another ledger a run starts from: `snapshot: null` is a fork, a State a continuation. */
export type Base = {
  readonly run_id: string;
  readonly count: number;
  readonly hash: Digest;
  readonly snapshot: State | null;
};

/** Payload of the first record. */
export type Genesis = {
  readonly format: typeof FORMAT;
  readonly run_id: string;
  readonly machine: { readonly name: string; readonly version: number; readonly engine: string | null };
  readonly ts_base: string;
  readonly policy: Json;
  readonly input: Json;
  readonly base: Base | null;
};

/** The one answer to a request, as it is given to `advance`. */
export type Proposal = {
  readonly request_id: string;
  readonly source: Source;
  readonly proposer: string;
  readonly confidence: number | null;
  readonly value: Json;
  readonly failure: Failure | null;
  readonly at_us: number | null;
  readonly spent: Spent;
  readonly cites: readonly Head[];
  readonly provenance: JsonObject;
};

/** A proposal as recorded: with its hash, H({source, confidence, value}). */
export type RecordedProposal = Proposal & { readonly proposal_hash: Digest };

/** What one decision adds to the graph: new ids only, in the machine's order. */
export type GraphAddition = { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] };

/** What a machine derived from one answer. */
export type DecisionPayload = {
  readonly events: readonly Json[];
  readonly requests: readonly Request[];
  readonly withdrawn: readonly string[];
  readonly graph: GraphAddition | null;
  readonly state_hash: Digest | null;
};

/** A proposal that is not accepted: machine state does not change. */
export type RejectionPayload = { readonly code: string; readonly detail: Json };

/** A result with its hash, H(content). */
export type ArtifactPayload = {
  readonly name: string;
  readonly content: Json;
  readonly artifact_hash: Digest;
};

/** How a run can end. */
export type Status = 'success' | 'refused';

/** The end of a run. */
export type ClosePayload = {
  readonly status: Status;
  readonly reasons: readonly string[];
  readonly dag_root_hash: Digest;
  readonly artifact_hashes: { readonly [name: string]: Digest };
  readonly record_count: number;
  readonly state_hash: Digest;
  readonly open_requests: readonly string[];
};

const name = text(isName);
const requestId = text(isRequestId);
const spent = table(isName, integer(0));
const isSet = (values: readonly Json[]): boolean => new Set(values).size === values.length;

const head = closed({ run_id: text(isRunId), count: integer(1), hash: digest });
const request = closed({
  id: requestId,
  kind: name,
  body: free,
  accepts: list(oneOf(SOURCES), (sources) => sources.length > 0 && isSet(sources)),
  attempts: integer(0),
});
const openRequest = closed({ rejections: integer(0), spent, request });
const openRows = table(isRequestId, openRequest);
const openTable: Shape = (value) => openRows(value) ?? idsAgree(value);
const fraction: Shape = (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? null : '');

function idsAgree(value: Json): string | null {
  for (const [id, row] of Object.entries(value as State['open']))
    if (row.request.id !== id) return `/${id}/request/id`;
  return null;
}

const failure = closed({ code: oneOf(FAILURE_CODES), final: flag, detail: free });
const answer = {
  request_id: requestId,
  source: oneOf(SOURCES),
  proposer: text(isProposer),
  confidence: nullable(fraction),
  value: free,
  failure: nullable(failure),
  at_us: nullable(integer(0)),
  spent,
  cites: list(head),
  provenance: freeObject,
};

/** With a failure, value and confidence are null. */
function failureAlone(shape: Shape): Shape {
  return (value) => {
    const fault = shape(value);
    if (fault !== null) return fault;
    const { failure: failed, value: given, confidence } = value as unknown as Proposal;
    if (failed === null) return null;
    return given !== null ? '/value' : confidence !== null ? '/confidence' : null;
  };
}

/** Shape of a State: what a base snapshot holds. */
export const STATE: Shape = closed({
  t: oneOf(['state']),
  machine: free,
  open: openTable,
  artifacts: table(isName, digest),
});

/** Shape of a proposal as given to `advance`. */
export const PROPOSAL: Shape = failureAlone(closed(answer));

/**
 * Shape of the payload of each kind of record. A node's or edge's kind is only a name here: the closed sets
 * are the graph's own rule.
 */
export const PAYLOADS: {
  readonly [kind in 'genesis' | 'proposal' | 'decision' | 'rejection' | 'artifact' | 'close']: Shape;
} = {
  genesis: closed({
    format: oneOf([FORMAT]),
    run_id: text(isRunId),
    machine: closed({ name, version: integer(Number.MIN_SAFE_INTEGER), engine: nullable(text(() => true)) }),
    ts_base: text(isTsBase),
    policy: free,
    input: free,
    base: (value) => (value === null ? null : baseShape(value)),
  }),
  proposal: failureAlone(closed({ ...answer, proposal_hash: digest })),
  decision: closed({
    events: list(free),
    requests: list(request),
    withdrawn: list(requestId),
    // A kind outside its set is no fault of shape: integrity calls it `graph`.
    graph: nullable(
      closed({
        nodes: list(closed({ id: digest, kind: name, payload: free, payload_hash: digest })),
        edges: list(closed({ id: digest, kind: name, from_id: digest, to_id: digest })),
      }),
    ),
    state_hash: nullable(digest),
  }),
  rejection: closed({ code: name, detail: free }),
  artifact: closed({ name, content: free, artifact_hash: digest }),
  close: (value) => closeShape(value),
};

const base = closed({ run_id: text(isRunId), count: integer(1), hash: digest, snapshot: nullable(STATE) });
function baseShape(value: Json): string | null {
  const fault = base(value);
  if (fault !== null) return fault;
  const { count, snapshot } = value as unknown as Base;
  const early = snapshot === null ? undefined : idFromLater(snapshot.open, count);
  return early === undefined ? null : `/snapshot/open/${early}`;
}

/** An open request's id that no decision before sequence `count` can have given, or undefined. */
export function idFromLater(open: State['open'], count: number): string | undefined {
  return Object.keys(open).find((id) => Number(id.split('.', 1)[0]) >= count);
}

const close = closed({
  status: oneOf(['success', 'refused']),
  reasons: list(name),
  dag_root_hash: digest,
  artifact_hashes: table(isName, digest),
  record_count: integer(0),
  state_hash: digest,
  open_requests: list(requestId),
});
function closeShape(value: Json): string | null {
  const fault = close(value);
  if (fault !== null) return fault;
  const { status, reasons } = value as unknown as ClosePayload;
  return status === 'refused' && reasons.length === 0 ? '/reasons' : null;
}
