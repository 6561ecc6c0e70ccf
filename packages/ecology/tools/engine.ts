/** The contract engine, for tests: the bytes that the sandbox's build writes. */
import { readFileSync } from 'node:fs';
import { nativeSha256 } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { loadEngine, type Engine } from '@assay/ecology/sandbox';

const WASM = new URL('../dist/engine.wasm', import.meta.url);

/** An engine of its own, without anything that another run left. */
export function freshEngine(): Engine {
  return orThrow(loadEngine(readFileSync(WASM), nativeSha256));
}
