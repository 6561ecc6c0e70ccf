/**
 * `--set`: fields of a policy and an input under other values. `PATH=VALUE`, `PATH=@FILE`, or `PATH` alone, which
 * removes the field.
 *
 * @module
 */
import { canonicalize, isObject, type Json, type JsonObject } from '@assay/kernel';
import { changedGiven, type Change, type Override, type OverrideFault } from '@assay/verifier/impact';
import { readJson } from '../files/read.js';
import { misuse, type Stop, badValue } from '../problems/problem.js';
import { renderPointer, textIn } from '../terminal/shown.js';

/** What is told of a path that names no one field. */
export function overrideProblem({ code, path, near }: OverrideFault, remedy?: string): Stop {
  return badValue(
    code === 'unknown_setting' ? 'unknown setting' : 'this name matches several settings',
    path,
    remedy ?? `did you mean ${near.join(', ')}?`,
  );
}

/** What a run is opened with. */
export type Fields = { readonly policy: JsonObject; readonly input: JsonObject };

/** The same under settings. Raises `Stop`: those of {@link readChange}. */
export async function withSettings(whole: Fields, set: readonly string[]): Promise<Fields> {
  const changed = changedGiven(whole, await readChange({ set, without: [] }));
  if (changed._tag === 'Left') throw overrideProblem(changed.left);
  const { policy, input } = changed.right;
  if (isObject(policy) && isObject(input)) return { policy, input };
  throw badValue('policy and input are objects', '--set', 'name a field: policy.FIELD=VALUE');
}

/** The options of a change. */
export type ChangeOptions = {
  readonly set: readonly string[];
  readonly without: readonly string[];
  readonly policy?: string;
};

/** The same with `--policy FILE` as a setting, which it stands for. */
export function withPolicy<F extends ChangeOptions>(flags: F): F {
  return flags.policy === undefined ? flags : { ...flags, set: [...flags.set, `policy=@${flags.policy}`] };
}

/** What a machine says of a value that it does not take: the place and what it expects there, else its own detail. */
export function describeFault(detail: Json): string {
  const expected = textIn(detail, 'expected');
  const at = renderPointer(textIn(detail, 'at'));
  return expected === '' ? JSON.stringify(detail) : `${at} must be ${expected}`; // display
}

/**
 * Reads them. VALUE is JSON, or a text where it is none; `@FILE` is the JSON of a file. `policy=@FILE` gives the file
 * of a policy. Raises `Stop`: `bad_value`, `policy` where that file is no object, and those of reading.
 */
export async function readChange({ set, without }: ChangeOptions): Promise<Change> {
  let [policy, input]: [JsonObject | null, Json | undefined] = [null, undefined];
  const overrides: Override[] = [];
  const seen = new Set<string>();
  for (const given of set) {
    const [, path = '', text] = /^([^=]*)(?:=(.*))?$/s.exec(given) ?? [];
    if (path === '' || seen.has(path))
      throw badValue(
        path === '' ? 'a setting needs a path' : 'this setting is given twice',
        path === '' ? `--set ${given}` : path,
        path === '' ? 'write it like --set PATH=VALUE' : 'give each setting once',
      );
    seen.add(path);
    const file = text?.startsWith('@') === true ? text.slice(1) : null;
    if (file !== null && path === 'policy') policy = await policyFields(file);
    else if (file !== null && path === 'input') input = await readJson(file);
    else if (file !== null) overrides.push({ path, value: await readJson(file) });
    else overrides.push({ path, value: text === undefined ? undefined : readValue(text, path) });
  }
  return { overrides, policy, input, without };
}

function readValue(text: string, path: string): Json {
  const value = parseValue(text);
  const admitted = canonicalize(value);
  if (admitted._tag === 'Right') return value;
  throw badValue(
    `no ledger can hold this value: ${admitted.left.code}`,
    `--set ${path}`,
    'give a JSON value of whole text, exact numbers and few levels',
  );
}

function parseValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
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
