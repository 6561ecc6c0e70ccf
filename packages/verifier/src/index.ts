/**
 * The Assay verifier: streaming verification with five separate verdicts, what they look like on each
 * sink, fixtures and forgeries, and the first divergence of two ledgers. Pure: no clock, no I/O.
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
export { type CompletenessFacts } from './verify/completeness.js';
export * from './verify/verify.js';
export * from './verify/exit.js';
export * from './render/escape.js';
export * from './render/safe-json.js';
export { placeOf, reasonOf, sentenceOf } from './render/reasons.js';
export * from './render/terminal.js';
export * from './render/junit.js';
export * from './render/github.js';
export * from './render/vetoes.js';
export { type AnsweredBy } from './render/markdown.js';
export * from './render/markdown-blueprint.js';
export * from './render/markdown-pack.js';
export * from './render/markdown-refusal.js';
export * from './render/markdown-final-result.js';
export * from './fixtures/lock.js';
export * from './fixtures/fixture.js';
export * from './fixtures/forgery.js';
export * from './diff/diff.js';
