/**
 * The engine: sources are compiled once into an image, each run starts from a copy of it. What is run when an engine
 * is loaded must end as stated: a runtime that counts otherwise is no engine. Source: specs/ecology.md D1.
 */
import { type Result, compileModule, type WasmModule } from '../module/wasm.js';
import { REFUSED_WORDS } from '../prelude/prelude.js';
import { ENGINE_ID, ENGINE_SHA256 } from './id.js';
import { TEXT_MAX, type Ended, type Host, CALL_DEPTH, Vm, type Image } from './vm.js';

/** What is run. */
export interface Run {
  /** JavaScript in strict mode: it leaves a function, and finds `host(request)`. */
  readonly source: string;
  /** The name of that function. */
  readonly name: string;
  /** JSON text of an array: what the function is called with. */
  readonly values: string;
  /** At most 2^31 − 1. */
  readonly fuel: number;
  readonly host: Host;
}

/**
 * An engine. A run is a function of its request and of the host's answers: nothing of one is left for
 * another. A host may run again inside; each nesting depth has a memory of its own.
 */
export interface Engine {
  /** Names the interpreter, the counters and the bytes: `quickjs-wasi@3.6.2+fuel1#` and 32 digits. */
  readonly id: string;
  /**
   * Whether a source may be deployed: null, or how its compilation ended, with the fuel of it.
   * Refused: over 65,536 units, the words async, await and import, no function of the name, a top level that
   * throws, calls the host or uses more than 5,000,000 fuel.
   */
  check(source: string, name: string): Ended | null;
  /** The fuel that compiling takes, up to 5,000,000, whether or not an image is kept. */
  compileFuel(source: string, name: string): number;
  /** Compiling is not charged; a source that `check` refuses ends as it says. */
  run(run: Run): Ended;
}

/** Why bytes are no engine. */
type EngineFault =
  | { readonly code: 'engine_bytes'; readonly expected: string; readonly got: string }
  | { readonly code: 'engine_self_test'; readonly expected: string; readonly got: string };

const COMPILE_FUEL = 5_000_000;
const IMAGES_MAX = 32;
const MEMO_MAX = 64;
const MEMO_VALUES_MAX = 4096;
const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

interface Compiled {
  readonly callee: number;
  /** What compiling took. */
  readonly fuel: number;
  readonly image: Image;
  /** How runs that asked the host nothing ended, by what they were given. */
  readonly memo: Map<string, Ended>;
}

/**
 * The engine of the package's `engine.wasm`. `sha256` gives 64 hex digits.
 * Refused: other bytes; a runtime on which the self-test ends otherwise.
 */
export function loadEngine(
  bytes: Uint8Array,
  sha256: (bytes: Uint8Array) => string,
): Result<EngineFault, Engine> {
  const got = sha256(bytes);
  if (got !== ENGINE_SHA256)
    return { _tag: 'Left', left: { code: 'engine_bytes', expected: ENGINE_SHA256, got } };
  const engine = new QuickJsEngine(compileModule(bytes));
  for (const { expected, ...run } of SELF_TEST) {
    const ended = engine.run({ ...run, host: (request) => request });
    const text = `${ended.outcome} ${ended.fuel}`;
    if (text !== expected) return { _tag: 'Left', left: { code: 'engine_self_test', expected, got: text } };
  }
  return { _tag: 'Right', right: engine };
}

class QuickJsEngine implements Engine {
  readonly id: string = ENGINE_ID;
  private readonly module: WasmModule;
  private readonly vms: Vm[];
  private readonly caller: number;
  private readonly template: Image;
  private readonly sources: Map<string, Map<string, Compiled | Ended>> = new Map();
  private running = 0;

  constructor(module: WasmModule) {
    this.module = module;
    const vm = new Vm(module);
    ({ caller: this.caller, template: this.template } = vm.setUp());
    this.vms = [vm];
  }

  check(source: string, name: string): Ended | null {
    const compiled = this.compile(source, name);
    return 'callee' in compiled ? null : compiled;
  }

  compileFuel(source: string, name: string): number {
    return this.compile(source, name).fuel;
  }

  run({ source, name, values, fuel, host }: Run): Ended {
    const compiled = this.compile(source, name);
    if (!('callee' in compiled)) return compiled;
    const { callee, image, memo } = compiled;
    const depth = this.vms[this.running - 1]?.depthLeft ?? CALL_DEPTH;
    const key = `${depth} ${fuel} ${values}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    let isPure = key.length <= MEMO_VALUES_MAX;
    const asked: Host = (request) => {
      isPure = false;
      return host(request);
    };
    const ended = this.inVm((vm) => {
      vm.restore(image, this.template.pages, { fuel, depth, host: asked });
      return vm.call(this.caller, callee, values);
    });
    if (isPure) keep(memo, key, ended, MEMO_MAX);
    return ended;
  }

  private compile(source: string, name: string): Compiled | Ended {
    if (!NAME.test(name)) throw new RangeError(`name: expected an identifier, got ${name}`);
    const byName = this.sources.get(source) ?? new Map<string, Compiled | Ended>();
    const kept = byName.get(name);
    if (kept !== undefined) return kept;
    const compiled = this.compileAnew(source, name);
    byName.set(name, compiled);
    keep(this.sources, source, byName, IMAGES_MAX);
    return compiled;
  }

  private compileAnew(source: string, name: string): Compiled | Ended {
    if (source.length > TEXT_MAX) return { outcome: 'size', fuel: 0 };
    if (REFUSED_WORDS.test(source))
      return { outcome: 'threw', text: 'SyntaxError: async, await and import are refused', fuel: 0 };
    return this.inVm((vm) => {
      vm.restore(this.template, this.template.pages, {
        fuel: COMPILE_FUEL,
        depth: CALL_DEPTH,
        host: () => null,
      });
      const defined = vm.define(this.caller, source, name);
      return 'callee' in defined ? { ...defined, image: vm.image(), memo: new Map() } : defined;
    });
  }

  private inVm<A>(work: (vm: Vm) => A): A {
    const vm = this.vms[this.running] ?? new Vm(this.module);
    this.vms[this.running] = vm;
    this.running += 1;
    try {
      return work(vm);
    } finally {
      this.running -= 1;
    }
  }
}

/** Adds an entry, and lets the oldest one go where there are too many. */
function keep<A>(map: Map<string, A>, key: string, value: A, most: number): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size > most) map.delete(oldest);
}

/** Programs that compute, throw, and run into each limit; `expected` is outcome and fuel. */
const SELF_TEST: readonly {
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
