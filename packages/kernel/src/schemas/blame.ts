/**
 * Schema of the document that `assay blame --json` prints. Source: design §8.
 *
 * @module
 */
import * as z from 'zod';
import type { Json } from '../json.js';

type Both = { readonly was: Json; readonly would_be: Json };

/**
 * What `assay blame --json` prints. `fields`: all in which the policies differ; `set`: those that flip the run,
 * minimal, neither smallest nor unique; `every_part_tried`: no part of it flips. `thresholds`: for each number
 * of the set the neighbours at which it flips, null where there are several stretches. `decided`: how often the
 * run was decided again.
 */
export type BlameDocument = {
  readonly file: string;
  readonly run_id: string;
  readonly policies: readonly string[];
  readonly fields: readonly (Both & { readonly path: string })[];
  readonly flip: Both & {
    readonly kind: 'outcome' | 'effect' | 'artifact' | 'figures';
    readonly name: string;
    readonly field: string;
  };
  readonly set: readonly (Both & { readonly path: string })[];
  readonly every_part_tried: boolean;
  readonly thresholds: readonly {
    readonly path: string;
    readonly threshold: { readonly stays: number; readonly flips: number } | null;
    readonly intervals: readonly {
      readonly from: number;
      readonly to: number;
      readonly result: 'same' | 'flips' | 'refused' | 'unknown';
    }[];
  }[];
  readonly decided: number;
};

const text = z.string();
const count = z.int().min(0);
const json: z.ZodType<Json> = z.json();
const changed = z.strictObject({ path: text, was: json, would_be: json });

/** What `assay blame --json` prints. */
export const blameDocumentSchema: z.ZodType<BlameDocument> = z.strictObject({
  file: text,
  run_id: text,
  policies: z.array(text),
  fields: z.array(changed),
  flip: z.strictObject({
    kind: z.enum(['outcome', 'effect', 'artifact', 'figures']),
    name: text,
    field: text,
    was: json,
    would_be: json,
  }),
  set: z.array(changed),
  every_part_tried: z.boolean(),
  thresholds: z.array(
    z.strictObject({
      path: text,
      threshold: z.nullable(z.strictObject({ stays: z.int(), flips: z.int() })),
      intervals: z.array(
        z.strictObject({
          from: z.int(),
          to: z.int(),
          result: z.enum(['same', 'flips', 'refused', 'unknown']),
        }),
      ),
    }),
  ),
  decided: count,
});
