/**
 * Is the run closed, and does it match what the user knows from outside?
 * Source: ledger format, "Verdicts" (completeness); docs/formats/verdicts.md, lines 1 to 10.
 */
import {
  isObject,
  type Digest,
  type EvidenceRecord,
  type HeadLine,
  type Json,
  type RunSummary,
} from '@assay/kernel';
import { citationDetail, type CitationResult } from './citations.js';
import { failed, held, notChecked, type Verdict } from './document.js';
import type { LedgerIndex } from './ledger-index.js';
import type { Answers } from './refed.js';
import type { Expectation, ExpectationKey } from './options.js';

/** `reason` in the detail of a `head_mismatch` that concerns another ledger's head. */
export const CITED_HEAD = 'a cited head';

/** The code where ledgers were given, and one that is cited is not among them. */
export const NO_LEDGER = 'no_ledger';

/**
 * What completeness is judged by. `summary`: null if integrity failed. `actual`: what can be expected,
 * null in a foreign chain.
 */
export type CompletenessFacts = {
  readonly summary: RunSummary | null;
  /**
   * What a log of runs that was brought says in the place of a head; null if it gives one, or is not
   * there.
   */
  readonly logged: Verdict | null;
  readonly actual: { readonly [key in ExpectationKey]: string } | null;
  /** Sequence of the first record. */
  readonly first: number;
  readonly head: HeadLine | null;
  /** Record hash where the head's last record would be, null outside of the file. */
  readonly hashAtHead: Digest | null;
  readonly expect: readonly Expectation[];
  readonly citations: CitationResult;
  /** Record hashes by position; null if none were kept. */
  readonly index: LedgerIndex | null;
  /** What the proposals answered; null if none were kept. */
  readonly answers: Answers | null;
  /** The records; null if none were kept. */
  readonly kept: readonly EvidenceRecord[] | null;
};

/**
 * The verdict of one file. `others`: further files, of which those of the same run whose integrity held are
 * compared.
 */
export function judgeCompleteness(
  facts: CompletenessFacts,
  others: readonly CompletenessFacts[] = [],
): Verdict {
  const { summary } = facts;
  if (summary === null) return notChecked('integrity');
  const verdict =
    judgeExpectations(facts, summary) ??
    judgeViews(facts, summary, others) ??
    judgeCitations(facts) ??
    facts.logged ??
    judgeAll(facts, summary);
  const cited = citationDetail(facts.citations);
  return cited === null
    ? verdict
    : { ...verdict, detail: { ...(isObject(verdict.detail) ? verdict.detail : {}), cited } };
}

function judgeExpectations({ expect, actual }: CompletenessFacts, summary: RunSummary): Verdict | null {
  const unmet = expect.find(({ key, value }) => actual === null || actual[key] !== value);
  if (unmet === undefined) return null;
  const got: Json = actual === null ? null : actual[unmet.key];
  return failed('expectation', summary.isForeign ? null : 0, 1, {
    key: unmet.key,
    expected: unmet.value,
    got,
  });
}

/**
 * Files with the same first record are views of one run. One view never stands in for a head from outside
 * (decision 0006).
 */
function judgeViews(
  facts: CompletenessFacts,
  summary: RunSummary,
  others: readonly CompletenessFacts[],
): Verdict | null {
  for (const other of others) {
    if (other.summary === null || other.summary.genesis_hash !== summary.genesis_hash) continue;
    const position = firstDifference(facts.index, other.index);
    if (position !== null)
      return failed('split_view', position, 1, {
        expected: other.index?.hashAt(position) ?? null,
        got: facts.index?.hashAt(position) ?? null,
      });
  }
  return null;
}

/** First position at which both files have a record and these differ. */
function firstDifference(one: LedgerIndex | null, other: LedgerIndex | null): number | null {
  if (one === null || other === null) return null;
  const shared = Math.min(one.count, other.count);
  // Hashes chain: where two records are equal, so is all before them.
  if (shared === 0 || one.hashAt(shared - 1) === other.hashAt(shared - 1)) return null;
  let [equal, differs] = [-1, shared - 1];
  while (differs - equal > 1) {
    const middle = Math.floor((equal + differs) / 2);
    if (one.hashAt(middle) === other.hashAt(middle)) equal = middle;
    else differs = middle;
  }
  return differs;
}

function judgeCitations({ citations }: CompletenessFacts): Verdict | null {
  if (citations.failedAt === null)
    return citations.differsAt === null
      ? null
      : failed('answer_mismatch', citations.differsAt, citations.contents?.failed ?? 1);
  return failed(
    'head_mismatch',
    citations.failedAt,
    citations.cites.failed + (citations.base === 'failed' ? 1 : 0),
    { reason: CITED_HEAD },
  );
}

/** Against the head; what held or is open is not checked where a ledger is missing that is cited. */
function judgeAll({ head, hashAtHead, citations }: CompletenessFacts, summary: RunSummary): Verdict {
  const verdict = head === null ? notChecked('no_head') : againstHead(summary, head, hashAtHead);
  const { at = null, count = 0 } = citations.missing ?? {};
  return verdict.verdict === 'failed' || count === 0 ? verdict : notChecked(NO_LEDGER, at, count);
}

/** Lines 4 to 10: a file against a head. `hashAtHead`: the file's own record hash at the head's place. */
function againstHead(summary: RunSummary, { count, hash }: HeadLine, hashAtHead: Digest | null): Verdict {
  const isClosed = summary.outcome !== 'open';
  const at = count - 1 - summary.first;
  const expected: Json = { count, hash };
  if (count > summary.count) {
    const detail = { expected, got: { count: summary.count, hash: summary.hash } };
    return isClosed
      ? failed('head_mismatch', summary.records - 1, 1, detail)
      : failed('truncated', null, count - summary.count, detail);
  }
  if (hashAtHead !== hash)
    return failed('head_mismatch', at >= 0 ? at : null, 1, { expected, got: hashAtHead });
  if (count < summary.count) return notChecked('beyond_head', at + 1, summary.count - count);
  return isClosed ? held() : notChecked('open_run');
}
