/**
 * What a step costs as a run grows to 1,000,000 steps, against one of a run of 1,000. Run after a build:
 *
 *   node packages/host/bench/drive.bench.mjs [--json] [--steps N]
 *
 * The long run is stopped ten times, in its port, to drive fresh runs of 1,000 steps; then a window of the
 * long run of as many steps is timed. So each ratio compares what was measured one right after the other.
 * User and system CPU time, because other work shares the machine. The store encodes what it is given and
 * forgets it.
 */
import { drive } from '@assay/host';
import { atMost, machine } from '../../../bench/lib/targets.mjs';
import { counter, forgetfulStore, genesisOf, ports } from './counter.mjs';

const SHORT = 1_000;
const SHORT_RUNS = 20;
const isJson = process.argv.includes('--json');
const steps = Number(process.argv[process.argv.indexOf('--steps') + 1]) || 1_000_000;
const every = Math.floor(steps / 10);
const answering = ports();

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Microseconds a step of fresh short runs. */
async function short() {
  const start = cpu();
  for (let run = 0; run < SHORT_RUNS; run += 1)
    await drive(counter, genesisOf(SHORT), { store: forgetfulStore(), ports });
  return (cpu() - start) / (SHORT * SHORT_RUNS);
}

await short();
const rows = [];
let answers = 0;
let window = null;
const port = {
  ...answering,
  perform: async (...given) => {
    answers += 1;
    if (window !== null && answers === window.from + SHORT * SHORT_RUNS) {
      const long = (cpu() - window.start) / (SHORT * SHORT_RUNS);
      rows.push({
        steps: answers,
        cpu_us_short: Number(window.short.toFixed(1)),
        cpu_us_long: Number(long.toFixed(1)),
        ratio: long / window.short,
      });
      window = null;
    }
    if (answers % every === every - SHORT * SHORT_RUNS) {
      const cost = await short();
      window = { from: answers, short: cost, start: cpu() };
    }
    return answering.perform(...given);
  },
};
const driven = await drive(counter, genesisOf(steps), {
  store: forgetfulStore(),
  ports: () => port,
  steps: steps + 1,
});
if (driven._tag !== 'Right' || driven.right.end !== 'success') throw new Error(JSON.stringify(driven));

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ratio = median(rows.slice(-5).map((row) => row.ratio));
const target = atMost(
  'drive-growth',
  'a driven step in a run of 1,000,000 steps against one in runs of 1,000',
  steps < 1_000_000 ? null : ratio,
  1.2,
  'times its cost',
);
const report = { bench: 'drive', node: process.version, machine: machine(), rows, ratio, targets: [target] };
const lines = rows.map(
  (row) =>
    `${row.steps} steps: ${row.cpu_us_long} µs of CPU a step, ${row.cpu_us_short} in runs of ${SHORT} (${row.ratio})`,
);
console.log(
  isJson
    ? JSON.stringify(report)
    : [...lines, `ratio over the second half, median: ${report.ratio} (target 1.2)`].join('\n'),
);
