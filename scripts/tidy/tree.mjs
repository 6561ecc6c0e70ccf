/**
 * The repository as tidy sees it: every TypeScript and module file that git tracks or would track.
 *
 * @module
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { determinismFaults } from './determinism.mjs';
import { houseFaults } from './house.mjs';
import { importFaults } from './imports.mjs';
import { isPureFile } from './layers.mjs';
import { readSource } from './syntax.mjs';

const IGNORED = new Set(['node_modules', 'dist', 'coverage', 'reports', '.git', '.cache', '.stryker-tmp']);
const CODE = /\.(?:ts|mts|mjs|js)$/;

/** Paths of every code file below a folder, with forward slashes, sorted. */
export function codeFiles(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : codeFiles(root, path);
      return CODE.test(entry.name) ? [path] : [];
    })
    .sort();
}

/** Judges the whole tree: { faults, files, pure, modules, imports }. */
export function judgeTree(root) {
  const sources = codeFiles(root).map((path) => readSource(path, readFileSync(join(root, path), 'utf8')));
  const packaged = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
  const pure = packaged.filter(({ path }) => isPureFile(path));
  const manifests = Object.fromEntries(
    readdirSync(join(root, 'packages')).map((name) => [
      name,
      JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')),
    ]),
  );
  const imported = importFaults(packaged, manifests);
  const faults = [...sources.flatMap(houseFaults), ...pure.flatMap(determinismFaults), ...imported.faults];
  faults.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  return {
    faults,
    files: sources.length,
    pure: pure.length,
    modules: imported.modules,
    imports: imported.imports,
  };
}
