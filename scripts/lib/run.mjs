/**
 * Small process helpers of the repository scripts: plain Node, no dependency.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The packages by folder. What was built of one that is gone may still lie beside them. */
export function packageNames() {
  return readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'package.json')),
  );
}

/** Runs a command in the repository's root with its output shown; its exit code. */
export function run(command, args, options = {}) {
  const child = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (child.error) throw child.error;
  return child.status ?? 1;
}

/** Runs a command and keeps its output: { code, stdout, stderr }. */
export function capture(command, args, options = {}) {
  const child = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (child.error) throw child.error;
  return { code: child.status ?? 1, stdout: child.stdout ?? '', stderr: child.stderr ?? '' };
}

/**
 * Command and leading arguments that call npm: the one that started this script, else the one on the path.
 */
export function npmCommand() {
  const path = process.env.npm_execpath;
  return path !== undefined && /npm-cli\.[cm]?js$/.test(path) ? [process.execPath, path] : ['npm'];
}

/** Runs npm with its output shown; its exit code. */
export function npm(args, options = {}) {
  const [command, ...leading] = npmCommand();
  return run(command, [...leading, ...args], options);
}

/** Runs a package's JavaScript bin with this very Node, so that no shell and no path look-up is involved. */
export function node(file, args = [], options = {}) {
  return run(process.execPath, [file, ...args], options);
}
