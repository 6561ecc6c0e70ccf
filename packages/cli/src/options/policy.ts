/**
 * What a machine is opened with: its defaults, fields of `--policy` over them, and each `--set PATH=VALUE` over both.
 *
 * @module
 */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { readJson } from '../files/json-file.js';
import type { Fields } from './override.js';
import { misuse } from '../problems/problem.js';

/**
 * The fields of a policy file, each object of them over the default's; none without a file. Raises `Stop`: `policy`,
 * and those of reading JSON.
 */
export async function policyFile(path: string | undefined, defaults: JsonObject): Promise<JsonObject> {
  if (path === undefined) return {};
  const given = await readJson(path);
  if (!isObject(given))
    throw misuse('policy', 'a policy must be one JSON object', path, 'write it like {"FIELD": VALUE}');
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(defaults, key));
  if (unknown !== undefined)
    throw misuse(
      'policy',
      `unknown policy field ${unknown}`,
      path,
      `its fields are ${Object.keys(defaults).join(', ')}`,
    );
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const own = defaults[key] ?? null;
      return [key, isObject(own) && isObject(value) ? { ...own, ...value } : value];
    }),
  );
}

/** The same under `--set`: a path, or the end of one that names one field alone. Raises `Stop`: `bad_value`. */
export async function overSettings(whole: Fields, set: readonly string[] = []): Promise<Fields> {
  return set.length === 0 ? whole : (await import('./override.js')).withSettings(whole, set);
}

/** A list of names in a policy. Raises `Stop`: `policy`. */
export function slotNames(slots: Json, place: string): readonly string[] {
  const texts = isArray(slots) ? slots.filter((slot) => typeof slot === 'string') : [];
  if (isArray(slots) && texts.length === slots.length && texts.length > 0) return texts;
  throw misuse('policy', 'proposers must be a list of names', place, 'write it like ["rules"]');
}
