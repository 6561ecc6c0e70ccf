/**
 * The Assay verifier: streaming verification with five separate verdicts, fixtures and forgeries, and the first divergence of two ledgers. Pure: no clock, no I/O.
 *
 * @packageDocumentation
 */
export * from './verify/document.js';
export * from './verify/options.js';
export * from './verify/ledger-index.js';
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
export * from './verify/verify.js';
export * from './verify/exit.js';
export * from './fixtures/lock.js';
export * from './fixtures/fixture.js';
export * from './fixtures/forgery.js';
export * from './diff/diff.js';
