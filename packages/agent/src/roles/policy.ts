/**
 * The policy of a task: the defaults, fields that are given, single settings, and the tools that there are.
 *
 * @module
 */
import { err, field, isObject, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import {
  defaultPolicy,
  parsePolicy,
  withChanges,
  type Change,
  type Policy,
  type Tool,
} from '@assay/controller';
import { castPolicy, type Casting, type Miscast } from './casting.js';

/**
 * Why there is no policy. `policy_file`: what is given is no object. `policy_field`: it has another field.
 * `setting`: a change names no setting (`unknown_setting`) or several. `policy`: the machine refuses it;
 * `change` is the index of the change at fault, null for none.
 */
export type PolicyError =
  | { readonly code: 'policy_file' }
  | { readonly code: 'policy_field'; readonly name: string; readonly fields: readonly string[] }
  | { readonly code: 'setting'; readonly why: string; readonly detail: Json }
  | {
      readonly code: 'policy';
      readonly why: string;
      readonly detail: Json;
      readonly change: number | null;
    }
  | Miscast;

/** What a policy is made from. `given`: fields over the defaults, group by group. */
export type PolicyParts = {
  readonly given: Json;
  readonly changes: readonly Change[];
  readonly tools: readonly Tool[];
  readonly memory: boolean;
  readonly clock: Policy['clock'];
  readonly casting: Casting;
  readonly hasModels: boolean;
};

/** Makes a policy that the machine takes. Codes: {@link PolicyError}, in the order of its parts. */
export function taskPolicy({
  given,
  changes,
  tools,
  memory,
  clock,
  casting,
  hasModels,
}: PolicyParts): Result<PolicyError, JsonObject> {
  if (!isObject(given)) return err({ code: 'policy_file' });
  const whole = defaultPolicy as unknown as JsonObject;
  const fields = Object.keys(whole);
  const unknown = Object.keys(given).find((key) => !fields.includes(key));
  if (unknown !== undefined) return err({ code: 'policy_field', name: unknown, fields });
  const merged = Object.fromEntries(
    Object.entries(whole).map(([key, value]) => [key, over(value, field(given, key))]),
  );
  const base = { ...merged, tools: tools as unknown as Json, memory, clock };
  const changed = withChanges(base, changes);
  if (changed._tag === 'Left')
    return err({ code: 'setting', why: changed.left.code, detail: changed.left.detail });
  const policy = castPolicy(changed.right, casting, hasModels);
  if (policy._tag === 'Left') return policy;
  const read = parsePolicy(policy.right);
  if (read._tag === 'Right') return ok(policy.right as JsonObject);
  const { code, detail } = read.left;
  // The solver of the gradient names its field, the rest of the policy the path to it.
  const at = textIn(detail, 'field') || textIn(detail, 'path');
  const index = changes.findIndex(({ name }) => lastOf(name, '.') === lastOf(at, '/'));
  return err({ code: 'policy', why: code, detail, change: index < 0 ? null : index });
}

/** Set by other options, or by the workspace. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['tools', 'memory', 'clock']);

/** The settings of a policy with their defaults, such as `epsilon=100000`. */
export function settingsOf(policy: JsonObject = defaultPolicy): readonly string[] {
  return Object.entries(policy).flatMap(([key, value]) =>
    NO_SETTINGS.has(key)
      ? []
      : isObject(value)
        ? settingsOf(value)
        : [`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
}

function textIn(value: Json, key: string): string {
  const text = isObject(value) ? field(value, key) : undefined;
  return typeof text === 'string' ? text : '';
}

function lastOf(path: string, mark: string): string {
  return path.slice(path.lastIndexOf(mark) + 1);
}

function over(value: Json, given: Json | undefined): Json {
  if (given === undefined) return value;
  return isObject(value) && isObject(given) ? { ...value, ...given } : given;
}
