/**
 * Judging a whole run's ledger at once. Source: ledger format, "Verdicts"; 001 §2.2.
 *
 * @module
 */
import type { Result } from '../result.js';
import type { IntegrityFault } from './faults.js';
import { LineSplitter } from './lines.js';
import { RunIntegrity, type IntegrityOptions } from './run-integrity.js';
import type { RunSummary } from './run-summary.js';

/**
 * Validates a run given as record values: `validateChain` and our grammar, payloads, request table, graph
 * and close. Linear, one pass. Errors: {@link IntegrityFault}, the first faulty record and its first code.
 * Source: 001 §2.2, §4.2; ledger format, "Verdicts".
 */
export function validateRun(
  records: Iterable<unknown>,
  options: IntegrityOptions = {},
): Result<IntegrityFault, RunSummary> {
  const integrity = new RunIntegrity(options);
  for (const record of records) if (integrity.feedRecord(record)._tag === 'Left') break;
  return integrity.finish();
}

/**
 * Validates a run's ledger file given as bytes, whole or in chunks of any size: everything
 * {@link validateRun} asks, and the encoding of every line. Linear, one pass, bounded memory.
 */
export function validateRunFile(
  bytes: Uint8Array | Iterable<Uint8Array>,
  options: IntegrityOptions = {},
): Result<IntegrityFault, RunSummary> {
  const integrity = new RunIntegrity(options);
  const splitter = new LineSplitter();
  for (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (const line of splitter.push(chunk))
      if (integrity.feed(line.bytes)._tag === 'Left') return integrity.finish();
  }
  for (const line of splitter.end()) integrity.feed(line.bytes, line.isEnded);
  return integrity.finish();
}
