/**
 * The Goal Gradient Solver: one round in, one directive out. Total and pure; every decision is made on exact
 * rationals. The order of the cascade: a stop from outside, acceptance, Ω, D, Law 2, a loop guard, action.
 * Source: 002 §R7; 003 §R7; dec-G4, dec-G5, dec-G12, dec-G18.
 *
 * @module
 */
import { blockedBy, failingTools, leavesNoTool, type Blocked } from './blocking.js';
import type { DistanceFloor, GapTrend, GgsEvaluation, GgsReason } from './evaluation.js';
import type { GgsHistory } from './history.js';
import type { GgsInput } from './input.js';
import { costOf, countCriteria, epsilonOf, lossOf, taskPartOf, type Counted } from './measures.js';
import type { GgsPolicy } from './policy.js';
import { rationaleOf } from './rationale.js';
import { compare, figureOf, lesser, ofPpm, ONE, parseRational, renderRational, subtract, ZERO, type Rational } from './rational.js';
import { bandOf, cellOf, macroState, type Band, type Directive, type Place } from './table.js';

/**
 * Evaluates one round of a task. Deterministic, changes nothing it is given, refuses nothing that its types
 * admit; lists may come in any order. A history whose figures are no rationals is a defect (RangeError):
 * decode it first. Raise the replan count for each directive that is not terminal (dec-G10).
 */
export function evaluateGgs(policy: GgsPolicy, input: GgsInput): GgsEvaluation {
  const counted = countCriteria(input, policy);
  const { cost, rule } = costOf(input, policy);
  const loss = lossOf(counted.distance, counted.implausibility, cost, policy);
  const task = taskPartOf(counted.distance, counted.implausibility, policy);
  const change = changeSince(input.history, { loss, task, distance: counted.distance });
  const epsilon = epsilonOf(counted.total, policy);
  const gradient = policy.gradient_basis === 'task' ? change.task : change.loss;
  const band = bandOf(gradient, epsilon);
  const worsening = isWorsening(band, change.trend, policy) ? input.history.worsening_count + 1 : 0;
  const floor = floorOf(input, counted);
  const isFar = compare(counted.distance, ofPpm(policy.delta)) > 0;
  const place: Place = {
    band,
    far: isFar || floor !== null,
    logical: compare(counted.implausibility, ofPpm(policy.rho)) > 0,
    spent: compare(cost, ofPpm(policy.theta)) >= 0,
  };
  const chosen = choose(policy, input, place, counted, worsening);
  const told = {
    round: input.history.rounds + 1,
    place,
    cell: cellOf(place),
    floor: isFar ? null : floor,
    distance: counted.distance,
    implausibility: counted.implausibility,
    cost,
    gradient,
    epsilon,
    worsening,
    unmet: counted.unmet.length,
    total: counted.total,
    directive: chosen.directive,
    reason: chosen.reason,
  };
  return {
    round: told.round,
    D: figureOf(counted.distance),
    P: figureOf(counted.implausibility),
    Omega: figureOf(cost),
    L: figureOf(loss),
    grad_l: figureOf(change.loss),
    grad_task: figureOf(change.task),
    epsilon_effective: figureOf(epsilon),
    omega_rule: rule,
    band,
    first_round: input.history.last === null,
    worsening_count: worsening,
    gap_trend: change.trend,
    distance_floor: told.floor,
    cell: told.cell,
    directive: chosen.directive,
    reason: chosen.reason,
    prev_directive: input.history.prev_directive,
    urgency: URGENCY[band],
    budget_pressure: figureOf(lesser(cost, ONE)),
    blocked_tools: chosen.blocked.tools,
    blocked_classes: chosen.blocked.classes,
    blocked_targets: chosen.blocked.targets,
    blocked_targets_added: chosen.blocked.added,
    failed_criterion: counted.unmet[0] ?? null,
    failure_class: classOf(counted),
    logical_failures: counted.logical,
    environmental_failures: counted.environmental,
    criteria_total: counted.total,
    unmet: counted.unmet,
    rationale: rationaleOf(told, policy),
    history: {
      rounds: told.round,
      last: { loss: renderRational(loss), task: renderRational(task), distance: renderRational(counted.distance), band },
      worsening_count: worsening,
      prev_directive: chosen.directive,
      blocked_targets: chosen.blocked.added.length === 0 ? input.history.blocked_targets : chosen.blocked.targets,
      failing_tools: failingTools(input),
    },
  };
}

const URGENCY: Readonly<Record<Band, 'low' | 'normal' | 'high'>> = Object.freeze({ improving: 'low', plateau: 'normal', worsening: 'high' });

type Measured = { readonly loss: Rational; readonly task: Rational; readonly distance: Rational };

/** What changed since the round before; nothing did at the first (dec-G14). */
function changeSince({ last }: GgsHistory, now: Measured): { readonly loss: Rational; readonly task: Rational; readonly trend: GapTrend } {
  if (last === null) return { loss: ZERO, task: ZERO, trend: 'stable' };
  const moved = compare(now.distance, exact(last.distance));
  return {
    loss: subtract(now.loss, exact(last.loss)),
    task: subtract(now.task, exact(last.task)),
    trend: moved < 0 ? 'improving' : moved > 0 ? 'worsening' : 'stable',
  };
}

function exact(text: string): Rational {
  const value = parseRational(text);
  if (value === null) throw new RangeError(`a history holds rationals "n/d" in lowest terms, got ${text}`);
  return value;
}

/** A worsening round: in that band and, unless the policy is literal, D no lower than before (dec-G12). */
function isWorsening(band: Band, trend: GapTrend, policy: GgsPolicy): boolean {
  return band === 'worsening' && (policy.worsening_mode === 'band' || trend !== 'improving');
}

function floorOf(input: GgsInput, { unmet }: Counted): DistanceFloor | null {
  if (input.r4b_rejected) return 'r4b_rejected';
  return unmet.some(({ hard }) => hard) ? 'hard_criterion' : null;
}

type Chosen = { readonly directive: Directive; readonly reason: string; readonly blocked: Blocked };

function choose(policy: GgsPolicy, input: GgsInput, place: Place, counted: Counted, worsening: number): Chosen {
  if (input.abandon_now !== null) return end('abandon', input.abandon_now.code, input);
  const isMet = counted.distance.num === 0n && !input.r4b_rejected;
  if (input.all_matched && isMet) return end('accept', 'all_criteria_met', input);
  const directive = macroState(place);
  if (directive === 'abandon') return end('abandon', 'omega', input);
  if (directive === 'success') return end('success', 'converged', input);
  if (worsening >= policy.law2_rounds) return end('abandon', 'law2', input);
  if (input.guard !== null) return end('abandon', input.guard.code, input);
  const blocked = blockedBy(directive, input);
  if (leavesNoTool(blocked, input.tools)) return end('abandon', 'no_tools_left', input);
  return { directive, reason: ACTION_REASONS[directive], blocked };
}

function end(directive: Directive, reason: string, input: GgsInput): Chosen {
  return { directive, reason, blocked: blockedBy(directive, input) };
}

const ACTION_REASONS: Readonly<Record<'break_symmetry' | 'change_approach' | 'change_path' | 'refine', GgsReason>> = Object.freeze({
  break_symmetry: 'stuck_logical',
  change_approach: 'signal_logical',
  change_path: 'stuck_environmental',
  refine: 'signal_environmental',
});

function classOf({ logical, environmental }: Counted): 'logical' | 'environmental' | 'mixed' | 'none' {
  if (logical > 0) return environmental > 0 ? 'mixed' : 'logical';
  return environmental > 0 ? 'environmental' : 'none';
}
