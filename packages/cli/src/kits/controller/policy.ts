/**
 * The policy of a task from `--policy` and `--set`, and what is wrong with it in words.
 *
 * @module
 */
import { playedPolicy, policyOver, type PolicyError } from '@assay/controller/shell';
import type { JsonObject } from '@assay/kernel';
import { readJson } from '../../files/json-file.js';
import { overridden, type Override } from '@assay/verifier/impact';
import { overrideProblem, readOverrides } from '../../options/override.js';
import { castProblem } from '../../problems/cast-problem.js';
import { orStop } from '../../problems/or-stop.js';
import { misuse, type Stop } from '../../problems/problem.js';
import { rejected } from '../../start/drive-machine.js';
import type { ControlOptions } from './options.js';

type Tools = Parameters<typeof policyOver>[0]['tools'];
type Casting = Parameters<typeof playedPolicy>[1];

/** The policy that the machine takes. Raises `Stop`. */
export async function policyOf(
  { policy: path, set, memory, clock }: Pick<ControlOptions, 'policy' | 'set' | 'memory' | 'clock'>,
  tools: Tools,
  casting: Casting,
  hasModels: boolean,
): Promise<JsonObject> {
  const overrides = readOverrides(set, []);
  const fail = (error: PolicyError): Stop => policyProblem(error, path, overrides);
  const given = path === undefined ? {} : await readJson(path);
  const parts = { given, tools, memory: memory !== undefined, clock: clock ? 'asked' : 'stamps' } as const;
  const whole = { policy: orStop(policyOver(parts), fail) };
  const { value } = orStop(overridden(whole, overrides), (fault) => overrideProblem(fault));
  return orStop(playedPolicy(value['policy'] as JsonObject, casting, hasModels), fail);
}

/** Why there is no policy, in words. `path`: of `--policy`; `overrides`: the `--set` options. */
function policyProblem(error: PolicyError, path: string | undefined, overrides: readonly Override[]): Stop {
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
    case 'cast':
      return castProblem(error, 'name the same in both, or remove roles from the policy');
    case 'policy': {
      const wrong = overrides.find(({ path: given }) => lastOf(given, '.') === lastOf(error.at, '/'));
      if (wrong !== undefined)
        return rejected(error.why, error.detail, {
          place: `--set ${wrong.path}=${typeof wrong.value === 'string' ? wrong.value : JSON.stringify(wrong.value)}`,
          remedy: 'give another value; docs/guides/control.md has the settings, their units and defaults',
        });
      return rejected(
        error.why,
        error.detail,
        overrides.length === 0
          ? {}
          : { remedy: 'correct this field of --policy, or the --set that causes it' },
      );
    }
  }
}

function lastOf(path: string, mark: string): string {
  return path.slice(path.lastIndexOf(mark) + 1);
}
