/**
 * What a run leaves in a folder: its ledger and its results.
 *
 * @module
 */
import { join } from 'node:path';
import type { Draft } from '@assay/host/files';
import { canonicalize, orThrow, utf8Bytes } from '@assay/kernel';
import { encodeFile } from '@assay/verifier/attacks';
import { LEDGER_FILE } from '../files/claim.js';
import { writeNew } from '../files/write.js';
import type { Ended } from './drive-machine.js';
import { DOCUMENTS, renderDocuments } from './results.js';

/** Name of the folder in an output folder that holds a run's journals until the run is over. */
export const NOTES_NAME = '.assay-notes';

/** Name of the folder in it with the bytes that a plan's leaves made. */
export const BLOBS_NAME = 'blobs';

/** Name of the folder in it with what a plan put together. */
export const ASSEMBLY_NAME = 'assembly';

const FILES: { readonly [artifact: string]: string } = {
  blueprint: 'blueprint.json',
  verification_pack: 'verification-pack.json',
  refusal_report: 'refusal.json',
  final_result: 'final-result.json',
  evaluation: 'evaluation.json',
  plan: 'plan.json',
  report: 'report.json',
  assembly: 'assembly.json',
};

/** Everything that any run may write to an output folder. */
export function outputsIn(folder: string): readonly string[] {
  return [
    LEDGER_FILE,
    `${LEDGER_FILE}.new`,
    '.locks',
    NOTES_NAME,
    BLOBS_NAME,
    ASSEMBLY_NAME,
    ...Object.values(FILES),
    ...DOCUMENTS,
  ].map((name) => join(folder, name));
}

/**
 * Writes ledger, results and their documents, all or none; what is there already with these very bytes stays. A
 * result's file holds its canonical bytes and nothing else, so that `sha256sum` of it is its artifact hash. Returns
 * the paths. Raises `Stop`: `exists` for a file with other bytes, and those of writing.
 */
export async function writeOutputs(
  folder: string,
  ended: Pick<Ended, 'records' | 'artifacts'>,
): Promise<readonly string[]> {
  const drafts = await makeDrafts(folder, ended);
  await writeNew(drafts);
  return drafts.map(({ path }) => path);
}

/** File name of a result. */
export function fileName(artifact: string): string {
  return FILES[artifact] ?? `${artifact.replaceAll('_', '-')}.json`;
}

async function makeDrafts(
  folder: string,
  { records, artifacts }: Pick<Ended, 'records' | 'artifacts'>,
): Promise<readonly Draft[]> {
  const results = [...artifacts].map(
    ([name, content]): Draft => ({
      path: join(folder, fileName(name)),
      bytes: orThrow(canonicalize(content)),
    }),
  );
  const documents = [...(await renderDocuments(records))].map(
    ([name, text]): Draft => ({ path: join(folder, name), bytes: utf8Bytes(text) }),
  );
  return [{ path: join(folder, LEDGER_FILE), bytes: encodeFile(records) }, ...results, ...documents];
}
