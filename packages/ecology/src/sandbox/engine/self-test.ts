/**
 * What is run when an engine is loaded, and how each must end: a runtime that counts otherwise is no engine.
 *
 * @module
 */

/** Programs that compute, throw, and run into each limit; `expected` is outcome and fuel. */
export const SELF_TEST: readonly {
  readonly source: string;
  readonly name: string;
  readonly values: string;
  readonly fuel: number;
  readonly expected: string;
}[] = [
  {
    source:
      "function f(o) { return Object.keys(o).map((k) => k + (o[k] / 3).toFixed(9)).sort().join('\\n') }",
    name: 'f',
    values: '[{"b":1,"a":2}]',
    fuel: 100_000,
    expected: 'value 1877',
  },
  { source: "function f() { throw 'no' }", name: 'f', values: '[]', fuel: 100_000, expected: 'threw 1369' },
  { source: 'function f() { for (;;); }', name: 'f', values: '[]', fuel: 10_000, expected: 'fuel 10000' },
  {
    source: 'function f() { return f() + 1 }',
    name: 'f',
    values: '[]',
    fuel: 100_000,
    expected: 'stack 8910',
  },
  {
    source: "function f() { return host('x'.repeat(65536)) }",
    name: 'f',
    values: '[]',
    fuel: 1_000_000,
    expected: 'size 641521',
  },
];
