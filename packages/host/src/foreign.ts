/**
 * Looking at what others return or raise without running into it: a getter, a Proxy whose traps throw, a
 * revoked one.
 *
 * @module
 */
import {
  admit,
  isObject,
  OUTSIDE_LIMITS,
  type AdmissionError,
  type Json,
  type JsonObject,
  type Result,
} from '@assay/kernel';

/** An own data property; undefined where there is none or looking for it throws. No getter is called. */
export function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.getOwnPropertyDescriptor(value, key)?.value;
  } catch {
    return undefined;
  }
}

/**
 * An owned, frozen copy of a value as the kernel admits it. What throws when it is looked at is no plain
 * value.
 */
export function copyOf(value: unknown): Result<AdmissionError, Json> {
  try {
    const admitted = admit(value, OUTSIDE_LIMITS);
    return admitted._tag === 'Left' ? admitted : { _tag: 'Right', right: admitted.right.value };
  } catch {
    return { _tag: 'Left', left: { code: 'not_plain', path: '' } };
  }
}

/** The copy of an object; null for everything else, text and arrays too. */
export function objectIn(value: unknown): JsonObject | null {
  // A text is seen to be none before it is copied, however long it is.
  if (typeof value !== 'object') return null;
  const copy = copyOf(value);
  return copy._tag === 'Right' && isObject(copy.right) ? copy.right : null;
}
