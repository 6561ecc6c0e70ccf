/**
 * One script and one style, bundled into a page: a shell for each machine, and one with all. A new machine is
 * a row here.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DATA_ID, KEPT_ID } from '../data/packed.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const STYLE = resolve(HERE, '..', '..', 'src', 'page', 'style.css');
const { version: VERSION } = JSON.parse(readFileSync(resolve(HERE, '..', '..', 'package.json'), 'utf8')) as {
  readonly version: string;
};
const ENTRY = '\0assay-shell';

/** What a shell knows: rows of ours, or a module that exports `machines` and `views`. */
export type ShellSource =
  | { readonly rows: readonly ShellRow[]; readonly hasEngine?: boolean }
  | { readonly module: string };

/**
 * Bundles a shell: a page without data. Rejects where rolldown is not installed or the module cannot be
 * bundled for a browser. `inputs`: every file it was made of.
 */
export async function buildShell(
  source: ShellSource,
): Promise<{ readonly page: string; readonly inputs: readonly string[] }> {
  const { rolldown } = await import('rolldown');
  const hasEngine = 'rows' in source && source.hasEngine === true;
  const text = 'rows' in source ? renderEntry(source.rows, hasEngine) : entryOfModule(resolve(source.module));
  const engine = createRequire(import.meta.url).resolve('@assay/ecology/engine.wasm');
  const graph = await rolldown({
    input: ENTRY,
    cwd: HERE,
    platform: 'browser',
    plugins: [
      {
        name: 'assay-shell',
        // The entry is no file, so what it imports is found from here.
        resolveId(id, importer) {
          if (id === ENTRY) return id;
          if (id === ENGINE) return `\0${ENGINE}`;
          return importer === ENTRY && !id.startsWith('/')
            ? this.resolve(id, fileURLToPath(import.meta.url))
            : null;
        },
        load: (id) => (id === ENTRY ? text : id === `\0${ENGINE}` ? engineModule(engine) : null),
      },
    ],
    // A busy machine is no fault of the page.
    checks: { bundlerTimings: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`the shell cannot be bundled: ${log.message}`);
    },
  });
  const { output } = await graph.generate({ format: 'iife', minify: true, codeSplitting: false });
  const inputs = await graph.watchFiles;
  await graph.close();
  const script = output[0].code.trimEnd().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  return {
    page: renderPage(smaller(readFileSync(STYLE, 'utf8')), script, hasEngine),
    inputs: [...inputs, STYLE, ...(hasEngine ? [engine] : [])],
  };
}

/** The bytes of the engine as a module. */
function engineModule(path: string): string {
  return `export const packed = '${gzipSync(readFileSync(path), { level: 9 }).toString('base64')}';`;
}

/** A style without the spaces that nobody reads. */
function smaller(style: string): string {
  return style.replaceAll(/\s*\n\s*/g, '').replaceAll(/\s*([{};,])\s*/g, '$1');
}

const NO_SCRIPT = 'Scripts are off, so nothing was checked. Turn them on, or type: assay verify report.html';

/**
 * A page of a style and a script; `hasEngine`: WebAssembly is let through. Throws a RangeError where the
 * script would end its element.
 */
export function renderPage(style: string, script: string, hasEngine = false): string {
  if (/<\/script|<!--/i.test(script)) throw new RangeError('pageOf: the script holds the end of its element');
  const policy = [
    "default-src 'none'",
    `script-src '${hashText(script)}'${hasEngine ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src '${hashText(style)}'`,
    'worker-src blob:',
    "connect-src 'none'",
    "img-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types assay',
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en" data-assay="checking">',
    '<head>',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<meta name="generator" content="assay ${VERSION}">`,
    '<title>assay report</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<noscript><p>${NO_SCRIPT}</p></noscript>`,
    '<div id="app"><p>checking …</p></div>',
    `<script>${script}</script>`,
    `<script type="application/gzip" id="${DATA_ID}"></script>`,
    `<script type="application/gzip" id="${KEPT_ID}"></script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** A hash as a policy names it. */
function hashText(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}

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
  row('gate', '@assay/gate/machine', '@assay/gate/view'),
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
export function renderEntry(rows: readonly ShellRow[], hasEngine: boolean): string {
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
    `import { start${hasEngine ? ', unpackEngine' : ''} } from '@assay/explorer/page';`,
    `import { viewable } from '@assay/kernel/view';`,
    ...imports,
    ...onEngine.map(({ index, entry, name }) => `import { ${name} as make${index} } from '${entry}';`),
    ...(hasEngine ? [`import { packed } from '${ENGINE}';`] : []),
    `start(async () => {`,
    hasEngine ? `  const engine = await unpackEngine(packed);` : '',
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
