/** What a log of runs says of a ledger, for `verify --log`. */
import { judgeRunProof, readProvenHead } from '@assay/attest';
import { field, isObject, LineSplitter, parseRecordLine } from '@assay/kernel';
import type { VerifyOptions } from '@assay/verifier';
import { ledgerChunks } from '../../files/ledger.js';
import { misuse } from '../../problems/problem.js';
import { readTrusted } from '../sign/evidence-files.js';
import { LOG_CRYPTO } from './problem.js';
import { proveIn, readProofFile } from './prove.js';

/**
 * The options by which a ledger is verified with a log: the head that the log has of it, and a judge of the
 * rest. `given`: a folder, or the file of a proof. Raises `Stop`.
 */
export async function readLog(
  given: string,
  flags: { readonly trust: readonly string[]; readonly witness: readonly string[] },
): Promise<(path: string) => Promise<Pick<VerifyOptions, 'head' | 'log'>>> {
  const trust = { trusted: await readTrusted(flags.trust), witnesses: await readTrusted(flags.witness) };
  const proven = await readProofFile(given);
  return async (path) => {
    const run = proven === null ? await readRunId(path) : null;
    const proof = run === null ? proven : await proveIn(given, run);
    return {
      head: proof === null ? null : readProvenHead(proof),
      log: (summary) => judgeRunProof(proof, summary, trust, LOG_CRYPTO),
    };
  };
}

/** The run of a ledger by its first record; null where that names none. */
async function readRunId(path: string): Promise<string | null> {
  if (path === '-')
    throw misuse(
      'stdin',
      'standard input can be read once',
      '-',
      'give a file, or --log PROOF instead of a folder',
    );
  const splitter = new LineSplitter();
  for await (const chunk of ledgerChunks(path)) {
    const [line] = splitter.push(chunk);
    if (line === undefined) continue;
    const record = parseRecordLine(line.bytes);
    const payload = record._tag === 'Right' ? (record.right.payload ?? null) : null;
    const run = payload !== null && isObject(payload) ? field(payload, 'run_id') : null;
    return typeof run === 'string' ? run : null;
  }
  return null;
}
