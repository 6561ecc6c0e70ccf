/**
 * Contracts that want to cheat, hang or crash their judge. Each ends as `test/hostile.json` says, on every
 * runtime: run `f` with one value `{ owner: 'alice' }` and a million of fuel unless it names more.
 *
 * @module
 */

const MILLION = 1_000_000;
const f = (body, fuel = MILLION) => ({ source: `function f(q) { ${body} }`, fuel });
const whole = (source, fuel = MILLION) => ({ source, fuel });

/** By name. */
export const HOSTILE = {
  // Loops and calls.
  'loop-empty': f('for (;;);'),
  'loop-do': f('do { q.n = 1 } while (true)'),
  'loop-label': f('a: for (;;) { for (;;) continue a }'),
  'loop-catch': f('for (;;) try { throw 1 } catch {} finally { continue }'),
  'loop-finally': f('try { for (;;); } catch (e) { return true } finally { return true }'),
  'loop-top-level': whole('for (;;); function f() {}'),
  'call-self': f('return f(q) + 1'),
  'call-pair': whole('const g = (q) => f(q) + 1; function f(q) { return g(q) + 1 }'),
  'call-caught': f('const g = () => { try { g() } catch { g() } }; g()'),
  'call-wide': f('return Math.max(...new Array(100000).fill(1))'),
  'call-apply': f('return Math.max.apply(null, { length: 1e9 })'),
  'call-bound': f('let g = () => 1; for (let i = 0; i < 20000; i++) g = g.bind(null); return g()'),
  // Memory.
  'memory-objects': f('const a = []; for (;;) a.push({})', 30 * MILLION),
  'memory-texts': f("const a = []; for (;;) a.push('x'.repeat(65536) + a.length)", 30 * MILLION),
  'memory-caught': f(
    "let a = []; try { for (;;) a.push('x'.repeat(65536) + a.length) } catch { a = null; return 'caught' }",
    30 * MILLION,
  ),
  'memory-map': f('const m = new Map(); for (;;) m.set(m.size, {})', 30 * MILLION),
  'memory-array-length': f('return new Array(4e9).fill(0).length'),
  'memory-holes': f('const a = []; a[4294967290] = 1; return a.indexOf(2)'),
  'memory-closures': f('let g = null; for (;;) { const h = g; g = () => h }', 30 * MILLION),
  'memory-chain': f('let o = null; for (let i = 0; i < 30000; i++) o = { o }; o = null; return true'),
  'memory-symbols': f("const a = []; for (;;) a.push(Symbol.for('k' + a.length))", 30 * MILLION),
  // Text bombs.
  'text-double': f("let s = 'x'; for (;;) s += s"),
  'text-repeat': f("return 'x'.repeat(2 ** 30)"),
  'text-pad': f("return 'a'.padStart(5e6).length"),
  'text-answer': f("return 'x'.repeat(65536)"),
  'text-answer-long': f("return 'x'.repeat(65534)"),
  'text-reason': f("throw new Error('x'.repeat(100000))"),
  'text-join': f("return new Array(1e7).join('ab').length"),
  'text-replace-all': f("return 'a'.repeat(5000).replaceAll('', 'b'.repeat(5000)).length"),
  'text-template': f('let s = 1; for (;;) s = `${s}${s}`'),
  'text-lone': f("return '\\ud800'.repeat(3)"),
  'text-zero': f("return 'a\\0b'"),
  'text-lower': f("return '\\u00c9'.repeat(200000).toLowerCase().length"),
  'text-normalize': f("return '\\u00e9'.repeat(100000).normalize('NFD').length"),
  // Native loops.
  'native-index-of': f("return 'a'.repeat(100000).indexOf('a'.repeat(50000) + 'b')"),
  'native-includes': f("return 'a'.repeat(100000).includes('a'.repeat(50000) + 'b')"),
  'native-last-index': f('const a = new Array(100000).fill(1); let n = 0; for (;;) n += a.lastIndexOf(2)'),
  'native-split': f("return 'a'.repeat(300000).split('').length"),
  'native-compare': f("const a = 'a'.repeat(100000), b = a + 'b'; let n = 0; for (;;) n += a < b"),
  'native-splice': f('const a = new Array(50000).fill(0); for (;;) { a.splice(0, 1); a.push(0) }'),
  'native-unshift': f('const a = []; for (;;) a.unshift(0)'),
  'native-reverse': f('const a = new Array(50000).fill(0); for (;;) a.reverse()'),
  'native-concat': f('let a = [1]; for (;;) a = a.concat(a)'),
  'native-flat': f('let a = [1]; for (let i = 0; i < 30; i++) a = [a, a]; return a.flat(Infinity)'),
  'native-copy-within': f('const a = new Array(50000).fill(0); for (;;) a.copyWithin(1, 0)'),
  'native-keys': f('const o = {}; for (let i = 0; i < 9000; i++) o[i] = 1; for (;;) Object.keys(o)'),
  'native-number': f('let n = 0; for (let i = 0; ; i++) n += (i / 3).toString(2).length'),
  'native-uri': f("let s = '%'; for (;;) s = encodeURIComponent(s)"),
  // Sort and compare.
  'sort-large': f('const a = []; for (let i = 0; i < 60000; i++) a[i] = (i * 7919) % 60013; a.sort()'),
  'sort-lying': f('const a = new Array(5000).fill(1); a.sort(() => 1); a.sort(() => -1); return a.length'),
  'sort-grows': f('const a = [3, 2, 1]; a.sort(() => { a.push(1); return -1 }); return a.length'),
  'sort-throws': f("return [2, 1].sort(() => { throw 'no' })"),
  // Numbers.
  'bigint-power': f("return (3n ** 400000n) + ''"),
  'bigint-shift': f('return (1n << 1000000000n) > 0n'),
  'bigint-text': f("return BigInt('9'.repeat(60000)) % 7n === 0n"),
  'bigint-answer': f('return 1n'),
  'number-nan': f('return NaN'),
  'number-digits': f('return (1e20).toFixed(100)'),
  // JSON.
  'json-deep-parse': f("return JSON.parse('['.repeat(100000))"),
  'json-deep-write': f('let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a'),
  'json-wide': f("return JSON.parse('[' + '1,'.repeat(300000) + '1]').length"),
  'json-circle': f('const a = []; a.push(a); return a'),
  'json-to-json': f('return { toJSON() { for (;;); } }'),
  'json-reviver': f("return JSON.parse('[1]', function r(k, v) { return JSON.parse('[1]', r) })"),
  'json-raw': f("return JSON.rawJSON ? { allowed: JSON.rawJSON('true') } : null"),
  'json-proto': f('return JSON.parse(\'{"__proto__":{"allowed":true}}\').allowed === undefined'),
  // Regular expressions.
  'regexp-nested': f("return /^(a+)+$/.test('a'.repeat(40) + 'b')"),
  'regexp-scan': f("return 'a'.repeat(30000).replace(/a*b/g, '').length"),
  'regexp-back': f("return /(a*)*\\1b/.test('a'.repeat(30))"),
  'regexp-compile': f("return new RegExp('(?:a{1,1000}){1,1000}').test('b')"),
  'regexp-depth': f("return new RegExp('('.repeat(20000) + ')'.repeat(20000)).test('')"),
  'regexp-species': f("const r = /a/; r.exec = () => { for (;;); }; return 'a'.replace(r, '')"),
  'regexp-all': f("return [...'a'.repeat(100000).matchAll(/a/g)].length"),
  // Prototypes, getters, proxies, generators.
  'proto-object': f('Object.prototype.allowed = true'),
  'proto-array': f("Array.prototype.push = () => 'mine'"),
  'proto-define': f("Object.defineProperty(Object.prototype, 'allowed', { value: true })"),
  'proto-set': f('Object.setPrototypeOf(Object.prototype, { allowed: true })'),
  'proto-json': f('JSON.stringify = () => "true"'),
  'proto-iterator': f('Object.getPrototypeOf([].values()).next = () => ({ done: true })'),
  'proto-chain': f('let o = {}; for (;;) o = Object.create(o)', 30 * MILLION),
  'getter-self': f('const o = { get a() { return this.a } }; return o.a'),
  'getter-answer': f('return { get allowed() { for (;;); } }'),
  'getter-throws': f('throw { get message() { throw 1 }, toString() { throw 2 } }'),
  'proxy-gone': f('return new Proxy({}, {})'),
  'reflect-gone': f('return Reflect.ownKeys(globalThis)'),
  'generator-endless': f('function* g() { for (;;) yield 1 } for (const x of g());'),
  'generator-nested': f('function* g() { yield* g() } return [...g()]'),
  'generator-return': f('function* g() { try { yield 1 } finally { for (;;); } } for (const x of g()) break'),
  'iterator-map': f('return Iterator.from({ next: () => ({ value: 1 }) }).map((x) => x).toArray()'),
  'symbol-primitive': f('return `${{ [Symbol.toPrimitive]() { for (;;); } }}`'),
  // Answers that are none.
  'answer-undefined': f(''),
  'answer-function': f('return f'),
  'answer-symbol': f('return Symbol.iterator'),
  'answer-truthy': f('return { allowed: 1 }'),
  'answer-boxed': f('return { allowed: new Boolean(false) }'),
  'answer-stringify': whole('globalThis.JSON = { stringify: () => 1 }; function f() { return false }'),
  'answer-global': whole('Object.defineProperty(globalThis, "f", { get() { return () => 1 } })'),
  'answer-no-function': whole('const f = { call() { return true } }'),
  'answer-syntax': whole('function f( {'),
  'answer-thrown-null': f('throw null'),
  'answer-thrown-memory': f("throw new Error('out of memory')"),
  // Escapes.
  'escape-constructor': f("return (() => {}).constructor('return globalThis')()"),
  'escape-generator': f("return (function* () {}).constructor('yield 1')().next()"),
  'escape-prototype': f("return Object.getPrototypeOf(f).constructor('return 1')()"),
  'escape-eval': f("return eval('1')"),
  'escape-eval-indirect': f("return (0, globalThis['ev' + 'al'])('1')"),
  'escape-host-object': f("return host.constructor('return 1')()"),
  'escape-host-cycle': f('const a = {}; a.a = a; return host(a)'),
  'escape-host-none': f('return host(undefined)'),
  'escape-host-long': f("return host('x'.repeat(70000))"),
  'escape-host-loop': f('for (;;) host(1)'),
  'escape-native': f('return typeof __native'),
  'escape-error-stack': f('Error.prepareStackTrace = (e, s) => s; return new Error().stack'),
  'escape-stack-limit': f('Error.stackTraceLimit = 1e9; return f(q)'),
  'escape-callee': f('return arguments.callee'),
  'escape-caller': f('return f.caller'),
  'escape-with': f('with ({}) {}'),
  'escape-asynchronous': f('return (async () => 1)()'),
  'escape-module': f("return import('x')"),
  'escape-escaped-word': f("return im\\u0070ort('x')"),
  'escape-global-loop': whole(
    'Object.defineProperty(globalThis, "x", { get() { for (;;); } }); x; function f() {}',
  ),
  'escape-clock': f('return [typeof Date, typeof performance, typeof Intl, typeof Math.random]'),
  'escape-keep': f('globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n'),
  'escape-prelude': f('return f.toString.call(host)'),
};

