/**
 * The `assay` command as a whole, from the start of its process to its end. Run after a build:
 *
 *   node packages/cli/bench/command.bench.mjs [--json]
 *
 * `run` decides a request of 300 words by the rules and writes ledger, results and documents to a folder of
 * its own; `help` decides nothing; `bare` is a Node that does nothing, the part that is not ours. They take
 * turns. Medians of the rounds: wall time, and CPU time of all threads. Target: 300 words in 300 ms.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { wordsOf } from '../../../bench/lib/texts.mjs';

const ROUNDS = option('--rounds', 15);
const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const request = join(folder, 'request.txt');
const spent = join(folder, 'spent');
writeFileSync(request, wordsOf(300));
const plan = join(folder, 'plan.json');
const tasks = Array.from({ length: 200 }, (_, at) => ({
  id: `t${at}`,
  after: at % 7 === 0 ? [] : [`t${at - 1}`],
  minutes: [10, 20, 40],
  confidence: 600_000,
  amounts: { cost: [5, 10, 20] },
}));
const rows = [{ id: 'cost', unit: 'cents', op: '<=', cap: 3_000 }];
writeFileSync(plan, JSON.stringify({ plan: 1, rows, deadline: { op: '<=', minutes: 2_000 }, tasks }));

const CALLS = {
  run: (round) => [
    path('../bin/assay.mjs'),
    'run',
    request,
    '--proposer',
    'rules',
    '--set',
    'run_id=r',
    '--set',
    'ts_base=t',
    '-o',
    join(folder, `out-${round}`),
  ],
  plan: () => [path('../bin/assay.mjs'), 'check', plan],
  help: () => [path('../bin/assay.mjs'), '--help'],
  bare: () => ['-e', '0'],
};

/** One call: its milliseconds from outside, and those of CPU that it counted itself. */
function measure(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', path('../test/lib/spent.cjs'), ...args],
    { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', env: { ...process.env, ASSAY_SPENT: spent } },
  );
  const wall = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { wall, cpu: Number(readFileSync(spent, 'utf8')) };
}

const taken = Object.fromEntries(Object.keys(CALLS).map((name) => [name, []]));
for (let round = -2; round < ROUNDS; round += 1) {
  // The first two fill the system's file cache.
  for (const [name, argsOf] of Object.entries(CALLS))
    (round < 0 ? [] : taken[name]).push(measure(argsOf(round)));
}

const middle = (name, what) => median(taken[name].map((one) => one[what]));
const report = { bench: 'command', node: process.version, machine: machine(), rounds: ROUNDS };
for (const name of Object.keys(CALLS))
  report[name] = {
    wall_ms: middle(name, 'wall'),
    wall_ms_least: Math.min(...taken[name].map(({ wall }) => wall)),
    cpu_ms: middle(name, 'cpu'),
  };
report.targets = [
  atMost('command-run', '`assay run` on 300 words, the whole process', report.run.wall_ms, 300, 'ms'),
  atMost('command-run-cpu', 'its CPU time, all threads', report.run.cpu_ms, 300, 'ms'),
  atMost(
    'command-plan-check',
    '`assay check` on 200 tasks that fit, the whole process',
    report.plan.wall_ms,
    400,
    'ms',
  ),
];
console.log(JSON.stringify(shown(report, 1), null, process.argv.includes('--json') ? 0 : 2));
