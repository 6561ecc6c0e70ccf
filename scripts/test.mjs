/**
 * `npm test`: installs and builds where needed, then runs the tests a person waits for: laws drawn 100 times, nothing
 * that kills processes or takes minutes. `npm run test:long` (`--long`): the files `*.long.test.ts` that each commit is
 * held to; with `--nightly` all of them, every guide, and every law besides, drawn 1,000 times.
 *
 * `--slow` prints the ten slowest files. Further arguments go to Vitest (`npm test -- packages/kernel`). With `CI=true`
 * a skipped test fails the run; the machine-readable result is in `reports/vitest.json`.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { capture, node, root } from './lib/run.mjs';

const REPORT = join(root, 'reports', 'vitest.json');
const OWN = ['--slow', '--long', '--nightly'];
const isLong = process.argv.includes('--long');
const isNightly = process.argv.includes('--nightly');
/** Long files of `--nightly` alone: kills, which `npm run crash` repeats, sizes, and the action. */
const NIGHTLY = /(?:\/kill|\/processes|-killed|\/gigabyte|\/action)\.long\.test\.ts$/;
const given = process.argv.slice(2).filter((argument) => !OWN.includes(argument));

prepare();
mkdirSync(join(root, 'reports'), { recursive: true });
rmSync(REPORT, { force: true });
// Whatever a test leaves behind is in a folder that goes.
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'assay-test-'));
// Some tests act as another user.
chmodSync(folder, 0o755);
const code = node(
  join('node_modules', 'vitest', 'vitest.mjs'),
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`, ...filters()],
  { env: { ...process.env, TMPDIR: folder, ASSAY_BUILT: 'true', ...(isLong ? lane() : {}) } },
);
rmSync(folder, { recursive: true, force: true });
if (process.argv.includes('--slow')) tellSlow();
process.exit(code === 0 && process.env['CI'] === 'true' && given.length === 0 ? forbidSkips() : code);

function lane() {
  return { ASSAY_LANE: 'long', ...(isNightly ? { ASSAY_LAW_RUNS: '1000', ASSAY_NIGHTLY: 'true' } : {}) };
}

/** In the long lane: the long files, and with `--nightly` those that draw laws. */
function filters() {
  if (!isLong || given.some((argument) => !argument.startsWith('-'))) return given;
  const tests = capture('git', ['ls-files', '*.test.ts'])
    .stdout.split('\n')
    .filter((path) => path !== '');
  const drawn = /tools\/laws\.[jt]s'|\.\/scenarios\.[jt]s'|ASSAY_LANE|isTriedOn/;
  const isWanted = (path) =>
    path.endsWith('.long.test.ts')
      ? isNightly || !NIGHTLY.test(path)
      : isNightly && drawn.test(readFileSync(join(root, path), 'utf8'));
  return [...given, ...tests.filter((path) => existsSync(join(root, path)) && isWanted(path))];
}

function results() {
  return existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, 'utf8')).testResults : [];
}

function tellSlow() {
  const files = results().map(({ name, startTime, endTime }) => [(endTime - startTime) / 1_000, name]);
  for (const [seconds, name] of files.toSorted(([a], [b]) => b - a).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${relative(root, name)}`);
}

function forbidSkips() {
  if (!existsSync(REPORT)) return 1;
  const skipped = results().flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status !== 'passed')
      .map((test) => `${file.name}: ${test.fullName} (${test.status})`),
  );
  for (const line of skipped) console.error(`not run, which CI forbids: ${line}`);
  return skipped.length === 0 ? 0 : 1;
}
