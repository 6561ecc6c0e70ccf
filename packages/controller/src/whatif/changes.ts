/**
 * A policy under other numbers. The rounds of a recorded run: what R7 found and said, in order. Source:
 * planner-controller B.3 item 3; 002 §R7; "State-transfer display".
 */
import {
  define,
  err,
  field,
  isObject,
  ok,
  type Json,
  type Rejection,
  type Result,
  type EvidenceRecord,
} from '@assay/kernel';
import { readField, readText, listObjects } from '@assay/kernel/shape';
import type { GgsEvaluation } from '../ggs/evaluation.js';

/**
 * A number of the policy under another value; `name` is a path such as `ggs.epsilon`, or its last part where
 * that is the only one of its name.
 */
export type Change = { readonly name: string; readonly value: Json };

/**
 * A policy with changes; every name must say one field that is there. Errors: `unknown_setting` {name},
 * `ambiguous_setting` {name, paths}.
 */
export function withChanges(policy: Json, changes: readonly Change[]): Result<Rejection, Json> {
  let result = policy;
  for (const { name, value } of changes) {
    const paths = listPaths(result, name);
    const [path] = paths;
    if (path === undefined) return err({ code: 'unknown_setting', detail: { name } });
    if (paths.length > 1)
      return err({
        code: 'ambiguous_setting',
        detail: { name, paths: paths.map((parts) => parts.join('.')) },
      });
    result = withValue(result, path, value);
  }
  return ok(result);
}

/** Fields of a policy that a name may mean: the whole path, else any field whose last part it is. */
function listPaths(policy: Json, name: string): readonly (readonly string[])[] {
  const all = leaves(policy, []);
  const whole = all.filter((path) => path.join('.') === name);
  return whole.length > 0 ? whole : all.filter((path) => path.at(-1) === name);
}

function leaves(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (!isObject(value)) return [path];
  return Object.keys(value).flatMap((key) => leaves(field(value, key) ?? null, [...path, key]));
}

function withValue(value: Json, [key, ...rest]: readonly string[], given: Json): Json {
  if (key === undefined) return given;
  const copy: { [key: string]: Json } = isObject(value) ? { ...value } : {};
  define(copy, key, withValue(field(copy, key) ?? null, rest, given));
  return copy;
}

/**
 * One evaluation as a table shows it. `exact` figures are "n/d"; `record`: where it stands among the records
 * given.
 */
export type RoundSeen = Shown & { readonly record: number };

const SHOWN = [
  'round',
  'D',
  'P',
  'Omega',
  'L',
  'grad_l',
  'grad_task',
  'epsilon_effective',
  'band',
  'cell',
  'prev_directive',
  'directive',
  'reason',
] as const satisfies readonly (keyof GgsEvaluation)[];
type Shown = Pick<GgsEvaluation, (typeof SHOWN)[number]>;

/** The rounds in records of a controller run; those of anybody else's records give none. */
export function roundsIn(records: readonly EvidenceRecord[]): readonly RoundSeen[] {
  return records.flatMap(({ kind, payload }, sequence) => {
    if (kind === 'artifact')
      return readText(payload, 'name') === 'evaluation' ? seen(readField(payload, 'content'), sequence) : [];
    const events = kind === 'decision' ? listObjects(readField(payload, 'events')) : [];
    return events
      .filter((event) => readText(event, 'kind') === 'PlanDirective')
      .flatMap((event) => seen(readField(readField(event, 'body'), 'evaluation'), sequence));
  });
}

function seen(evaluation: Json, record: number): readonly RoundSeen[] {
  if (readText(evaluation, 'directive') === '' || typeof readField(evaluation, 'round') !== 'number')
    return [];
  const shown = Object.fromEntries(SHOWN.map((name) => [name, (evaluation as unknown as Shown)[name]]));
  return [{ ...(shown as unknown as Shown), record }];
}
