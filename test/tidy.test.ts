/**
 * Each tidy rule fires on a snippet that breaks it, and none fires on a
 * comment, a string, a property name or a local of the same name.
 */
import { describe, expect, test } from 'vitest';
import { determinismFaults } from '../scripts/tidy/determinism.mjs';
import { houseFaults } from '../scripts/tidy/house.mjs';
import { importFaults } from '../scripts/tidy/imports.mjs';
import { readSource } from '../scripts/tidy/syntax.mjs';

const PURE = 'packages/kernel/src/x.ts';

type Fault = { readonly rule: string; readonly message: string; readonly line: number };
const rules = (faults: readonly Fault[]): readonly string[] => faults.map(({ rule }) => rule);
const determinism = (text: string, path = PURE): readonly string[] =>
  rules(determinismFaults(readSource(path, text)));
const house = (text: string, path = PURE): readonly string[] => rules(houseFaults(readSource(path, text)));

const BROKEN: readonly (readonly [rule: string, snippet: string])[] = [
  ['no-Date', 'export const now = (): number => Date.now();'],
  ['no-Date', 'declare const Date: { now(): number }; export const f = (): number => Date.now();'],
  ['no-Date', 'export function f(x: unknown): boolean { return x instanceof Date; }'],
  ['no-performance', 'export const f = (): number => performance.now();'],
  ['no-setTimeout', 'export const f = (): void => { setTimeout(() => 1, 1); };'],
  ['no-setInterval', 'export const f = (): void => { setInterval(() => 1, 1); };'],
  ['no-setImmediate', 'export const f = (): void => { setImmediate(() => 1); };'],
  ['no-queueMicrotask', 'export const f = (): void => { queueMicrotask(() => 1); };'],
  ['no-Promise', 'export const f = (): unknown => Promise.resolve(1);'],
  ['no-crypto', 'export const f = (a: Uint8Array): unknown => crypto.getRandomValues(a);'],
  ['no-Intl', 'export const f = (): unknown => new Intl.Collator();'],
  ['no-process', 'export const f = (): unknown => process.env;'],
  ['no-console', 'export const f = (): void => { console.log(1); };'],
  ['no-fetch', 'export const f = (): unknown => fetch("x");'],
  ['no-Buffer', 'export const f = (): unknown => Buffer.from("x");'],
  ['no-structuredClone', 'export const f = (x: unknown): unknown => structuredClone(x);'],
  ['no-globalThis', 'export const f = (): unknown => globalThis["Date"];'],
  ['no-eval', 'export const f = (): unknown => eval("1");'],
  ['no-Function', 'export const f = (): unknown => new Function("return 1");'],
  ['no-WeakRef', 'export const f = (x: object): unknown => new WeakRef(x);'],
  ['no-random', 'export const f = (): number => Math.random();'],
  ['no-inexact-math', 'export const f = (x: number): number => Math.exp(x);'],
  ['no-inexact-math', 'export const f = (x: number): number => Math["pow"](x, 2);'],
  ['no-inexact-math', 'export const f = (x: number): number => x ** 2;'],
  ['no-fraction', 'export const half = 0.5;'],
  ['no-stringify', 'export const f = (x: unknown): string => JSON.stringify(x);'],
  ['no-localeCompare', 'export const f = (a: string, b: string): number => a.localeCompare(b);'],
  ['no-normalize', 'export const f = (a: string): string => a.normalize("NFC");'],
  ['no-toLocaleString', 'export const f = (a: number): string => a.toLocaleString();'],
  ['no-toUpperCase', 'export const f = (a: string): string => a.toUpperCase();'],
  ['no-toLowerCase', 'export const f = (a: string): string => a.toLowerCase();'],
  ['no-stack', 'export const f = (e: Error): unknown => e.stack;'],
  ['no-default-sort', 'export const f = (a: string[]): string[] => a.sort();'],
  ['no-async', 'export async function f(): Promise<void> {}'],
  ['no-async', 'export async function* f(x: AsyncIterable<number>) { for await (const y of x) yield y; }'],
  ['no-for-in', 'export function f(o: object): void { for (const k in o) f(k as never); }'],
  ['no-dynamic-import', 'export const f = (): unknown => import("./y.js");'],
  ['no-unicode-class', 'export const letter = /\\p{L}/u;'],
  ['no-unicode-class', 'export const anyCase = /straße/iu;'],
  ['no-module-state', 'let count = 0; export const f = (): number => (count += 1);'],
  [
    'no-module-state',
    'const cache = new Map<string, number>(); export const f = (k: string): unknown => cache.get(k);',
  ],
  ['no-module-state', 'export const list: string[] = [];'],
  ['no-module-state', 'export class C { static count = 0; }'],
  [
    'no-indexed-object',
    'export function f(k: string): unknown { const o: Record<string, number> = {}; o[k] = 1; return o; }',
  ],
];

