/**
 * `npm run check:size`: what a user of one entry ships, bundled for browsers, minified, gzipped (level 9).
 * Fails above the limit. Only bytes of the bundle count, third-party code included.
 */
import { existsSync, readFileSync } from 'node:fs';
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
    limit: 26_000,
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
    limit: 65_640,
    target: 40_000,
  },
  {
    label: 'verifier with the kernel, no machine',
    from: 'packages/verifier/dist/index.js',
    source: VERIFIER,
    limit: 28_800,
    target: 28_000,
  },
  {
    label: 'ecology with the kernel, no engine',
    from: 'packages/ecology/dist/index.js',
    source: 'export { ecology, ecologyMachine } from "@assay/ecology";',
    limit: 41_000,
  },
  // 75 kB of its own, on the 28 kB of the verifier.
  {
    label: 'explorer, no machine',
    from: 'packages/explorer/dist/page/index.js',
    source: 'export { start } from "@assay/explorer/page";',
    limit: 75_900,
  },
];

/** Files that are shipped as they are. */
const FILES = [['engine of the sandbox', 'packages/ecology/dist/engine.wasm', 330_000]];

/** Whole reports without their data, as they are written. */
const REPORTS = [
  ['intent', 133_800],
  ['controller', 118_900],
  ['gate', 100_350],
  ['memory', 99_000],
  ['planner', 143_750],
  ['ecology', 136_550],
  ['ecology-engine', 450_150],
  ['all', 285_150, 190_000],
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
  tell(label, bytes.length, zipped, limit, target);
}
for (const [label, path, limit] of FILES) {
  const bytes = readFileSync(join(root, path));
  tell(label, bytes.length, gzipSync(bytes, { level: 9 }).length, limit);
}
for (const [name, limit, target] of REPORTS) {
  const path = join(root, 'packages', 'explorer', 'dist', 'shell', `${name}.html`);
  if (!existsSync(path)) {
    console.log(`report of ${name}: not built yet, not measured`);
    continue;
  }
  const page = readFileSync(path);
  tell(`report of ${name}, no data`, page.length, gzipSync(page, { level: 9 }).length, limit, target);
}
process.exit(over === 0 ? 0 : 1);

function tell(label, bytes, zipped, limit, target) {
  console.log(
    `${label}: ${zipped} bytes gzipped of ${bytes}, limit ` +
      `${limit}${zipped > limit ? ': OVER' : ''}${
        target !== undefined && zipped > target ? `, target ${target} missed by ${zipped - target}` : ''
      }`,
  );
  if (zipped > limit) over += 1;
}
