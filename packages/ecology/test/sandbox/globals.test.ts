/** What a contract can reach: everything from the global object and from syntax. Source: specs D1.3. */
import { describe, expect, it } from 'vitest';
import { freshEngine } from './engine-bytes.js';

/** Walks every object from the global and from what syntax makes; gives [paths, paths that can change]. */
const WALK = `function f() {
  const seen = new Map();
  const open = [];
  const todo = [['globalThis', globalThis], ['function', function () {}], ['arrow', () => 1],
    ['generator', function* () {}], ['generated', (function* () {})()], ['array', []], ['object', {}],
    ['regexp', /a/], ['text', Object('a')], ['number', Object(1)], ['big', Object(1n)], ['symbol', Object(Symbol.iterator)],
    ['values', [].values()], ['helper', [].values().map((x) => x)], ['wrapped', Iterator.from({ next() {} })],
    ['letters', ''[Symbol.iterator]()], ['entries', new Map().entries()], ['set', new Set().values()],
    ['matches', ''.matchAll(/a/g)], ['arguments', arguments], ['class', class { static #p; m() {} }],
    ['asyncLike', (function () { try { null.x } catch (e) { return e } })()]];
  const own = todo.length;
  for (let i = 0; i < todo.length; i++) {
    const [path, value] = todo[i];
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.set(value, path);
    if (i >= own && !Object.isFrozen(value)) open.push(path);
    todo.push([path + '.[[proto]]', Object.getPrototypeOf(value)]);
    for (const key of [...Object.getOwnPropertyNames(value), ...Object.getOwnPropertySymbols(value)]) {
      const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key);
      for (const one of [inner, get, set]) todo.push([path + '.' + String(key), one]);
    }
  }
  const names = [];
  for (const [value, path] of seen) names.push(path + (typeof value === 'function' ? '()' : ''));
  return part === 0 ? open : names.slice((part - 1) * 400, part * 400);
}`;

function reach(part: number): readonly string[] {
  const source = `const part = ${part};\n${WALK}`;
  const ended = freshEngine().run({ source, name: 'f', values: '[]', fuel: 100_000_000, host: () => null });
  if (ended.outcome !== 'value') throw new Error(ended.outcome);
  return JSON.parse(ended.text);
}

describe('what a contract can reach', () => {
  const names = [1, 2, 3].flatMap(reach);
  it('holds no time, no chance, no way to make code of text', () => {
    const refused = new RegExp(
      [
        String.raw`\b(?:Date|random|performance|now|Promise|then|WeakRef|FinalizationRegistry|Proxy|Reflect)\b`,
        String.raw`\b(?:eval|Function|GeneratorFunction|Atomics|SharedArrayBuffer|ArrayBuffer|DataView)\b`,
        String.raw`Array\b\w*Buffer|\b(?:atob|btoa|DOMException|queueMicrotask|setTimeout|fetch|Intl|console)\b`,
      ].join('|'),
    );
    expect(names.length).toBeGreaterThan(300);
    expect(names.length).toBeLessThan(1200);
    expect(names.filter((name) => refused.test(name))).toEqual([]);
  });
  it('is frozen, but for the global object and what the contract made itself', () => {
    const mine =
      /^globalThis\.f\b|^(?:function|arrow|generator|class)\.prototype\b|^(?:object|class)\.|^generated\.\[\[proto\]\]$/;
    expect(reach(0).filter((path) => !mine.test(path))).toEqual([]);
  });
});
