/**
 * The engine on Node and Bun: the module that this package ships, read from beside it.
 *
 * @packageDocumentation
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { loadEngine, type Engine } from './engine/engine.js';

/** The module is absent, or it is no engine. */
export class EngineError extends Error {
  readonly code: 'engine_bytes' | 'engine_self_test';
  readonly path: string;
  constructor(code: EngineError['code'], path: string, message: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.path = path;
  }
}

let loading: Promise<Engine> | null = null;

/**
 * The engine of this process, loaded once; 40 to 180 ms. Rejects with {@link EngineError}: `engine_bytes`
 * where the module cannot be read or has other bytes, `engine_self_test` where this runtime counts otherwise.
 */
export function nodeEngine(): Promise<Engine> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Engine> {
  const { path, bytes } = await engineBytes();
  const loaded = loadEngine(bytes, sha256);
  if (loaded._tag === 'Right') return loaded.right;
  const { code, expected, got } = loaded.left;
  throw new EngineError(code, path, `expected ${expected}, got ${got}`);
}

/** SHA-256 of the module that is shipped, and where it is. Rejects as {@link nodeEngine} does. */
export async function engineFile(): Promise<{ readonly path: string; readonly sha256: string }> {
  const { path, bytes } = await engineBytes();
  return { path, sha256: sha256(bytes) };
}

async function engineBytes(): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  let path = '@assay/ecology/engine.wasm';
  try {
    path = createRequire(import.meta.url).resolve(path);
    return { path, bytes: await readFile(path) };
  } catch (error) {
    throw new EngineError('engine_bytes', path, error instanceof Error ? error.message : String(error));
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
