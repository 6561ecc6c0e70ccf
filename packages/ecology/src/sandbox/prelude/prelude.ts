/**
 * What a contract finds: an allow-list of globals, everything reachable frozen, no way to make code of text.
 * Source: specs/ecology.md D1.3.
 */

/** Words that no source may hold, in comments and texts neither. */
export const REFUSED_WORDS: RegExp = /\b(?:async|await|import)\b/;

/**
 * Intrinsics of the module, by its bits: eval (which compiles sources, and is taken away below), RegExp,
 * JSON, Map and Set. Date, Proxy, typed arrays (they show the bits of NaN), Promise, WeakRef, `performance`,
 * DOMException and `atob` are never made.
 */
export const INTRINSICS: number = 2 + 4 + 8 + 32;

/** The name under which the prelude finds the host's function, and takes it away. */
export const NATIVE = '__native';

/**
 * Runs once, before any contract. Its value is the function that calls a contract: with (function, text of a
 * JSON array) it gives the JSON text of what the function returns, with one value a description of it.
 */
export const PRELUDE: string = `(() => {
  const kept = new Set(['Object', 'Array', 'Iterator', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt',
    'RegExp', 'Map', 'Set', 'WeakMap', 'WeakSet', 'Math', 'JSON', 'Error', 'EvalError', 'RangeError',
    'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'AggregateError', 'parseInt', 'parseFloat',
    'isNaN', 'isFinite', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'NaN',
    'Infinity', 'undefined', 'globalThis']);
  const { parse, stringify } = JSON;
  const { ownKeys, apply } = Reflect;
  const { freeze, getPrototypeOf, getOwnPropertyDescriptor } = Object;
  const text = String;
  const native = globalThis.${NATIVE};
  const host = (request) => {
    const asked = stringify(request);
    if (asked === undefined) throw new TypeError('a request to the host is JSON');
    return parse(native(asked));
  };
  const run = (...args) => args.length === 1
    ? stringify(apply(text.prototype.slice, text(args[0]), [0, 500]))
    : stringify(apply(args[0], undefined, parse(args[1])));
  for (const key of ownKeys(globalThis)) if (!kept.has(key)) delete globalThis[key];
  delete Math.random;
  delete Array.fromAsync;
  const byText = [function () {}, function* () {}].map(getPrototypeOf);
  for (const prototype of byText) delete prototype.constructor;
  globalThis.host = host;
  const seen = new Set([globalThis]);
  const walk = (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(freeze(value));
    walk(getPrototypeOf(value));
    for (const key of ownKeys(value)) {
      const { value: inner, get, set } = getOwnPropertyDescriptor(value, key);
      walk(inner);
      walk(get);
      walk(set);
    }
  };
  for (const key of ownKeys(globalThis)) walk(globalThis[key]);
  const list = [];
  for (const value of [...byText, list.values(), list.values().map(text), Iterator.from({ next() {} }),
    ''[Symbol.iterator](), new Map().entries(), new Set().values(), ''.matchAll(/a/g), (function* () {})()])
    walk(getPrototypeOf(value));
  for (const prototype of byText) walk(prototype);
  return freeze(run);
})()`;
