/**
 * Admission: any JavaScript value in, an owned and deeply frozen JSON copy out, or one refusal.
 *
 * The walk is pre-order with keys in canonical order, so the same bad input gives the same code and
 * path whatever order its keys were written in. Source: 001 §2.1; ledger format, "Values and bytes".
 */
import { compareText, define, type Json } from '../json.js';
import { err, ok, type Result } from '../result.js';
import { encodeOrdered, encode } from './encode.js';
import { utf8Length } from '../text.js';
import { VALUE_LIMITS, type Limits } from './limits.js';

/**
 * Why a value is refused. Precedence: the first refusal met in the walk. At one value: type, number, string,
 * cycle, depth, prototype, symbol keys; then, of an object, key by key: text, size, accessor, enumerability,
 * value; of an array: holes, other keys, hidden elements, then element by element: accessor, value.
 * `values` and `size` concern the whole and have the path `""`.
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
export type Admitted = {
  readonly value: Json;
  readonly text: string;
  readonly bytes: number;
  readonly depth: number;
  readonly structure: number;
};

/**
 * Admits a value: copies it into owned, deeply frozen JSON with keys in canonical order and -0 as 0,
 * and encodes it. Linear in the value. The caller's object is neither kept nor frozen, and no getter
 * of it is called.
 */
export function admit(value: unknown, limits: Limits = VALUE_LIMITS): Result<AdmissionError, Admitted> {
  return attempt(value, limits, false) ?? (attempt(value, limits, true) as Result<AdmissionError, Admitted>);
}

/**
 * One walk. A lone surrogate is written as an escape, which the text shows, so strings are not looked at one
 * by one: where one may be there, or anything is refused, this is null, and the walk is taken again,
 * `careful`.
 */
function attempt(value: unknown, limits: Limits, careful: boolean): Result<AdmissionError, Admitted> | null {
  const walk = new Walk(limits, careful);
  const copy = walk.visit(value, 0);
  if (copy === REFUSED) return careful ? err(walk.refusal()) : null;
  const text = walk.ordered ? encodeOrdered(copy) : encode(copy);
  if (!careful && text.includes('\\ud')) return null;
  walk.freeze();
  const bytes = utf8Length(text);
  if (bytes > limits.bytes) return err({ code: 'size', path: '' });
  return ok({ value: copy, text, bytes, depth: walk.deepest, structure: walk.structure });
}

const REFUSED: unique symbol = Symbol('refused');
type Visited = Json | typeof REFUSED;

const lookupGetter = (
  Object.prototype as unknown as { readonly __lookupGetter__: (this: object, key: PropertyKey) => unknown }
).__lookupGetter__;
const isEnumerable = Object.prototype.propertyIsEnumerable;

/** One admission under way: counts what it meets, remembers the ancestors and the one refusal. */
class Walk {
  /** False once an object's own enumeration order is not canonical (integer-like keys). */
  ordered = true;
  deepest = 0;
  structure = 0;
  private values = 0;
  private chars = 0;
  private code: AdmissionCode = 'undefined';
  private path = '';
  private readonly ancestors: object[] = [];
  /**
   * What the copy is made of. Frozen after the text is written: the runtime writes frozen arrays more slowly.
   */
  private readonly containers: object[] = [];
  private readonly limits: Limits;
  private readonly careful: boolean;

  constructor(limits: Limits, careful: boolean) {
    this.limits = limits;
    this.careful = careful;
  }

  /** Freezes the copy, all of it. */
  freeze(): void {
    for (const container of this.containers) Object.freeze(container);
  }

  refusal(): AdmissionError {
    const { code } = this;
    // These concern the whole.
    return { code, path: code === 'values' || code === 'size' ? '' : this.path };
  }

