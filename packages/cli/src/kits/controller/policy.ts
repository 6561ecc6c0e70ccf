/**
 * What a task is opened with, from `--policy` and `--set`, and what is wrong with it in words.
 *
 * @module
 */
import { playedPolicy, policyOver, type PolicyError } from '@assay/controller/shell';
import type { JsonObject } from '@assay/kernel';
import { readJson } from '../../files/json-file.js';
import { overSettings } from '../../options/policy.js';
import { castProblem } from '../../problems/cast-problem.js';
import { orStop } from '../../problems/or-stop.js';
import { misuse, type Stop } from '../../problems/problem.js';
import { rejected } from '../../start/drive-machine.js';
import type { StartFlags } from '../../start/kit.js';
import type { NamedPlayers } from './players.js';

type Tools = Parameters<typeof policyOver>[0]['tools'];

/** The policy that the machine takes, and the input. Raises `Stop`. */
export async function policyOf(
  {
    policy: path,
    set = [],
    memory,
    clock = true,
  }: Pick<StartFlags, 'policy' | 'set' | 'memory'> & { clock?: boolean },
  input: JsonObject,
  tools: Tools,
  { casting, units }: Pick<NamedPlayers, 'casting' | 'units'>,
): Promise<{ readonly policy: JsonObject; readonly input: JsonObject }> {
  const fail = (error: PolicyError): Stop => policyProblem(error, path, set);
  const given = path === undefined ? {} : await readJson(path);
  const parts = { given, tools, memory: memory !== undefined, clock: clock ? 'asked' : 'stamps' } as const;
  const whole = await overSettings({ policy: orStop(policyOver(parts), fail), input }, set);
  return { ...whole, policy: orStop(playedPolicy(whole.policy, casting, units.size > 0), fail) };
}

/** Why there is no policy, in words. `path`: of `--policy`. */
function policyProblem(error: PolicyError, path: string | undefined, set: readonly string[]): Stop {
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
    case 'policy':
      return rejected(error.why, error.detail, set);
  }
}
