/**
 * `--set PATH=VALUE` and `--unset PATH`: fields of a policy, a configuration or an input under other values.
 *
 * @module
 */
import { canonicalize, isObject, type Json, type JsonObject } from '@assay/kernel';
import { overridden, type Change, type Override, type OverrideFault } from '@assay/verifier/impact';
import { readJson } from '../files/json-file.js';
import { misuse, type Stop } from '../problems/problem.js';

/** Reads the options. VALUE is JSON, or a text where it is none. Raises `Stop`: `set`. */
export function readOverrides(sets: readonly string[], unsets: readonly string[]): readonly Override[] {
  const read = sets.map((given): Override => {
    const at = given.indexOf('=');
    if (at < 1)
      throw misuse(
        'bad_value',
        'a setting needs a path and a value',
        `--set ${given}`,
        `write it like --set ${at === -1 ? given : 'PATH'}=VALUE`,
      );
    const value = parseValue(given.slice(at + 1));
    const admitted = canonicalize(value);
    if (admitted._tag === 'Left')
      throw misuse(
        'bad_value',
        `no ledger can hold this value: ${admitted.left.code}`,
        `--set ${given.slice(0, at)}`,
        'give a JSON value of whole text, exact numbers and few levels',
      );
    return { path: given.slice(0, at), value };
  });
  const all = [...read, ...unsets.map((path): Override => ({ path, value: undefined }))];
  const again = all.find(({ path }, index) => all.findIndex((other) => other.path === path) !== index);
  if (again !== undefined)
    throw misuse('bad_value', 'this setting is given twice', again.path, 'give each setting once');
  return all;
}

/** What is told of a path that names no one field. */
export function overrideProblem({ code, path, near }: OverrideFault, remedy?: string): Stop {
  return misuse(
    'bad_value',
    code === 'unknown_setting' ? 'unknown setting' : 'this name matches several settings',
    path,
    remedy ?? `did you mean ${near.join(', ')}?`,
  );
}

/** What a run is opened with. */
export type Fields = { readonly policy: JsonObject; readonly input: JsonObject };

/** The same under settings. Raises `Stop`: `bad_value`. */
export function withSettings(whole: Fields, set: readonly string[]): Fields {
  const changed = overridden(whole, readOverrides(set, []));
  if (changed._tag === 'Left') throw overrideProblem(changed.left);
  return changed.right.value as Fields;
}

function parseValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

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
