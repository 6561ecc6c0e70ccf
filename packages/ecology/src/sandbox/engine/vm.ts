/** One instance of the module: put back to an image, given fuel, run once. */
import { instantiate, isTrap, type QuickJs, type WasmModule } from '../module/wasm.js';
import { INTRINSICS, NATIVE, PRELUDE } from '../prelude/prelude.js';

/**
 * How a run ends. Source: specs/ecology.md D1.2.
 *
 * - `value`: `text` is the JSON text of the answer, at most 65,536 UTF-16 units.
 * - `threw`: an error that nobody caught; `text` says which, at most 500 units. A source that does not
 *   compile ends so.
 * - `fuel`, `memory`, `stack`: one of the limits.
 * - `size`: the answer, a request to the host or the source is over 65,536 units.
 * - `shape`: no function of that name, or an answer that is not JSON.
 * - `stopped`: the host answered null.
 */
export type Outcome =
  | { readonly outcome: 'value' | 'threw'; readonly text: string }
  | { readonly outcome: 'fuel' | 'memory' | 'stack' | 'size' | 'shape' | 'stopped' };

/** An outcome and the fuel that was used, at most what was given. */
export type Ended = Outcome & { readonly fuel: number };

/** Answers a request of a contract, JSON text in and out; null ends the run as `stopped`. */
export type Host = (request: string) => string | null;

/** Longest source, answer and request to the host, in UTF-16 units. */
export const TEXT_MAX = 65_536;

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** Memory that QuickJS hands out, and where its own check of the stack ends a recursion; B14. */
const HEAP_BYTES = 8_388_608;
const STACK_BYTES = 65_536;
/** Calls inside modules at once, those of nested runs together: they share the host's stack. B14. */
export const CALL_DEPTH = 500;
/** Below so many bytes of stack a function traps, whatever it checked. */
const FLOOR_BYTES = 131_072;
/** What may be written below the floor: the largest frame is 2,704 bytes. */
const FRAME_BYTES = 4096;
const PAGE_BYTES = 65_536;
/** Of each page that an image has more than the template; its copy costs as much as growing. */
const PAGE_FUEL = 16_384;
const SETUP_FUEL = 2_000_000_000;
/** Of `qjs_eval`: a script in strict mode. */
const STRICT = 8;

/** The memory from the lowest address that a run can have written, and where its stack begins. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly top: number;
  /** Pages of 64 KiB of the whole memory. */
  readonly pages: number;
}

/** What a run may use. */
interface Allowance {
  readonly fuel: number;
  readonly depth: number;
  readonly host: Host;
}

/** Thrown through the module where a run ends without a trap. */
class Stop extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super(outcome.outcome);
    this.outcome = outcome;
  }
}

/** A machine for one run at a time. What a run leaves behind is gone with the next `restore`. */
export class Vm {
  private readonly module: WasmModule;
  private js: QuickJs;
  private host: Host = () => null;
  private given = 0;

  constructor(module: WasmModule) {
    this.module = module;
    this.js = this.instance();
  }

  /** Makes the interpreter; gives the function of the prelude and the image that every run starts from. */
  setUp(): { readonly caller: number; readonly template: Image } {
    const { js } = this;
    js.__fuel.value = SETUP_FUEL;
    js._initialize();
    if (js.qjs_init2(INTRINSICS) !== 0) throw new RangeError('the interpreter did not start');
    js.qjs_set_memory_limit(HEAP_BYTES);
    js.qjs_set_max_stack_size(STACK_BYTES);
    const name = this.write(NATIVE);
    const native = js.qjs_new_host_function(name.at, name.length, 1);
    js.qjs_set_prop_string(js.qjs_get_global(), name.at, native);
    const caller = this.evaluate(PRELUDE);
    return { caller, template: this.image() };
  }

  image(): Image {
    const { memory, __stack_pointer: pointer } = this.js;
    const bytes = new Uint8Array(memory.buffer).slice(lowest(pointer.value));
    return { bytes, top: pointer.value, pages: memory.buffer.byteLength / PAGE_BYTES };
  }

  /** How many calls a run inside the one at hand may have. */
  get depthLeft(): number {
    return this.js.__depth.value;
  }

  /**
   * Puts an image back, with fuel, call depth and host for one run. A memory of another size is replaced: the
   * allocator sees its size, and would use other fuel. `pages`: what the template has.
   */
  restore(image: Image, pages: number, { fuel, depth, host }: Allowance): void {
    const before = this.js.memory.buffer.byteLength / PAGE_BYTES;
    if (before > image.pages) this.js = this.instance();
    const { js } = this;
    const missing = image.pages - js.memory.buffer.byteLength / PAGE_BYTES;
    if (missing > 0) js.memory.grow(missing);
    new Uint8Array(js.memory.buffer).set(image.bytes, lowest(image.top));
    js.__stack_pointer.value = image.top;
    js.__floor.value = image.top - FLOOR_BYTES;
    js.__depth.value = depth;
    js.__fuel.value = fuel - (image.pages - pages) * PAGE_FUEL;
    this.given = fuel;
    this.host = host;
  }

