/**
 * Repairs of large random plans with the solver's choice and weights. Run after a build:
 *
 *   node packages/proposers/bench/solver.bench.mjs [--tasks N] [--instances N]
 *
 * CPU time of the whole process, the solver's thread included. The gap is between the cost of the repair and the
 * bound that its certificate proves; the certificate is checked.
 */
import { checkCertificate, namedChoice, parsePlan, makeQuestion, repair } from '@assay/planner/schedule';
import { suggest } from '@assay/proposers/solver';
import { atLeast, atMost, machine, option, rounded } from '../../../bench/lib/targets.mjs';
import { randomPlan } from '../../planner/bench/instances.mjs';

const PERCENT = 100;
const NODES = 200;
const tasks = option('--tasks', 1_000);
const instances = option('--instances', 3);

async function measured(seed) {
  const plan = parsePlan(randomPlan({ tasks, approaches: 4, rows: 3, percent: 80, seed })).right;
  const start = process.cpuUsage();
  const alone = repair(plan, NODES);
  const cpu = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
  const aloneSeconds = cpu();
  const { best, unfinished } = { best: namedChoice(plan, alone.choice), unfinished: alone.unfinished };
  const asked = await suggest(plan, { best, unfinished, seconds: 20, signal: new AbortController().signal });
  if (asked._tag === 'Left') return { seed, code: asked.left.code };
  const { choice, weights, unit } = asked.right;
  const places = plan.tasks.map(({ approaches }, task) =>
    approaches.findIndex(({ id }) => id === choice[task][1]),
  );
  const after = repair(plan, NODES, { choice: places, weights, unit });
  const seconds = cpu();
  const proof = after.proofs.findLast(({ criterion }) => criterion === 'cost');
  const isProof =
    proof !== undefined &&
    checkCertificate(makeQuestion(plan, 'cost', proof.bounds), proof.claim, proof.certificate);
  return {
    seed,
    label: [alone.label, after.label],
    unfinished: [alone.unfinished, after.unfinished],
    substitutions: [alone.key.changes.length, after.key.changes.length],
    cost: [alone.key.cost, after.key.cost],
    bound: proof?.claim.value ?? null,
    gap_percent: isProof ? (PERCENT * (after.key.cost - proof.claim.value)) / after.key.cost : null,
    alone_seconds: rounded(aloneSeconds),
    seconds: rounded(seconds),
  };
}

const results = [];
for (let seed = 1; seed <= instances; seed += 1) results.push(await measured(seed));
const gaps = results.flatMap(({ gap_percent: gap }) => (typeof gap === 'number' ? [gap] : []));
const worst = gaps.length === 0 ? null : Math.max(...gaps);
console.log(
  JSON.stringify({
    bench: 'planner-solver',
    node: process.version,
    machine: machine(),
    tasks,
    results,
    targets: [
      atMost(
        'planner-solver-seconds',
        `${tasks} × 4 × 3 with the solver, the slowest of ${instances}`,
        Math.max(...results.map(({ seconds }) => seconds)),
        20,
        's of CPU',
      ),
      atLeast(
        'planner-solver-reached',
        'of these plans, how many get to their cost: substitutions and confidence proven',
        gaps.length,
        instances,
        'plans',
      ),
      atMost('planner-solver-gap', 'the widest checked gap of the cost among those', worst, 0.02, '%'),
    ],
  }),
);
