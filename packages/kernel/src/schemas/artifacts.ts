/**
 * Schemas of the artifacts of a run. Source: 001 §3; intent I16, I18.
 *
 * @module
 */
import * as z from 'zod';
import {
  BLUEPRINT_FORMAT,
  type Blueprint,
  type BlueprintClaim,
  type BlueprintContradiction,
  type Cited,
  type Loser,
  type OpenQuestion,
  type Settlement,
} from '../intent/blueprint.js';
import { CLAIM_KINDS, MODALITIES, QUESTION_CLASSES } from '../intent/claim.js';
import { METHODS, PACK_FORMAT, type VerificationPack } from '../intent/pack.js';
import type { Policy } from '../intent/policy.js';
import { REASON_CODES, REFUSAL_FORMAT, type Reason, type RefusalReport } from '../intent/refusal.js';
import { SALIENT_KINDS } from '../intent/salient.js';
import type { Veto } from '../intent/veto.js';
import { SOURCES } from '../ledger/names.js';
import type { Json } from '../json.js';
import { atomSchema, digestSchema, quoteSchema } from './claims.js';

const count = z.int().min(0);
const text = z.string();
const modality = z.enum(MODALITIES);
const jsonSchema: z.ZodType<Json> = z.json();
const stated = z.strictObject({ modality, atom: atomSchema });
const cited: z.ZodType<Cited> = z.strictObject({ text, start: count, end: z.int().min(1) });

/** A veto of a reading. */
export const vetoSchema: z.ZodType<Veto> = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('duplicate_reading'), of: z.strictObject({ slot: text, index: count }) }),
  z.strictObject({ code: z.literal('ungrounded'), claim: count, rule: z.enum(['span', 'cut', 'number']) }),
  z.strictObject({ code: z.literal('pin_conflict'), claim: count, claimed: stated, pinned: stated }),
  z.strictObject({
    code: z.literal('polarity'),
    asserted: z.union([
      z.strictObject({ in: z.literal('claim'), claim: count }),
      z.strictObject({ in: z.enum(['name', 'intent_summary', 'assumptions']) }),
    ]),
  }),
  z.strictObject({
    code: z.literal('self_contradiction'),
    a: count,
    b: count,
    why: z.enum(['polarity', 'interval']),
  }),
  z.strictObject({
    code: z.literal('over_limit'),
    of: z.enum(['max_interpretations', 'commits', 'assumptions', 'contradictions', 'aliases']),
    value: count,
    limit: count,
  }),
]);

const loser: z.ZodType<Loser> = z.strictObject({
  name: text,
  slot: text,
  index: count,
  reason: z.enum(['vetoed', 'outscored', 'pruned', 'first']),
  total: z.nullable(count),
  vetoes: z.array(vetoSchema),
});

const SETTLEMENTS = [
  'measure_and_threshold',
  'calendar_date',
  'which_one',
  'bound',
  'translation',
  'how_far',
  'which_side',
  'statement',
] as const satisfies readonly Settlement[];

const question: z.ZodType<OpenQuestion> = z.strictObject({
  claim: digestSchema,
  class: z.nullable(z.enum(QUESTION_CLASSES)),
  raised_by: z.nullable(cited),
  settled_by: z.enum(SETTLEMENTS),
});

const claim: z.ZodType<BlueprintClaim> = z.strictObject({
  id: digestSchema,
  kind: z.enum(CLAIM_KINDS),
  modality,
  text,
  quote: z.nullable(quoteSchema),
  atom: z.nullable(atomSchema),
  scope: z.strictObject({
    actor: z.nullable(cited),
    condition: z.nullable(cited),
    exception: z.nullable(cited),
  }),
  provenance: z.enum(['seed', 'pin', 'assumption']),
  refines: z.nullable(digestSchema),
});

const contradiction: z.ZodType<BlueprintContradiction> = z.strictObject({
  a: digestSchema,
  b: digestSchema,
  basis: z.enum(['derived', 'claimed']),
  why: z.enum(['polarity', 'interval', 'proposed', 'alias']),
  state: z.enum(['open', 'resolved']),
  by: z.nullable(z.enum(['pin', 'scope', 'commit'])),
  rejected: z.nullable(
    z.strictObject({
      reading: text,
      modality,
      atom: z.nullable(atomSchema),
      text,
      quote: z.nullable(quoteSchema),
    }),
  ),
});

/** The artifact `blueprint`. */
export const blueprintSchema: z.ZodType<Blueprint> = z.strictObject({
  format: z.literal(BLUEPRINT_FORMAT),
  seed_hash: digestSchema,
  intent: z.strictObject({
    name: text,
    summary: text,
    assumptions: z.array(text),
    total: count,
    supporters: z.array(
      z.strictObject({ slot: text, proposer: text, source: z.enum(SOURCES), proposal_hash: digestSchema }),
    ),
  }),
  pin: z.array(z.strictObject({ modality, atom: atomSchema, mentioned: z.boolean(), affirmed: z.boolean() })),
  claims: z.array(claim),
  decisions: z.array(
    z.strictObject({
      chosen: text,
      tie_break: z.enum(['none', 'total', 'name', 'commitments']),
      losers: z.array(loser),
    }),
  ),
  contradictions: z.array(contradiction),
  questions: z.array(question),
  coverage: z.strictObject({ covered: count, units: count }),
  uncovered: z.array(
    z.strictObject({ kind: z.enum(SALIENT_KINDS), text, start: count, end: z.int().min(1), clause: cited }),
  ),
});

/** The artifact `verification_pack`. */
export const verificationPackSchema: z.ZodType<VerificationPack> = z.strictObject({
  format: z.literal(PACK_FORMAT),
  seed_hash: digestSchema,
  blueprint_hash: digestSchema,
  checks: z.array(
    z.strictObject({
      id: text,
      claim: digestSchema,
      modality,
      method: z.enum(METHODS),
      text,
      threshold: z.nullable(atomSchema),
      waits_for: z.array(digestSchema),
    }),
  ),
});

const LIMITS = [
  'max_interpretations',
  'max_nodes',
  'max_depth',
  'contradiction_budget',
  'max_steps',
  'deterministic_tiebreak',
  'proposers',
  'min_proposals',
  'min_score',
  'min_margin',
  'weights',
] as const satisfies readonly (keyof Policy)[];

/** One reason of a refusal. */
export const reasonSchema: z.ZodType<Reason> = z.strictObject({
  code: z.enum(REASON_CODES),
  limit: z.nullable(z.enum(LIMITS)),
  value: z.nullable(z.int()),
  needed: z.nullable(z.int()),
  detail: jsonSchema,
});

/** The artifact `refusal_report`. */
export const refusalReportSchema: z.ZodType<RefusalReport> = z.strictObject({
  format: z.literal(REFUSAL_FORMAT),
  run_id: text,
  seed_hash: digestSchema,
  status: z.literal('refused'),
  reason_codes: z.array(z.enum(REASON_CODES)).min(1),
  evidence_record_hashes: z.array(digestSchema).min(1),
  policy_suggestions: z.array(text),
  reasons: z.array(reasonSchema),
  answers: z.array(
    z.strictObject({
      slot: text,
      proposal_hash: z.nullable(digestSchema),
      readings: count,
      failure: z.nullable(text),
      why: z.nullable(text),
    }),
  ),
  readings: z.array(loser),
  questions: z.array(question),
});
