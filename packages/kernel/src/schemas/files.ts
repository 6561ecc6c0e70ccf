/**
 * Schemas of the files beside a ledger: snapshots, recordings, and the two documents of a golden fixture.
 * Source: ledger format, "Snapshot file"; design §2, §3; 001 §4.6.
 *
 * @module
 */
import * as z from 'zod';
import type { Digest } from '../hash/sha256.js';
import type { Json, JsonObject } from '../json.js';
import { NODE_KINDS, type NodeKind } from '../graph/kinds.js';
import { FAILURE_CODES, type FailureCode, type Source } from '../ledger/names.js';
import { NAMED, PROPOSED_BY, type Status } from '../ledger/payloads.js';
import { digest } from '../ledger/shape.js';
import { SNAPSHOT, type Snapshot } from '../machine/snapshot.js';
import { genesisRecordSchema, KINDS } from './ledger.js';
import { tableOf, toZod, zodFields } from './to-zod.js';

const free: z.ZodType<Json> = z.json();
const digestSchema = toZod(digest);
const nameSchema = toZod(NAMED);
const filled = z.string().min(1);

/** A snapshot file. */
export const snapshotSchema: z.ZodType<Snapshot> = z.strictObject({
  ...zodFields(SNAPSHOT, KINDS),
  genesis: genesisRecordSchema,
});

/**
 * A recorded answer, as it is written: what is left out is null, a left out provenance is empty, further keys
 * are not read.
 */
export type AnswerDocument = {
  readonly source: Exclude<Source, 'clock' | 'run'>;
  readonly proposer: string;
  readonly confidence?: number | null;
  readonly value?: Json;
  readonly failure?: { readonly code: FailureCode; readonly final: boolean; readonly detail?: Json } | null;
  readonly provenance?: JsonObject;
};

/** A file of recorded answers, `assay-recorded/0`. */
export type RecordingDocument = {
  readonly format: 'assay-recorded/0';
  readonly entries: readonly {
    readonly ask_hash: Digest;
    readonly ask: { readonly kind: string; readonly body: Json };
    readonly proposal: AnswerDocument;
  }[];
};

const failure = z.looseObject({
  code: z.enum(FAILURE_CODES),
  final: z.boolean(),
  detail: z.exactOptional(free),
});
const provenance = z.record(z.string(), free);
const said = {
  proposer: toZod(PROPOSED_BY),
  confidence: z.exactOptional(z.nullable(z.number().min(0).max(1))),
  value: z.exactOptional(free),
};
const model = z.enum(['live_model', 'recorded_model']);

const answer: z.ZodType<AnswerDocument> = z.union([
  z.strictObject({
    ...said,
    source: z.enum(['rule', 'human', 'tool', 'retrieval', 'synthetic']),
    failure: z.exactOptional(z.nullable(failure)),
    provenance: z.exactOptional(provenance),
  }),
  z.strictObject({ ...said, source: model, failure, provenance: z.exactOptional(provenance) }),
  z.strictObject({
    ...said,
    source: model,
    failure: z.exactOptional(z.null()),
    provenance: z
      .object({ provider: filled, model: filled, date: z.iso.date(), raw_response_hash: digestSchema })
      .catchall(free),
  }),
]);

/** A file of recorded answers. */
export const recordingSchema: z.ZodType<RecordingDocument> = z.strictObject({
  format: z.literal('assay-recorded/0'),
  entries: z.array(
    z.strictObject({
      ask_hash: digestSchema,
      ask: z.strictObject({ kind: z.string(), body: free }),
      proposal: answer,
    }),
  ),
});

/** `fixture.json` of a golden fixture; further keys are the fixture's own. */
export type FixtureDocument = {
  readonly name: string;
  readonly about: string;
  readonly machine: { readonly name: string; readonly version: number };
};

/** `fixture.json` of a golden fixture. */
export const fixtureSchema: z.ZodType<FixtureDocument> = z.looseObject({
  name: filled,
  about: filled,
  machine: z.looseObject({ name: filled, version: z.int() }),
});

/** `expected.json` of a golden fixture: everything it locks. */
export type FixtureExpectedDocument = {
  readonly summary_hash: Digest;
  readonly ledger_last_hash: Digest;
  readonly dag_root_hash: Digest;
  readonly artifact_hashes: { readonly [name: string]: Digest };
  readonly chosen: { readonly artifact: string; readonly path: string; readonly value: Json };
  readonly node_count: number;
  readonly edge_count: number;
  readonly node_kinds: { readonly [kind in NodeKind]?: number };
  readonly status: Status;
  readonly records: number;
};

/** null, and empty texts, lists and tables lock nothing. */
function locks(value: Json): boolean {
  return value !== null && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0);
}

/** `expected.json` of a golden fixture. */
export const fixtureExpectedSchema: z.ZodType<FixtureExpectedDocument> = z
  .strictObject({
    summary_hash: digestSchema,
    ledger_last_hash: digestSchema,
    dag_root_hash: digestSchema,
    artifact_hashes: tableOf(nameSchema, digestSchema).refine(locks).meta({ minProperties: 1 }),
    chosen: z.strictObject({
      artifact: nameSchema,
      path: z.string().regex(/^(?:\/(?:[^~/]|~[01])*)*$/),
      value: free.refine(locks),
    }),
    node_count: z.int().min(0),
    edge_count: z.int().min(0),
    node_kinds: z.partialRecord(z.enum(NODE_KINDS), z.int().min(1)) as z.ZodType<{
      readonly [kind in NodeKind]?: number;
    }>,
    status: z.enum(['success', 'refused']),
    records: z.int().min(3),
  })
  .refine(({ node_count, node_kinds }) => node_count === 0 || locks(node_kinds));
