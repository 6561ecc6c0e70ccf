/** What a user brings to a verification. Source: ledger format, "Verdicts"; design §8. */
import {
  err,
  ok,
  type EvidenceRecord,
  type Follower,
  type HeadLine,
  type ReferenceEncoder,
  type Replayable,
  type Result,
  type RunSummary,
  type Sha256,
} from '@assay/kernel';
import type { AnswerJudge, CitedLedgers } from './citations.js';
import type { Verdict } from './document.js';
import type { Outside } from './outside.js';

/** What can be expected of a ledger. */
const EXPECTATIONS = ['machine', 'policy', 'input', 'run'] as const;
/** One of {@link EXPECTATIONS}. */
export type ExpectationKey = (typeof EXPECTATIONS)[number];

/**
 * An expectation: `machine` is NAME@VERSION, `policy` and `input` are hashes, `run` is a run id. Compared as
 * text.
 */
export type Expectation = { readonly key: ExpectationKey; readonly value: string };

/**
 * The verifier's own limits on re-derivation, since a policy is the forger's: records and bytes of lines;
 * null is none.
 */
export type VerifyLimits = { readonly records: number | null; readonly bytes: number | null };

/**
 * Judges who vouches for one file's head; `Authorship` of `@assay/attest` is one. `add`: the next record
 * whose integrity holds, and the sequence of the file's first. `verdict`: at the end of a file whose
 * integrity held.
 */
export type AuthorshipJudge = {
  readonly add: (record: EvidenceRecord, first: number) => void;
  readonly verdict: (summary: RunSummary) => Verdict;
};

/**
 * What a log of runs says of a ledger whose integrity held; `judgeRunProof` of `@assay/attest` makes it.
 * `completeness`: null if the log gives a head, which is then the one to compare with.
 */
export type LogAnswer = { readonly completeness: Verdict | null; readonly time: Verdict };

/** How to verify one file; everything may be left out. */
export type VerifyOptions = {
  /** Machines that can be run again. */
  readonly machines?: readonly Replayable[];
  /** The digest; noble's by default, a native one in shells. */
  readonly sha256?: Sha256;
  /** A head kept outside. */
  readonly head?: HeadLine | null;
  readonly expect?: readonly Expectation[];
  readonly limits?: Partial<VerifyLimits>;
  /**
   * Hashes, links, times and order only: payloads are not read and nothing is derived again. The document
   * says so.
   */
  readonly hashOnly?: boolean;
  /**
   * A second canonical encoder every line must agree with, `referenceEncode` of `@assay/kernel/reference` for
   * one.
   */
  readonly reference?: ReferenceEncoder;
  /** Other ledgers, by run id, that base and cites are compared with. */
  readonly cited?: CitedLedgers;
  /**
   * Judges values of answers by the ledgers they cite, `answersBy` is one; without it heads alone are
   * compared.
   */
  readonly answers?: (sha256: Sha256) => AnswerJudge;
  /** Keep the records themselves, to cite this ledger where values are compared. */
  readonly keepRecords?: boolean;
  /**
   * Openings and blobs that tokens name; without it tokens are judged by their form. Not used with
   * `hashOnly`.
   */
  readonly outside?: Outside;
  /** Makes the judge of one file's signatures; without it authorship is `not_checked unsigned`. */
  readonly authorship?: () => AuthorshipJudge;
  /** A log of runs; its end of this run is given as `head`. Without it time is `not_checked no_witness`. */
  readonly log?: (summary: RunSummary) => LogAnswer;
  /**
   * Given each record whose integrity holds, its position in the file, and what is derived up to it, so that
   * a reader parses and derives nothing twice; `reached` is null if re-derivation ended before it.
   * Source: explorer/X7.
   */
  readonly observe?: (record: EvidenceRecord, position: number, reached: Follower | null) => void;
  /**
   * Keep an index of the records (about 40 bytes each, 80 more an answer): for {@link verifyTogether} and to
   * cite this ledger.
   */
  readonly keepIndex?: boolean;
};

/** Reads `key=value`. Error: `expectation`, another form or an unknown key. */
export function parseExpectation(text: string): Result<{ readonly code: 'expectation' }, Expectation> {
  const at = text.indexOf('=');
  const key = EXPECTATIONS.find((known) => known === text.slice(0, Math.max(0, at)));
  return key === undefined ? err({ code: 'expectation' }) : ok({ key, value: text.slice(at + 1) });
}
