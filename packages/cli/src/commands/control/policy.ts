/**
 * The options `--policy` and `--set` of a task, and what is wrong with them in words.
 *
 * @module
 */
import { isObject, type Json } from '@assay/kernel';
import { settingsOf, type PolicyError } from '@assay/agent';
import { castProblem } from '../../problems/cast-problem.js';
import { misuse, type Stop } from '../../problems/problem.js';
import { rejected } from '../run/run-request.js';

/** Reads `--set NAME=VALUE` options: the value is JSON, or a text where it is none. Raises `Stop`: `set`. */
export function readChanges(
  given: readonly string[],
): readonly { readonly name: string; readonly value: Json }[] {
  return given.map((setting) => {
    const at = setting.indexOf('=');
    if (at < 1)
      throw misuse(
        'bad_value',
        'a setting needs a name and a value',
        `--set ${setting}`,
        'write it like --set epsilon=50000',
      );
    return { name: setting.slice(0, at), value: valueOf(setting.slice(at + 1)) };
  });
}

/** Why there is no policy, in words. `path`: of `--policy`; `settings`: the `--set` options. */
export function policyProblem(
  error: PolicyError,
  path: string | undefined,
  settings: readonly string[],
): Stop {
  switch (error.code) {
    case 'policy_file':
      return misuse(
        'policy',
        'a policy must be one JSON object',
        path ?? '',
        'write it like {"ggs": {"max_replans": 2}}',
      );
    case 'policy_field':
      return misuse(
        'policy',
        `unknown policy field ${error.name}`,
        path ?? '',
        `its fields are ${error.fields.join(', ')}`,
      );
    case 'setting':
      return settingProblem(error.why, error.detail, '--set');
    case 'cast':
      return castProblem(error, 'name the same in both, or remove roles from the policy');
    case 'policy':
      if (error.change !== null)
        return rejected(error.why, error.detail, {
          place: `--set ${settings[error.change] ?? ''}`,
          remedy: 'give another value; docs/guides/control.md has the settings, their units and defaults',
        });
      return rejected(
        error.why,
        error.detail,
        settings.length === 0
          ? {}
          : { remedy: 'correct this field of --policy, or the --set that causes it' },
      );
  }
}

/** What is wrong with a setting. */
export function settingProblem(code: string, detail: Json, place: string): Stop {
  const name = isObject(detail) && typeof detail['name'] === 'string' ? detail['name'] : '';
  if (code === 'unknown_setting')
    return misuse(
      'bad_value',
      'unknown policy setting',
      `${place} ${name}`,
      `the settings and their defaults: ${settingsOf().join(', ')}; ` +
        'docs/guides/control.md explains them',
    );
  return misuse(
    'bad_value',
    'this name matches more than one setting',
    `${place} ${name}`,
    'give the full path, such as ggs.epsilon',
  );
}

function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
