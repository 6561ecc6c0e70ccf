/** `assay log prove`: the entries of one run, and their paths to a checkpoint. */
import { formatRunProof, parseRunProof, type RunProof } from '@assay/attest';
import { proveRun, readCheckpoint, readCosigned, LogError } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { utf8Bytes } from '@assay/kernel';
import { statSync } from 'node:fs';
import type { Context } from '../../call/output.js';
import { readWhole } from '../../files/read.js';
import { requireTarget, writeNew } from '../../files/write.js';
import { EXIT, misuse, type ExitCode } from '../../problems/problem.js';
import { jsonShown, show } from '../../terminal/shown.js';
import { withLog } from './problem.js';

/** Prints the proof of a run, or writes it to a file. Raises `Stop`: `no_run`, and those of logs. */
export async function proveLogged(
  { output }: Context,
  run: string,
  { log, output: path }: { readonly log: string; readonly output?: string },
): Promise<ExitCode> {
  if (path !== undefined) requireTarget(path);
  const proof = await proveIn(log, run);
  if (proof === null)
    throw misuse('no_run', 'the log has no such run', run, 'assay log append logs the runs of a store');
  const line = formatRunProof(proof);
  if (path !== undefined) await writeNew([{ path, bytes: utf8Bytes(`${line}\n`) }]);
  output.document({ proof, file: path ?? null });
  if (path === undefined) output.data(jsonShown(JSON.parse(line)));
  else {
    const end = proof.end === null ? show`, without an end` : show` to ${proof.end.index}`;
    output.line(show`${path}: run ${run}, entry ${proof.opened.index}${end}`);
  }
  return EXIT.done;
}

/**
 * The proof of a run: under the newest cosigned checkpoint, and under the newest where that alone has its
 * end. Null where neither has it. Raises `Stop`.
 */
export async function proveIn(folder: string, run: string): Promise<RunProof | null> {
  return withLog(folder, () => {
    const newest = readCheckpoint(folder, nativeSha256);
    if (newest === null) throw new LogError('log_missing', folder);
    const cosigned = readCosigned(folder, nativeSha256, null);
    const proof = cosigned === null ? null : proveRun(folder, cosigned, run, nativeSha256);
    return proof?.end ? proof : (proveRun(folder, newest, run, nativeSha256) ?? proof);
  });
}

/**
 * The proof in a file, or null for a folder: a log. Raises `Stop`: `log_proof`, and those of reading a
 * file.
 */
export async function readProofFile(path: string): Promise<RunProof | null> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return null;
  const proof = parseRunProof(await readWhole(path));
  if (proof._tag === 'Right') return proof.right;
  throw misuse(
    'log_proof',
    'this file is not a proof from a log',
    path,
    'give the folder of a log, or a file that assay log prove RUN --log DIR -o FILE wrote',
  );
}
