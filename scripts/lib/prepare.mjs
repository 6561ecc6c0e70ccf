/**
 * Install and build, each only when needed.
 *
 * Needed is decided by content: npm writes what it has installed to `node_modules/.package-lock.json` as its
 * last step, and that is compared with the committed lock; `tsc -b` compares its sources itself; of the
 * bundle every file is compared that it was made from.
 *
 * @module
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBundled } from './bundle.mjs';
import { areShellsBuilt } from './shells.mjs';
import { node, npm, root } from './run.mjs';

/**
 * Installs where node_modules differs from the lock: the repository's own, or that of a folder of tools
 * (`scripts/checks` …), which has a lock of its own. Ends the process when npm fails.
 */
export function install(folder = '') {
  if (isInstalled(folder)) return;
  console.error(`assay: installing the locked dependencies${folder === '' ? '' : ` of ${folder}`} (npm ci)`);
  const code = npm(
    [
      existsSync(join(root, folder, 'package-lock.json')) ? 'ci' : 'install',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    { cwd: join(root, folder), stdio: ['ignore', 2, 2] },
  );
  if (code !== 0) process.exit(code);
}

/**
 * Builds every package that has sources, then the engine of the sandbox, the bundle of the command and the
 * shells of the explorer.
 * Returns the exit code of the first that fails.
 */
export function build() {
  if (!existsSync(join(root, 'packages', 'cli', 'dist')))
    console.error('assay: building (once, less than a minute)');
  const compiled = node(join('node_modules', 'typescript', 'bin', 'tsc'), ['-b', ...projects()], {
    stdio: ['ignore', 2, 2],
  });
  if (compiled !== 0) return compiled;
  const made = (isMade, script) =>
    isMade() ? 0 : node(join('scripts', script), [], { stdio: ['ignore', 2, 2] });
  return (
    node(join('packages', 'ecology', 'tools', 'build-engine.mjs'), [], { stdio: ['ignore', 2, 2] }) ||
    made(isBundled, 'bundle.mjs') ||
    made(areShellsBuilt, 'shells.mjs')
  );
}

/** Installs and builds. Ends the process when one of them fails, or Node is too old for either. */
export function prepare() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`assay: Node 20.19 or newer is needed; this is ${process.versions.node}`);
    process.exit(2);
  }
  install();
  const code = build();
  if (code !== 0) process.exit(code);
}

/** True when what npm last installed is what the lock asks for (packages of other platforms left out). */
export function isInstalled(folder = '') {
  const wanted = readLock(join(folder, 'package-lock.json')) ?? readPins(join(folder, 'package.json'));
  const present = readLock(join(folder, 'node_modules', '.package-lock.json'));
  if (wanted === null || present === null) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue;
    const found = present[path];
    if (found === undefined && entry.optional === true) continue;
    if (found?.version !== entry.version || found?.link !== entry.link) return false;
    if (entry.integrity !== undefined && found.integrity !== entry.integrity) return false;
  }
  return true;
}

function readLock(path) {
  const file = join(root, path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).packages ?? null) : null;
}

/** A folder of tools without a lock pins its dependencies exactly: the same list, by version only. */
function readPins(path) {
  const { dependencies } = JSON.parse(readFileSync(join(root, path), 'utf8'));
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, { version }]),
  );
}

/** The folders of the packages that have a TypeScript project and sources. */
export function projects() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join('packages', name))
    .filter((path) => existsSync(join(root, path, 'tsconfig.json')) && existsSync(join(root, path, 'src')));
}
