/**
 * Names of a run: given, or derived from everything that the call gives it.
 *
 * @module
 */
import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { derivedIdentity, type Identity } from '@assay/host';
import { isRunId, isTsBase, type Json } from '@assay/kernel';
import { readClaim } from '../files/claim.js';
import { readWhole } from '../files/read.js';
import { misuse } from '../problems/problem.js';
import { fileOfProposer, llmFiles, type ModelFlags } from './llm.js';

/** The options that say which run a call is. */
export type Named = {
  readonly run_id?: string;
  readonly ts_base?: string;
  readonly store?: string;
  readonly output?: string;
};

/** Everything that decides what a run does. `with`: what its first record does not hold, such as files it reads. */
export type Whole = {
  readonly machine: { readonly name: string; readonly version: number };
  readonly policy: Json;
  readonly input: Json;
  readonly with: Json;
};

/**
 * The names of a run. Without `run_id` the id is `run-` and 12 digits of the hash of everything given: with a store
 * the same call is the same run. Without one it ends in a nonce as well, since the same call is another run; a folder
 * that this very call claimed before gives the nonce back. Raises `Stop`: `bad_value`, `ts_base`, `exists`.
 */
export function deriveIdentity(
  { run_id: runId, ts_base: tsBase, store, output }: Named,
  whole: Whole,
): Identity {
  requireNames(runId, tsBase);
  const { input, policy, ...more } = whole;
  const { run_id, ...derived } = derivedIdentity(input, policy, { ...more, ts_base: tsBase ?? null });
  const ts_base = tsBase ?? derived.ts_base;
  if (runId !== undefined) return { run_id: runId, ts_base };
  if (store !== undefined) return { run_id, ts_base };
  const claimed = output === undefined ? null : (readClaim(output)?.run_id ?? null);
  if (claimed !== null && new RegExp(`^${run_id}-[0-9a-f]{${DIGITS}}$`).test(claimed))
    return { run_id: claimed, ts_base };
  return { run_id: `${run_id}-${randomBytes(DIGITS / 2).toString('hex')}`, ts_base };
}

const DIGITS = 12;

/** Who answers in a call: names, settings, and hashes of the files that they are read from. Raises `Stop`. */
export async function answeringWith({
  proposer,
  llm,
}: ModelFlags & { readonly proposer: readonly string[] }): Promise<{ readonly [name: string]: Json }> {
  const answers = proposer.flatMap((name) => fileOfProposer(name.replace(/^[^:=]*=/, '')) ?? []);
  return { proposer, llm, files: await hashOfFiles([...llmFiles({ llm }), ...answers]) };
}

/** Hashes of these files; of a pipe null, since it gives its bytes once. Raises `Stop`. */
export async function hashOfFiles(paths: readonly string[]): Promise<Json> {
  const hashes: Json[] = [];
  for (const path of paths)
    hashes.push(
      path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() === true
        ? createHash('sha256')
            .update(await readWhole(path))
            .digest('hex')
        : null,
    );
  return hashes;
}

/** Raises `Stop`: `bad_value`, `ts_base`. */
export function requireNames(runId: string | undefined, tsBase?: string): void {
  if (runId !== undefined && !isRunId(runId))
    throw misuse(
      'bad_value',
      'not a valid run id',
      `--set run_id=${runId}`,
      'use up to 128 of A-Z a-z 0-9 . _ -, starting with a letter or digit; device names such as CON are not allowed',
    );
  if (runId?.includes('~') === true)
    throw misuse(
      'bad_value',
      'a run id with ~ is reserved for child runs',
      `--set run_id=${runId}`,
      'use up to 128 of A-Z a-z 0-9 . _ -',
    );
  if (tsBase !== undefined && !isTsBase(tsBase))
    throw misuse(
      'ts_base',
      'not a valid base of logical time',
      `--set ts_base=${tsBase}`,
      'use up to 64 printable ASCII characters, without spaces and #',
    );
}
