/**
 * Fields of payloads, read leniently: what is not there, or of another type, is empty.
 *
 * @module
 */
import { field, isObject, type Json, type JsonObject } from '@assay/kernel';

/** The value of a JSON text, null for anything else. */
export function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** The value of an object's field, null where there is none. */
export function valueIn(value: Json | undefined, key: string): Json {
  return value !== undefined && isObject(value) ? (field(value, key) ?? null) : null;
}

/** The text of an object's field, "" where there is none. */
export function textIn(value: Json | undefined, key: string): string {
  const text = valueIn(value, key);
  return typeof text === 'string' ? text : '';
}

/** The object in an object's field, empty where there is none. */
export function objectIn(value: Json | undefined, key: string): JsonObject {
  const object = valueIn(value, key);
  return isObject(object) ? object : {};
}
