/**
 * The counters change no value: random programs in the metered module, in the same module without counters, in
 * quickjs-emscripten and in this runtime. Source: specs/ecology.md D1.5.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { newQuickJSWASMModuleFromVariant, type QuickJSContext } from 'quickjs-emscripten-core';
import { QuickJS } from 'quickjs-wasi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { HOSTILE } from '../../tools/hostile.mjs';
import { freshEngine } from './engine-bytes.js';

const engine = freshEngine();

/** Expressions that give numbers, texts, lists and BigInts, each of the others. */
const { program } = fc.letrec<Record<'number' | 'text' | 'list' | 'big' | 'program', string>>((tie) => {
  const of = (parts: readonly ('number' | 'text' | 'list' | 'big')[], make: (...made: string[]) => string) =>
    fc.tuple(...parts.map((part) => tie(part))).map((made) => make(...made));
  return {
    number: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.integer({ min: -1000, max: 100_000 }).map((n) => `(${n})`),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => `(${n})`),
      of(['number', 'number'], (a, b) => `(${a} + ${b})`),
      of(['number', 'number'], (a, b) => `(${a} * ${b})`),
      of(['number', 'number'], (a, b) => `(${a} % ${b})`),
      of(['number', 'number'], (a, b) => `((${a} | 0) >>> (${b} & 31))`),
      of(['text', 'text'], (a, b) => `${a}.indexOf(${b})`),
      of(['list'], (a) => `${a}.reduce((x, y) => x + y, 0)`),
      of(['big'], (a) => `Number(BigInt.asIntN(40, ${a}))`),
    ),
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
      fc.constantFrom('"aaab"', '"\\u00e9\\ud83d\\ude00"', '"a,b;c"'),
      of(['text', 'text'], (a, b) => `(${a} + ${b})`),
      of(['number'], (a) => `String(${a})`),
      of(['text', 'text'], (a, b) => `${a}.replace(/a+?|b/g, () => ${b})`),
      of(['text', 'number'], (a, b) => `${a}.slice(${b} % 7)`),
      of(['list'], (a) => `${a}.join('-')`),
      of(['big', 'number'], (a, b) => `${a}.toString(2 + (Math.abs(${b} | 0) % 35))`),
      of(['list'], (a) => `JSON.stringify(${a})`),
    ),
    list: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      of(['number', 'number'], (a, b) => `[${a}, ${b}]`),
      of(['list', 'list'], (a, b) => `${a}.concat(${b})`),
      of(['list', 'number'], (a, b) => `${a}.map((x) => x - ${b})`),
      of(['list', 'number'], (a, b) => `${a}.filter((x) => x > ${b})`),
      of(['list'], (a) => `${a}.slice().sort((x, y) => x - y)`),
      of(['list'], (a) => `[...new Set(${a})].reverse()`),
      of(['text'], (a) => `[...${a}].map((c) => c.charCodeAt(0))`),
    ),
    big: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }).map((n) => `(${n}n)`),
      of(['big', 'big'], (a, b) => `(${a} + ${b})`),
      of(['big', 'big'], (a, b) => `(${a} * ${b})`),
      of(['big', 'big'], (a, b) => `(${a} / (${b} === 0n ? 1n : ${b}))`),
      of(['number'], (a) => `BigInt(${a} | 0)`),
    ),
    program: of(['number', 'text', 'list', 'big'], (a, b, c, d) => `return [${a}, ${b}, ${c}, String(${d})]`),
  };
});

/** Hostile contracts that end with a value of their own, whatever globals there are. */
const SHARED = ['memory-caught', 'text-lone', 'text-zero', 'sort-grows', 'number-nan', 'number-digits'];

let plain: QuickJS;
let other: QuickJSContext;

beforeAll(async () => {
  const bytes = readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'));
  plain = await QuickJS.create({ wasm: bytes, memoryLimit: 8_388_608 });
  other = (await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'))).newContext();
});
afterAll(() => {
  other.dispose();
  plain.dispose();
});

function metered(source: string): string {
  const ended = engine.run({ source, name: 'f', values: '[]', fuel: 100_000_000, host: () => null });
  return ended.outcome === 'value' ? ended.text : ended.outcome;
}

/** A script that gives the JSON text of what `f` returns, and leaves no name behind. */
function script(source: string): string {
  return `(() => { 'use strict'; ${source}\n return JSON.stringify(f()) })()`;
}

function unmetered(source: string): string {
  const value = plain.evalCode(script(source));
  const text = value.toString();
  value.dispose();
  return text;
}

function emscripten(source: string): string {
  const value = other.unwrapResult(other.evalCode(script(source)));
  const text = other.getString(value);
  value.dispose();
  return text;
}

describe('ecology/counters-change-nothing', () => {
  it('in random programs', () => {
    fc.assert(
      fc.property(program, (body) => {
        const source = `function f() { ${body} }`;
        const text = metered(source);
        expect(unmetered(source)).toBe(text);
        expect(emscripten(source)).toBe(text);
        expect(runInThisContext(script(source))).toBe(text);
      }),
      lawRuns('differential'),
    );
  });
  it.each(SHARED)('in the hostile contract %s', (name) => {
    const { source } = HOSTILE[name as keyof typeof HOSTILE];
    const text = metered(source);
    expect(unmetered(source)).toBe(text);
  });
});
