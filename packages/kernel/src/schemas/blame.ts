/**
 * Schemas of the documents that `assay blame --json` and `assay bisect --json` print. Source: design §8.
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
    readonly kind: 'outcome' | 'artifact' | 'figures';
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

/** One place where two runs differ; `a`, `b`: positions of the records. */
type Place = {
  readonly a: number | null;
  readonly b: number | null;
  readonly field: string;
  readonly left: Json;
  readonly right: Json;
};

/** Who gave an answer. */
type By = { readonly source: string; readonly proposer: string } | null;

/**
 * What `assay bisect --json` prints. `by`: what was compared; `anchor`: the record up to which hashes are equal.
 * `not_compared`: records 1 to this one were not compared, since an equal state follows. `underived`: why a file was
 * not derived again, null where it was. `at`: the first difference, null where there is none; `causes`: what was
 * given differently; `answer`: the first answer that differs, and who gave it.
 */
export type BisectDocument = {
  readonly good: string;
  readonly bad: string;
  readonly machine: { readonly good: string; readonly bad: string };
  readonly by: 'record_hash' | 'state_hash' | 'whole';
  readonly anchor: number | null;
  readonly not_compared: number;
  readonly underived: { readonly good: string | null; readonly bad: string | null };
  readonly records: { readonly good: number; readonly bad: number };
  readonly at: Place | null;
  readonly causes: readonly ('machine' | 'policy' | 'input' | 'base' | 'proposal')[];
  readonly answer: (Place & { readonly by: { readonly a: By; readonly b: By } }) | null;
};

const text = z.string();
const count = z.int().min(0);
const json: z.ZodType<Json> = z.json();
const changed = z.strictObject({ path: text, was: json, would_be: json });
const place = { a: z.nullable(count), b: z.nullable(count), field: text, left: json, right: json };
const by: z.ZodType<By> = z.nullable(z.strictObject({ source: text, proposer: text }));

/** What `assay blame --json` prints. */
export const blameDocumentSchema: z.ZodType<BlameDocument> = z.strictObject({
  file: text,
  run_id: text,
  policies: z.array(text),
  fields: z.array(changed),
  flip: z.strictObject({
    kind: z.enum(['outcome', 'artifact', 'figures']),
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

/** What `assay bisect --json` prints. */
export const bisectDocumentSchema: z.ZodType<BisectDocument> = z.strictObject({
  good: text,
  bad: text,
  machine: z.strictObject({ good: text, bad: text }),
  by: z.enum(['record_hash', 'state_hash', 'whole']),
  anchor: z.nullable(count),
  not_compared: count,
  underived: z.strictObject({ good: z.nullable(text), bad: z.nullable(text) }),
  records: z.strictObject({ good: count, bad: count }),
  at: z.nullable(z.strictObject(place)),
  causes: z.array(z.enum(['machine', 'policy', 'input', 'base', 'proposal'])),
  answer: z.nullable(z.strictObject({ ...place, by: z.strictObject({ a: by, b: by }) })),
});