/** How each ends in an engine, `name outcome fuel text`, in the order given; the host answers what it is asked. */
export function hostileLines(engine, names = Object.keys(HOSTILE)) {
  return names.map((name) => {
    const { source, fuel } = HOSTILE[name];
    const values = '[{"owner":"alice"}]';
    const ended = engine.run({ source, name: 'f', values, fuel, host: (request) => request });
    const text = (ended.text ?? '').length > 200 ? `${ended.text.length} units` : (ended.text ?? '');
    return `${name} ${ended.outcome} ${ended.fuel} ${text}`.trimEnd();
  });
}

/**
 * Runs each contract once after each of them, itself too, in one engine: a sequence that holds every ordered pair.
 * Gives the pairs after which one ended otherwise than in an engine of its own, and the slowest runs.
 */
export function hostilePairs(freshEngine, names = Object.keys(HOSTILE)) {
  let serial = 0;
  // A second value that no contract looks at, of one length: no run is answered from the memo.
  const end = (engine, name) => {
    const { source, fuel } = HOSTILE[name];
    serial += 1;
    const values = `[{"owner":"alice"},"${String(serial).padStart(9, '0')}"]`;
    return engine.run({ source, name: 'f', values, fuel, host: (request) => request });
  };
  const expected = new Map(names.map((name) => [name, JSON.stringify(end(freshEngine(), name))]));
  const engine = freshEngine();
  const order = names.flatMap((one, at) => [one, ...names.slice(at + 1).flatMap((other) => [one, other])]);
  const differing = [];
  const slowest = new Map();
  for (const [at, name] of [...order, order[0]].entries()) {
    const start = process.cpuUsage();
    const ended = JSON.stringify(end(engine, name));
    const { user, system } = process.cpuUsage(start);
    slowest.set(name, Math.max(slowest.get(name) ?? 0, (user + system) / 1_000));
    if (ended !== expected.get(name)) differing.push(`${order[at - 1] ?? 'nothing'}, ${name}`);
  }
  return {
    pairs: order.length,
    differing,
    slowest: [...slowest].toSorted(([, a], [, b]) => b - a).slice(0, 3),
  };
}
