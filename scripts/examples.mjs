/**
 * `npm run check:examples`: the programs of `examples/embeddings` in the frameworks they are for. Each folder
 * with a lock of its own is installed (`npm ci`) where its `node_modules` is not what the lock asks for; then
 * the tests of all folders, then the guides that need a framework and the probes of `npm run probes`.
 * `-- NAME…` checks these folders alone; a name that is none is refused before anything is done.
 *
 * Where a framework cannot be had its folder is left out with one line, and with `CI=true` that is a failure.
 * What needs PostgreSQL says so (`ASSAY_TEST_POSTGRES`).
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withoutRuntime } from './lib/cache.mjs';
import { isInstalled, prepare } from './lib/prepare.mjs';
import { node, npm, root } from './lib/run.mjs';

const EMBEDDINGS = join('examples', 'embeddings');

const named = process.argv.slice(2);
const tests = (name) =>
  readdirSync(join(root, EMBEDDINGS, name))
    .filter((file) => file.endsWith('.test.mjs'))
    .map((file) => join(EMBEDDINGS, name, file));
const all = readdirSync(join(root, EMBEDDINGS)).filter((name) => tests(name).length > 0);
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(
    `examples: ${EMBEDDINGS} has no folder ${unknown.join(', ')} with tests; it has ${all.join(', ')}`,
  );
  process.exit(2);
}
const names = all.filter((name) => named.length === 0 || named.includes(name));
prepare();
const ready = names.filter(isReady);
for (const name of names) if (!ready.includes(name)) withoutRuntime(name);

// One file after the other: they start processes and servers, and a small machine has two cores.
if (node('--test', ['--test-concurrency=1', '--test-reporter=spec', ...ready.flatMap(tests)]) !== 0)
  process.exitCode = 1;
if (named.length === 0 && ready.length === names.length) {
  const guides = node(
    join('node_modules', 'vitest', 'vitest.mjs'),
    ['run', 'test/guides.long.test.ts', '--reporter=dot'],
    { env: { ...process.env, ASSAY_LANE: 'long', ASSAY_EXAMPLES: 'true' } },
  );
  if (guides !== 0 || node(join('scripts', 'probes.mjs')) !== 0) process.exitCode = 1;
}

/**
 * Installs what a folder's lock asks for; false where it cannot be had. Install scripts are not run: none of
 * the frameworks needs one.
 */
function isReady(name) {
  // The browser's driver is among the tools of the checks.
  const folder = name === 'worker' ? join('scripts', 'checks') : join(EMBEDDINGS, name);
  if (!existsSync(join(root, folder, 'package.json')) || isInstalled(folder)) return true;
  console.error(`assay: installing the locked dependencies of ${folder} (npm ci)`);
  return (
    npm(['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: join(root, folder),
      stdio: ['ignore', 2, 2],
    }) === 0
  );
}
