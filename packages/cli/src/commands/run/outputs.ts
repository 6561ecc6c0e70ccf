/**
 * What a run leaves in a folder: its ledger and its results.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalize, ledgerRecord, orThrow, utf8Bytes } from '@assay/kernel';
import type { Draft } from '@assay/host/files';
import { fileOf } from '@assay/verifier/attacks';
import { isOther } from '../../files/other.js';
import { requireApart, requireWritable, writeAll } from '../../files/write.js';
import { readLedger } from '../../files/ledger.js';
import { misuse, Stop } from '../../problems/problem.js';
import { documentsIn, documentsOf, DOCUMENTS } from './documents.js';
import type { Ended } from './run-request.js';

/** Name of the ledger in an output folder. */
export const LEDGER_FILE = 'run.ledger.jsonl';

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

/** Every file that a run may write to, or remove from, an output folder. */
export function outputsIn(folder: string): readonly string[] {
  return [LEDGER_FILE, ...Object.values(FILES), ...DOCUMENTS].map((name) => join(folder, name));
}

/**
 * Raises `Stop` where a folder cannot be written to, or what is written there would replace what the run is
 * made from.
 */
export function requireOutputs(folder: string, inputs: readonly string[]): void {
  requireWritable(folder);
  requireApart(outputsIn(folder), inputs);
}

/** True where a folder holds a file of a name that a run may write. */
export function isTaken(folder: string): boolean {
  return outputsIn(folder).some(isThere);
}

/** True for anything of this name, also a link to nowhere. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Raises `Stop`, `exists`, where writing this run to a folder would change a file that is there. */
export async function requireUnchanged(
  folder: string,
  ended: Pick<Ended, 'records' | 'artifacts'>,
): Promise<void> {
  if (!isTaken(folder)) return;
  const taken = (await draftsOf(folder, ended)).find(isOther);
  if (taken === undefined) return;
  const what =
    taken.path === join(folder, LEDGER_FILE) ? 'the ledger of another run' : 'another file of this name';
  throw misuse(
    'exists',
    `this folder holds ${what}; nothing was written`,
    taken.path,
    'name another folder with -o, or replace it with --force',
  );
}

/**
 * Writes ledger, results and their documents, all or none, over whatever is there: see
 * {@link requireUnchanged}. A result's file holds its canonical bytes and nothing else, so that `sha256sum`
 * of it is its artifact hash. Of an earlier run replaced here, what this one does not have is removed: only
 * files that its close names and their documents, and only as it left them. Returns the paths written.
 */
export async function writeOutputs(
  folder: string,
  ended: Pick<Ended, 'records' | 'artifacts'>,
): Promise<readonly string[]> {
  const drafts = await draftsOf(folder, ended);
  const kept = new Set(drafts.map(({ path }) => path));
  const isLeft = outputsIn(folder).some((path) => !kept.has(path) && isThere(path));
  const stale = isLeft ? (await resultsOfEarlier(folder)).filter((path) => !kept.has(path)) : [];
  await writeAll(drafts);
  for (const path of stale) rmSync(path, { force: true });
  return drafts.map(({ path }) => path);
}

/** File name of a result. */
export function fileName(artifact: string): string {
  return FILES[artifact] ?? `${artifact.replaceAll('_', '-')}.json`;
}

async function draftsOf(
  folder: string,
  { records, artifacts }: Pick<Ended, 'records' | 'artifacts'>,
): Promise<readonly Draft[]> {
  const results = [...artifacts].map(
    ([name, content]): Draft => ({
      path: join(folder, fileName(name)),
      bytes: orThrow(canonicalize(content)),
    }),
  );
  const documents = [...(await documentsOf(records))].map(
    ([name, text]): Draft => ({ path: join(folder, name), bytes: utf8Bytes(text) }),
  );
  return [{ path: join(folder, LEDGER_FILE), bytes: fileOf(records) }, ...results, ...documents];
}

/**
 * The result files of the ledger in a folder that are still what its close says of them, and the documents
 * still made from it.
 */
async function resultsOfEarlier(folder: string): Promise<readonly string[]> {
  const ledger = join(folder, LEDGER_FILE);
  if (lstatSync(ledger, { throwIfNoEntry: false })?.isFile() !== true) return [];
  try {
    const { records, summary } = await readLedger(ledger);
    const last = records.at(-1);
    const close = last === undefined || summary === null ? null : ledgerRecord(last);
    const hashes = close?.kind === 'close' ? (close.payload?.artifact_hashes ?? {}) : {};
    const results = Object.entries(FILES).map(([artifact, file]) => ({
      hash: hashes[artifact],
      path: join(folder, file),
    }));
    const documents =
      summary === null
        ? []
        : [...(await documentsIn(records))].map(([name, text]) => ({
            hash: digestOf(utf8Bytes(text)),
            path: join(folder, name),
          }));
    return [...results, ...documents]
      .filter(({ hash, path }) => isIntact(path, hash))
      .map(({ path }) => path);
  } catch (error) {
    // A ledger that cannot be read names nothing.
    if (error instanceof Stop) return [];
    throw error;
  }
}

function isIntact(path: string, hash: unknown): boolean {
  return (
    typeof hash === 'string' &&
    lstatSync(path, { throwIfNoEntry: false })?.isFile() === true &&
    digestOf(readFileSync(path)) === hash
  );
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
