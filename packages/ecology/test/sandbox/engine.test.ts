import { describe, expect, it } from 'vitest';
import { loadEngine, type Ended, type Engine, type Host } from '../../src/sandbox/index.js';
import { TEXT_MAX } from '../../src/sandbox/engine/vm.js';
import { ENGINE_ID, ENGINE_SHA256 } from '@assay/ecology/sandbox/id';
import { freshEngine, METERED, sha256 } from './engine-bytes.js';

const engine = freshEngine();

function run(body: string, values: unknown = [], host: Host = () => null, on: Engine = engine): Ended {
  return on.run({
    source: `function f(a, b) { ${body} }`,
    name: 'f',
    values: JSON.stringify(values),
    fuel: 1_000_000,
    host,
  });
}

describe('loading', () => {
  it('names interpreter, counters and bytes', () => {
    expect(engine.id).toBe(ENGINE_ID);
    expect(ENGINE_ID).toBe(`quickjs-wasi@3.6.2+fuel1#${ENGINE_SHA256.slice(0, 32)}`);
  });
  it('refuses other bytes', () => {
    const other = METERED.slice();
    other[other.length - 1] = 1;
    expect(loadEngine(other, sha256)).toEqual({
      _tag: 'Left',
      left: { code: 'engine_bytes', expected: ENGINE_SHA256, got: sha256(other) },
    });
  });
});

describe('a run', () => {
  it('gives JSON for JSON', () => {
    expect(run('return { sum: a + b }', [1, 2])).toMatchObject({ outcome: 'value', text: '{"sum":3}' });
  });
  it('keeps nothing of another', () => {
    const first = run('globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n', [1]);
    expect(run('globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n', [2])).toEqual(first);
  });
  it('uses the same fuel from the memo as by running', () => {
    const again = freshEngine();
    for (const values of [[1], [2], [1]])
      expect(run('return a', values)).toEqual(run('return a', values, () => null, again));
  });
  it('uses no more than what it is given', () => {
    const { fuel } = run('return 1');
    const given = (less: number) =>
      engine.run({
        source: 'function f(a, b) { return 1 }',
        name: 'f',
        values: '[]',
        fuel: fuel - less,
        host: () => null,
      });
    expect(given(0)).toMatchObject({ outcome: 'value', fuel });
    expect(given(1)).toEqual({ outcome: 'fuel', fuel: fuel - 1 });
  });
});

describe('the host', () => {
  it('is asked in JSON, each time anew', () => {
    let n = 0;
    const count: Host = (request) => {
      n += 1;
      return `{"n":${n},"asked":${request}}`;
    };
    expect(run('return [host({ a: 1 }), host(2)]', [], count)).toMatchObject({
      text: '[{"n":1,"asked":{"a":1}},{"n":2,"asked":2}]',
    });
    expect(run('return [host({ a: 1 }), host(2)]', [], count)).toMatchObject({
      text: '[{"n":3,"asked":{"a":1}},{"n":4,"asked":2}]',
    });
  });
  it('ends the run with null, and no contract can catch it', () => {
    expect(run('try { host(1) } catch { return true } finally { return true }')).toMatchObject({
      outcome: 'stopped',
    });
  });
  it('throws through a contract, and the engine goes on', () => {
    const fails: Host = () => {
      throw new TypeError('a defect of the host');
    };
    expect(() => run('try { host(1) } catch { return 1 }', [], fails)).toThrow('a defect of the host');
    expect(run('return 1')).toMatchObject({ outcome: 'value' });
  });
  it('may run a contract inside, in a memory of its own', () => {
    const inner: Host = () => {
      const ended = run('return typeof globalThis.n');
      return ended.outcome === 'value' ? ended.text : 'null';
    };
    expect(run('globalThis.n = 1; return [host(0), globalThis.n]', [], inner)).toMatchObject({
      text: '["undefined",1]',
    });
  });
  it('shares its stack: runs inside one another have the call depth of one', () => {
    const recurse = 'const g = (n) => n === 0 ? host(0) : g(n - 1) + 0; return g(100)';
    const ends: string[] = [];
    const inside =
      (level: number): Host =>
      () => {
        ends.push(run(recurse, [], level === 0 ? () => '1' : inside(level - 1)).outcome);
        return '1';
      };
    expect(run(recurse, [], inside(9))).toMatchObject({ outcome: 'value' });
    expect(ends).toEqual(['stack', 'value', 'value', 'value']);
  });
});

describe('checking a source', () => {
  it.each([
    ['function may() { return 1 }', null],
    ['const may = () => 1', null],
    ['function other() {}', 'shape'],
    ['function may( {', 'threw'],
    ['for (;;); function may() {}', 'fuel'],
    ['host(1); function may() {}', 'stopped'],
    ['function may() { return "import" }', 'threw'],
    [`function may() {} // ${'x'.repeat(TEXT_MAX)}`, 'size'],
  ])('is refused or not: %#', (source, outcome) => {
    expect(engine.check(source, 'may')?.outcome ?? null).toBe(outcome);
  });
});
