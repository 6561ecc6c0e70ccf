/**
 * `npm run crash`: the crash harness in its long form. Writers of the file, SQLite and PostgreSQL store are
 * killed with `kill -9` at moments inside an append and between two, a driving process and a task of
 * `assay task` as well, and the host's simulation runs over 10,000 seeds. One line for each part; exit 1
 * where one fails, its output shown.
 *
 *   npm run crash [-- --kills N] [--seeds N] [--only file,sqlite,postgres,drive,control,gate,ecology,fleet,simulation]
 *     [--runs N] [--engine dbos,bullmq]
 *
 * PostgreSQL is left out, and that is said, unless `ASSAY_TEST_POSTGRES` names a server. CI runs the short
 * form: `npm test`.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { capture, root } from './lib/run.mjs';

const REPORT = join(root, 'reports', 'crash.json');
const given = (name, otherwise) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : otherwise;
const kills = given('--kills', '100');
const seeds = given('--seeds', '10000');
const only = given('--only')?.split(',');
/** Of the fleet: its runs, and the engines it begins with. */
const runs = given('--runs', '2000');
const engines = given('--engine', 'dbos,bullmq');
if (!(Number(kills) > 0 && Number(seeds) > 0 && Number(runs) > 0)) {
  console.error('crash: --kills, --seeds and --runs are numbers above 0');
  process.exit(2);
}
const hasServer = (process.env['ASSAY_TEST_POSTGRES'] ?? '') !== '' || process.env['CI'] === 'true';

/** `tests`: how many tests at least have to pass, so that a file that went empty is no success. */
const PARTS = [
  {
    name: 'file',
    says: `${kills} kills of a writer to files`,
    files: ['packages/host/test/store-file/processes.long.test.ts'],
    tests: 6,
  },
  {
    name: 'sqlite',
    says: `${kills} kills of a writer to SQLite, for each driver`,
    files: ['packages/store-sqlite/test/processes.long.test.ts'],
    tests: 3,
  },
  {
    name: 'postgres',
    says: `${kills} kills of a writer to PostgreSQL`,
    files: ['packages/store-postgres/test/processes.long.test.ts'],
    tests: 4,
    without: hasServer ? null : 'set ASSAY_TEST_POSTGRES=postgres://USER@HOST:PORT/DATABASE',
  },
  {
    name: 'drive',
    says:
      `${kills} kills of a driving command, for each kind of store, and of a driving process; ` +
      `one that drives beside another${hasServer ? '' : ' (not over PostgreSQL)'}`,
    files: ['packages/host/test/kill', 'packages/cli/test/resume-killed.long.test.ts'],
    tests: hasServer ? 5 : 4,
  },
  {
    name: 'control',
    says: `${kills} kills of assay task for each directive and each kind of store`,
    files: ['packages/cli/test/control-killed.long.test.ts'],
    tests: hasServer ? 22 : 15,
  },
  {
    name: 'gate',
    says: `${kills} kills of a process behind a gate`,
    files: ['packages/gate/test/kill'],
    tests: 1,
  },
  {
    name: 'ecology',
    says: `${kills} kills of a world of agents that ask models`,
    files: ['packages/ecology/test/kill'],
    tests: 1,
  },
  {
    name: 'fleet',
    says: `${runs} runs over four processes with ${engines}, killed, stopped, cut off and wiped`,
    files: ['packages/fleet/test/kill'],
    env: { ASSAY_FLEET_RUNS: runs, ASSAY_FLEET_ENGINE: engines },
    tests: 2 * engines.split(',').length,
  },
  {
    name: 'simulation',
    says: `the laws of the host over ${seeds} seeds`,
    files: ['packages/host/test/simulation'],
    env: { ASSAY_LAW_RUNS: seeds },
    tests: 6,
  },
];

prepare();
mkdirSync(join(root, 'reports'), { recursive: true });
const failed = PARTS.filter(({ name }) => only?.includes(name) ?? true).filter((part) => !holds(part));
process.exit(failed.length === 0 ? 0 : 1);

/** Runs one part and prints its line; true unless it failed. */
function holds({ name, says, files, env = { ASSAY_KILLS: kills }, tests, without }) {
  if (without) {
    console.log(`not run  ${name}: ${says}; ${without}`);
    return true;
  }
  const start = process.hrtime.bigint();
  rmSync(REPORT, { force: true });
  const { code, stdout, stderr } = capture(
    process.execPath,
    [
      join('node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${REPORT}`,
      ...files,
    ],
    { env: { ...process.env, ASSAY_LANE: 'long', ...env } },
  );
  const seconds = Math.round(Number(process.hrtime.bigint() - start) / 1e9);
  const passed = code === 0 ? JSON.parse(readFileSync(REPORT, 'utf8')).numPassedTests : 0;
  const isHeld = code === 0 && passed >= tests;
  if (!isHeld) console.log(`${stdout}\n${stderr}`);
  console.log(`${isHeld ? 'held    ' : 'FAILED  '} ${name}: ${says}; ${passed} tests, ${seconds} s`);
  return isHeld;
}
