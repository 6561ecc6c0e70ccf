/** Putting files before the verifier: chunk by chunk, with progress, in bounded memory. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nativeSha256 } from '@assay/host';
import { readErrno } from '@assay/host/files';
import {
  VerifyStream,
  citedLedger,
  type CitedLedger,
  type VerifyOptions,
  type VerifyReport,
} from '@assay/verifier';
import { shortenName } from '../../files/read.js';
import { ledgerChunks, type PagedDocument } from '../../files/ledger.js';
import { misuse } from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import type { Output } from '../../call/output.js';
import { OPENINGS_SUFFIX, requireFile, unreadable } from './kept-outside.js';

/** How the name of a file of signatures and proofs ends. */
const PROOFS_SUFFIX = '.proofs.jsonl';

/** Records between two lines of progress. */
const PROGRESS_RECORDS = 100_000;

/**
 * Verifies one file: a ledger, or the one that a report holds. Reading stops at the first fault of integrity:
 * nothing after it is looked for. `beside`
 * is given the same bytes, and how many records are sound so far. Raises `Stop`.
 */
export async function verifyFile(
  path: string,
  options: VerifyOptions,
  output: Pick<Output, 'progress'>,
  beside?: (chunk: Uint8Array, sound: number) => Promise<void>,
): Promise<VerifyReport> {
  const stream = new VerifyStream(shortenName(path), { sha256: nativeSha256, ...options });
  let told = PROGRESS_RECORDS;
  let page: PagedDocument['page'];
  const chunks = ledgerChunks(path, (found) => {
    page = found;
  });
  for await (const chunk of chunks) {
    stream.push(chunk);
    await beside?.(chunk, stream.records);
    if (stream.isDecided) break;
    if (stream.records >= told) {
      output.progress(show`assay: ${shortenName(path)}: ${stream.records} records`);
      told += PROGRESS_RECORDS;
    }
  }
  const report = stream.end();
  if (page === undefined) return report;
  const document: PagedDocument = { ...report.document, page };
  return { ...report, document };
}

/**
 * The ledgers of a folder, for `--with`: what ends in `.jsonl`, but for openings, signatures and proofs, and
 * for `except`. Raises `Stop`.
 */
export function ledgersIn(folder: string, except: readonly string[]): readonly string[] {
  try {
    const named = new Set(
      except
        .filter((path) => path !== '-')
        .flatMap((path) =>
          statSync(path, { throwIfNoEntry: false }) === undefined ? [] : [realpathSync(path)],
        ),
    );
    const paths = readdirSync(folder)
      .filter(
        (name) => name.endsWith('.jsonl') && !name.endsWith(OPENINGS_SUFFIX) && !name.endsWith(PROOFS_SUFFIX),
      )
      .sort()
      .map((name) => join(folder, name));
    return paths.filter((path) => !named.has(realPath(path)));
  } catch (error) {
    const errno = readErrno(error);
    if (errno === null) throw error;
    throw misuse(
      'with_folder',
      `this folder cannot be read (${errno})`,
      folder,
      'give --with a folder of ledgers',
    );
  }
}

function realPath(path: string): string {
  try {
    requireFile(path);
    return realpathSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Ledgers as ones that others may cite, as far as they are sound, by run id: of several of one run the longest,
 * whatever their names. Where two of them part, none is taken, and that is told: which of them a head belongs to is not
 * known here.
 */
export function citable(reports: readonly VerifyReport[], output: Output): ReadonlyMap<string, CitedLedger> {
  const longest = new Map<string, CitedLedger>();
  const parted = new Set<string>();
  for (const report of reports) {
    const ledger = citedLedger(report);
    if (ledger === null) continue;
    const before = longest.get(ledger.run_id);
    if (before !== undefined && isParted(before, ledger)) parted.add(ledger.run_id);
    if (before === undefined || ledger.index.count > before.index.count) longest.set(ledger.run_id, ledger);
  }
  for (const runId of parted) {
    longest.delete(runId);
    output.note(
      show`assay: ledgers of run ${runId} go different ways; heads of it are not compared with any of them`,
    );
  }
  return longest;
}

/** Hashes chain: where the last records that both have are equal, one is a prefix of the other. */
function isParted(one: CitedLedger, other: CitedLedger): boolean {
  const last = Math.min(one.index.count, other.index.count) - 1;
  return one.first !== other.first || one.index.hashAt(last) !== other.index.hashAt(last);
}
