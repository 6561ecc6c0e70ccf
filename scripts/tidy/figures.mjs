/**
 * The figures of the house that may only fall: each is counted from the sources and held against its bound.
 *
 * @module
 */
import { importsOf } from './imports.mjs';

/** The committed bounds; `npm run tidy -- --write` lowers them to what is reached. */
export const BOUNDS = 'docs/house.json';

/** A package of a machine; the sandbox is none. */
const MACHINE = /^@assay\/(?:controller|planner|gate|ecology(?!\/sandbox|\/engine)|kernel\/intent)(?:$|[/-])/;
/** The packages of the machines, and the table that names them. */
const AT_HOME = /^packages\/(?:controller|planner|gate|ecology|kernel)\/|^packages\/views\/src\/machines\//;

/** `packaged`: the sources of all packages; `all`: every code file; `names`: the list of public names. */
export function houseFigures(packaged, all, names) {
  const lines = (sources) => sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const command = packaged.filter(({ path }) => path.startsWith('packages/cli/src/'));
  const published = [...names.matchAll(/^ {2}(\S+)$/gm)].map(([, name]) => name);
  return {
    lines: lines(packaged),
    files: packaged.length,
    command_lines: lines(command),
    command_files: command.length,
    name_a_machine: packaged.filter(
      (source) =>
        !AT_HOME.test(source.path) && importsOf(source).some(({ specifier }) => MACHINE.test(specifier)),
    ).length,
    public_names: published.length,
    unused_names: unused(new Set(published), all),
    long_lines: all.flatMap(({ text }) => text.split('\n')).filter((line) => line.length > 120).length,
  };
}

/** How many names stand in one file alone, indexes not counted. */
function unused(published, all) {
  const found = new Map();
  for (const { path, text } of all) {
    // The table of machines is no list of exports.
    if (path.endsWith('/index.ts') && !text.includes('import(')) continue;
    for (const [word] of new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []).entries())
      if (published.has(word)) found.set(word, (found.get(word) ?? 0) + 1);
  }
  return [...published].filter((name) => (found.get(name) ?? 0) < 2).length;
}

/** A fault for each figure above its bound. */
export function boundFaults(figures, bounds) {
  return Object.entries(figures).flatMap(([name, figure]) =>
    figure <= (bounds[name] ?? 0)
      ? []
      : [
          {
            path: BOUNDS,
            line: 1,
            rule: 'house',
            message: `${name} is ${figure}, and the bound is ${bounds[name] ?? 0}: it may only fall`,
          },
        ],
  );
}
