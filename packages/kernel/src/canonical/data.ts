/**
 * Encoding what trusted code built, without a copy: a machine's encoded state, on the kernel's own path.
 *
 * {@link admit} is for what comes from outside. Here the value is a machine's own plain data, read once
 * and dropped; what could not be JSON is still refused, since it would be a defect to hash it.
 *
 * @module
 */
import type { Json } from '../json.js';
import { encodeJson } from './encode.js';
import { VALUE_LIMITS } from './limits.js';

/** Why plain data cannot be a State: what admission refuses, a number that is no integer, or a token out of form. */
export type DataFault = 'not_json' | 'not_integer' | 'depth' | 'token';

/** The canonical text of plain data, or why it has none. Linear; nothing is copied or frozen. */
export function encodeData(value: Json, isToken: (value: Json) => boolean): { readonly text: string } | { readonly fault: DataFault } {
  const fault = dataFault(value, 0, isToken);
  return fault === null ? { text: encodeJson(value) } : { fault };
}

function dataFault(value: unknown, depth: number, isToken: (value: Json) => boolean): DataFault | null {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? null : 'not_json';
    case 'number':
      return Number.isSafeInteger(value) ? null : Number.isFinite(value) ? 'not_integer' : 'not_json';
    case 'boolean':
      return null;
    case 'object':
      return value === null ? null : containerFault(value, depth + 1, isToken);
    default:
      return 'not_json';
  }
}

function containerFault(value: object, depth: number, isToken: (value: Json) => boolean): DataFault | null {
  if (depth > VALUE_LIMITS.depth) return 'depth';
  if (Array.isArray(value)) {
    if (Object.getPrototypeOf(value) !== Array.prototype) return 'not_json';
    for (let index = 0; index < value.length; index += 1) {
      const fault = dataFault(value[index], depth, isToken);
      if (fault !== null) return fault;
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return 'not_json';
  const object = value as { readonly [key: string]: Json };
  for (const key of Object.keys(object)) {
    if (!key.isWellFormed()) return 'not_json';
    if (key.startsWith('$') && !isToken(object)) return 'token';
    const fault = dataFault(object[key], depth, isToken);
    if (fault !== null) return fault;
  }
  return null;
}

