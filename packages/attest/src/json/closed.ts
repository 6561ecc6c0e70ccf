/**
 * Closed key sets: every key is there and no other.
 *
 * @module
 */
import { isObject, type Json, type JsonObject } from '@assay/kernel';

/** True for an object with exactly these keys. */
export function hasKeys(value: Json, keys: readonly string[]): value is JsonObject {
  return (
    isObject(value) &&
    Object.keys(value).length === keys.length &&
    keys.every((key) => Object.hasOwn(value, key))
  );
}

/** True for an integer from `least` to `most`. */
export function isWithin(value: Json | undefined, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
