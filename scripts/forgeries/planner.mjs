/**
 * Forgeries of what the planner and its library decide: verdicts, repairs, money, certificates, confidence,
 * cores, records of tools. Every hash is computed again, so that only running the machine on the recorded
 * answers tells.
 *
 * @module
 */
import { forger, goldenTwin, is } from './golden.mjs';

const PLAN = 'twin-planner';
const SOLVED = 'twin-planner-solved';
const LIBRARY = 'twin-library';

/** The first whole number in a certificate, raised by one. */
function raiseOne(certificate) {
  if (certificate.weights !== undefined) certificate.weights[0][1] += 1;
  else raiseOne(certificate.parts[0][1]);
}

/** Forgeries of a planner and of a library. */
export function plannerForgeries() {
  const plan = forger('planner-e1-agent', PLAN);
  const solved = forger('planner-e7-actuals', SOLVED);
  const library = forger('library-three-goals', LIBRARY);
  return [
    plan.event(
      'planner-verdict-flipped',
      'a plan that was verified shown as one that was not',
      is('verified'),
      (event) => void (event.verdict = 'UNSAT'),
    ),
    plan.event(
      'planner-repair-invented',
      'the cheaper, less sure approach shown as the repair',
      is('repaired'),
      (event) => void (event.choice = event.choice.map(([task, way]) => [task, task === 't8' ? 'b' : way])),
    ),
    plan.event(
      'planner-certificate-altered',
      'one integer of a certificate raised by one',
      is('judged'),
      (event) => raiseOne(event.report.repair.proofs.find(({ certificate }) => certificate).certificate),
    ),
    plan.event(
      'planner-core-padded',
      'a core with a task too many',
      is('core'),
      (event) => void event.cores[0].tasks.push('t9'),
    ),
    plan.event(
      'planner-rollup-softened',
      'a cap that broke shown as tight',
      is('rolled_up'),
      (event) => void (event.lines[0].status = 'TIGHT'),
    ),
    solved.event(
      'planner-money-created',
      'one cent more given to a task than its parent had',
      is('funded', ({ why }) => why === 'allocate'),
      (event) => void (event.transfers[0].amounts[0] += 1),
    ),
    solved.event(
      'planner-cost-hidden',
      'a call that is settled for less than it cost',
      is('settled', ({ spent }) => spent[0] > 0),
      (event) => void (event.spent[0] -= 1),
    ),
    solved.event(
      'planner-sigma-raised',
      'the confidence of a verification raised to certainty',
      is('verified', ({ sigma_ppm }) => sigma_ppm < 1_000_000),
      (event) => void (event.sigma_ppm = 1_000_000),
    ),
    solved.answer(
      'planner-check-turned',
      'a judge recorded as less sure, the decision left as it was',
      ({ value }) => value?.checks?.[0]?.sigma_ppm !== undefined,
      (value) => ({ ...value, checks: value.checks.map((each) => ({ ...each, sigma_ppm: 700_000 })) }),
    ),
    library.event(
      'library-failure-hidden',
      'a failed try shown as a success',
      is('tried'),
      (event) => void (event.verdict = 'SAT'),
    ),
    library.event(
      'library-estimate-flattered',
      'an estimate shown as if it had held',
      is('cost'),
      (event) => void (event.ratio_ppm = 1_000_000),
    ),
  ];
}

/** The honest runs. */
export function plannerTwins() {
  return [
    goldenTwin(PLAN, 'a plan that breaks its cap and is repaired', 'planner-e1-agent'),
    goldenTwin(SOLVED, 'a plan carried out, planned again once where reality broke it', 'planner-e7-actuals'),
    goldenTwin(LIBRARY, 'a library that three goals wrote to', 'library-three-goals'),
  ];
}
