/**
 * Schemas of what a ledger holds, the payload of each kind and the record around it, and of the files beside it:
 * snapshots, recordings, and the two documents of a golden fixture. Source: ledger format, "Names", "Payloads", "File
 * and records", "Snapshot file"; design §2, §3; 001 §4.6.
 */
import { NODE_KINDS } from '../graph/kinds.js';
import type { Json } from '../json.js';
import { FAILURE_CODES, NAME } from '../ledger/names.js';
import {
  ANSWER,
  CLOSE,
  FAILURE,
  NAMED,
  PAYLOADS,
  PROPOSED_BY,
  type ClosePayload,
  type RecordedProposal,
} from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import {
  anyOf,
  closed,
  digest,
  flag,
  free,
  freeObject,
  integer,
  list,
  matching,
  nullable,
  number,
  oneOf,
  open,
  refined,
  said,
  table,
  text,
  type Shape,
} from '../ledger/shape.js';
import { SNAPSHOT, type Snapshot } from '../machine/snapshot.js';

const none = oneOf([null]);
const words = text();
const filled = text((value) => value !== '', { min: 1 });

/** Each failure without a value, each value without a failure. */
const proposal: Shape<RecordedProposal> = said(
  PAYLOADS.proposal,
  anyOf(
    closed({ ...ANSWER, failure: none, proposal_hash: digest }),
    closed({ ...ANSWER, value: none, confidence: none, failure: FAILURE, proposal_hash: digest }),
  ),
);
const close: Shape<ClosePayload> = said(
  PAYLOADS.close,
  anyOf(
    closed({ ...CLOSE, status: oneOf(['success']) }),
    closed({
      ...CLOSE,
      status: oneOf(['refused']),
      reasons: list(NAMED, ({ length }) => length > 0, { min: 1 }),
    }),
  ),
);

/** The payload of each kind of record. */
export const payloadSchemas: typeof PAYLOADS = { ...PAYLOADS, proposal, close };

const envelope = {
  v: oneOf([1]),
  ts: matching(/^[\x21\x22\x24-\x7e]{1,64}#[0-9]{12}$/),
  payload_hash: digest,
  record_hash: digest,
};

/** The first record of a ledger, whole. */
export const genesisRecordSchema: Shape<EvidenceRecord> = closed({
  ...envelope,
  kind: oneOf(['genesis']),
  parent: none,
  payload: payloadSchemas.genesis,
});

function later(kind: Exclude<keyof typeof PAYLOADS, 'genesis' | 'close'>): Shape<EvidenceRecord> {
  return open({ ...envelope, kind: oneOf([kind]), parent: digest }, { payload: payloadSchemas[kind] });
}

/** One record of a ledger: seven keys, or six where it is erased, which a genesis and a close never are. */
export const recordSchema: Shape<EvidenceRecord> = anyOf(
  genesisRecordSchema,
  later('proposal'),
  later('decision'),
  later('rejection'),
  later('artifact'),
  closed({ ...envelope, kind: oneOf(['close']), parent: digest, payload: payloadSchemas.close }),
);

/** A snapshot file. */
export const snapshotSchema: Shape<Snapshot> = closed({ ...SNAPSHOT, genesis: genesisRecordSchema });

/** A day that there is. */
const day = matching(
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$/,
);
const failure = open({ code: oneOf(FAILURE_CODES), final: flag }, { detail: free }, free);
const answer = { proposer: PROPOSED_BY };
const also = { confidence: nullable(number(0, 1)), value: free };
const ofModel = { ...answer, source: oneOf(['live_model', 'recorded_model']) };

/**
 * A recorded answer, as it is written: what is left out is null, a left out provenance is empty, further keys
 * are not read.
 */
const recorded = anyOf(
  open(
    { ...answer, source: oneOf(['rule', 'human', 'tool', 'retrieval', 'synthetic']) },
    { ...also, failure: nullable(failure), provenance: freeObject },
  ),
  open({ ...ofModel, failure }, { ...also, provenance: freeObject }),
  open(
    {
      ...ofModel,
      provenance: open({ provider: filled, model: filled, date: day, raw_response_hash: digest }, {}, free),
    },
    { ...also, failure: none },
  ),
);

/** A file of recorded answers, `assay-recorded/0`. */
export const recordingSchema = closed({
  format: oneOf(['assay-recorded/0']),
  entries: list(closed({ ask_hash: digest, ask: closed({ kind: words, body: free }), proposal: recorded })),
});

/** `fixture.json` of a golden fixture; further keys are the fixture's own. */
export const fixtureSchema = open(
  {
    name: filled,
    about: filled,
    machine: open({ name: filled, version: integer(Number.MIN_SAFE_INTEGER) }, {}, free),
  },
  {},
  free,
);

/** null, and empty texts, lists and tables lock nothing. */
function locks(value: Json): string | null {
  const isEmpty =
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty ? '' : null;
}

const artifacts = table((name) => NAME.test(name), digest, { pattern: NAME });

/** `expected.json` of a golden fixture: everything it locks. */
export const fixtureExpectedSchema = refined(
  closed({
    summary_hash: digest,
    ledger_last_hash: digest,
    dag_root_hash: digest,
    artifact_hashes: said(refined(artifacts, locks), artifacts, { minProperties: 1 }),
    chosen: closed({
      artifact: NAMED,
      path: matching(/^(?:\/(?:[^~/]|~[01])*)*$/),
      value: refined(free, locks),
    }),
    node_count: integer(0),
    edge_count: integer(0),
    node_kinds: open({}, Object.fromEntries(NODE_KINDS.map((kind) => [kind, integer(1)]))),
    status: oneOf(['success', 'refused']),
    records: integer(3),
  }),
  ({ node_count, node_kinds }) => (node_count === 0 ? null : locks(node_kinds as Json)),
);
