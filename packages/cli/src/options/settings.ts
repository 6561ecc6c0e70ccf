/**
 * What a machine is opened with: its defaults under each `--set`.
 *
 * @module
 */
import { field, isArray, isObject, type Json, isRunId, isTsBase } from '@assay/kernel';
import type { Fields } from './override.js';
import { misuse, badValue } from '../problems/problem.js';
import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { derivedIdentity, type Identity } from '@assay/host';
import { readClaim } from '../files/claim.js';
import { readWhole } from '../files/read.js';
import { fileOfProposer, llmFiles, type ModelFlags } from './llm.js';

/** Policy and input under `--set`: a path, or the end of one that names one field alone. Raises `Stop`: `bad_value`. */
export async function openedUnder(whole: Fields, set: readonly string[] = []): Promise<Fields> {
  return set.length === 0 ? whole : (await import('./override.js')).withSettings(whole, set);
}

/** The files that settings name. */
export function settingFiles(set: readonly string[] = []): readonly string[] {
  return set.flatMap((given) => /^[^=]*=@(.+)$/s.exec(given)?.[1] ?? []);
}

/**
 * Options without the settings of these names, each as an option of its own: they are of the call, and neither of the
 * policy nor of the input. `NAME.KEY=VALUE` gives a list of `KEY=VALUE`.
 */
export function takeSettings<F extends { readonly set?: readonly string[] }>(
  flags: F,
  names: readonly string[],
): F {
  const set: string[] = [];
  const own: { [name: string]: string | readonly string[] } = {};
  for (const given of flags.set ?? []) {
    const [, name = '', key, text = ''] = /^([^=.]*)(?:\.([^=]*))?(?:=(.*))?$/s.exec(given) ?? [];
    if (!names.includes(name)) set.push(given);
    else own[name] = key === undefined ? text : [...[own[name] ?? []].flat(), `${key}=${text}`];
  }
  return { ...flags, ...own, set };
}

/** A list of names in a policy. Raises `Stop`: `policy`. */
export function slotNames(slots: Json): readonly string[] {
  const texts = isArray(slots) ? slots.filter((slot) => typeof slot === 'string') : [];
  if (isArray(slots) && texts.length === slots.length && texts.length > 0) return texts;
  throw misuse('policy', 'proposers must be a list of names', '--set', 'write it like proposers=["rules"]');
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const DAY_MS = 86_400_000;

/**
 * Reads `deadline=`: `10m` from now (s, m, h), or `17:00`, local time (tomorrow's where it is past), as microseconds
 * since 1970; null without one. Raises `Stop`: `bad_value`.
 */
export function parseDeadline(given: string | undefined, now: number = Date.now()): number | null {
  if (given === undefined) return null;
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(given) ?? [];
  if (count !== '') return (now + Number(count) * (UNITS[unit] ?? 1) * 1_000) * 1_000;
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(given) ?? [];
  if (hours === '')
    throw badValue(
      'not a length of time, and not a time of day',
      `--set deadline=${given}`,
      'write it like --set deadline=10m or --set deadline=17:00',
    );
  const at = new Date(now).setHours(Number(hours), Number(minutes), 0, 0);
  return (at > now ? at : at + DAY_MS) * 1_000;
}

/** A whole number of an option. Raises `Stop`: `bad_value`. */
export function readCount(
  option: string,
  given: string | undefined,
  usual: number,
  most: number,
  least: number = 1,
): number {
  const count = Number(given ?? usual);
  if (/^\d+$/.test(given ?? '0') && count >= least && count <= most) return count;
  throw badValue('not a number in this range', `${option} ${given}`, `give ${least} to ${most}`);
}

/** The options that say which run a call is. */
export type Named = {
  readonly run_id?: string;
  readonly ts_base?: string;
  readonly store?: string;
  readonly output?: string;
};

/** Everything that decides what a run does. `with`: what its first record does not hold, such as files it reads. */
type Whole = {
  readonly machine: { readonly name: string; readonly version: number };
  readonly policy: Json;
  readonly input: Json;
  readonly with: Json;
};

/**
 * The names of a run. Without `run_id` the id is `run-` and 12 digits of the hash of everything given: with a store
 * the same call is the same run. Without one it ends in a nonce as well, unless it is repeatable; a folder that this
 * very call claimed before gives the nonce back. What a pipe gives is in no hash, so such a run always has a nonce.
 * Raises `Stop`: `bad_value`, `ts_base`, `exists`.
 */
export function deriveIdentity(
  { run_id: runId, ts_base: tsBase, store, output }: Named,
  whole: Whole,
  isRepeatable: boolean = false,
): Identity {
  requireNames(runId, tsBase);
  const { input, policy, ...more } = whole;
  const { run_id, ...derived } = derivedIdentity(input, policy, { ...more, ts_base: tsBase ?? null });
  const ts_base = tsBase ?? derived.ts_base;
  if (runId !== undefined) return { run_id: runId, ts_base };
  const files = isObject(more.with) ? field(more.with, 'files') : more.with;
  const isPiped = isArray(files) && files.includes(null);
  if (!isPiped && (store !== undefined || isRepeatable)) return { run_id, ts_base };
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
    throw badValue(
      'not a valid run id',
      `--set run_id=${runId}`,
      'use up to 128 of A-Z a-z 0-9 . _ -, starting with a letter or digit; device names such as CON are not allowed',
    );
  if (runId?.includes('~') === true)
    throw badValue(
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
