/**
 * Imports: inward only, declared, resolvable by plain Node, without cycles.
 *
 * @module
 */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { circleFaults } from './circles.mjs';
import { CONFINED, LEVELS, MACHINE_FREE, isPureFile, isShellEntry } from './layers.mjs';
import { lineAt, walk } from './syntax.mjs';

/** Every import and re-export of a file: [{ specifier, line }]. */
export function importsOf(source) {
  const found = [];
  const add = (node) => found.push({ specifier: node.source.value, line: lineAt(source.text, node.start) });
  walk(source.program, (node) => {
    if (node.type === 'ImportDeclaration') add(node, node.importKind === 'type');
    else if ((node.type === 'ExportNamedDeclaration' && node.source) || node.type === 'ExportAllDeclaration')
      add(node);
    else if (node.type === 'ImportExpression' && node.source.type === 'Literal') add(node);
  });
  return found;
}

/**
 * Faults of all imports. `sources`: the files of every package's src; `manifests`: package name (without
 * scope) to its package.json. Returns the faults, how many modules and imports were seen, and every circle.
 */
export function importFaults(sources, manifests) {
  const faults = [];
  const edges = new Map();
  let imports = 0;
  const paths = new Set(sources.map(({ path }) => path));
  for (const source of sources) {
    const inner = [];
    for (const found of importsOf(source)) {
      imports += 1;
      const fault = judge(source.path, found, paths, manifests);
      if (fault !== null) faults.push({ path: source.path, line: found.line, ...fault });
      if (found.specifier.startsWith('.')) inner.push(target(source.path, found.specifier, paths));
    }
    edges.set(source.path, inner);
  }
  const circles = circleFaults(edges);
  faults.push(...circles.faults);
  return { faults, modules: sources.length, imports, circles: circles.found };
}

function target(path, specifier, paths) {
  const file = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
  return paths.has(`${file}x`) ? `${file}x` : file;
}

function judge(path, { specifier }, paths, manifests) {
  const own = path.split('/')[1];
  if (specifier.startsWith('.')) {
    const file = target(path, specifier, paths);
    if (!file.startsWith(`packages/${own}/src/`))
      return {
        rule: 'import-inward',
        message: `${specifier}: leaves src; import the other package by name, and never tools or tests`,
      };
    if (isPureFile(path) && !isPureFile(file)) return impure(specifier);
    return paths.has(file) && specifier.endsWith('.js')
      ? null
      : {
          rule: 'import-exists',
          message: `${specifier}: no such module; write the path with its .js ending`,
        };
  }
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) {
    if (isPureFile(path)) return impure(specifier);
    return specifier.startsWith('node:')
      ? null
      : { rule: 'import-exists', message: `${specifier}: write node:${specifier}` };
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (MACHINE_FREE.within.test(path) && MACHINE_FREE.machines.test(specifier))
    return {
      rule: 'import-no-machine',
      message: `${specifier}: ${own} judges every machine alike; take machines as an argument`,
    };
  if (specifier.startsWith('@assay/')) {
    const other = name.slice('@assay/'.length);
    if (LEVELS[other] === undefined || LEVELS[own] === undefined)
      return {
        rule: 'import-inward',
        message: `${specifier}: name both packages in scripts/tidy/layers.mjs`,
      };
    if (LEVELS[other] >= LEVELS[own])
      return {
        rule: 'import-inward',
        message:
          `${specifier}: imports point inward only (${own} is level ${LEVELS[own]}, ${other} is ` +
          `${LEVELS[other]})`,
      };
    if (isPureFile(path) && isShellEntry(specifier)) return impure(specifier);
  }
  const manifest = manifests[own] ?? {};
  if (!Object.hasOwn({ ...manifest.dependencies, ...manifest.peerDependencies }, name))
    return {
      rule: 'import-declared',
      message: `${specifier}: not among the dependencies of packages/${own}/package.json`,
    };
  if (name === 'fp-ts' && !/^fp-ts\/lib\/.+\.js$/.test(specifier))
    return { rule: 'import-exists', message: `${specifier}: plain Node finds only fp-ts/lib/….js` };
  const confined = CONFINED[name];
  return confined !== undefined && !confined.within.test(path)
    ? { rule: 'import-confined', message: `${specifier}: ${confined.reason}` }
    : null;
}

function impure(specifier) {
  return {
    rule: 'import-pure',
    message: `${specifier}: pure code imports no Node module and no shell; take it as an argument from a shell`,
  };
}
