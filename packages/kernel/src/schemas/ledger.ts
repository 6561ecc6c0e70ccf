/**
 * Schemas of what a ledger holds: the payload of each kind, and the record around it. The kernel judges with
 * its own shapes; a law holds both equal. zod leaves own keys `__proto__` out of what it returns: keep the
 * value given. Source: ledger format, "Names", "Payloads", "File and records".
 *
 * @module
 */
import * as z from 'zod';
import type { Json } from '../json.js';
import { EDGE_KINDS, type GraphEdge, NODE_KINDS } from '../graph/kinds.js';
import { FAILURE_CODES, isRunId, SOURCES, type Source } from '../ledger/names.js';
import {
  FORMAT,
  idFromLater,
  type ArtifactPayload,
  type Base,
  type ClosePayload,
  type DecisionPayload,
  type Failure,
  type Genesis,
  type Head,
  type OpenRequest,
  type RecordedProposal,
  type RejectionPayload,
  type Request,
  type Spent,
  type State,
} from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { digestSchema } from './claims.js';

const count = z.int().min(0);
const free: z.ZodType<Json> = z.json();

/** A machine or artifact name, a kind, a code or a unit. */
export const nameSchema: z.ZodType<string> = z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/);
/** A run id: a safe file name. That its first part is no device name is a refinement. */
export const runIdSchema: z.ZodType<string> = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._~-]{0,126}[A-Za-z0-9_~-])?$/)
  .refine(isRunId);