  visit(value: unknown, depth: number): Visited {
    this.values += 1;
    if (this.values > this.limits.values) return this.refuse('values');
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
    if (this.careful && !value.isWellFormed()) return this.refuse('lone_surrogate');
    this.chars += value.length;
    return this.chars > this.limits.bytes ? this.refuse('size') : value;
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
    if (length > this.limits.values) return this.refuse('values');
    // Keys come as indices, then `length`, then other names, then symbols: this leaves exactly the indices.
    const keys = Reflect.ownKeys(value);
    if (keys.length !== length + 1 || keys[length] !== 'length')
      return this.refuseArrayKeys(value, length, keys);
    // A fresh array of the right size, each key to be replaced by its element.
    const copy: Json[] = Object.keys(value);
    if (copy.length !== length) return this.refuseHiddenElement(value, length);
    this.structure += Math.max(1, length);
    for (let index = 0; index < length; index += 1) {
      // A getter is found without calling it and, unlike a descriptor, without allocating.
      const item =
        lookupGetter.call(value, index) === undefined
          ? this.visitElement(value, index, depth)
          : this.refuse('accessor');
      if (item === REFUSED) return this.within(String(index));
      copy[index] = item;
    }
    this.containers.push(copy);
    return copy;
  }

  private visitElement(value: readonly unknown[], index: number, depth: number): Visited {
    const item = value[index];
    // What reads as undefined is undefined or has only a setter.
    if (item === undefined && Object.getOwnPropertyDescriptor(value, index)?.set !== undefined)
      return this.refuse('accessor');
    return this.visit(item, depth);
  }

  private refuseArrayKeys(
    value: readonly unknown[],
    length: number,
    keys: readonly (string | symbol)[],
  ): Visited {
    if (typeof keys.at(-1) === 'symbol') return this.refuse('symbol_key');
    for (let index = 0; index < length; index += 1) {
      if (!Object.hasOwn(value, index)) return this.refuseWithin('sparse_array', index);
    }
    return this.refuse('array_key');
  }

  private refuseHiddenElement(value: readonly unknown[], length: number): Visited {
    let index = 0;
    while (index < length && isEnumerable.call(value, index)) index += 1;
    return this.refuseWithin('hidden_key', index);
  }

  private visitObject(value: object, depth: number): Visited {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return this.refuse('not_plain');
    if (Object.getOwnPropertySymbols(value).length > 0) return this.refuse('symbol_key');
    const keys = Object.getOwnPropertyNames(value);
    sortKeys(keys);
    this.structure += Math.max(1, keys.length);
    const copy: { [key: string]: Json } = {};
    for (const key of keys) {
      if (!this.admitKey(key, keys.length)) return this.within(key);
      const slot = Object.getOwnPropertyDescriptor(value, key);
      if (slot === undefined) return this.refuse('not_plain');
      if (key === 'toJSON' && typeof slot.value === 'function') return this.refuseWithin('to_json', key);
      const item = this.visitSlot(slot, depth);
      if (item === REFUSED) return this.within(key);
      define(copy, key, item);
    }
    this.containers.push(copy);
    return copy;
  }

  private admitKey(key: string, siblings: number): boolean {
    if (this.careful && !key.isWellFormed()) {
      this.refuse('lone_surrogate');
      return false;
    }
    this.chars += key.length;
    // A unit is at most three bytes: few keys have to be counted.
    if (key.length * 3 > this.limits.keyBytes && utf8Length(key) > this.limits.keyBytes) {
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

  private refuseWithin(code: AdmissionCode, segment: string | number): typeof REFUSED {
    this.refuse(code);
    return this.within(String(segment));
  }

  private within(segment: string): typeof REFUSED {
    this.path = `/${pointerSegment(segment)}${this.path}`;
    return REFUSED;
  }
}

/** From so many keys on, the runtime's sort is faster than insertion. */
const MANY_KEYS = 24;

/** Sorts in place by code units. Most objects have few keys, and many have them in order already. */
function sortKeys(keys: string[]): void {
  if (keys.length >= MANY_KEYS) {
    keys.sort(compareText);
    return;
  }
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] ?? '';
    let gap = next;
    for (; gap > 0 && (keys[gap - 1] ?? '') > key; gap -= 1) keys[gap] = keys[gap - 1] ?? '';
    keys[gap] = key;
  }
}

function pointerSegment(segment: string): string {
  return segment.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
