/**
 * The folder of things that can be made again: packed tarballs, other runtimes. Ignored by git.
 *
 * @module
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root } from './run.mjs';

/** `.cache` in the root, or where ASSAY_CACHE says. */
export const cache = process.env['ASSAY_CACHE'] ?? join(root, '.cache');

/** Versions of the other runtimes the repository is checked on. */
const NODE_24 = '24.21.0';
const BUN = '1.4.5';
const LLAMA = '3.22.1';

/** The prebuilt CPU runtime of node-llama-cpp for each platform; without the others, which are 640 MB. */
const LLAMA_BINARIES = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
};

/** Node 24's binary, installed from npm on first use; null where it cannot be had. */
export function node24() {
  return binary(`node-${process.platform}-${process.arch}`, NODE_24, 'bin/node');
}

/** Bun's binary, installed from npm on first use; null where it cannot be had. */
export function bun() {
  return binary(
    `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`,
    BUN,
    'bin/bun',
  );
}

/** The folder with node-llama-cpp, installed from npm on first use (85 MB); null where it cannot be had. */
export function llama() {
  const platform = LLAMA_BINARIES[`${process.platform}-${process.arch}`];
  return platform === undefined
    ? null
    : installed('node-llama-cpp', LLAMA, 'dist/index.js', [`@node-llama-cpp/${platform}@${LLAMA}`]);
}

/**
 * What to do without a runtime: say so in one line and go on, except in CI, where nothing may be left out.
 */
export function withoutRuntime(name) {
  console.log(`${name}: not available here (no network and not installed before); this lane is not run`);
  if (process.env['CI'] === 'true') process.exitCode = 1;
}

function binary(name, version, path) {
  const folder = installed(name, version, path, []);
  return folder === null ? null : join(folder, 'node_modules', ...name.split('/'), path);
}

/**
 * The folder in which a package is installed, with others, on first use; null where it cannot be had. `path`:
 * a file of it.
 */
function installed(name, version, path, others) {
  const folder = join(cache, `${name.replaceAll('/', '-')}-${version}`);
  const file = join(folder, 'node_modules', ...name.split('/'), path);
  if (existsSync(file)) return folder;
  mkdirSync(folder, { recursive: true });
  const options = [
    '--no-save',
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--engine-strict=false',
  ];
  const code = npm(['install', ...options, '--prefix', folder, `${name}@${version}`, ...others], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  return code === 0 && existsSync(file) ? folder : null;
}