/** A proposer. */
export const proposerSchema: z.ZodType<string> = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}$/);
/** `<sequence>.<index>`, the sequence below 10^12 and the index at most 65,535. */
export const requestIdSchema: z.ZodType<string> = z
  .string()
  .regex(
    /^(?:0|[1-9][0-9]{0,11})\.(?:0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$/,
  );
/**
 * A table: an object with keys and values of one schema each. zod's records skip an own key `__proto__`; this
 * refuses it.
 */
export function tableOf<V>(
  key: z.ZodType<string>,
  value: z.ZodType<V>,
): z.ZodType<{ readonly [key: string]: V }> {
  const plain = z.custom<Record<string, unknown>>(
    (given) => typeof given === 'object' && given !== null && !Object.hasOwn(given, '__proto__'),
  );
  return plain.pipe(z.record(key as z.ZodType<string, string>, value));
}

const at = { run_id: runIdSchema, count: z.int().min(1), hash: digestSchema };
/** A position in a ledger, from outside it. */
export const headSchema: z.ZodType<Head> = z.strictObject(at);
const spent: z.ZodType<Spent> = tableOf(nameSchema, count);
const accepts: z.ZodType<readonly Source[]> = z
  .array(z.enum(SOURCES))
  .min(1)
  .refine((sources) => new Set(sources).size === sources.length)
  .meta({ uniqueItems: true });
const request: z.ZodType<Request> = z.strictObject({
  id: requestIdSchema,
  kind: nameSchema,
  body: free,
  accepts,
  attempts: count,
});
const openRequest: z.ZodType<OpenRequest> = z.strictObject({ rejections: count, spent, request });

/** A State: what a state hash covers. The id in each row of `open` equals its key. */
export const stateSchema: z.ZodType<State> = z.strictObject({
  t: z.literal('state'),
  machine: free,
  open: tableOf(requestIdSchema, openRequest).refine((open) =>
    Object.entries(open).every(([id, row]) => row.request.id === id),
  ),
  artifacts: tableOf(nameSchema, digestSchema),
});

/** An edge of the context graph. */
export const edgeSchema: z.ZodType<GraphEdge> = z.strictObject({
  id: digestSchema,
  kind: z.enum(EDGE_KINDS),
  from_id: digestSchema,
  to_id: digestSchema,
});
const node = z.strictObject({
  id: digestSchema,
  kind: z.enum(NODE_KINDS),
  payload: free,
  payload_hash: digestSchema,
});

const base: z.ZodType<Base> = z
  .strictObject({ ...at, snapshot: z.nullable(stateSchema) })
  .refine(
    ({ count: before, snapshot }) => snapshot === null || idFromLater(snapshot.open, before) === undefined,
    { path: ['snapshot', 'open'] },
  );

const failure: z.ZodType<Failure> = z.strictObject({
  code: z.enum(FAILURE_CODES),
  final: z.boolean(),
  detail: free,
});
const answer = {
  request_id: requestIdSchema,
  source: z.enum(SOURCES),
  proposer: proposerSchema,
  at_us: z.nullable(count),
  spent,
  cites: z.array(headSchema),
  provenance: z.record(z.string(), free),
  proposal_hash: digestSchema,
};
const close = {
  dag_root_hash: digestSchema,
  artifact_hashes: tableOf(nameSchema, digestSchema),
  record_count: count,
  state_hash: digestSchema,
  open_requests: z.array(requestIdSchema),
};

/** The payload of each kind of record. */
export const payloadSchemas: {
  readonly genesis: z.ZodType<Genesis>;
  readonly proposal: z.ZodType<RecordedProposal>;
  readonly decision: z.ZodType<DecisionPayload>;
  readonly rejection: z.ZodType<RejectionPayload>;
  readonly artifact: z.ZodType<ArtifactPayload>;
  readonly close: z.ZodType<ClosePayload>;
} = {
  genesis: z.strictObject({
    format: z.literal(FORMAT),
    run_id: runIdSchema,
    machine: z.strictObject({ name: nameSchema, version: z.int(), engine: z.nullable(z.string()) }),
    ts_base: z.string().regex(/^[\x21\x22\x24-\x7e]{1,64}$/),
    policy: free,
    input: free,
    base: z.nullable(base),
  }),
  proposal: z.union([
    z.strictObject({
      ...answer,
      confidence: z.nullable(z.number().min(0).max(1)),
      value: free,
      failure: z.null(),
    }),
    z.strictObject({ ...answer, confidence: z.null(), value: z.null(), failure }),
  ]),
  decision: z.strictObject({
    events: z.array(free),
    requests: z.array(request),
    withdrawn: z.array(requestIdSchema),
    graph: z.nullable(z.strictObject({ nodes: z.array(node), edges: z.array(edgeSchema) })),
    state_hash: z.nullable(digestSchema),
  }),
  rejection: z.strictObject({ code: nameSchema, detail: free }),
  artifact: z.strictObject({ name: nameSchema, content: free, artifact_hash: digestSchema }),
  close: z.discriminatedUnion('status', [
    z.strictObject({ ...close, status: z.literal('success'), reasons: z.array(nameSchema) }),
    z.strictObject({ ...close, status: z.literal('refused'), reasons: z.array(nameSchema).min(1) }),
  ]),
};

const envelope = {
  v: z.literal(1),
  ts: z.string().regex(/^[\x21\x22\x24-\x7e]{1,64}#[0-9]{12}$/),
  payload_hash: digestSchema,
  record_hash: digestSchema,
};
const first = { ...envelope, kind: z.literal('genesis'), parent: z.null(), payload: payloadSchemas.genesis };
const later = { ...envelope, parent: digestSchema };

/** The first record of a ledger, whole. */
export const genesisRecordSchema: z.ZodType<EvidenceRecord> = z.strictObject(first);

/** One record of a ledger: seven keys, or six where it is erased, which a genesis and a close never are. */
export const recordSchema: z.ZodType<EvidenceRecord> = z.discriminatedUnion('kind', [
  z.strictObject(first),
  z.strictObject({
    ...later,
    kind: z.literal('proposal'),
    payload: z.exactOptional(payloadSchemas.proposal),
  }),
  z.strictObject({
    ...later,
    kind: z.literal('decision'),
    payload: z.exactOptional(payloadSchemas.decision),
  }),
  z.strictObject({
    ...later,
    kind: z.literal('rejection'),
    payload: z.exactOptional(payloadSchemas.rejection),
  }),
  z.strictObject({
    ...later,
    kind: z.literal('artifact'),
    payload: z.exactOptional(payloadSchemas.artifact),
  }),
  z.strictObject({ ...later, kind: z.literal('close'), payload: payloadSchemas.close }),
]);
