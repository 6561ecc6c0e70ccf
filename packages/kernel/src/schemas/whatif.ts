/**
 * Schema of the document that `assay whatif --json` prints. Source: design §8.
 *
 * @module
 */
import * as z from 'zod';
import type { Json } from '../json.js';
import type { Status } from '../ledger/payloads.js';

/**
 * How a run ends. `verdict`, `subject`: in the words of its machine's view, null without one; `because`: where it
 * ends badly, why.
 */
export type WhatIfEnd = {
  readonly outcome: Status | null;
  readonly reasons: readonly string[];
  readonly verdict: string | null;
  readonly subject: string | null;
  readonly because: readonly string[];
};

/** One value before the change and under it. */
type Both = { readonly was: Json; readonly would_be: Json };

/**
 * What `assay whatif --json` prints. `base`: how much of the recorded run the fork shares. `parts`: the first
 * decision that differs by more than figures, and where; null where none does. `class`, `flip`: as of an impact.
 * `unknown`: what the fork asks
 * and nobody answered. `assumed`, `left_out`, `left_over`: positions of recorded answers that went to a
 * request with another input, were taken out, and were not asked for.
 */
export type WhatIfDocument = {
  readonly file: string;
  readonly run_id: string;
  readonly base: { readonly run_id: string; readonly count: number };
  readonly changed: readonly (Both & { readonly path: string })[];
  readonly without: readonly string[];
  readonly class: 'flipped' | 'cannot_be_known' | 'same_end' | 'same';
  readonly flip:
    | (Both & {
        readonly kind: 'outcome' | 'effect' | 'artifact' | 'figures';
        readonly name: string;
        readonly field: string;
      })
    | null;
  readonly before: WhatIfEnd;
  readonly after: WhatIfEnd;
  readonly parts:
    | (Both & {
        readonly decision: number;
        readonly record: { readonly was: number | null; readonly would_be: number | null };
        readonly field: string;
      })
    | null;
  readonly figures: readonly (Both & { readonly field: string })[];
  readonly unknown: readonly { readonly id: string; readonly kind: string }[];
  readonly assumed: readonly number[];
  readonly left_out: readonly number[];
  readonly left_over: readonly number[];
  readonly files: readonly string[];
};

const text = z.string();
const count = z.int().min(0);
const json: z.ZodType<Json> = z.json();
const both = { was: json, would_be: json };
const end: z.ZodType<WhatIfEnd> = z.strictObject({
  outcome: z.nullable(z.enum(['success', 'refused'])),
  reasons: z.array(text),
  verdict: z.nullable(text),
  subject: z.nullable(text),
  because: z.array(text),
});

/** What `assay whatif --json` prints. */
export const whatIfDocumentSchema: z.ZodType<WhatIfDocument> = z.strictObject({
  file: text,
  run_id: text,
  base: z.strictObject({ run_id: text, count: z.int().min(1) }),
  changed: z.array(z.strictObject({ path: text, ...both })),
  without: z.array(text),
  class: z.enum(['flipped', 'cannot_be_known', 'same_end', 'same']),
  flip: z.nullable(
    z.strictObject({
      kind: z.enum(['outcome', 'effect', 'artifact', 'figures']),
      name: text,
      field: text,
      ...both,
    }),
  ),
  before: end,
  after: end,
  parts: z.nullable(
    z.strictObject({
      decision: count,
      record: z.strictObject({ was: z.nullable(count), would_be: z.nullable(count) }),
      field: text,
      ...both,
    }),
  ),
  figures: z.array(z.strictObject({ field: text, ...both })),
  unknown: z.array(z.strictObject({ id: text, kind: text })),
  assumed: z.array(count),
  left_out: z.array(count),
  left_over: z.array(count),
  files: z.array(text),
});
