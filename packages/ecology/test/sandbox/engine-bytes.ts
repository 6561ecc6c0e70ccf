import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadEngine, type Engine } from '../../src/sandbox/index.js';
import { meter } from '../../tools/meter.mjs';

/** The module as the build writes it, made anew. */
export const METERED: Uint8Array = meter(
  readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')),
);

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function freshEngine(): Engine {
  const loaded = loadEngine(METERED, sha256);
  if (loaded._tag === 'Left') throw new Error(loaded.left.code);
  return loaded.right;
}
