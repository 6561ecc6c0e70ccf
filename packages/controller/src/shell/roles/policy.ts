/**
 * The policy of a task: the defaults, fields that are given, the tools that there are, and who plays.
 *
 * @module
 */
import { err, field, isObject, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import { defaultPolicy, parsePolicy, type Policy, type Tool } from '../../index.js';
import { canonicalText } from '../../steps/index.js';
import { castPolicy, type Casting, type Miscast } from './casting.js';

/**
 * Why there is no policy. `policy_file`: what is given is no object. `policy_field`: it has another field.
 * `policy`: the machine refuses it; `at` is the field at fault, "" where it names none.
 */
export type PolicyError =
  | { readonly code: 'policy_file' }
  | { readonly code: 'policy_field'; readonly name: string; readonly fields: readonly string[] }
  | { readonly code: 'policy'; readonly why: string; readonly detail: Json; readonly at: string }
  | Miscast;

/** What a policy is made from. `given`: fields over the defaults, group by group. */
export type PolicyParts = {
  readonly given: Json;
  readonly tools: readonly Tool[];
  readonly memory: boolean;
  readonly clock: Policy['clock'];
};

/** The defaults under what is given; tools are those that there are, and no others can be given. */
export function policyOver({ given, tools, memory, clock }: PolicyParts): Result<PolicyError, JsonObject> {
  if (!isObject(given)) return err({ code: 'policy_file' });
  const whole = defaultPolicy as unknown as JsonObject;
  const fields = Object.keys(whole);
  const unknown = Object.keys(given).find((key) => !fields.includes(key));
  if (unknown !== undefined) return err({ code: 'policy_field', name: unknown, fields });
  const named = field(given, 'tools');
  if (named !== undefined && canonicalText(named) !== canonicalText(tools.map((tool): Json => ({ ...tool }))))
    return err({ code: 'policy', why: 'other_tools', detail: { path: '/tools' }, at: '/tools' });
  const merged = Object.fromEntries(
    Object.entries(whole).map(([key, value]) => [key, over(value, field(given, key))]),
  );
  return ok({ ...merged, tools, memory, clock });
}

/** A policy with who plays the roles, as the machine takes it. Codes: `cast`, `policy`. */
export function playedPolicy(
  policy: JsonObject,
  casting: Casting,
  hasModels: boolean,
): Result<PolicyError, JsonObject> {
  const played = castPolicy(policy, casting, hasModels);
  if (played._tag === 'Left') return played;
  const read = parsePolicy(played.right);
  if (read._tag === 'Right') return ok(played.right as JsonObject);
  const { code, detail } = read.left;
  // The solver of the gradient names its field, the rest of the policy the path to it.
  return err({
    code: 'policy',
    why: code,
    detail,
    at: readText(detail, 'field') || readText(detail, 'path'),
  });
}

function over(value: Json, given: Json | undefined): Json {
  if (given === undefined) return value;
  return isObject(value) && isObject(given) ? { ...value, ...given } : given;
}
