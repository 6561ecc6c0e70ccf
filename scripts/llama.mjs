/**
 * `npm run check:llama`: the port of language models against a real inference runtime, node-llama-cpp on the
 * CPU with one thread, and a model file of random weights that the tests write. The runtime (85 MB) is
 * installed into the cache on first use.
 */
import { join } from 'node:path';
import { llama, withoutRuntime } from './lib/cache.mjs';
import { prepare } from './lib/prepare.mjs';
import { node } from './lib/run.mjs';

prepare();
const folder = llama();
if (folder === null) withoutRuntime('node-llama-cpp');
else
  process.exitCode = node(
    join('node_modules', 'vitest', 'vitest.mjs'),
    ['run', '--config', 'vitest.llama.ts'],
    { env: { ...process.env, ASSAY_LLAMA: folder } },
  );
