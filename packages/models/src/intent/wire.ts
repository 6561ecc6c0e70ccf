/**
 * The answer to `interpretations` as a model writes it: as the intent machine takes it, but with quotes as
 * words (models cannot count characters), numbers as plain JSON numbers, and every key present, as structured
 * output demands.
 *
 * @module
 */
import type { JsonObject } from '@assay/kernel';
import { CLAIM_KINDS, MODALITIES, OPS, type ClaimKind, type Modality, type Op } from '@assay/kernel/intent';
import * as z from 'zod';
import { schemaOf } from '../task/strict.js';

/** One commit as a model writes it. */
export type WireCommit = {
  readonly kind: ClaimKind;
  readonly modality: Modality;
  readonly quote: string | null;
  readonly atom: {
    readonly key: string;
    readonly op: Op;
    readonly value: number | boolean | string;
    readonly unit: string | null;
  } | null;
  readonly scope: {
    readonly actor: string | null;
    readonly condition: string | null;
    readonly exception: string | null;
  };
};

/** One reading as a model writes it. */
export type WireReading = {
  readonly name: string;
  readonly intent_summary: string;
  readonly assumptions: readonly string[];
  readonly commits: readonly WireCommit[];
  readonly contradictions: readonly { readonly a: number; readonly b: number }[];
  readonly aliases: readonly { readonly a: string; readonly b: string }[];
};

/** An answer as a model writes it. */
export type WireAnswer = { readonly readings: readonly WireReading[]; readonly confidence: number | null };

const words: z.ZodType<string | null> = z.nullable(z.string());

const commit: z.ZodType<WireCommit> = z.strictObject({
  kind: z.enum(CLAIM_KINDS),
  modality: z.enum(MODALITIES),
  quote: words,
  atom: z.nullable(
    z.strictObject({
      key: z.string(),
      op: z.enum(OPS),
      value: z.union([z.number(), z.boolean(), z.string()]),
      unit: z.nullable(z.string()),
    }),
  ),
  scope: z.strictObject({ actor: words, condition: words, exception: words }),
});

const reading: z.ZodType<WireReading> = z.strictObject({
  name: z.string(),
  intent_summary: z.string(),
  assumptions: z.array(z.string()),
  commits: z.array(commit),
  contradictions: z.array(z.strictObject({ a: z.number(), b: z.number() })),
  aliases: z.array(z.strictObject({ a: z.string(), b: z.string() })),
});

/** Reads and checks an answer's shape. */
export const wireAnswer: z.ZodType<WireAnswer> = z.strictObject({
  readings: z.array(reading),
  confidence: z.nullable(z.number()),
});

/** The same as JSON Schema. */
export const wireSchema: JsonObject = schemaOf(wireAnswer);
