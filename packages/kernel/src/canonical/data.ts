/**
 * Encoding what trusted code built, without a copy: a machine's encoded state, on the kernel's own path.
 *
 * {@link admit} is for what comes from outside. Here the value is a machine's own plain data, read once
 * and dropped; what could not be JSON is still refused, since it would be a defect to hash it.
 */
import type { Json } from '../json.js';
import { encodeJson, encodeOrdered } from './encode.js';
import { VALUE_LIMITS } from './limits.js';

/**
 * Why plain data cannot be a State: what admission refuses, a number that is no integer, or a token out of
 * form.
 */
export type DataFault = 'not_json' | 'not_integer' | 'depth' | 'token';

/** The canonical text of plain data, or why it has none. Linear; nothing is copied or frozen. */
export function encodeData(
  value: Json,
  isToken: (value: Json) => boolean,
): { readonly text: string } | { readonly fault: DataFault } {
  const walk = new DataWalk(isToken);
  const fault = walk.visit(value, 0);
  if (fault !== null) return { fault };
  return { text: walk.isOrdered ? encodeOrdered(value) : encodeJson(value) };
}

const lookupGetter = (
  Object.prototype as unknown as { readonly __lookupGetter__: (this: object, key: PropertyKey) => unknown }
).__lookupGetter__;

/** One look at plain data. */
class DataWalk {
  /** False once an object enumerates its keys out of canonical order. */
  isOrdered = true;
  private readonly isToken: (value: Json) => boolean;

  constructor(isToken: (value: Json) => boolean) {
    this.isToken = isToken;
  }

  visit(value: unknown, depth: number): DataFault | null {
    switch (typeof value) {
      case 'string':
        return value.isWellFormed() ? null : 'not_json';
      case 'number':
        return Number.isSafeInteger(value) ? null : Number.isFinite(value) ? 'not_integer' : 'not_json';
      case 'boolean':
        return null;
      case 'object':
        return value === null ? null : this.visitContainer(value, depth + 1);
      default:
        return 'not_json';
    }
  }

  private visitContainer(value: object, depth: number): DataFault | null {
    if (depth > VALUE_LIMITS.depth) return 'depth';
    const prototype: unknown = Object.getPrototypeOf(value);
    if (Array.isArray(value))
      return prototype === Array.prototype ? this.visitArray(value, depth) : 'not_json';
    return prototype === Object.prototype || prototype === null
      ? this.visitObject(value as { readonly [key: string]: Json }, depth)
      : 'not_json';
  }

  private visitArray(value: readonly unknown[], depth: number): DataFault | null {
    for (let index = 0; index < value.length; index += 1) {
      if (lookupGetter.call(value, index) !== undefined) return 'not_json';
      const fault = this.visit(value[index], depth);
      if (fault !== null) return fault;
    }
    return null;
  }

  private visitObject(value: { readonly [key: string]: Json }, depth: number): DataFault | null {
    const keys = Object.keys(value);
    // Hidden and symbol keys, getters: what could make the same state encode differently the next time.
    if (
      Object.getOwnPropertyNames(value).length !== keys.length ||
      Object.getOwnPropertySymbols(value).length > 0
    )
      return 'not_json';
    let last: string | null = null;
    for (const key of keys) {
      if (lookupGetter.call(value, key) !== undefined) return 'not_json';
      if (!key.isWellFormed()) return 'not_json';
      if (key.startsWith('$') && !this.isToken(value)) return 'token';
      if (last !== null && last > key) this.isOrdered = false;
      last = key;
      const fault = this.visit(value[key], depth);
      if (fault !== null) return fault;
    }
    return null;
  }
}
