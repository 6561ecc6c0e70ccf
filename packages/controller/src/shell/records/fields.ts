/**
 * Fields of payloads, read leniently: what is not there, or of another type, is empty.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';

/** The value of an object's field, null if there is none. */
export function valueIn(value: Json | undefined, key: string): Json {
  return isObject(value) ? (field(value, key) ?? null) : null;
}

/** The text of an object's field, "" if there is none. */
export function textIn(value: Json | undefined, key: string): string {
  const text = valueIn(value, key);
  return typeof text === 'string' ? text : '';
}

/** The list in an object's field, empty if there is none. */
export function listIn(value: Json | undefined, key: string): readonly Json[] {
  const list = valueIn(value, key);
  return isArray(list) ? list : [];
}

/** The events of a decision; none of another record. */
export function eventsIn({ kind, payload }: EvidenceRecord): readonly Json[] {
  return kind === 'decision' ? listIn(payload, 'events') : [];
}
