/**
 * What is changed in recorded runs: `--set`, `--unset`, `--policy`, `--input` and `--without`.
 *
 * @module
 */
import { isObject } from '@assay/kernel';
import type { Change } from '@assay/verifier/impact';
import { readJson } from '../files/json-file.js';
import { misuse } from '../problems/problem.js';
import { readOverrides } from './override.js';

/** The options of a change. */
export type ChangeOptions = {
  readonly set: readonly string[];
  readonly unset: readonly string[];
  readonly without: readonly string[];
  readonly policy?: string;
  readonly input?: string;
};

/** Reads them. Raises `Stop`: those of `--set` and of reading JSON, `policy` where it is no object. */
export async function readChange(options: ChangeOptions): Promise<Change> {
  const overrides = readOverrides(options.set, options.unset);
  return {
    overrides,
    policy: options.policy === undefined ? null : await policyFields(options.policy),
    input: options.input === undefined ? undefined : await readJson(options.input),
    without: options.without,
  };
}

/** False where nothing is asked for. */
export function isChange({ overrides, policy, input, without }: Change): boolean {
  return overrides.length + without.length > 0 || policy !== null || input !== undefined;
}

/** The fields of a policy file. Raises `Stop`: `policy`. */
export async function policyFields(path: string): Promise<NonNullable<Change['policy']>> {
  const fields = await readJson(path);
  if (isObject(fields)) return fields;
  throw misuse('policy', 'a policy must be one JSON object', path, 'write it like {"min_score": 600000}');
}
