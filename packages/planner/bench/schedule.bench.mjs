/**
 * The critical path of a large network, a core, repairs of random plans, and a certificate over a thousand
 * tasks. Run after a build:
 *
 *   node packages/planner/bench/schedule.bench.mjs [--json] [--instances N]
 *
 * User CPU time, because other work shares the machine.
 */
import {
  checkCertificate,
  checkPlan,
  coreBest,
  parsePlan,
  makeQuestion,
  repair,
  schedule,
} from '@assay/planner/schedule';
import { atLeast, atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';
import { numbers, randomPlan } from './instances.mjs';

const TASKS = 100_000;
const EDGES = 3;
const ROUNDS = 5;
const instances = option('--instances', 100);

function timed(run) {
  const start = process.cpuUsage().user;
  const result = run();
  return { result, ms: (process.cpuUsage().user - start) / 1_000 };
}

function read(options) {
  const plan = parsePlan(randomPlan(options));
  if (plan._tag === 'Left') throw new Error(JSON.stringify(plan.left));
  return plan.right;
}

const below = numbers(7);
const network = Array.from({ length: TASKS }, (_, task) => ({
  id: `t${task}`,
  after: [...new Set(Array.from({ length: Math.min(task, EDGES) }, () => Math.max(0, task - 1 - below(50))))],
}));
const minutes = network.map(() => 1 + below(100));
const critical = median(
  Array.from({ length: ROUNDS }, () => timed(() => schedule(network, minutes, null)).ms),
);

const repairs = Array.from({ length: instances }, (_, seed) => {
  const plan = read({ tasks: 30, approaches: 4, rows: 3, percent: 80, seed: seed + 1 });
  return timed(() => repair(plan));
});
const isProven = ({ label, unfinished }) => label !== 'open' && label !== 'bounded' && unfinished !== 'cost';
const proven = repairs.filter(({ result }) => isProven(result)).length;

const cores = Array.from({ length: 10 }, (_, seed) => {
  const plan = read({ tasks: 30, approaches: 4, rows: 2, percent: 40, seed: seed + 1 });
  return timed(() => coreBest(plan, 20_000));
}).filter(({ result }) => result !== null);

const substitutions = Array.from({ length: 10 }, (_, seed) => {
  const plan = read({ tasks: 1_000, approaches: 4, rows: 3, percent: 80, seed: seed + 1 });
  const { result, ms } = timed(() => repair(plan, 200));
  const proof = result.proofs.find(({ criterion }) => criterion === 'substitutions');
  const checked = timed(() =>
    checkCertificate(makeQuestion(plan, 'substitutions'), proof.claim, proof.certificate),
  );
  return {
    isProven: result.unfinished !== 'substitutions',
    ms,
    check: checked.result ? checked.ms : Infinity,
  };
});

// The hardest that is known for each part, with all the nodes that a policy may allow: the meter ends them.
const hardest = [
  { tasks: 60, approaches: 9, rows: 16, percent: 80 },
  { tasks: 200, approaches: 2, rows: 16, percent: 95 },
  { tasks: 2_000, approaches: 9, rows: 16, percent: 60 },
  { tasks: 2_000, approaches: 2, rows: 1, percent: 5 },
].map((options) => {
  const plan = read({ ...options, seed: 1 });
  return timed(() => checkPlan(plan, 10_000_000)).ms;
});

const report = {
  bench: 'planner-schedule',
  node: process.version,
  machine: machine(),
  instances,
  critical_path_ms: critical,
  repairs: {
    proven,
    exact: repairs.filter(({ result }) => result.label === 'exact').length,
    none: repairs.filter(({ result }) => result.label === 'none').length,
    median_ms: median(repairs.map(({ ms }) => ms)),
    worst_ms: Math.max(...repairs.map(({ ms }) => ms)),
  },
  cores: {
    count: cores.length,
    largest: Math.max(0, ...cores.map(({ result }) => result.tasks.length + result.constraints.length)),
    worst_ms: Math.max(0, ...cores.map(({ ms }) => ms)),
  },
  substitutions: {
    proven: substitutions.filter((each) => each.isProven).length,
    of: substitutions.length,
    worst_ms: Math.max(...substitutions.map(({ ms }) => ms)),
    worst_check_ms: Math.max(...substitutions.map(({ check }) => check)),
  },
  hardest_ms: hardest,
};
report.targets = [
  atMost(
    'planner-critical-path',
    'all slacks of 100,000 tasks and 300,000 edges',
    critical,
    300,
    'ms of CPU',
  ),
  atLeast(
    'planner-repair-proven',
    'repairs of 30 × 4 × 3 at 80 %, value proven, of a hundred',
    (proven * 100) / instances,
    75,
    'of 100',
  ),
  atMost(
    'planner-repair-median',
    'such a repair, the middle one',
    report.repairs.median_ms,
    300,
    'ms of CPU',
  ),
  atMost('planner-repair-worst', 'such a repair, the slowest', report.repairs.worst_ms, 3_000, 'ms of CPU'),
  atMost('planner-core', 'a core with certificate and witnesses', report.cores.worst_ms, 50, 'ms of CPU'),
  atMost(
    'planner-substitutions',
    '1,000 × 4 × 3 with 200 nodes a question',
    report.substitutions.worst_ms,
    1_000,
    'ms of CPU',
  ),
  atLeast(
    'planner-substitutions-proven',
    'of these, fewest substitutions proven',
    report.substitutions.proven,
    report.substitutions.of,
    'plans',
  ),
  atMost(
    'planner-answer',
    'all that is said of a hard plan, whatever the policy allows',
    Math.max(...hardest),
    2_000,
    'ms of CPU',
  ),
  atMost(
    'planner-check',
    'a certificate over 1,000 tasks, checked',
    report.substitutions.worst_check_ms,
    20,
    'ms of CPU',
  ),
];
const printed = shown(report);
process.stdout.write(`${JSON.stringify(printed, null, process.argv.includes('--json') ? 0 : 2)}\n`);
