/**
 * What a verification says: five verdicts, never one green tick. Source: ledger format, "Verdicts"; design
 * §6.
 */
import type { Digest, Ending, Json } from '@assay/kernel';

/** The five checks, in the order in which they are shown. */
export const CHECKS = ['integrity', 'rederivation', 'completeness', 'authorship', 'time'] as const;
/** One of {@link CHECKS}. */
export type CheckName = (typeof CHECKS)[number];

/** How a check can end. What lacks data is never `held`. */
export const RESULTS = ['held', 'failed', 'not_checked'] as const;
/** One of {@link RESULTS}. */
export type CheckResult = (typeof RESULTS)[number];

/**
 * One answer. `code`: null if it held. `record`: position in the file of the first record concerned, null
 * where none is. `count`: how many records are concerned, 0 where none is. `detail`: structured data, never
 * hashed and no API beyond what its check documents.
 */
export type Verdict = {
  readonly verdict: CheckResult;
  readonly code: string | null;
  readonly record: number | null;
  readonly count: number;
  readonly detail: Json;
};

/** The five verdicts on one file. */
export type Checks = { readonly [check in CheckName]: Verdict };

/** The head of a file; `run_id` is null for a foreign chain. */
type FileHead = { readonly run_id: string | null; readonly count: number; readonly hash: Digest };

/**
 * The document `verify` prints for one file.
 *
 * ```text
 * {"file": label, "head": {run_id, count, hash} | null if integrity failed,
 *  "outcome": "success" | "refused" | "open",
 *  "due": records derived and not in the file, null if that is not known,
 *  "checks": {integrity, rederivation, completeness, authorship, time}}
 * ```
 */
export type VerifyDocument = {
  readonly file: string;
  readonly head: FileHead | null;
  readonly outcome: Ending;
  readonly due: number | null;
  readonly checks: Checks;
};

/** A check that held. */
export function held(detail: Json = null, record: number | null = null, count: number = 0): Verdict {
  return { verdict: 'held', code: null, record, count, detail };
}

/** A check that failed. */
export function failed(code: string, record: number | null, count: number = 1, detail: Json = null): Verdict {
  return { verdict: 'failed', code, record, count, detail };
}

/** A check that could not be made. */
export function notChecked(
  code: string,
  record: number | null = null,
  count: number = 0,
  detail: Json = null,
): Verdict {
  return { verdict: 'not_checked', code, record, count, detail };
}

/**
 * The document on a file that no verdict was come to, since it could not be read or the verifier met a fault
 * of its own: `code` says which.
 */
export function unjudged(file: string, code: string): VerifyDocument {
  const none = notChecked(code);
  return {
    file,
    head: null,
    outcome: 'open',
    due: null,
    checks: { integrity: none, rederivation: none, completeness: none, authorship: none, time: none },
  };
}
