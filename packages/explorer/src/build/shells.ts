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
  /** Has another shell, NAME-engine: with the engine of contracts inside, and the machine with and without it. */
  readonly withEngine?: readonly [entry: string, name: string];
};

/** Every machine that a page of ours knows. */
export const SHELLS: readonly ShellRow[] = [
  row('intent', '@assay/kernel/intent', '@assay/kernel/intent-view'),
  row('controller', '@assay/controller', '@assay/controller/view'),
  row('memory', '@assay/controller/memory', '@assay/controller/memory-view'),
  row('planner', '@assay/planner', '@assay/planner/view'),
  {
    ...row('ecology', '@assay/ecology', '@assay/ecology/view'),
    withEngine: ['@assay/ecology', 'ecologyMachine'],
  },
  // The worked example of the guides.
  { ...row('tally', '@assay/testing/tally', '@assay/testing/tally-view'), hasShell: false },
];

/** The page with all machines. */
export const ALL = 'all';

function row(name: string, machine: string, view: string): ShellRow {
  return { name, machine: [machine, name], view: [view, `${name}View`], hasShell: true };
}

/** What the build gives for the engine: its bytes, as base64 of gzip. */
export const ENGINE = 'assay:engine';

/** The script of a shell with these machines; `hasEngine`: also on the engine, where one has that. */
export function entryOf(rows: readonly ShellRow[], hasEngine: boolean): string {
  const imports = rows.flatMap(({ machine, view }, index) => [
    `import { ${machine[1]} as machine${index} } from '${machine[0]}';`,
    `import { ${view[1]} as view${index} } from '${view[0]}';`,
  ]);
  const views = rows.map((_, index) => `viewable(view${index}, machine${index})`);
  const onEngine = hasEngine
    ? rows.flatMap(({ withEngine }, index) =>
        withEngine === undefined ? [] : [{ index, entry: withEngine[0], name: withEngine[1] }],
      )
    : [];
  const more = onEngine.map(({ index }) => `viewable(view${index}, make${index}(engine))`);
  return [
    `import { start${hasEngine ? ', engineOf' : ''} } from '@assay/explorer/page';`,
    `import { viewable } from '@assay/kernel/view';`,
    ...imports,
    ...onEngine.map(({ index, entry, name }) => `import { ${name} as make${index} } from '${entry}';`),
    ...(hasEngine ? [`import { packed } from '${ENGINE}';`] : []),
    `start(async () => {`,
    hasEngine ? `  const engine = await engineOf(packed);` : '',
    `  const more = ${hasEngine ? `engine === null ? [] : [${more.join(', ')}]` : '[]'};`,
    `  return { views: [${views.join(', ')}, ...more], machines: [] };`,
    `});`,
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
    `start(async () => ({`,
    `  views: shown.map((machine) => viewable(viewOf(machine), machine)),`,
    `  machines: plain.map((machine) => replayable(machine)),`,
    `}));`,
  ].join('\n');
}