  /**
   * Compiles and runs a script, and gives the function of a name that it left, or how it ended.
   * `caller`: the function of the prelude.
   */
  define(
    caller: number,
    source: string,
    name: string,
  ): { readonly callee: number; readonly fuel: number } | Ended {
    let callee = 0;
    const outcome = this.guarded(caller, () => {
      this.evaluate(source);
      callee = this.evaluate(`typeof ${name} === 'function' ? ${name} : undefined`);
      return this.js.qjs_is_function(callee) === 0 ? { outcome: 'shape' } : { outcome: 'value', text: '' };
    });
    return outcome.outcome === 'value' ? { callee, fuel: outcome.fuel } : outcome;
  }

  /** Calls a function with the values of a JSON array. */
  call(caller: number, callee: number, values: string): Ended {
    return this.guarded(caller, () => {
      const answer = this.apply(caller, [callee, this.text(values)]);
      if (this.js.qjs_is_string(answer) === 0) return { outcome: 'shape' };
      const text = this.read(answer);
      return text.length > TEXT_MAX ? { outcome: 'size' } : { outcome: 'value', text };
    });
  }

  /** Runs something of the module, and says how it ended. What the host throws goes through. */
  private guarded(caller: number, work: () => Outcome): Ended {
    const outcome = this.attempt(() => {
      const ended = this.attempt(work);
      if (ended !== 'threw') return ended;
      const text = this.attempt(() => this.describe(caller));
      return text === 'threw' ? { outcome: 'threw', text: '' } : text;
    });
    if (outcome === 'threw') throw new RangeError('an attempt that gave no outcome');
    return { ...outcome, fuel: this.given - Math.max(0, this.js.__fuel.value) };
  }

  private attempt(work: () => Outcome): Outcome | 'threw' {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof Stop) return thrown.outcome;
      if (thrown instanceof Uncaught) return 'threw';
      if (!isTrap(thrown)) throw thrown;
      const { __fuel: fuel, __depth: depth, __floor: floor, __stack_pointer: pointer } = this.js;
      if (fuel.value < 0) return { outcome: 'fuel' };
      const isStack = depth.value < 0 || pointer.value < floor.value;
      // The interpreter gives up by a trap of its own where it cannot even make an error.
      return { outcome: isStack ? 'stack' : 'memory' };
    }
  }

  /** What an uncaught value says of itself; it may run code of the contract, with the fuel that is left. */
  private describe(caller: number): Outcome {
    const answer = this.apply(caller, [this.js.qjs_get_exception()]);
    const text = String(JSON.parse(this.read(answer)));
    if (text === 'InternalError: out of memory') return { outcome: 'memory' };
    if (text === 'RangeError: Maximum call stack size exceeded') return { outcome: 'stack' };
    return { outcome: 'threw', text };
  }

  private evaluate(source: string): number {
    const code = this.write(source);
    const file = this.write('contract');
    const value = this.checked(this.js.qjs_eval(code.at, code.length, file.at, STRICT));
    this.js.wasm_free(code.at);
    this.js.wasm_free(file.at);
    return value;
  }

  private apply(callee: number, values: readonly number[]): number {
    const list = this.allocate(4 * values.length);
    new Uint32Array(this.js.memory.buffer, list, values.length).set(values);
    return this.checked(this.js.qjs_call(callee, this.js.qjs_get_undefined(), values.length, list));
  }

  private checked(value: number): number {
    if (value === 0) throw new Stop({ outcome: 'memory' });
    if (this.js.qjs_is_exception(value) !== 0) throw new Uncaught();
    return value;
  }

  private text(text: string): number {
    const { at, length } = this.write(text);
    const value = this.checked(this.js.qjs_new_string(at, length));
    this.js.wasm_free(at);
    return value;
  }

  /** The text of a string value. JSON text holds no zero byte and no lone surrogate. */
  private read(value: number): string {
    const at = this.js.qjs_get_string(value);
    if (at === 0) throw new Uncaught();
    const memory = new Uint8Array(this.js.memory.buffer);
    const text = new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
    this.js.qjs_free_cstring(at);
    return text;
  }

  private write(text: string): { readonly at: number; readonly length: number } {
    const bytes = new TextEncoder().encode(text);
    const at = this.allocate(bytes.length + 1);
    const memory = new Uint8Array(this.js.memory.buffer);
    memory.set(bytes, at);
    memory[at + bytes.length] = 0;
    return { at, length: bytes.length };
  }

  private allocate(bytes: number): number {
    const at = this.js.wasm_malloc(bytes);
    if (at === 0) throw new Stop({ outcome: 'memory' });
    return at;
  }

  private instance(): QuickJs {
    return instantiate(this.module, (values) => {
      const request = this.read(new Uint32Array(this.js.memory.buffer, values, 1)[0] ?? 0);
      if (request.length > TEXT_MAX) throw new Stop({ outcome: 'size' });
      const answer = this.host(request);
      if (answer === null) throw new Stop({ outcome: 'stopped' });
      return this.text(answer);
    });
  }
}

/** An error of the contract that waits to be described. */
class Uncaught extends Error {}

/** The lowest address that a run can write: the stack's lowest frame. */
function lowest(stack: number): number {
  return stack - FLOOR_BYTES - FRAME_BYTES;
}
