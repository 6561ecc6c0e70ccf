/**
 * Circles of imports, type imports included: none among the files of a package, none among its folders. A
 * folder is the first name below `src`; what lies beside the entry is one more folder, without the entry,
 * which may name everything.
 *
 * @module
 */

/** Faults of a graph of files, and every circle of files and of folders. */
export function circleFaults(edges) {
  const found = { file: circles(edges), folder: circles(foldersOf(edges)) };
  const faults = Object.entries(found).flatMap(([kind, groups]) =>
    groups.map((group) => ({
      path: group[0],
      line: 1,
      rule: `import-cycle${kind === 'file' ? '' : '-of-folders'}`,
      message: `import cycle: ${group.join(' → ')}: move what both need into a third ${kind}`,
    })),
  );
  return { faults, found };
}

/** The folder a file counts to, or null for the entry of a package. */
function folderOf(path) {
  const [, name, , ...inner] = path.split('/');
  if (inner.length > 1) return `packages/${name}/src/${inner[0]}`;
  return inner[0] === 'index.ts' ? null : `packages/${name}/src`;
}

function foldersOf(edges) {
  const folders = new Map();
  for (const [path, targets] of edges) {
    const folder = folderOf(path);
    if (folder === null) continue;
    const known = folders.get(folder) ?? new Set();
    for (const target of targets.map(folderOf)) if (target !== null && target !== folder) known.add(target);
    folders.set(folder, known);
  }
  return folders;
}

/** The cycles of a graph, one per strongly connected group, each as a sorted list. */
function circles(edges) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (path) => {
    order.set(path, order.size);
    low.set(path, order.get(path));
    stack.push(path);
    for (const next of edges.get(path) ?? []) {
      if (!edges.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path), low.get(next)));
    }
    if (low.get(path) !== order.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1 || [...edges.get(path)].includes(path)) found.push(group.sort());
  };
  for (const path of [...edges.keys()].sort()) if (!order.has(path)) visit(path);
  return found;
}
