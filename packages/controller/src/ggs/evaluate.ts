/**
 * The Goal Gradient Solver: one round in, one directive out. Total and pure; every decision is made on exact
 * rationals. The order of the cascade: a stop from outside, acceptance, Ω, D, Law 2, a loop guard, action.
 * Source: 002 §R7; 003 §R7; dec-G4, dec-G5, dec-G12, dec-G18.
 */
import {
  type DistanceFloor,
  type GapTrend,
  type GgsEvaluation,
  type GgsReason,
  type Change,
  type Chosen,
  type Measured,
  writeRationale,
  blockedBy,
  failingTools,
  leavesNoTool,
} from './evaluation.js';
import type { GgsHistory, GgsInput } from './input.js';
import { sumCost, countCriteria, toEpsilon, sumLoss, computeTaskPart, type Counted } from './measures.js';
import type { GgsPolicy } from './policy.js';
import { compare, toFigure, lesser, ONE, renderRational, subtract, ZERO, type Rational } from './rational.js';
import {
  findCell,
  macroState,
  findPlace,
  type ActionDirective,
  type Band,
  type Place,
  type TerminalDirective,
} from './table.js';

/**
 * Evaluates one round of a task. Deterministic, changes nothing it is given, refuses nothing that its types
 * admit; lists may come in any order. A history whose figures are no rationals is a defect (RangeError):
 * decode it first. Raise the replan count for each directive that is not terminal (dec-G10).
 */
export function evaluateGgs(policy: GgsPolicy, input: GgsInput): GgsEvaluation {
  const measured = measure(policy, input);
  const chosen = choose(policy, input, measured);
  const { counted, change, place } = measured;
  const cell = findCell(place);
  const round = input.history.rounds + 1;
  return {
    round,
    D: toFigure(counted.distance),
    P: toFigure(counted.implausibility),
    Omega: toFigure(measured.cost),
    L: toFigure(measured.loss),
    grad_l: toFigure(change.loss),
    grad_task: toFigure(change.task),
    epsilon_effective: toFigure(measured.epsilon),
    omega_rule: measured.rule,
    band: place.band,
    first_round: input.history.last === null,
    worsening_count: measured.worsening,
    gap_trend: change.trend,
    distance_floor: measured.floor,
    cell,
    directive: chosen.directive,
    reason: chosen.reason,
    prev_directive: input.history.prev_directive,
    urgency: URGENCY[place.band],
    budget_pressure: toFigure(lesser(measured.cost, ONE)),
    blocked_tools: chosen.blocked.tools,
    blocked_classes: chosen.blocked.classes,
    blocked_targets: chosen.blocked.targets,
    blocked_targets_added: chosen.blocked.added,
    failed_criterion: counted.unmet[0] ?? null,
    failure_class: classify(counted),
    logical_failures: counted.logical,
    environmental_failures: counted.environmental,
    criteria_total: counted.total,
    unmet: counted.unmet,
    rationale: writeRationale(policy, measured, chosen, round, cell),
    history: {
      blocked_targets:
        chosen.blocked.added.length === 0 ? input.history.blocked_targets : chosen.blocked.targets,
      failing_tools: failingTools(input),
      last: {
        band: place.band,
        distance: renderRational(counted.distance),
        loss: renderRational(measured.loss),
        task: renderRational(measured.task),
      },
      prev_directive: chosen.directive,
      rounds: round,
      worsening_count: measured.worsening,
    },
  };
}

/** Everything a decision rests on, exact. */
function measure(policy: GgsPolicy, input: GgsInput): Measured {
  const counted = countCriteria(input, policy);
  const { cost, rule } = sumCost(input, policy);
  const loss = sumLoss(counted.distance, counted.implausibility, cost, policy);
  const task = computeTaskPart(counted.distance, counted.implausibility, policy);
  const change = changeSince(input.history, loss, task, counted.distance);
  const epsilon = toEpsilon(counted.total, policy);
  const gradient = policy.gradient_basis === 'task' ? change.task : change.loss;
  const found = findPlace(gradient, epsilon, counted.distance, counted.implausibility, cost, policy);
  const floor = found.far ? null : findFloor(input, counted);
  const place: Place = floor === null ? found : { ...found, far: true };
  const worsening = isWorsening(place.band, change.trend, policy) ? input.history.worsening_count + 1 : 0;
  return { counted, cost, rule, loss, task, change, epsilon, gradient, floor, place, worsening };
}

const URGENCY: Readonly<Record<Band, 'low' | 'normal' | 'high'>> = Object.freeze({
  improving: 'low',
  plateau: 'normal',
  worsening: 'high',
});

/** What changed since the round before; nothing did at the first (dec-G14). */
function changeSince({ last }: GgsHistory, loss: Rational, task: Rational, distance: Rational): Change {
  if (last === null) return { loss: ZERO, task: ZERO, trend: 'stable' };
  const moved = compare(distance, exact(last.distance));
  return {
    loss: subtract(loss, exact(last.loss)),
    task: subtract(task, exact(last.task)),
    trend: moved < 0 ? 'improving' : moved > 0 ? 'worsening' : 'stable',
  };
}

/** Figures of a decoded history are in lowest terms already: they are not checked again. */
function exact(text: string): Rational {
  const slash = text.indexOf('/');
  if (slash < 1) throw new RangeError(`a history holds rationals "n/d", got ${text}`);
  return { num: BigInt(text.slice(0, slash)), den: BigInt(text.slice(slash + 1)) };
}

/** A worsening round: in that band and, unless the policy is literal, D no lower than before (dec-G12). */
function isWorsening(band: Band, trend: GapTrend, policy: GgsPolicy): boolean {
  return band === 'worsening' && (policy.worsening_mode === 'band' || trend !== 'improving');
}

function findFloor(input: GgsInput, { unmet }: Counted): DistanceFloor | null {
  if (input.r4b_rejected) return 'r4b_rejected';
  return unmet.some(({ hard }) => hard) ? 'hard_criterion' : null;
}

/** The cascade. Acceptance holds at any Ω (dec-G18); Law 2 comes after Ω and D (dec-G12). */
function choose(policy: GgsPolicy, input: GgsInput, { counted, place, worsening }: Measured): Chosen {
  if (input.abandon_now !== null) return end('abandon', input.abandon_now.code, input);
  if (input.all_matched && !input.r4b_rejected && counted.distance.num === 0n)
    return end('accept', 'all_criteria_met', input);
  const directive = macroState(place);
  if (directive === 'abandon') return end('abandon', 'omega', input);
  if (directive === 'success') return end('success', 'converged', input);
  if (worsening >= policy.law2_rounds) return end('abandon', 'law2', input);
  if (input.guard !== null) return end('abandon', input.guard.code, input);
  const blocked = blockedBy(directive, input, policy.blocking_mode);
  return leavesNoTool(blocked, input.tools)
    ? end('abandon', 'no_tools_left', input)
    : { directive, reason: ACTION_REASONS[directive], blocked };
}

function end(directive: TerminalDirective, reason: string, input: GgsInput): Chosen {
  return { directive, reason, blocked: blockedBy(directive, input, 'sparing') };
}

const ACTION_REASONS: Readonly<Record<ActionDirective, GgsReason>> = Object.freeze({
  break_symmetry: 'stuck_logical',
  change_approach: 'signal_logical',
  change_path: 'stuck_environmental',
  refine: 'signal_environmental',
});

function classify({ logical, environmental }: Counted): 'logical' | 'environmental' | 'mixed' | 'none' {
  if (logical > 0) return environmental > 0 ? 'mixed' : 'logical';
  return environmental > 0 ? 'environmental' : 'none';
}
