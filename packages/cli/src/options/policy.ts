/**
 * The policy of a run: the default, or fields of it from a file.
 *
 * @module
 */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { completePolicy, defaultPolicy } from '@assay/kernel/intent';
import { misuse } from '../problems/problem.js';
import { readJson } from '../files/json-file.js';

/** A policy under construction: the fields, and the slots it names, if it names any. */
export type ReadPolicy = { readonly fields: JsonObject; readonly slots: readonly string[] | null };

/**
 * Reads `--policy`: fields left out are those of the default policy, weights among them. Raises `Stop`:
 * `policy`, and those of reading JSON.
 */
export async function readPolicy(path: string | undefined): Promise<ReadPolicy> {
  const whole: JsonObject = { ...defaultPolicy, proposers: [...defaultPolicy.proposers] };
  if (path === undefined) return { fields: whole, slots: null };
  const given = await readJson(path);
  if (!isObject(given))
    throw misuse(
      'policy',
      'a policy must be one JSON object',
      path,
      'write it like {"max_interpretations": 4}',
    );
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(whole, key));
  if (unknown !== undefined)
    throw misuse(
      'policy',
      `unknown policy field ${unknown}`,
      path,
      `its fields are ${Object.keys(whole).join(', ')}`,
    );
  const slots = given['proposers'];
  return {
    fields: completePolicy(given) as JsonObject,
    slots: slots === undefined ? null : textsIn(slots, path),
  };
}

function textsIn(slots: Json, path: string): readonly string[] {
  const texts = isArray(slots) ? slots.filter((slot) => typeof slot === 'string') : [];
  if (isArray(slots) && texts.length === slots.length && texts.length > 0) return texts;
  throw misuse('policy', 'proposers must be a list of names', path, 'write it like ["rules"]');
}
