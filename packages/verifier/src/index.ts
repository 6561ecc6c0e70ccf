/**
 * The Assay verifier: streaming verification with five separate verdicts, fixtures and forgeries, and the first
 * divergence of two ledgers. Pure: no clock, no I/O.
 *
 * @packageDocumentation
 */
export {
  CHECKS,
  type CheckName,
  type CheckResult,
  type Checks,
  RESULTS,
  type Verdict,
  type VerifyDocument,
  notChecked,
  unjudged,
} from './verify/document.js';
export {
  type Expectation,
  type VerifyLimits,
  type VerifyOptions,
  parseExpectation,
} from './verify/options.js';
export { type AnswerJudge, type CitedLedger } from './verify/citations.js';
export { type AnswerDeriver, answersBy } from './verify/cited-answers.js';
export { readOpenings, type Measured, type Outside } from './verify/outside.js';
export { CITED_HEAD } from './verify/completeness.js';
export { type VerifyReport, VerifyStream, citedLedger, verify, verifyTogether } from './verify/verify.js';
export { RederiveStream } from './verify/rederivation.js';
export { type ExitOptions, exitCode, isAsked } from './verify/exit.js';
export {
  type Fixture,
  type FixtureFault,
  compareFixture,
  parseFixture,
  type ChosenAt,
  makeLock,
} from './fixtures/fixture.js';
export { type ForgeryExpected, compareForgery, forgeryOptions, parseForgery } from './fixtures/forgery.js';
export {
  type DiffCandidate,
  type DiffCause,
  type DiffPlace,
  type LedgerDiff,
  diffLedgers,
} from './diff/diff.js';
