/**
 * Writes `dist/engine.wasm`: the module of quickjs-wasi with counters, and its license beside it. The same
 * input gives the same bytes; exit 1 where they are not those that `loadEngine` takes.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { meter } from './meter.mjs';

const here = fileURLToPath(new URL('..', import.meta.url));
const made = join(here, 'dist', 'engine.wasm');
const wanted = /ENGINE_SHA256 = '([0-9a-f]{64})'/.exec(
  readFileSync(join(here, 'src', 'sandbox', 'engine', 'id.ts'), 'utf8'),
)[1];
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

if (!existsSync(made) || sha256(readFileSync(made)) !== wanted) {
  const source = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
  const bytes = meter(readFileSync(source));
  if (sha256(bytes) !== wanted) {
    console.error(`engine.wasm would be ${sha256(bytes)}, and src/sandbox/engine/id.ts names ${wanted}`);
    process.exit(1);
  }
  mkdirSync(dirname(made), { recursive: true });
  writeFileSync(made, bytes);
  copyFileSync(join(dirname(source), 'LICENSE'), join(here, 'dist', 'engine.LICENSE'));
}
