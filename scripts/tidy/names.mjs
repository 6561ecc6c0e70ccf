/**
 * Public names: what a published package exports from the entries its package.json names. They are read from
 * the sources, so that nothing needs to be built.
 *
 * @module
 */
import { posix } from 'node:path';

/** Names a module exports itself or hands on from others, each with its kind: 'type' or 'value'. */
export function exportedNames(path, programs) {
  const names = new Map();
  for (const node of programs.get(path)?.body ?? []) {
    if (node.type === 'ExportAllDeclaration') {
      const from = posix.join(posix.dirname(path), node.source.value).replace(/\.js$/, '.ts');
      for (const [name, kind] of exportedNames(from, programs)) names.set(name, kind);
    } else if (node.type === 'ExportNamedDeclaration') {
      for (const { exported, exportKind } of node.specifiers)
        names.set(exported.name, node.exportKind === 'type' || exportKind === 'type' ? 'type' : 'value');
      for (const [name, kind] of declared(node.declaration)) names.set(name, kind);
    }
  }
  return names;
}

function declared(node) {
  switch (node?.type) {
    case undefined:
      return [];
    case 'VariableDeclaration':
      return node.declarations.map(({ id }) => [id.name, 'value']);
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return [[node.id.name, 'type']];
    default:
      return [[node.id.name, 'value']];
  }
}

/** The source file of every entry of the published packages: [[entry as a user imports it, path]], sorted. */
export function entriesOf(manifests) {
  return Object.entries(manifests)
    .filter(([, manifest]) => manifest.private !== true && manifest.exports !== undefined)
    .flatMap(([folder, { exports }]) =>
      modules(exports).map(([key, { default: built }]) => [
        `@assay/${folder}${key.slice(1)}`,
        `packages/${folder}/${built.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')}`,
      ]),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The entries that are modules; an entry given by its path alone is a file (`engine.wasm`). */
function modules(exports) {
  return Object.entries(exports).filter(([, target]) => typeof target === 'object');
}

/** The committed list: a line for each entry, below it its names, indented and sorted. */
export function publicNamesText(entries, programs) {
  return entries
    .map(([entry, path]) => `${[entry, ...[...exportedNames(path, programs).keys()].sort()].join('\n  ')}\n`)
    .join('');
}
