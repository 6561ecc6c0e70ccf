/**
 * `npm run reference`: builds docs/reference, which git does not track, from the docstrings of every published
 * entry. Fails on any warning: an export without a docstring, a link that leads nowhere.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishable } from './lib/pack.mjs';
import { install, prepare } from './lib/prepare.mjs';
import { node, root } from './lib/run.mjs';

const TOOLS = join(root, 'scripts', 'reference');

prepare();
install('scripts/reference');
const work = mkdtempSync(join(tmpdir(), 'assay-reference-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const options = join(work, 'typedoc.json');
writeFileSync(options, JSON.stringify(settings(), null, 2));
process.exit(
  node(join(TOOLS, 'node_modules', 'typedoc', 'bin', 'typedoc'), ['--options', options], {
    env: { ...process.env, NODE_PATH: join(TOOLS, 'node_modules') },
  }),
);

function settings() {
  return {
    entryPoints: entryPoints(),
    tsconfig: join(TOOLS, 'tsconfig.json'),
    plugin: [
      join(TOOLS, 'node_modules', 'typedoc-plugin-markdown', 'dist', 'index.js'),
      join(TOOLS, 'names.mjs'),
    ],
    out: join(root, 'docs', 'reference'),
    basePath: root,
    displayBasePath: root,
    alwaysCreateEntryPointModule: true,
    name: 'API reference',
    readme: 'none',
    disableSources: true,
    disableGit: true,
    excludePrivate: true,
    excludeInternal: true,
    sort: ['alphabetical'],
    validation: { notExported: false, invalidLink: true, notDocumented: true },
    requiredToBeDocumented: ['Class', 'Enum', 'Function', 'Interface', 'Method', 'TypeAlias', 'Variable'],
    treatWarningsAsErrors: true,
    skipErrorChecking: true,
    logLevel: 'Warn',
    outputFileStrategy: 'modules',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    useHTMLAnchors: true,
    parametersFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    propertyMembersFormat: 'table',
    tableColumnSettings: { hideSources: true, hideInherited: true, hideOverrides: true, hideModifiers: true },
    cleanOutputDir: true,
  };
}

/** The source of every entry that a published package exports. */
function entryPoints() {
  return publishable().flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports)
      .filter((target) => typeof target === 'object')
      .map((target) => join(folder, target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')))
      .filter((file) => existsSync(file)),
  );
}
