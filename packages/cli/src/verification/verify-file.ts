/**
 * Putting files before the verifier: chunk by chunk, with progress, in bounded memory.
 *
 * @module
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { citedLedger, VerifyStream, type CitedLedger, type VerifyOptions, type VerifyReport } from '@assay/verifier';
import { nativeSha256 } from '@assay/host';
import { chunksOf, nameOf } from '../files/read.js';
import { errnoOf, misuse } from '../problem.js';
import { OPENINGS_SUFFIX } from './kept-outside.js';
import type { Output } from '../output/output.js';
import { show } from '../output/shown.js';

/** Records between two lines of progress. */
const PROGRESS_RECORDS = 100_000;

/** Verifies one file. Reading stops at the first fault of integrity: nothing after it is looked for. Raises `Stop`. */
export async function verifyFile(path: string, options: VerifyOptions, output: Output): Promise<VerifyReport> {
  const stream = new VerifyStream(nameOf(path), { sha256: nativeSha256, ...options });
  let told = PROGRESS_RECORDS;
  for await (const chunk of chunksOf(path)) {
    stream.push(chunk);
    if (stream.isDecided) break;
    if (stream.records >= told) {
      output.progress(show`assay: ${nameOf(path)}: ${stream.records} records`);
      told += PROGRESS_RECORDS;
    }
  }
  return stream.end();
}

/** The ledgers of a folder, for `--with`: what ends in `.jsonl`, but for openings and the files already named. Raises `Stop`. */
export function ledgersIn(folder: string, except: readonly string[]): readonly string[] {
  try {
    const named = new Set(except.filter((path) => path !== '-').flatMap((path) => (statSync(path, { throwIfNoEntry: false }) === undefined ? [] : [realpathSync(path)])));
    const paths = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && !name.endsWith(OPENINGS_SUFFIX)).sort().map((name) => join(folder, name));
    return paths.filter((path) => !named.has(realpathSync(path)));
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw misuse('with_folder', `this folder cannot be read (${errno})`, folder, 'give --with a folder of ledgers');
  }
}

/** Verified ledgers as ones that others may cite, by run id. */
export function citable(reports: readonly VerifyReport[]): ReadonlyMap<string, CitedLedger> {
  return new Map(reports.flatMap((report) => {
    const ledger = citedLedger(report);
    return ledger === null ? [] : [[ledger.run_id, ledger] as const];
  }));
}
