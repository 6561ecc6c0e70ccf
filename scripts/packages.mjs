/**
 * `npm run check:packages`: what would be published. Packs every publishable package and judges the
 * tarball with publint and "are the types wrong", then the house's own rules: license, first page,
 * nothing but what was meant to be in it, exact versions, one version for all.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll } from './lib/pack.mjs';
import { install, prepare } from './lib/prepare.mjs';
import { capture, root } from './lib/run.mjs';

const WANTED = /^(?:bin\/|dist\/|src\/|schemas\/|LICENSE$|README\.md$|package\.json$)/;
const UNWANTED = /(?:\.tsbuildinfo|\.test\.[cm]?[jt]s|\.map\.map)$|(?:^|\/)\.[^/]*$/;

prepare();
install('scripts/checks');
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
const bins = join(root, 'scripts', 'checks', 'node_modules');
const work = mkdtempSync(join(tmpdir(), 'assay-packages-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
let faults = 0;

for (const { name, manifest, tarball, files } of packAll(join(work, 'tarballs'))) {
  const found = [
    ...houseFaults(manifest, files),
    ...tool('publint', [join(bins, 'publint', 'src', 'cli.js'), '--strict', tarball]),
    ...tool('attw', [
      join(bins, '@arethetypeswrong', 'cli', 'dist', 'index.js'),
      '--profile',
      'esm-only',
      '--no-emoji',
      tarball,
      // Entries that are no modules have no types to resolve.
      ...entriesBeside(manifest),
    ]),
  ];
  console.log(`${name}: ${files.length} files, ${found.length === 0 ? 'sound' : `${found.length} faults`}`);
  for (const fault of found) console.log(`  ${fault}`);
  faults += found.length;
}
process.exit(faults === 0 ? 0 : 1);

function houseFaults(manifest, files) {
  const faults = [];
  for (const file of ['LICENSE', 'README.md']) if (!files.includes(file)) faults.push(`${file} is missing`);
  if (manifest.license !== 'Apache-2.0') faults.push(`license is ${manifest.license}, not Apache-2.0`);
  if (manifest.version !== version)
    faults.push(`version is ${manifest.version}, the repository's is ${version}`);
  if (manifest.type !== 'module') faults.push('not an ES module package');
  if (!manifest.engines?.node) faults.push('engines.node is missing');
  for (const script of ['preinstall', 'install', 'postinstall'])
    if (manifest.scripts?.[script]) faults.push(`has an install script: ${script}`);
  for (const [name, range] of Object.entries(manifest.dependencies ?? {}))
    if (!/^\d+\.\d+\.\d+$/.test(range)) faults.push(`dependency ${name} is not exact: ${range}`);
  for (const file of files)
    if (!WANTED.test(file) || UNWANTED.test(file)) faults.push(`not meant to be published: ${file}`);
  return faults;
}

function tool(label, args) {
  const { code, stdout, stderr } = capture(process.execPath, args, {
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  return code === 0 ? [] : [`${label}: ${`${stdout}${stderr}`.trim().replaceAll('\n', '\n    ')}`];
}

/** As options: the entries of a package that are files of another kind, such as a WebAssembly module. */
function entriesBeside({ exports: entries = {} }) {
  const beside = Object.entries(entries).flatMap(([entry, to]) =>
    typeof to === 'string' && !/\.(?:js|json)$/.test(to) ? [entry] : [],
  );
  return beside.length === 0 ? [] : ['--exclude-entrypoints', ...beside];
}
