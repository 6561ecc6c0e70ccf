/**
 * The payload of each kind of record: types and total parsers. All key sets are closed and every key is
 * present, null or empty where there is nothing. Source: ledger format, "Payloads".
 */
import type { Digest } from '../hash/sha256.js';
import type { Json, JsonObject } from '../json.js';
import {
  EDGE_KINDS,
  NODE_KINDS,
  type EdgeKind,
  type GraphEdge,
  type GraphNode,
  type NodeKind,
} from '../graph/kinds.js';
import {
  FAILURE_CODES,
  isName,
  isProposer,
  isRequestId,
  isRunId,
  isTsBase,
  NAME,
  PROPOSER,
  REQUEST_ID,
  RUN_ID,
  SOURCES,
  TS_BASE,
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
  number,
  oneOf,
  refined,
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

/** Shape of a name. */
export const NAMED: Shape<string> = text(isName, { pattern: NAME });
/** Shape of a node's kind: only a name, since the closed set is the graph's own rule. */
const NODE_KIND: Shape<NodeKind> = text(isName, { allowed: NODE_KINDS });
/** Shape of an edge's kind: only a name, as of a node. */
const EDGE_KIND: Shape<EdgeKind> = text(isName, { allowed: EDGE_KINDS });
/** Shape of a request id. */
export const REQUESTED: Shape<string> = text(isRequestId, { pattern: REQUEST_ID });
/** Shape of a proposer. */
export const PROPOSED_BY: Shape<string> = text(isProposer, { pattern: PROPOSER });
/** Shape of a run id. */
export const RUN: Shape<string> = text(isRunId, { pattern: RUN_ID });

const spent = table(isName, integer(0), { pattern: NAME });
const digests = table(isName, digest, { pattern: NAME });
const isSet = (values: readonly Json[]): boolean => new Set(values).size === values.length;

const at = { run_id: RUN, count: integer(1), hash: digest };
/** Shape of a head. */
export const HEAD: Shape<Head> = closed(at);
const request = closed({
  id: REQUESTED,
  kind: NAMED,
  body: free,
  accepts: list(oneOf(SOURCES), (sources) => sources.length > 0 && isSet(sources), { min: 1, unique: true }),
  attempts: integer(0),
});
const openRows: Shape<State['open']> = table(
  isRequestId,
  closed({ rejections: integer(0), spent, request }),
  { pattern: REQUEST_ID },
);

/** The id in each row equals its key. */
function idsAgree(open: State['open']): string | null {
  for (const [id, row] of Object.entries(open)) if (row.request.id !== id) return `/${id}/request/id`;
  return null;
}

/** Shape of a failure. */
export const FAILURE: Shape<Failure> = closed({ code: oneOf(FAILURE_CODES), final: flag, detail: free });
/** The fields of a proposal as given to `advance`. */
export const ANSWER: { readonly [field in keyof Proposal]: Shape<Proposal[field]> } = {
  request_id: REQUESTED,
  source: oneOf(SOURCES),
  proposer: PROPOSED_BY,
  confidence: nullable(number(0, 1)),
  value: free,
  failure: nullable(FAILURE),
  at_us: nullable(integer(0)),
  spent,
  cites: list(HEAD),
  provenance: freeObject,
};

/** With a failure, value and confidence are null. */
function failureAlone({ failure, value, confidence }: Proposal): string | null {
  if (failure === null) return null;
  return value !== null ? '/value' : confidence !== null ? '/confidence' : null;
}

/** Shape of a State: what a base snapshot holds. */
export const STATE: Shape<State> = closed({
  t: oneOf(['state']),
  machine: free,
  open: refined(openRows, idsAgree),
  artifacts: digests,
});

/** Shape of a proposal as given to `advance`. */
export const PROPOSAL: Shape<Proposal> = refined(closed(ANSWER), failureAlone);

const base: Shape<Base> = refined(closed({ ...at, snapshot: nullable(STATE) }), ({ count, snapshot }) => {
  const early = snapshot === null ? undefined : idFromLater(snapshot.open, count);
  return early === undefined ? null : `/snapshot/open/${early}`;
});

/** An open request's id that no decision before sequence `count` can have given, or undefined. */
export function idFromLater(open: State['open'], count: number): string | undefined {
  return Object.keys(open).find((id) => Number(id.split('.', 1)[0]) >= count);
}

/** Shape of an edge of the context graph. */
export const EDGE: Shape<GraphEdge> = closed({
  id: digest,
  kind: EDGE_KIND,
  from_id: digest,
  to_id: digest,
});

/** The fields of the end of a run. */
export const CLOSE: { readonly [field in keyof ClosePayload]: Shape<ClosePayload[field]> } = {
  status: oneOf(['success', 'refused']),
  reasons: list(NAMED),
  dag_root_hash: digest,
  artifact_hashes: digests,
  record_count: integer(0),
  state_hash: digest,
  open_requests: list(REQUESTED),
};

/** Shape of the payload of each kind of record. */
export const PAYLOADS: {
  readonly genesis: Shape<Genesis>;
  readonly proposal: Shape<RecordedProposal>;
  readonly decision: Shape<DecisionPayload>;
  readonly rejection: Shape<RejectionPayload>;
  readonly artifact: Shape<ArtifactPayload>;
  readonly close: Shape<ClosePayload>;
} = {
  genesis: closed({
    format: oneOf([FORMAT]),
    run_id: RUN,
    machine: closed({
      name: NAMED,
      version: integer(Number.MIN_SAFE_INTEGER),
      engine: nullable(text()),
    }),
    ts_base: text(isTsBase, { pattern: TS_BASE }),
    policy: free,
    input: free,
    base: nullable(base),
  }),
  proposal: refined(closed({ ...ANSWER, proposal_hash: digest }), failureAlone),
  decision: closed({
    events: list(free),
    requests: list(request),
    withdrawn: list(REQUESTED),
    graph: nullable(
      closed({
        nodes: list(closed({ id: digest, kind: NODE_KIND, payload: free, payload_hash: digest })),
        edges: list(EDGE),
      }),
    ),
    state_hash: nullable(digest),
  }),
  rejection: closed({ code: NAMED, detail: free }),
  artifact: closed({ name: NAMED, content: free, artifact_hash: digest }),
  close: refined(closed(CLOSE), ({ status, reasons }) =>
    status === 'refused' && reasons.length === 0 ? '/reasons' : null,
  ),
};
