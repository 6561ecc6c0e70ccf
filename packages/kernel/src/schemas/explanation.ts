/**
 * Schema of the document that `assay explain --json` prints. Source: intent I8, I10 to I12; design §8.
 *
 * @module
 */
import * as z from 'zod';
import { EXPLANATION_FORMAT, type Explanation, type ExplainedReading } from '../intent/explain.js';
import { FLIP_FAMILIES, type Change, type Flip, type FlipFamily, type Flips } from '../intent/flip.js';
import { CRITERIA, WEIGHT_MAX } from '../intent/policy.js';
import { REASON_CODES, type Reason } from '../intent/refusal.js';
import { SOURCES } from '../ledger/names.js';
import type { Status } from '../ledger/payloads.js';
import type { Json, JsonObject } from '../json.js';
import { reasonSchema, vetoSchema } from './artifacts.js';

/** A pin that somebody could set: what it would demand, how it is written, and which readings say so. */
export type PinnableKey = {
  readonly key: string;
  readonly form: string;
  readonly says: string;
  readonly value: Json;
  readonly option: string;
  readonly readings: readonly { readonly slot: string; readonly index: number; readonly name: string }[];
};

/**
 * The command that has another reading win, tried before it was printed. `reasons`: why that run is refused,
 * empty where it is not.
 */
export type SuggestedCommand = {
  readonly family: FlipFamily;
  readonly flip: Flip;
  readonly words: readonly string[];
  readonly wins: boolean;
  readonly reasons: readonly string[];
  readonly command: string;
};

/** What `assay explain --json` prints. `reasons` is empty where the run was decided. */
export type ExplainDocument = {
  readonly file: string;
  readonly status: Status;
  readonly reasons: readonly Reason[];
  readonly explanation: Explanation;
  readonly pinnable: readonly PinnableKey[];
  readonly suggestion: SuggestedCommand | null;
};

const count = z.int().min(0);
const text = z.string();
const weight = z.int().min(0).max(WEIGHT_MAX);
const place = z.strictObject({ slot: text, index: count, name: text });
const json: z.ZodType<Json> = z.json();
const pin: z.ZodType<JsonObject> = z.record(text, z.json());

const change: z.ZodType<Change> = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('weight'), criterion: z.enum(CRITERIA), from: weight, to: weight }),
  z.strictObject({ t: z.literal('pin_removed'), key: text }),
  z.strictObject({ t: z.literal('pin_added'), pin }),
  z.strictObject({ t: z.literal('proposal_removed'), slot: text }),
  z.strictObject({ t: z.literal('commit_removed'), slot: text, index: count, commit: count }),
]);
const flip: z.ZodType<Flip> = z.strictObject({ change, winner: place });
const family = z.strictObject({ flip: z.nullable(flip), tried: count, searched_all: z.boolean() });
const flips: z.ZodType<Flips> = z.strictObject({
  weight: family,
  pin: family,
  proposal: family,
  commit: family,
});

const reading: z.ZodType<ExplainedReading> = z.strictObject({
  name: text,
  slot: text,
  index: count,
  proposer: text,
  source: z.enum(SOURCES),
  supporters: z.array(text),
  fate: z.enum(['first', 'outscored', 'pruned', 'vetoed']),
  rank: z.nullable(count),
  total: z.nullable(count),
  parts: z.array(
    z.strictObject({
      criterion: z.enum(CRITERIA),
      weight,
      applicable: z.boolean(),
      num: z.int(),
      den: count,
      ppm: count,
      contribution: count,
    }),
  ),
  vetoes: z.array(vetoSchema),
});

/** A whole explanation, as `explainAnswers` gives it. */
export const explanationSchema: z.ZodType<Explanation> = z.strictObject({
  format: z.literal(EXPLANATION_FORMAT),
  run_id: text,
  readings: z.array(reading),
  tie_break: z.enum(['none', 'total', 'name', 'commitments']),
  margin: count,
  flips: z.nullable(flips),
});

/** What `assay explain --json` prints. */
export const explainDocumentSchema: z.ZodType<ExplainDocument> = z.strictObject({
  file: text,
  status: z.enum(['success', 'refused']),
  reasons: z.array(reasonSchema),
  explanation: explanationSchema,
  pinnable: z.array(
    z.strictObject({
      key: text,
      form: text,
      says: text,
      value: json,
      option: text,
      readings: z.array(place).min(1),
    }),
  ),
  suggestion: z.nullable(
    z.strictObject({
      family: z.enum(FLIP_FAMILIES),
      flip,
      words: z.array(text),
      wins: z.boolean(),
      reasons: z.array(z.enum(REASON_CODES)),
      command: text,
    }),
  ),
});
