/**
 * The house as its imports draw it: each package with what it is for, the packages it imports, and its folders,
 * inner ones first, with the folders they import.
 *
 * @module
 */
import { importsOf } from '../tidy/imports.mjs';
import { LEVELS } from '../tidy/layers.mjs';

/**
 * The lines of the drawing, from level 0 outward. `sources`: the files of every package's src; `describe`: what a
 * package is for.
 */
export function roomLines(sources, describe) {
  const rooms = new Map();
  for (const source of sources) {
    const [, name, , ...inner] = source.path.split('/');
    const room = rooms.get(name) ?? { imports: new Set(), folders: new Map() };
    rooms.set(name, room);
    const folder = inner.length > 1 ? inner[0] : null;
    if (folder !== null && !room.folders.has(folder)) room.folders.set(folder, new Set());
    for (const { specifier } of importsOf(source)) {
      const other = /^@assay\/([^/]+)/.exec(specifier)?.[1];
      if (other !== undefined) room.imports.add(other);
      const target = specifier.startsWith('.') ? folderOf(source.path, specifier) : null;
      if (folder !== null && target !== null && target !== folder) room.folders.get(folder).add(target);
    }
  }
  const byLevel = ([one], [other]) => LEVELS[one] - LEVELS[other] || (one < other ? -1 : 1);
  return [...rooms]
    .sort(byLevel)
    .flatMap(([name, { imports, folders }]) => [
      `${LEVELS[name]}  ${name}: ${describe(name)}`,
      ...arrow('   imports ', [...imports].sort()),
      ...inward(folders).flatMap((folder) => [
        `     ${[folder, ...inward(folders.get(folder))].join(' ← ')}`,
      ]),
    ]);
}

function arrow(label, names) {
  return names.length === 0 ? [] : [`${label}${names.join(', ')}`];
}

function folderOf(path, specifier) {
  const parts = new URL(specifier, `file:///${path}`).pathname.split('/').slice(4);
  return parts.length > 1 ? parts[0] : null;
}

/** Folders so that each stands behind those it imports; a set stays as it is, sorted. */
function inward(folders) {
  if (folders instanceof Set) return [...folders].sort();
  const placed = new Set();
  const place = (folder) => {
    if (placed.has(folder)) return;
    placed.add(folder);
    for (const inner of [...(folders.get(folder) ?? [])].sort()) place(inner);
    order.push(folder);
  };
  const order = [];
  for (const folder of [...folders.keys()].sort()) place(folder);
  return order;
}
