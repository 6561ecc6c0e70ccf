/**
 * Schemas of the documents that `assay runs --json` and `assay copy --json` print. Source: design §8.
 *
 * @module
 */
import * as z from 'zod';
import { digestSchema } from './claims.js';

/** Where a ledger ends. */
export type ListedHead = { readonly run_id: string; readonly count: number; readonly hash: string };

/**
 * A stored run. `records`: those found sound. Of a broken one `fault` says why, with the record, and outcome
 * and head are null.
 */
export type ListedRun = {
  readonly run_id: string;
  readonly machine: string | null;
  readonly records: number;
  readonly outcome: 'success' | 'refused' | 'open' | null;
  readonly head: ListedHead | null;
  readonly head_line: string | null;
  readonly fault: { readonly code: string; readonly record: number | null } | null;
};

/** What `assay runs --json` prints. `store`: its address, a password as `***`. */
export type RunsDocument = { readonly store: string; readonly runs: readonly ListedRun[] };

/**
 * What became of one run of `assay copy`. `added`: records stored now. `identical`: the two ledgers have the
 * same bytes; they differ under one head only where payloads were erased. `rederivation`: of what was read.
 * `problem`: why it was refused, or why the notes of its calls were not taken along, where it was not.
 */
export type CopiedRun = {
  readonly run_id: string;
  readonly result: 'copied' | 'completed' | 'already_there' | 'refused';
  readonly added: number;
  readonly head: ListedHead | null;
  readonly head_line: string | null;
  readonly identical: boolean | null;
  readonly rederivation: {
    readonly verdict: 'held' | 'failed' | 'not_checked';
    readonly code: string | null;
    readonly record: number | null;
  } | null;
  readonly problem: {
    readonly code: string;
    readonly message: string;
    readonly place: string | null;
    readonly remedy: string;
  } | null;
};

/** What `assay copy --json` prints. */
export type CopyDocument = {
  readonly from: string;
  readonly to: string;
  readonly runs: readonly CopiedRun[];
};

const count = z.int().min(0);
const text = z.string();
const head: z.ZodType<ListedHead> = z.strictObject({ run_id: text, count, hash: digestSchema });

/** What `assay runs --json` prints. */
export const runsDocumentSchema: z.ZodType<RunsDocument> = z.strictObject({
  store: text,
  runs: z.array(
    z.strictObject({
      run_id: text,
      machine: z.nullable(text),
      records: count,
      outcome: z.nullable(z.enum(['success', 'refused', 'open'])),
      head: z.nullable(head),
      head_line: z.nullable(text),
      fault: z.nullable(z.strictObject({ code: text, record: z.nullable(count) })),
    }),
  ),
});

/** What `assay copy --json` prints. */
export const copyDocumentSchema: z.ZodType<CopyDocument> = z.strictObject({
  from: text,
  to: text,
  runs: z.array(
    z.strictObject({
      run_id: text,
      result: z.enum(['copied', 'completed', 'already_there', 'refused']),
      added: count,
      head: z.nullable(head),
      head_line: z.nullable(text),
      identical: z.nullable(z.boolean()),
      rederivation: z.nullable(
        z.strictObject({
          verdict: z.enum(['held', 'failed', 'not_checked']),
          code: z.nullable(text),
          record: z.nullable(count),
        }),
      ),
      problem: z.nullable(
        z.strictObject({ code: text, message: text, place: z.nullable(text), remedy: text }),
      ),
    }),
  ),
});
