/**
 * `assay impact` over a corpus of recorded intent, controller and tally runs, each decided again; and
 * `assay whatif` of one golden run. Run after a build:
 *
 *   node packages/cli/bench/impact.bench.mjs [--runs N] [--corpus FOLDER] [--json]
 *
 * The corpus is that of scripts/impact/corpus.mjs (another folder may be named instead), and the change
 * takes out the answers of people: every run is decided again, few have any. Wall time, CPU time of all threads
 * and peak memory of the process, one call each; memory also over a tenth of the runs. Targets: 10,000 runs in 60 s
 * on two cores below 300 MiB; two threads 1.7 times one; whatif 250 ms (median of the rounds).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeLine } from '@assay/kernel';
import { atLeast, atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { corpusOf } from '../../../scripts/impact/corpus.mjs';

const RUNS = option('--runs', 10_000);
const ROUNDS = 9;
const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const given = process.argv.indexOf('--corpus');
const corpus = given === -1 ? written(join(folder, 'corpus')) : process.argv[given + 1];

function written(into) {
  let made = 0;
  for (const { name, records } of corpusOf(RUNS)) {
    const inner = join(into, String(Math.floor(made / 1_000)));
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `${name}.ledger.jsonl`), records.map((one) => `${encodeLine(one)}\n`).join(''));
    made += 1;
  }
  return into;
}

function call(args, threads) {
  const used = join(folder, 'used');
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', path('usage.cjs'), path('../bin/assay.mjs'), ...args],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 29,
      env: { ...process.env, ASSAY_USED: used, ...(threads === undefined ? {} : { ASSAY_THREADS: threads }) },
    },
  );
  const wall_ms = performance.now() - start;
  if (status !== 0 && status !== 4) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { wall_ms, ...JSON.parse(readFileSync(used, 'utf8')), stdout };
}

const impact = (where, workers) => {
  const { stdout, ...cost } = call(['impact', where, '--without', 'human', '--json'], workers);
  const { runs, decisions, counts } = JSON.parse(stdout);
  return { ...cost, runs: runs.length, decisions, counts };
};
const tenth = impact(join(corpus, '0'), '2');
const [one, two] = [impact(corpus, '1'), impact(corpus, '2')];
const whatif = Array.from({ length: ROUNDS }, () =>
  call([
    'whatif',
    path('../../../golden-fixtures/intent-clinic-reminders/ledger.jsonl'),
    '--set',
    'min_score=1',
  ]),
);
const whole = two.runs === 10_000;
const targets = [
  atMost(
    'impact',
    '10,000 recorded runs decided again, two threads',
    whole ? two.wall_ms / 1_000 : null,
    60,
    's',
  ),
  // Two cores for a minute: what a busy machine does not falsify as much.
  atMost('impact-cpu', 'its CPU time, all threads', whole ? two.cpu_ms / 1_000 : null, 120, 's'),
  atMost('impact-memory', 'the same, peak memory of the process', whole ? two.peak_mib : null, 300, 'MiB'),
  atLeast('impact-threads', 'two threads against one', one.wall_ms / two.wall_ms, 1.7, 'times'),
  atMost('whatif', 'assay whatif of a golden run', median(whatif.map(({ wall_ms }) => wall_ms)), 250, 'ms'),
];
const whatif_cpu_ms = median(whatif.map(({ cpu_ms }) => cpu_ms));
const report = { machine: machine(), tenth, one, two, whatif_cpu_ms, targets };
console.log(JSON.stringify(shown(report, 1), null, 2));
