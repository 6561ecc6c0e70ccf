/**
 * Install and build, each only when needed.
 *
 * Needed is decided by content: npm writes what it has installed to `node_modules/.package-lock.json` as
 * its last step, and that is compared with the committed lock; `tsc -b` compares its sources itself.
 *
 * @module
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { node, npm, root } from './run.mjs';

/** Installs where node_modules differs from the lock. Ends the process when npm fails. */
export function install() {
  if (isInstalled()) return;
  console.error('assay: installing the locked dependencies (npm ci)');
  const code = npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { stdio: ['ignore', 2, 2] });
  if (code !== 0) process.exit(code);
}

/** Builds every package that has sources. Returns the compiler's exit code. */
export function build() {
  return node(join('node_modules', 'typescript', 'bin', 'tsc'), ['-b', ...projects()], { stdio: ['ignore', 2, 2] });
}

/** Installs and builds. Ends the process when one of them fails. */
export function prepare() {
  install();
  const code = build();
  if (code !== 0) process.exit(code);
}

/** True when what npm last installed is what the lock asks for (packages of other platforms left out). */
export function isInstalled() {
  const wanted = readLock('package-lock.json');
  const present = readLock(join('node_modules', '.package-lock.json'));
  if (wanted === null || present === null) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue;
    const found = present[path];
    if (found === undefined && entry.optional === true) continue;
    if (found?.version !== entry.version || found?.integrity !== entry.integrity || found?.link !== entry.link) return false;
  }
  return true;
}

function readLock(path) {
  const file = join(root, path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).packages ?? null) : null;
}

/** The folders of the packages that have a TypeScript project and a source file. */
export function projects() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join('packages', name))
    .filter((path) => existsSync(join(root, path, 'tsconfig.json')) && existsSync(join(root, path, 'src', 'index.ts')));
}
