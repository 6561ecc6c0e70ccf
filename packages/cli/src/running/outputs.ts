/**
 * What a run leaves in a folder: its ledger and its results.
 *
 * @module
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalize, orThrow } from '@assay/kernel';
import { fileOf } from '../attacks/chain.js';
import { writeAll, type Draft } from '../files/write.js';
import type { Ended } from './run-request.js';

/** Name of the ledger in an output folder. */
export const LEDGER_FILE = 'run.ledger.jsonl';

const FILES: { readonly [artifact: string]: string } = { blueprint: 'blueprint.json', verification_pack: 'verification-pack.json', refusal_report: 'refusal.json' };

/** Every file that a run of the intent machine may write to, or remove from, an output folder. */
export function outputsIn(folder: string): readonly string[] {
  return [LEDGER_FILE, ...Object.values(FILES)].map((name) => join(folder, name));
}

/**
 * Writes ledger and results, all or none. A result's file holds its canonical bytes and nothing else, so that
 * `sha256sum` of it is its artifact hash. Results that an earlier run left there, and this one does not have,
 * are removed. Returns the paths written.
 */
export function writeOutputs(folder: string, { records, artifacts }: Ended): readonly string[] {
  const results = [...artifacts].map(([name, content]): Draft => ({ path: join(folder, fileName(name)), bytes: orThrow(canonicalize(content)) }));
  const drafts = [{ path: join(folder, LEDGER_FILE), bytes: fileOf(records) }, ...results];
  const isRerun = statSync(join(folder, LEDGER_FILE), { throwIfNoEntry: false }) !== undefined;
  writeAll(drafts);
  const kept = new Set(drafts.map(({ path }) => path));
  for (const path of isRerun ? Object.values(FILES).map((name) => join(folder, name)) : []) if (!kept.has(path)) rmSync(path, { force: true });
  return drafts.map(({ path }) => path);
}

/** File name of a result. */
export function fileName(artifact: string): string {
  return FILES[artifact] ?? `${artifact.replaceAll('_', '-')}.json`;
}
