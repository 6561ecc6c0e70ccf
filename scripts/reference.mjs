/**
 * `npm run reference`: writes docs/reference from the docstrings of every published entry.
 * `npm run reference -- --check`: writes nothing; fails on an export without a docstring, on a link that
 * leads nowhere and on pages that are not what the docstrings say now.
 */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishable } from './lib/pack.mjs';
import { install, prepare } from './lib/prepare.mjs';
import { node, root } from './lib/run.mjs';

const TOOLS = join(root, 'scripts', 'reference');
const PAGES = join(root, 'docs', 'reference');
const check = process.argv.includes('--check');

prepare();
install('scripts/reference');
const work = mkdtempSync(join(tmpdir(), 'assay-reference-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const out = check ? join(work, 'pages') : PAGES;
const options = join(work, 'typedoc.json');
writeFileSync(options, JSON.stringify(settings(), null, 2));
const code = node(join(TOOLS, 'node_modules', 'typedoc', 'bin', 'typedoc'), ['--options', options], {
  env: { ...process.env, NODE_PATH: join(TOOLS, 'node_modules') },
});
if (code !== 0) process.exit(code);
process.exit(check ? compare(read(PAGES), read(out)) : 0);

function settings() {
  return {
    entryPoints: entryPoints(),
    tsconfig: join(TOOLS, 'tsconfig.json'),
    plugin: [
      join(TOOLS, 'node_modules', 'typedoc-plugin-markdown', 'dist', 'index.js'),
      join(TOOLS, 'names.mjs'),
    ],
    out,
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
    treatValidationWarningsAsErrors: true,
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
      .map((target) => join(folder, target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')))
      .filter((file) => existsSync(file)),
  );
}

function read(folder) {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

function compare(committed, generated) {
  const stale = [...new Set([...committed.keys(), ...generated.keys()])]
    .filter((path) => committed.get(path) !== generated.get(path))
    .sort();
  for (const path of stale)
    console.log(`docs/reference/${path} is not what the docstrings say: npm run reference`);
  console.log(`reference: ${generated.size} pages, ${stale.length} stale`);
  return stale.length === 0 ? 0 : 1;
}
