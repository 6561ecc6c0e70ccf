/**
 * Schema of the document that `assay impact --json` prints. Source: design §8.
 *
 * @module
 */
import * as z from 'zod';
import type { Json } from '../json.js';
import type { Status } from '../ledger/payloads.js';

/** How a run ends; `outcome` null while it is open. */
export type ImpactEnd = { readonly outcome: Status | null; readonly reasons: readonly string[] };

/** One value before the change and under it. */
type Both = { readonly was: Json; readonly would_be: Json };

/**
 * A run that flips. `kind`: its outcome, a request to a tool or a person, what an artifact says, or figures of
 * artifacts alone; `name`: of the artifact or of the request; `field`: a JSON pointer into it. `parts`: the first decision that differs by more than figures, and
 * where; `figures`: those that differ there. `because`: the machine's own explanation on both sides. `rests_on`:
 * who answered up to there.
 */
export type ImpactFlip = Both & {
  readonly kind: 'outcome' | 'effect' | 'artifact' | 'figures';
  readonly name: string;
  readonly field: string;
  readonly parts:
    | (Both & {
        readonly decision: number;
        readonly record: { readonly was: number | null; readonly would_be: number | null };
        readonly field: string;
      })
    | null;
  readonly figures: readonly (Both & { readonly field: string })[];
  readonly because: { readonly was: string | null; readonly would_be: string | null };
  readonly rests_on: readonly {
    readonly source: string;
    readonly proposer: string;
    readonly answers: number;
  }[];
};

/**
 * One run. `code`, `record`, `detail`: why it is not usable. `decision`: the first that differs. `unknown`: the
 * first request that nobody answered. `assumed`: answers given before the input was changed. `expected`: false
 * where what was asked for does not name this class.
 */
export type ImpactRow = {
  readonly file: string;
  readonly run_id: string | null;
  readonly machine: string | null;
  readonly class: 'flipped' | 'cannot_be_known' | 'not_usable' | 'same_end' | 'same';
  readonly expected: boolean;
  readonly code: string | null;
  readonly record: number | null;
  readonly detail: Json;
  readonly decisions: number;
  readonly decision: number | null;
  readonly was: ImpactEnd | null;
  readonly would_be: ImpactEnd | null;
  readonly flip: ImpactFlip | null;
  readonly unknown: { readonly id: string; readonly kind: string } | null;
  readonly assumed: number;
};

/** Runs that flip, or cannot be used or known, in the same way. `from`, `to`: ends, or "" for artifacts. */
export type ImpactGroup = {
  readonly class: 'flipped' | 'cannot_be_known' | 'not_usable';
  readonly kind: string;
  readonly machine: string | null;
  readonly from: string;
  readonly to: string;
  readonly runs: number;
  readonly example: string;
};

/** What `assay impact --json` prints. `interrupted`: not every run was looked at. */
export type ImpactDocument = {
  readonly change: {
    readonly set: readonly { readonly path: string; readonly value: Json }[];
    readonly unset: readonly string[];
    readonly without: readonly string[];
    readonly policy: string | null;
    readonly input: string | null;
    readonly machine: readonly string[];
  };
  readonly expect: string | null;
  readonly interrupted: boolean;
  readonly decisions: number;
  readonly counts: { readonly [name in ImpactRow['class']]: number };
  readonly groups: readonly ImpactGroup[];
  readonly runs: readonly ImpactRow[];
};

const text = z.string();
const count = z.int().min(0);
const json: z.ZodType<Json> = z.json();
const both = { was: json, would_be: json };
const names = z.enum(['flipped', 'cannot_be_known', 'not_usable', 'same_end', 'same']);
const end: z.ZodType<ImpactEnd> = z.strictObject({
  outcome: z.nullable(z.enum(['success', 'refused'])),
  reasons: z.array(text),
});
const flip: z.ZodType<ImpactFlip> = z.strictObject({
  kind: z.enum(['outcome', 'effect', 'artifact', 'figures']),
  name: text,
  field: text,
  ...both,
  parts: z.nullable(
    z.strictObject({
      decision: count,
      record: z.strictObject({ was: z.nullable(count), would_be: z.nullable(count) }),
      field: text,
      ...both,
    }),
  ),
  figures: z.array(z.strictObject({ field: text, ...both })),
  because: z.strictObject({ was: z.nullable(text), would_be: z.nullable(text) }),
  rests_on: z.array(z.strictObject({ source: text, proposer: text, answers: count })),
});

/** What `assay impact --json` prints. */
export const impactDocumentSchema: z.ZodType<ImpactDocument> = z.strictObject({
  change: z.strictObject({
    set: z.array(z.strictObject({ path: text, value: json })),
    unset: z.array(text),
    without: z.array(text),
    policy: z.nullable(text),
    input: z.nullable(text),
    machine: z.array(text),
  }),
  expect: z.nullable(text),
  interrupted: z.boolean(),
  decisions: count,
  counts: z.strictObject({
    flipped: count,
    cannot_be_known: count,
    not_usable: count,
    same_end: count,
    same: count,
  }),
  groups: z.array(
    z.strictObject({
      class: z.enum(['flipped', 'cannot_be_known', 'not_usable']),
      kind: text,
      machine: z.nullable(text),
      from: text,
      to: text,
      runs: count,
      example: text,
    }),
  ),
  runs: z.array(
    z.strictObject({
      file: text,
      run_id: z.nullable(text),
      machine: z.nullable(text),
      class: names,
      expected: z.boolean(),
      code: z.nullable(text),
      record: z.nullable(count),
      detail: json,
      decisions: count,
      decision: z.nullable(count),
      was: z.nullable(end),
      would_be: z.nullable(end),
      flip: z.nullable(flip),
      unknown: z.nullable(z.strictObject({ id: text, kind: text })),
      assumed: count,
    }),
  ),
});
