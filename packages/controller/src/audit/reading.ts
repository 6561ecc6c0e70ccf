/**
 * Evidence of any ledger, read without trusting its form: what is not there reads as empty. The auditor
 * judges ledgers that other programs wrote, so nothing here may throw.
 *
 * @module
 */
import { cutText, isArray, type Json, hashCanonical, type Digest, type Sha256 } from '@assay/kernel';
import { readField } from '@assay/kernel/shape';

/** A list member; empty where there is none. */
export function readList(value: Json | undefined, key: string): readonly Json[] {
  const member = readField(value, key);
  return isArray(member) ? member : [];
}

/** A whole number from 0 on; null where there is none. */
export function readCount(value: Json | undefined, key: string): number | null {
  const member = readField(value, key);
  return typeof member === 'number' && Number.isSafeInteger(member) && member >= 0 ? member : null;
}

/** The texts of a list member, at most `max`. */
export function readTexts(value: Json | undefined, key: string, max: number): readonly string[] {
  return readList(value, key)
    .slice(0, max)
    .filter((item) => typeof item === 'string');
}

/** Text from evidence as a finding shows it. */
export function shown(value: string): string {
  return cutText(value, SHOWN_MAX);
}

const SHOWN_MAX = 80;

/** The sequence that a record's `ts` names (`B#sequence`); null in a chain of another kind. */
export function readSequence(ts: string): number | null {
  const digits = /#([0-9]{12})$/.exec(ts)?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The digest of a value; null for what has no canonical text, which only a chain of another kind can hold.
 */
export function computeDigest(value: Json, sha256: Sha256): Digest | null {
  const hashed = hashCanonical(value, sha256);
  return hashed._tag === 'Right' ? hashed.right : null;
}
