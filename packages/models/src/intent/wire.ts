/**
 * The answer to `interpretations` as a model writes it: as the intent machine takes it, but with quotes as
 * words (models cannot count characters), which are located here, numbers as plain JSON numbers, and every
 * key present, as structured output demands.
 *
 * @module
 */
import type { JsonObject } from '@assay/kernel';
import {
  CLAIM_KINDS,
  type ClaimKind,
  MODALITIES,
  type Modality,
  type Op,
  OPS,
  type Quote,
  type SeedText,
} from '@assay/kernel/intent';
import * as z from 'zod';
import { makeSchema } from '../task/task.js';

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
export const wireSchema: JsonObject = makeSchema(wireAnswer);

/**
 * UTF-16 units of a quote that is looked for; the machine takes 240 code points, the rest may be white space.
 */
const QUOTE_UNITS_MAX = 1_024;

/**
 * Finds words in a request. They may be copied with other white space; nothing else may differ. Making one is
 * linear.
 */
export class Locator {
  private readonly seed: SeedText;
  /**
   * The request with each run of white space as one space, and where each of its units begins in the request.
   */
  private readonly folded: string;
  private readonly units: Uint32Array;

  constructor(seed: SeedText) {
    const { text } = seed;
    const units = new Uint32Array(text.length);
    const parts: string[] = [];
    let [length, from] = [0, 0];
    for (const { index, 0: space } of text.matchAll(SPACES)) {
      parts.push(text.slice(from, index), ' ');
      for (let at = from; at <= index; at += 1) units[length++] = at;
      from = index + space.length;
    }
    parts.push(text.slice(from));
    for (let at = from; at < text.length; at += 1) units[length++] = at;
    this.seed = seed;
    this.folded = parts.join('');
    this.units = units.subarray(0, length);
  }

  /**
   * The place of some words: the first one inside `within` if they stand there, else the first one. Null
   * where they do not stand in the request, are none, or are too long.
   */
  find(words: string, within: Quote | null = null): Quote | null {
    const wanted = words.replaceAll(SPACES, ' ').trim();
    if (wanted === '' || wanted.length > QUOTE_UNITS_MAX) return null;
    if (within !== null) {
      const [from, to] = [this.seed.unitAt(within.start), this.seed.unitAt(within.end)];
      const at = this.seed.text.slice(from, to).indexOf(words.trim());
      if (at !== -1) return this.seed.quote(from + at, from + at + words.trim().length);
    }
    const at = this.folded.indexOf(wanted);
    return at === -1
      ? null
      : this.seed.quote(this.units[at] ?? 0, (this.units[at + wanted.length - 1] ?? 0) + 1);
  }
}

const SPACES = /[ \t\r\n\u00a0]+/g;
