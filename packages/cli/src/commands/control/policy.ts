/**
 * The policy of a controller run: the defaults, fields of a file, single numbers by `--set`, and the tools
 * that there are.
 *
 * @module
 */
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import {
  defaultPolicy,
  parsePolicy,
  withChanges,
  type Change,
  type Policy,
  type Tool,
} from '@assay/controller';
import { readJson } from '../../files/json-file.js';
import { textIn } from '../../terminal/fields.js';
import { misuse } from '../../problems/problem.js';
import { rejected } from '../run/run-request.js';

/** Reads `--set NAME=VALUE` options: the value is JSON, or a text where it is none. Raises `Stop`: `set`. */
export function readChanges(given: readonly string[]): readonly Change[] {
  return given.map((setting) => {
    const at = setting.indexOf('=');
    if (at < 1)
      throw misuse(
        'set',
        'a setting is a name and a value',
        `--set ${setting}`,
        'write it like --set epsilon=50000',
      );
    return { name: setting.slice(0, at), value: valueOf(setting.slice(at + 1)) };
  });
}

/**
 * The policy of a call. Fields of a file stand over the defaults, group by group. Raises `Stop`:
 * `policy_file`, `policy_field`, `set`.
 */
export async function readControlPolicy(
  path: string | undefined,
  settings: readonly string[],
  more: { readonly tools: readonly Tool[]; readonly memory: boolean; readonly clock: Policy['clock'] },
): Promise<Json> {
  const given = path === undefined ? {} : await readJson(path);
  if (!isObject(given))
    throw misuse(
      'policy_file',
      'a policy is one JSON object',
      path ?? '',
      'write it like {"ggs": {"max_replans": 2}}',
    );
  const whole = defaultPolicy as unknown as JsonObject;
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(whole, key));
  if (unknown !== undefined)
    throw misuse(
      'policy_field',
      `a policy has no field ${unknown}`,
      path ?? '',
      `its fields are ${Object.keys(whole).join(', ')}`,
    );
  const merged = Object.fromEntries(
    Object.entries(whole).map(([key, value]) => [
      key,
      over(value, Object.hasOwn(given, key) ? (given[key] ?? null) : undefined),
    ]),
  );
  const base = { ...merged, tools: more.tools as unknown as Json, memory: more.memory, clock: more.clock };
  const changed = withChanges(base, readChanges(settings));
  if (changed._tag === 'Right') return changed.right;
  throw settingProblem(changed.left.code, changed.left.detail, '--set');
}

/**
 * Raises `Stop`, `bad_policy`, where a policy with settings cannot be read: it names the setting that is at
 * fault, where one is.
 */
export function requirePolicy(policy: Json, settings: readonly string[]): void {
  const read = parsePolicy(policy);
  if (read._tag === 'Right') return;
  const { code, detail } = read.left;
  // The solver of the gradient names its field, the rest of the policy the path to it.
  const at = textIn(detail, 'field') || textIn(detail, 'path');
  const index = readChanges(settings).findIndex(({ name }) => lastOf(name, '.') === lastOf(at, '/'));
  if (index >= 0)
    throw rejected(code, detail, {
      place: `--set ${settings[index] ?? ''}`,
      remedy: 'give another value; docs/guides/control.md has the settings, their units and defaults',
    });
  throw rejected(
    code,
    detail,
    settings.length === 0
      ? {}
      : { remedy: 'correct this field of --policy, or the --set that it follows from' },
  );
}

/** What is wrong with a setting. */
export function settingProblem(code: string, detail: Json, place: string): Error {
  const name = isObject(detail) && typeof detail['name'] === 'string' ? detail['name'] : '';
  if (code === 'unknown_setting')
    return misuse(
      code,
      'the policy has no setting of this name',
      `${place} ${name}`,
      `the settings and their defaults: ${settingsOf(defaultPolicy).join(', ')}; ` +
        'docs/guides/control.md says what they are',
    );
  return misuse(
    code,
    'this name stands for more than one setting',
    `${place} ${name}`,
    'give the whole path, such as ggs.epsilon',
  );
}

/** Set by other options, or by the workspace. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['tools', 'memory', 'clock']);

/** The settings of a policy with their values, such as `epsilon=100000`. */
export function settingsOf(policy: JsonObject): readonly string[] {
  return Object.entries(policy).flatMap(([key, value]) =>
    NO_SETTINGS.has(key)
      ? []
      : isObject(value)
        ? settingsOf(value)
        : [`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
}

function lastOf(path: string, mark: string): string {
  return path.slice(path.lastIndexOf(mark) + 1);
}

function over(value: Json, given: Json | undefined): Json {
  if (given === undefined) return value;
  return isObject(value) && isObject(given) ? { ...value, ...given } : given;
}

function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
