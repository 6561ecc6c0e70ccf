/**
 * `npm test`: installs and builds where needed, then runs every test, the repository's own included.
 *
 * Further arguments go to Vitest (`npm test -- packages/kernel`). With `CI=true` a skipped test fails the
 * run; the machine-readable result is in `reports/vitest.json`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { node, root } from './lib/run.mjs';

const REPORT = join(root, 'reports', 'vitest.json');
const given = process.argv.slice(2);

prepare();
mkdirSync(join(root, 'reports'), { recursive: true });
rmSync(REPORT, { force: true });
const code = node(join('node_modules', 'vitest', 'vitest.mjs'), [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${REPORT}`,
  ...given,
]);
process.exit(code === 0 && process.env['CI'] === 'true' && given.length === 0 ? forbidSkips() : code);

function forbidSkips() {
  if (!existsSync(REPORT)) return 1;
  const skipped = JSON.parse(readFileSync(REPORT, 'utf8')).testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status !== 'passed')
      .map((test) => `${file.name}: ${test.fullName} (${test.status})`),
  );
  for (const line of skipped) console.error(`not run, which CI forbids: ${line}`);
  return skipped.length === 0 ? 0 : 1;
}
