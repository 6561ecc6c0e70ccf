/**
 * Schema of the document that `assay verify --json` prints. Source: ledger format, "Verdicts"; design §6.
 *
 * @module
 */
import * as z from 'zod';
import type { Json } from '../json.js';
import { digestSchema } from './claims.js';

/** One verdict: what was asked, whether it held, and if not, why and where. */
export type VerdictDocument = {
  readonly verdict: 'held' | 'failed' | 'not_checked';
  readonly code: string | null;
  readonly record: number | null;
  readonly count: number;
  readonly detail: Json;
};

/**
 * The five verdicts on each file. `head` is null where integrity failed; `due`: records derived and not in
 * the file.
 */
export type VerifyResults = {
  readonly results: readonly {
    readonly file: string;
    readonly head: { readonly run_id: string | null; readonly count: number; readonly hash: string } | null;
    readonly outcome: 'success' | 'refused' | 'open';
    readonly due: number | null;
    /** Only of a report: what the page around the ledger is. */
    readonly page?: 'same' | 'unknown' | undefined;
    readonly checks: {
      readonly [check in
        | 'integrity'
        | 'rederivation'
        | 'completeness'
        | 'authorship'
        | 'time']: VerdictDocument;
    };
  }[];
};

const count = z.int().min(0);
const verdict: z.ZodType<VerdictDocument> = z.strictObject({
  verdict: z.enum(['held', 'failed', 'not_checked']),
  code: z.nullable(z.string()),
  record: z.nullable(count),
  count,
  detail: z.json(),
});

/** What `assay verify --json` prints. */
export const verifyDocumentSchema: z.ZodType<VerifyResults> = z.strictObject({
  results: z.array(
    z.strictObject({
      file: z.string(),
      head: z.nullable(z.strictObject({ run_id: z.nullable(z.string()), count, hash: digestSchema })),
      outcome: z.enum(['success', 'refused', 'open']),
      due: z.nullable(count),
      page: z.enum(['same', 'unknown']).optional(),
      checks: z.strictObject({
        integrity: verdict,
        rederivation: verdict,
        completeness: verdict,
        authorship: verdict,
        time: verdict,
      }),
    }),
  ),
});
