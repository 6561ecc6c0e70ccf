/**
 * `npm run bench`: every bench of the repository, one after the other; `-- --json` gives one JSON document
 * on stdout. Ratios are taken within one interleaved run; quote them, not single times, and say what else
 * the machine was doing.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { root } from './lib/run.mjs';

const BENCHES = [
  ['record append against its floor (target: ratio at most 2.3)', 'packages/kernel/bench/record.bench.mjs'],
  ['strict verify, integrity and hash-only (target: strict at least 25,000 records/s)', 'packages/verifier/bench/verify.bench.mjs'],
  ['a million records (target: less than 200 MiB)', 'packages/verifier/bench/million.bench.mjs'],
  ['advance as a run grows (target: within 20 % of the middle; at most 1,100 fixed bytes a step)', 'packages/testing/bench/advance.bench.mjs', '--json'],
  ['a driven step as a run grows to 1,000,000 steps (target: at most 1.2 times that of a run of 1,000)', 'packages/host/bench/drive.bench.mjs'],
  ['taking up a run of 100,000 steps (target: less than 3 s)', 'packages/host/bench/resume.bench.mjs'],
  ['a request from text to closed ledger (target: 300 words in 300 ms, 1 MiB in 2 s or refused by a stated limit, no quadratic step)', 'packages/proposers/bench/intent.bench.mjs'],
  ['durable appends to SQLite against bare inserts (target: at least 0.8 of their rate)', 'packages/store-sqlite/bench/durable.bench.mjs'],
  ['durable groups in PostgreSQL against bare inserts (target: at least 0.8 of their rate; not run without ASSAY_TEST_POSTGRES)', 'packages/store-postgres/bench/durable.bench.mjs'],
];
const isJson = process.argv.includes('--json');
const unknown = process.argv.slice(2).find((option) => option !== '--json');
if (unknown !== undefined) {
  console.error(`bench: ${unknown} is no option; it takes --json, and runs for some minutes`);
  process.exit(2);
}

prepare();
const results = {};
for (const [title, path, ...options] of BENCHES) {
  const { stdout, status } = spawnSync(process.execPath, ['--expose-gc', join(root, path), ...options], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 1024 * 1024 });
  if (!isJson) console.log(`== ${title}\n${stdout.trim()}\n`);
  results[path] = { status, result: parse(stdout) };
}
if (isJson) console.log(JSON.stringify(results));
process.exit(Object.values(results).every(({ status }) => status === 0) ? 0 : 1);

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
