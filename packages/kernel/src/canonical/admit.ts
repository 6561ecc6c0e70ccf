/**
 * Admission: any JavaScript value in, an owned and deeply frozen JSON copy out, or one refusal.
 *
 * The walk is pre-order with keys in canonical order, so the same bad input gives the same code and
 * path whatever order its keys were written in. Source: 001 §2.1; ledger format, "Values and bytes".
 *
 * @module
 */
import { compareText, define, type Json, type JsonArray, type JsonObject } from '../json.js';
import { err, ok, type Result } from '../result.js';
import { encodeOrdered, encode } from './encode.js';
import { utf8Length } from './text.js';
import { VALUE_LIMITS, type Limits } from './limits.js';

/**
 * Why a value is refused. Precedence: the first refusal met in the walk; at one value the order is
 * type, number, string, cycle, depth, prototype, symbol keys, then key by key (text, size, accessor,
 * enumerability, value). `values` and `size` concern the whole and have the path `""`.
 */
export type AdmissionCode =
  | 'undefined'
  | 'function'
  | 'symbol'
  | 'bigint'
  | 'not_finite'
  | 'number_range'
  | 'lone_surrogate'
  | 'cycle'
  | 'depth'
  | 'not_plain'
  | 'symbol_key'
  | 'array_key'
  | 'sparse_array'
  | 'key_size'
  | 'accessor'
  | 'hidden_key'
  | 'to_json'
  | 'values'
  | 'size';

/** A refused value: the code, and where (an RFC 6901 JSON pointer; a lone surrogate shows as U+FFFD). */
export type AdmissionError = { readonly code: AdmissionCode; readonly path: string };

/**
 * An admitted value: the owned, deeply frozen copy and its canonical text, with what the limits of a
 * record line ask for: `bytes` of the text, `depth`, and `structure`, the marks `[ { ,` outside strings.
 */
export type Admitted = { readonly value: Json; readonly text: string; readonly bytes: number; readonly depth: number; readonly structure: number };

/**
 * Admits a value: copies it into owned, deeply frozen JSON with keys in canonical order and -0 as 0,
 * and encodes it. Linear in the value. The caller's object is neither kept nor frozen, and no getter
 * of it is called.
 */
export function admit(value: unknown, limits: Limits = VALUE_LIMITS): Result<AdmissionError, Admitted> {
  const walk = new Walk(limits);
  const copy = walk.visit(value, 0);
  if (copy === REFUSED) return err(walk.refusal());
  const text = walk.ordered ? encodeOrdered(copy) : encode(copy);
  const bytes = utf8Length(text);
  if (bytes > limits.bytes) return err({ code: 'size', path: '' });
  return ok({ value: copy, text, bytes, depth: walk.deepest, structure: walk.structure });
}

const REFUSED: unique symbol = Symbol('refused');
type Visited = Json | typeof REFUSED;

const lookupGetter = (Object.prototype as unknown as { readonly __lookupGetter__: (this: object, key: PropertyKey) => unknown }).__lookupGetter__;

/** One admission under way: counts what it meets, remembers the ancestors and the one refusal. */
class Walk {
  /** False once an object's own enumeration order is not canonical (integer-like keys). */
  ordered = true;
  deepest = 0;
  structure = 0;
  private values = 0;
  private chars = 0;
  private code: AdmissionCode = 'undefined';
  private whole = false;
  private readonly segments: string[] = [];
  private readonly ancestors: object[] = [];
  private readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  refusal(): AdmissionError {
    const path = this.whole ? '' : this.segments.reverse().map((segment) => `/${pointerSegment(segment)}`).join('');
    return { code: this.code, path };
  }

  visit(value: unknown, depth: number): Visited {
    this.values += 1;
    if (this.values > this.limits.values) return this.refuseWhole('values');
    switch (typeof value) {
      case 'string':
        return this.visitString(value);
      case 'number':
        return this.visitNumber(value);
      case 'boolean':
        return value;
      case 'object':
        return value === null ? null : this.visitContainer(value, depth + 1);
      case 'undefined':
        return this.refuse('undefined');
      default:
        return this.refuse(typeof value as 'function' | 'symbol' | 'bigint');
    }
  }

  private visitString(value: string): Visited {
    if (!value.isWellFormed()) return this.refuse('lone_surrogate');
    this.chars += value.length;
    return this.chars > this.limits.bytes ? this.refuseWhole('size') : value;
  }

  private visitNumber(value: number): Visited {
    if (!Number.isFinite(value)) return this.refuse('not_finite');
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return this.refuse('number_range');
    return value === 0 ? 0 : value;
  }

