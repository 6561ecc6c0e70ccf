/**
 * `npm run check:size`: what a user of one entry ships, bundled for browsers, minified, gzipped (level 9).
 * Fails above the limit. Only bytes of the bundle count, third-party code included.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { install, prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

/** Limits in kB of 1000 bytes. `all`: everything the entry exports. */
const ENTRIES = [
  { label: 'kernel, main entry (no intent, no schemas)', from: 'packages/kernel/dist/index.js', source: 'export * from "@assay/kernel";', limit: 25_000 },
  { label: 'verifier with the kernel, for one machine', from: 'packages/verifier/dist/index.js', source: 'export * from "@assay/verifier";', limit: 40_000 },
];

prepare();
install('scripts/checks');
const { build } = createRequire(join(root, 'scripts', 'checks', 'package.json'))('esbuild');
let over = 0;
for (const { label, from, source, limit } of ENTRIES) {
  if (!existsSync(join(root, from))) {
    console.log(`${label}: not built yet, not measured`);
    continue;
  }
  const result = await build({
    stdin: { contents: source, resolveDir: root, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    treeShaking: true,
    write: false,
    logLevel: 'error',
  });
  const bytes = result.outputFiles[0].contents;
  const zipped = gzipSync(bytes, { level: 9 }).length;
  console.log(`${label}: ${zipped} bytes gzipped of ${bytes.length}, limit ${limit}${zipped > limit ? ': OVER' : ''}`);
  if (zipped > limit) over += 1;
}
process.exit(over === 0 ? 0 : 1);
