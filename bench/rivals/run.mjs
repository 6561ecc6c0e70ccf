/**
 * `npm run bench -- --rivals`, or `node bench/rivals/run.mjs [--rounds N]` after a build: installs what the
 * durable step is measured against into this folder (its own lock; nothing else installs it) and runs the
 * bench in a process of its own.
 *
 * Where it cannot be installed, prints a document with `"installed": false` and one line that says what it
 * takes, exit 0.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isInstalled } from '../../scripts/lib/prepare.mjs';
import { capture, npmCommand, root } from '../../scripts/lib/run.mjs';
import { atLeast, machine } from '../lib/targets.mjs';

const FOLDER = 'bench/rivals';
const TAKES =
  'it takes a registry, and for better-sqlite3 a prebuilt binary or Python, make, a C++ ' +
  'compiler and the headers of this Node (npm_config_nodedir)';
const here = fileURLToPath(new URL('.', import.meta.url));

if (!isInstalled(FOLDER)) {
  console.error(`assay: installing ${FOLDER} (npm ci; better-sqlite3 may be compiled, which takes minutes)`);
  const [command, ...leading] = npmCommand();
  const { code, stderr } = capture(
    command,
    [...leading, 'ci', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: here },
  );
  if (code !== 0) withoutRivals(`npm ci ended with ${code}${reasonIn(stderr)}`);
}
const loaded = capture(
  process.execPath,
  [
    '--input-type=module',
    '-e',
    `import Database from 'better-sqlite3'; new Database(':memory:').close(); await ` +
      `import('@langchain/langgraph-checkpoint-sqlite');`,
  ],
  { cwd: here },
);
if (loaded.code !== 0) withoutRivals(`installed, but it does not load${reasonIn(loaded.stderr)}`);
const { status } = spawnSync(
  process.execPath,
  ['--expose-gc', `${root}/${FOLDER}/sqlite-saver.bench.mjs`, ...process.argv.slice(2)],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exit(status ?? 1);

/** Ends the process: not being able to compare is no failure. */
function withoutRivals(why) {
  console.error(`assay: rivals not measured: ${why}; ${TAKES}`);
  const targets = [
    atLeast(
      'sqlite-saver',
      'a durable step (`advance` and an append to SQLite) against one of LangGraph on SqliteSaver at FULL',
      null,
      4,
      'times its rate',
    ),
    atLeast('sqlite-saver-driven', 'the same by `drive`', null, 4, 'times its rate'),
  ];
  console.log(
    JSON.stringify({
      bench: 'sqlite-saver',
      installed: false,
      reason: why,
      takes: TAKES,
      node: process.version,
      machine: machine(),
      targets,
    }),
  );
  process.exit(0);
}

function reasonIn(stderr) {
  const line = stderr.split('\n').find((text) => /error/i.test(text));
  return line === undefined ? '' : ` (${line.trim().slice(0, 160)})`;
}
