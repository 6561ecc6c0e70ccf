/**
 * Schemas of what a ledger holds: the payload of each kind, and the record around it, made from the shapes the
 * kernel judges by. zod leaves own keys `__proto__` out of what it returns: keep the value given. Source: ledger
 * format, "Names", "Payloads", "File and records".
 *
 * @module
 */
import * as z from 'zod';
import { EDGE_KINDS, NODE_KINDS } from '../graph/kinds.js';
import {
  ANSWER,
  CLOSE,
  EDGE_KIND,
  FAILURE,
  NAMED,
  NODE_KIND,
  PAYLOADS,
  type ArtifactPayload,
  type ClosePayload,
  type DecisionPayload,
  type Genesis,
  type RecordedProposal,
  type RejectionPayload,
} from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { digest, type Shape } from '../ledger/shape.js';
import { toZod, zodFields } from './to-zod.js';

/** The closed sets of kinds, which the graph judges. */
export const KINDS: ReadonlyMap<Shape, z.ZodType> = new Map<Shape, z.ZodType>([
  [NODE_KIND, z.enum(NODE_KINDS)],
  [EDGE_KIND, z.enum(EDGE_KINDS)],
]);
const digestSchema = toZod(digest);
const { confidence, value, failure: _failure, ...answer } = zodFields({ ...ANSWER, proposal_hash: digest });
const { status: _, reasons, ...close } = zodFields(CLOSE);

/** The payload of each kind of record. */
export const payloadSchemas: {
  readonly genesis: z.ZodType<Genesis>;
  readonly proposal: z.ZodType<RecordedProposal>;
  readonly decision: z.ZodType<DecisionPayload>;
  readonly rejection: z.ZodType<RejectionPayload>;
  readonly artifact: z.ZodType<ArtifactPayload>;
  readonly close: z.ZodType<ClosePayload>;
} = {
  genesis: toZod(PAYLOADS.genesis),
  proposal: z.union([
    z.strictObject({ ...answer, confidence, value, failure: z.null() }),
    z.strictObject({ ...answer, confidence: z.null(), value: z.null(), failure: toZod(FAILURE) }),
  ]),
  decision: toZod(PAYLOADS.decision, KINDS),
  rejection: toZod(PAYLOADS.rejection),
  artifact: toZod(PAYLOADS.artifact),
  close: z.discriminatedUnion('status', [
    z.strictObject({ ...close, status: z.literal('success'), reasons }),
    z.strictObject({ ...close, status: z.literal('refused'), reasons: z.array(toZod(NAMED)).min(1) }),
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
