/**
 * The repository as tidy sees it: every TypeScript and module file that git tracks or would track.
 *
 * @module
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageNames } from '../lib/run.mjs';
import { determinismFaults } from './determinism.mjs';
import { boundFaults, BOUNDS, houseFigures } from './figures.mjs';
import { houseFaults } from './house.mjs';
import { importFaults } from './imports.mjs';
import { isPureFile } from './layers.mjs';
import { entriesOf, publicNamesText } from './names.mjs';
import { readSource } from './syntax.mjs';

const IGNORED = new Set(['node_modules', 'dist', 'coverage', 'reports', '.git', '.cache', '.stryker-tmp']);
/** The committed list of public names; `npm run tidy -- --write` writes it. */
export const NAMES = 'docs/public-names.txt';
const CODE = /\.(?:tsx?|mts|mjs|js)$/;

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

/** Judges the whole tree. `names`: the list of public names as the sources have them. */
export function judgeTree(root) {
  const sources = codeFiles(root).map((path) => readSource(path, readFileSync(join(root, path), 'utf8')));
  const packaged = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
  const pure = packaged.filter(({ path }) => isPureFile(path));
  const manifests = Object.fromEntries(
    packageNames().map((name) => [
      name,
      JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')),
    ]),
  );
  const imported = importFaults(packaged, manifests);
  const names = publicNamesText(
    entriesOf(manifests),
    new Map(packaged.map(({ path, program }) => [path, program])),
  );
  const faults = [...sources.flatMap(houseFaults), ...pure.flatMap(determinismFaults), ...imported.faults];
  if (!existsSync(join(root, NAMES)) || readFileSync(join(root, NAMES), 'utf8') !== names)
    faults.push({
      path: NAMES,
      line: 1,
      rule: 'public-names',
      message: 'is not what the entries export: npm run tidy -- --write, and look at the difference',
    });
  const figures = houseFigures(packaged, sources, names);
  const bounds = existsSync(join(root, BOUNDS)) ? JSON.parse(readFileSync(join(root, BOUNDS), 'utf8')) : {};
  faults.push(...boundFaults(figures, bounds));
  faults.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  return {
    faults,
    files: sources.length,
    pure: pure.length,
    modules: imported.modules,
    imports: imported.imports,
    circles: imported.circles,
    figures,
    bounds,
    names,
  };
}
