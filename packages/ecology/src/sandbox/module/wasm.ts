/**
 * The metered module as its host sees it: the exports that are used, imports that give constants.
 * Source: specs/ecology.md D1.1.
 */

/**
 * Either an error or a value, with the tags of the kernel's `Result`: the two are assignable both ways. This
 * package imports nothing.
 */
export type Result<E, A> =
  | { readonly _tag: 'Left'; readonly left: E }
  | { readonly _tag: 'Right'; readonly right: A };

/** A mutable 32-bit global of an instance. */
interface WasmGlobal {
  value: number;
}

/** What is used of the module's exports. Numbers are pointers into its memory unless named otherwise. */
export interface QuickJs {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly __stack_pointer: WasmGlobal;
  readonly __fuel: WasmGlobal;
  readonly __floor: WasmGlobal;
  readonly __depth: WasmGlobal;
  _initialize(): void;
  qjs_init2(intrinsics: number): number;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_eval(code: number, length: number, file: number, flags: number): number;
  qjs_call(callee: number, self: number, count: number, values: number): number;
  qjs_new_host_function(name: number, length: number, id: number): number;
  qjs_new_string(text: number, length: number): number;
  qjs_get_string(value: number): number;
  qjs_free_cstring(text: number): void;
  qjs_get_global(): number;
  qjs_get_undefined(): number;
  qjs_set_prop_string(target: number, name: number, value: number): number;
  qjs_get_exception(): number;
  qjs_is_exception(value: number): number;
  qjs_is_string(value: number): number;
  qjs_is_function(value: number): number;
  wasm_malloc(bytes: number): number;
  wasm_free(pointer: number): void;
}

/** A compiled module; opaque. */
export interface WasmModule {
  readonly [Symbol.toStringTag]?: string;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, (...words: number[]) => number>>>>,
  ) => { readonly exports: unknown };
  readonly RuntimeError: new () => Error;
};

/** Compiles the module; throws where the bytes are none. */
export function compileModule(bytes: Uint8Array): WasmModule {
  return new WebAssembly.Module(bytes);
}

/** True for a trap of the module; what the host's functions throw is none. */
export function isTrap(thrown: unknown): boolean {
  return thrown instanceof WebAssembly.RuntimeError;
}

/**
 * An instance with a memory of its own. `hostCall` gets the address of the arguments and gives a value.
 * Clock, chance and time zone are constants, files do not exist.
 */
export function instantiate(module: WasmModule, hostCall: (values: number) => number): QuickJs {
  const none = (): number => 0;
  const badFile = (): number => 8;
  const { exports } = new WebAssembly.Instance(module, {
    env: {
      host_call: (_name, _length, _self, _count, values) => hostCall(values ?? 0),
      host_interrupt: none,
      host_promise_rejection: none,
      host_module_normalize: none,
      host_module_load: none,
      host_get_timezone_offset: none,
    },
    wasi_snapshot_preview1: {
      // They write nothing: the module finds what it left there itself.
      clock_time_get: none,
      random_get: none,
      fd_close: none,
      fd_fdstat_get: badFile,
      fd_seek: badFile,
      fd_write: badFile,
    },
  });
  return exports as QuickJs;
}