  private visitContainer(value: object, depth: number): Visited {
    if (this.ancestors.includes(value)) return this.refuse('cycle');
    if (depth > this.limits.depth) return this.refuse('depth');
    if (depth > this.deepest) this.deepest = depth;
    this.ancestors.push(value);
    const copy = Array.isArray(value) ? this.visitArray(value, depth) : this.visitObject(value, depth);
    this.ancestors.pop();
    return copy;
  }

  private visitArray(value: readonly unknown[], depth: number): Visited {
    if (Object.getPrototypeOf(value) !== Array.prototype) return this.refuse('not_plain');
    const length = value.length;
    // The value count is bounded before anything of this length is listed or allocated.
    if (length > this.limits.values) return this.refuseWhole('values');
    if (Object.getOwnPropertySymbols(value).length > 0) return this.refuse('symbol_key');
    // `length` itself is the one name beyond the indices.
    if (Object.getOwnPropertyNames(value).length !== length + 1) return this.refuseArrayKeys(value);
    this.structure += Math.max(1, length);
    const copy: Json[] = [];
    for (let index = 0; index < length; index += 1) {
      // A getter is found without calling it and, unlike a descriptor, without allocating.
      const item = lookupGetter.call(value, index) === undefined ? this.visitElement(value, index, depth) : this.refuse('accessor');
      if (item === REFUSED) return this.within(String(index));
      copy.push(item);
    }
    const frozen: JsonArray = Object.freeze(copy);
    return frozen;
  }

  private visitElement(value: readonly unknown[], index: number, depth: number): Visited {
    const item = value[index];
    if (item !== undefined) return this.visit(item, depth);
    const slot = Object.getOwnPropertyDescriptor(value, index);
    return slot === undefined ? this.refuse('sparse_array') : this.visitSlot(slot, depth);
  }

  private refuseArrayKeys(value: readonly unknown[]): Visited {
    for (let index = 0; index < value.length; index += 1) {
      if (!Object.hasOwn(value, index)) {
        this.refuse('sparse_array');
        return this.within(String(index));
      }
    }
    return this.refuse('array_key');
  }

  private visitObject(value: object, depth: number): Visited {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return this.refuse('not_plain');
    if (Object.getOwnPropertySymbols(value).length > 0) return this.refuse('symbol_key');
    const keys = Object.getOwnPropertyNames(value);
    if (keys.length > 1) sortKeys(keys);
    this.structure += Math.max(1, keys.length);
    const copy: { [key: string]: Json } = {};
    for (const key of keys) {
      if (!this.admitKey(key, keys.length)) return this.within(key);
      const slot = Object.getOwnPropertyDescriptor(value, key);
      if (slot === undefined) return this.refuse('not_plain');
      if (key === 'toJSON' && typeof slot.value === 'function') {
        this.refuse('to_json');
        return this.within(key);
      }
      const item = this.visitSlot(slot, depth);
      if (item === REFUSED) return this.within(key);
      define(copy, key, item);
    }
    const frozen: JsonObject = Object.freeze(copy);
    return frozen;
  }

  private admitKey(key: string, siblings: number): boolean {
    if (!key.isWellFormed()) {
      this.refuse('lone_surrogate');
      return false;
    }
    this.chars += key.length;
    if (key.length > this.limits.keyBytes || (key.length * 3 > this.limits.keyBytes && utf8Length(key) > this.limits.keyBytes)) {
      this.refuse('key_size');
      return false;
    }
    const first = key.charCodeAt(0);
    if (siblings > 1 && first >= 0x30 && first <= 0x39) this.ordered = false;
    return true;
  }

  private visitSlot(slot: PropertyDescriptor, depth: number): Visited {
    if (slot.get !== undefined || slot.set !== undefined) return this.refuse('accessor');
    if (slot.enumerable !== true) return this.refuse('hidden_key');
    return this.visit(slot.value, depth);
  }

  private refuse(code: AdmissionCode): typeof REFUSED {
    this.code = code;
    return REFUSED;
  }

  private refuseWhole(code: AdmissionCode): typeof REFUSED {
    this.whole = true;
    return this.refuse(code);
  }

  private within(segment: string): typeof REFUSED {
    this.segments.push(segment);
    return REFUSED;
  }
}

/** Sorts in place by code units, leaving alone what is in order already (the common case). */
function sortKeys(keys: string[]): void {
  for (let index = 1; index < keys.length; index += 1) {
    if (compareText(keys[index - 1] ?? '', keys[index] ?? '') > 0) {
      keys.sort(compareText);
      return;
    }
  }
}

function pointerSegment(segment: string): string {
  return segment.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
