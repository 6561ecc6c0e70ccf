/**
 * Evidence of any ledger, read without trusting its form: what is not there reads as empty. The auditor
 * judges ledgers that other programs wrote, so nothing here may throw.
 *
 * @module
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';

/** A member of an object; null where there is none. */
export function memberOf(value: Json | undefined, key: string): Json {
  return isObject(value) ? (field(value, key) ?? null) : null;
}

/** A text member; "" where there is none. */
export function textOf(value: Json | undefined, key: string): string {
  const member = memberOf(value, key);
  return typeof member === 'string' ? member : '';
}

/** A list member; empty where there is none. */
export function listOf(value: Json | undefined, key: string): readonly Json[] {
  const member = memberOf(value, key);
  return isArray(member) ? member : [];
}

/** A whole number from 0 on; null where there is none. */
export function countOf(value: Json | undefined, key: string): number | null {
  const member = memberOf(value, key);
  return typeof member === 'number' && Number.isSafeInteger(member) && member >= 0 ? member : null;
}

/** The texts of a list member, at most `max`. */
export function textsOf(value: Json | undefined, key: string, max: number): readonly string[] {
  return listOf(value, key)
    .slice(0, max)
    .filter((item) => typeof item === 'string');
}

/** The first `max` units of a text, never half of a pair. */
export function firstOf(value: string, max: number): string {
  if (value.length <= max) return value;
  const last = value.charCodeAt(max - 1);
  return value.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** Text from evidence as a finding shows it. */
export function shown(value: string): string {
  return firstOf(value, SHOWN_MAX);
}

const SHOWN_MAX = 80;

/** The sequence that a record's `ts` names (`B#sequence`); null in a chain of another kind. */
export function sequenceOf(ts: string): number | null {
  const digits = /#([0-9]{12})$/.exec(ts)?.[1];
  return digits === undefined ? null : Number(digits);
}
