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

const VERIFIER =
  'export { VerifyStream, verify, exitCode } from "@assay/verifier"; export { replayable } from "@assay/kernel";';

/**
 * Limits in bytes. `target`: what was asked for where it is missed; the limit then only holds the line, and
 * the miss is printed.
 */
const ENTRIES = [
  {
    label: 'kernel, main entry (no intent, no schemas)',
    from: 'packages/kernel/dist/index.js',
    source: 'export * from "@assay/kernel";',
    limit: 25_750,
    target: 25_000,
  },
  // What a page needs to check a ledger: the streaming verifier, the exit codes, and the machine that
  // decided.
  {
    label: 'verifier with the kernel and tally',
    from: 'packages/verifier/dist/index.js',
    source: `${VERIFIER} export { tally } from "@assay/testing/tally";`,
    limit: 40_000,
  },
  {
    label: 'verifier with the kernel and intent',
    from: 'packages/verifier/dist/index.js',
    source: `${VERIFIER} export { intent } from "@assay/kernel/intent";`,
    limit: 64_200,
    target: 40_000,
  },
];

prepare();
install('scripts/checks');
const { build } = createRequire(join(root, 'scripts', 'checks', 'package.json'))('esbuild');
let over = 0;
for (const { label, from, source, limit, target } of ENTRIES) {
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
  console.log(
    `${label}: ${zipped} bytes gzipped of ${bytes.length}, limit ` +
      `${limit}${zipped > limit ? ': OVER' : ''}${
        target !== undefined && zipped > target ? `, target ${target} missed by ${zipped - target}` : ''
      }`,
  );
  if (zipped > limit) over += 1;
}
process.exit(over === 0 ? 0 : 1);