describe('each determinism rule fires', () => {
  test.each(BROKEN)('%s: %s', (rule, snippet) => {
    expect(determinism(snippet)).toContain(rule);
  });

  test('every message names what to use instead', () => {
    for (const [rule, snippet] of BROKEN) {
      const fault = determinismFaults(readSource(PURE, snippet)).find((found) => found.rule === rule);
      expect(fault?.message.split(': ').slice(1).join(': ').length, rule).toBeGreaterThan(10);
    }
  });
});

describe('nothing fires falsely', () => {
  test.each([
    '// Date.now() and Math.random() and async are not used here\nexport const a = 1;',
    '/** new Date(), process.env, JSON.stringify(x) */\nexport const a = 1;',
    'export const text = "Date.now() async localeCompare process TODO";',
    'export const text = `Math.random ${"setTimeout"}`;',
    'export const f = (record: { Date: string; process: number }): string => record.Date;',
    'export const o = { Date: 1, process: 2, async: 3 };',
    'export function f(process: number): number { return process + 1; }',
    'import type { fetch } from "./y.js"; export type F = fetch;',
    'declare const TextEncoder: new () => { encode(text: string): Uint8Array };\nconst ' +
      'ENCODER = new TextEncoder();\nexport const f = (x: string): Uint8Array => ' +
      'ENCODER.encode(x);',
    'export const f = (x: number): number => Math.max(Math.abs(x), Math.PI > 3 ? Math.imul(2, 3) : Math.trunc(x));',
    'export const NAMES: ReadonlySet<string> = new Set(["a"]);\nexport const EMPTY: readonly string[] = [];',
    'export const f = (): number[] => { const list: number[] = []; let n = 0; n += 1; ' +
      'list.push(n); return list.sort((a, b) => a - b); };',
    'export const f = (text: string): boolean => /^(?:con|nul)$/i.test(text);',
    'export const f = (code: string): string => code.toUpperCase(); // ascii: a code of our own',
    'export function f(o: object): boolean {\n  for (const k in o) if (k === "a") return ' +
      'true; // any order\n  return false;\n}',
    'export function f(x: unknown): void { throw new TypeError(`got ${JSON.stringify(x)}`); }',
    'export function f(): object { const o = {}; return o; }\nexport function g(i: number): ' +
      'number[] { const o: number[] = []; o[i] = 1; return o; }',
    'export class C { static readonly MAX = 3; private n = 0; }',
  ])('%s', (snippet) => {
    expect(determinism(snippet)).toEqual([]);
  });

  test("JSON.stringify is the encoder's business, and display in the verifier where marked", () => {
    const snippet = 'export const f = (x: unknown): string => JSON.stringify(x);';
    expect(determinism(snippet, 'packages/kernel/src/canonical/encode.ts')).toEqual([]);
    expect(determinism(snippet, 'packages/verifier/src/explain.ts')).toEqual(['no-stringify']);
    expect(determinism(`${snippet} // display`, 'packages/verifier/src/explain.ts')).toEqual([]);
    expect(determinism(`${snippet} // display`)).toEqual(['no-stringify']);
  });
});

describe('house rules', () => {
  test.each([
    ['no-default-export', 'export default 1;', PURE],
    ['no-default-export', 'const a = 1; export { a as default };', PURE],
    ['no-re-export', 'export { a } from "./y.js";', PURE],
    ['no-export-star', 'export * from "./y.js";', 'packages/kernel/src/index.ts'],
    ['no-marks', '// TODO: later', PURE],
    ['docstring-size', `/** ${'word '.repeat(121)}*/\nexport const a = 1;`, PURE],
    ['no-switched-off-tests', 'it.skip("x", () => {});', 'packages/kernel/test/x.test.ts'],
    ['no-switched-off-tests', 'describe.only("x", () => {});', 'test/x.test.ts'],
    ['no-switched-off-tests', 'test.each([1]).skip("x", () => {});', 'test/x.test.ts'],
    ['no-switched-off-tests', 'test.concurrent.todo("x");', 'test/x.test.ts'],
    ['file-size', 'export {};\n'.repeat(401), 'packages/cli/src/x.ts'],
  ])('%s fires', (rule, snippet, path) => {
    expect(house(snippet, path)).toContain(rule);
  });

  test('what is allowed stays quiet', () => {
    expect(house('export { a } from "./y.js";', 'packages/kernel/src/index.ts')).toEqual([]);
    expect(house('export default [];', 'vitest.workspace.ts')).toEqual([]);
    expect(house('test.skipIf(true)("x", () => {}); list.skip(1);', 'test/x.test.ts')).toEqual([]);
    expect(house('export {};\n'.repeat(400))).toEqual([]);
  });
});

