/**
 * The Assay verifier: streaming verification with five separate verdicts, fixtures and forgeries, and the first divergence of two ledgers. Pure: no clock, no I/O.
 *
 * @packageDocumentation
 */
export {
  CHECKS,
  type CheckName,
  type CheckResult,
  type Checks,
  type FileHead,
  RESULTS,
  type Verdict,
  type VerifyDocument,
  failed,
  held,
  notChecked,
  unjudged,
} from './verify/document.js';
export {
  type AuthorshipJudge,
  EXPECTATIONS,
  type Expectation,
  type ExpectationKey,
  type VerifyLimits,
  type VerifyOptions,
  parseExpectation,
} from './verify/options.js';
export { LedgerIndex } from './verify/ledger-index.js';
export { type CitedLedger, type CitedLedgers, type CitationResult } from './verify/citations.js';
export {
  readOpenings,
  sealOf,
  type Measured,
  type OpeningsRead,
  type Outside,
  type OutsideCounts,
} from './verify/outside.js';
export { CITED_HEAD, type CompletenessFacts } from './verify/completeness.js';
export { type VerifyReport, VerifyStream, citedLedger, verify, verifyTogether } from './verify/verify.js';
export { type ExitOptions, exitCode, isAsked } from './verify/exit.js';
export { type ChosenAt, type FixtureLock, LOCK_FIELDS, type LockError, lockOf } from './fixtures/lock.js';
export {
  type Fixture,
  type FixtureError,
  type FixtureFault,
  type LockDifference,
  compareFixture,
  parseFixture,
} from './fixtures/fixture.js';
export {
  type ForgeryDifference,
  type ForgeryError,
  type ForgeryExpected,
  type ForgeryWith,
  compareForgery,
  exitCodeWithout,
  forgeryOptions,
  parseForgery,
} from './fixtures/forgery.js';
export {
  type DiffCandidate,
  type DiffCause,
  type DiffPlace,
  type LedgerDiff,
  diffLedgers,
} from './diff/diff.js';
