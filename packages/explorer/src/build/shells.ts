/**
 * The shells that are built: a page for one machine, and one with all. A new machine is a row here.
 *
 * @module
 */

/** A machine and its view, by the entries that export them. */
export type ShellRow = {
  readonly name: string;
  readonly machine: readonly [entry: string, name: string];
  readonly view: readonly [entry: string, name: string];
  /** False: only in the page with all. */
  readonly hasShell: boolean;
};

/** Every machine that a page of ours knows. */
export const SHELLS: readonly ShellRow[] = [
  row('intent', '@assay/kernel/intent', '@assay/kernel/intent-view'),
  row('controller', '@assay/controller', '@assay/controller/view'),
  row('memory', '@assay/controller/memory', '@assay/controller/memory-view'),
  row('planner', '@assay/planner', '@assay/planner/view'),
  // The worked example of the guides.
  { ...row('tally', '@assay/testing/tally', '@assay/testing/tally-view'), hasShell: false },
];

/** The page with all machines. */
export const ALL = 'all';

function row(name: string, machine: string, view: string): ShellRow {
  return { name, machine: [machine, name], view: [view, `${name}View`], hasShell: true };
}

/** The script of a shell with these machines. */
export function entryOf(rows: readonly ShellRow[]): string {
  const imports = rows.flatMap(({ machine, view }, index) => [
    `import { ${machine[1]} as machine${index} } from '${machine[0]}';`,
    `import { ${view[1]} as view${index} } from '${view[0]}';`,
  ]);
  const views = rows.map((_, index) => `viewable(view${index}, machine${index})`);
  return [
    `import { start } from '@assay/explorer/page';`,
    `import { viewable } from '@assay/kernel/view';`,
    ...imports,
    `start({ views: [${views.join(', ')}], machines: [] });`,
  ].join('\n');
}

/** The script of a shell with the machines of a user's module: `machines`, and `views` where it has them. */
export function entryOfModule(path: string): string {
  return [
    `import { start } from '@assay/explorer/page';`,
    `import { viewable } from '@assay/kernel/view';`,
    `import { replayable } from '@assay/kernel';`,
    `import * as own from ${JSON.stringify(path)};`,
    // Spread, since a bundler refuses to name an export that is not there.
    `const { machines, views = [] } = { ...own };`,
    `const viewOf = ({ name, version }) =>`,
    `  views.find((view) => view.machine === name && view.versions.includes(version));`,
    `const [shown, plain] = [machines.filter(viewOf), machines.filter((one) => !viewOf(one))];`,
    `start({`,
    `  views: shown.map((machine) => viewable(viewOf(machine), machine)),`,
    `  machines: plain.map((machine) => replayable(machine)),`,
    `});`,
  ].join('\n');
}