describe('imports', () => {
  const manifests = {
    kernel: { dependencies: { '@noble/hashes': '2', 'fp-ts': '2', zod: '4' } },
    verifier: { dependencies: { '@assay/kernel': '0' } },
    cli: { dependencies: { '@assay/kernel': '0' } },
    testing: {},
  };
  const check = (files: Readonly<Record<string, string>>): ReturnType<typeof importFaults> =>
    importFaults(
      Object.entries(files).map(([path, text]) => readSource(path, text)),
      manifests,
    );

  test.each([
    ['import-pure', { 'packages/kernel/src/a.ts': 'import { readFileSync } from "node:fs";' }],
    ['import-pure', { 'packages/testing/src/a.ts': 'import { readFileSync } from "fs";' }],
    ['import-inward', { 'packages/kernel/src/a.ts': 'import { verify } from "@assay/verifier";' }],
    ['import-inward', { 'packages/verifier/src/a.ts': 'import type { X } from "@assay/cli";' }],
    ['import-inward', { 'packages/kernel/src/a.ts': 'import { x } from "../tools/x.js";' }],
    ['import-inward', { 'packages/kernel/src/a.ts': 'import { x } from "@assay/unheard-of";' }],
    ['import-pure', { 'packages/planner/src/a.ts': 'import type { Task } from "@assay/controller/shell";' }],
    ['import-pure', { 'packages/planner/src/a.ts': 'import type { Port } from "@assay/host";' }],
    [
      'import-pure',
      { 'packages/planner/src/a.ts': 'import "./shell/b.js";', 'packages/planner/src/shell/b.ts': '' },
    ],
    ['import-no-machine', { 'packages/verifier/src/a.ts': 'import { intent } from "@assay/kernel/intent";' }],
    ['import-no-machine', { 'packages/attest/src/a.ts': 'import type { X } from "@assay/controller";' }],
    ['import-declared', { 'packages/verifier/src/a.ts': 'import { sha256 } from "@noble/hashes/sha2.js";' }],
    ['import-exists', { 'packages/kernel/src/a.ts': 'import { x } from "./gone.js";' }],
    [
      'import-exists',
      { 'packages/kernel/src/a.ts': 'import { x } from "./b";', 'packages/kernel/src/b.ts': '' },
    ],
    ['import-exists', { 'packages/kernel/src/a.ts': 'import { pipe } from "fp-ts/function";' }],
    ['import-exists', { 'packages/cli/src/a.ts': 'import { readFileSync } from "fs";' }],
    ['import-confined', { 'packages/kernel/src/a.ts': 'import { z } from "zod";' }],
    [
      'import-cycle',
      {
        'packages/kernel/src/a.ts': 'import { b } from "./b.js";',
        'packages/kernel/src/b.ts': 'import { a } from "./a.js";',
      },
    ],
    [
      'import-cycle',
      {
        'packages/kernel/src/a.ts': 'import { b } from "./b.js";',
        'packages/kernel/src/b.ts': 'import type { A } from "./a.js";',
      },
    ],
    [
      'import-cycle-of-folders',
      {
        'packages/kernel/src/x/a.ts': 'import { b } from "../y/b.js";',
        'packages/kernel/src/y/b.ts': '',
        'packages/kernel/src/y/c.ts': 'import type { D } from "../x/d.js";',
        'packages/kernel/src/x/d.ts': '',
      },
    ],
  ])('%s fires', (rule, files) => {
    expect(rules(check(files).faults)).toContain(rule);
  });

  test('inward, declared and acyclic imports pass and are counted', () => {
    const { faults, modules, imports } = check({
      'packages/kernel/src/a.ts':
        'import { sha256 } from "@noble/hashes/sha2.js"; import type { B } from "./b.js";',
      'packages/kernel/src/b.ts': 'import { pipe } from "fp-ts/lib/function.js";',
      'packages/verifier/src/a.ts': 'import { admit } from "@assay/kernel";',
      'packages/testing/src/node.ts': 'import { readFileSync } from "node:fs";',
    });
    expect(faults).toEqual([]);
    expect({ modules, imports }).toEqual({ modules: 4, imports: 5 });
  });
});
