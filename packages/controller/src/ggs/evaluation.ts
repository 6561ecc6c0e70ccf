/**
 * What one evaluation says: the figures, the place in the table, the directive, and why. Plain JSON of
 * integers, strings and booleans, fit to be an event; and the exact figures and words that it is made of.
 * What the next plan must not use. Source: 002 §R7 "Contract"; `rationale`; dec-B4; dec-G4; dec-G17;
 * dec-G22; planner-controller B.3 item 1; 002 §R7 "Dynamic MUST NOT Injection"; dec-G15; dec-G16; dec-G21.
 */
import type { GgsHistory, GgsTarget, GgsTool, GgsInput } from './input.js';
import type { Cost, UnmetCriterion, Counted } from './measures.js';
import { type Figure, type Rational, toPpm } from './rational.js';
import type { Band, Directive, Place } from './table.js';
import type { GgsPolicy } from './policy.js';
import { absurd, compareText } from '@assay/kernel';

/** What the distance did since the round before; `stable` at the first (dec-B4). */
export type GapTrend = 'improving' | 'stable' | 'worsening';

/**
 * What holds a round above δ although D is not: an unmet hard criterion (dec-G4), or R4b's refusal (dec-G5).
 */
export type DistanceFloor = 'hard_criterion' | 'r4b_rejected';

/** Reasons that are the solver's own; a guard or a stop brings its own code. */
export type GgsReason =
  | 'all_criteria_met'
  | 'omega'
  | 'converged'
  | 'law2'
  | 'stuck_logical'
  | 'signal_logical'
  | 'stuck_environmental'
  | 'signal_environmental'
  | 'no_tools_left';

/** One evaluation. */
export type GgsEvaluation = {
  /** Number of this evaluation in its task, from 1. */
  readonly round: number;
  readonly D: Figure;
  readonly P: Figure;
  readonly Omega: Figure;
  readonly L: Figure;
  /** L minus the last L; 0 at the first round. */
  readonly grad_l: Figure;
  /** The same of the task part αD + βP (dec-G11). */
  readonly grad_task: Figure;
  readonly epsilon_effective: Figure;
  /** How Ω came about (dec-G8). */
  readonly omega_rule: Cost['rule'];
  /** Of the gradient the policy decides on. */
  readonly band: Band;
  readonly first_round: boolean;
  /** Worsening rounds in a row, this one included. */
  readonly worsening_count: number;
  readonly gap_trend: GapTrend;
  readonly distance_floor: DistanceFloor | null;
  /** 1 to 24, as printed. */
  readonly cell: number;
  readonly directive: Directive;
  /** A `GgsReason`, or the code of a guard or of a stop. */
  readonly reason: string;
  readonly prev_directive: 'init' | Directive;
  /** Reported only (dec-G22). */
  readonly urgency: 'low' | 'normal' | 'high';
  /** Ω, held to 1. */
  readonly budget_pressure: Figure;
  readonly blocked_tools: readonly string[];
  readonly blocked_classes: readonly string[];
  /** All inputs forbidden so far; `blocked_targets_added` those of this round. */
  readonly blocked_targets: readonly GgsTarget[];
  readonly blocked_targets_added: readonly GgsTarget[];
  /** The first of `unmet`, null where all are met. */
  readonly failed_criterion: UnmetCriterion | null;
  readonly failure_class: 'logical' | 'environmental' | 'mixed' | 'none';
  readonly logical_failures: number;
  readonly environmental_failures: number;
  /** Criteria counted. */
  readonly criteria_total: number;
  /** Every unmet criterion: a result must disclose them (dec-G4). */
  readonly unmet: readonly UnmetCriterion[];
  /** The steps of the cascade in words, from codes and integers. */
  readonly rationale: string;
  /** For the next evaluation of the task. */
  readonly history: GgsHistory;
};

/** What changed since the round before. */
export type Change = { readonly loss: Rational; readonly task: Rational; readonly trend: GapTrend };

/** Everything a decision rests on. `gradient`: the one the policy decides on; `rule`: how Ω came about. */
export type Measured = {
  readonly counted: Counted;
  readonly cost: Rational;
  readonly rule: Cost['rule'];
  readonly loss: Rational;
  readonly task: Rational;
  readonly change: Change;
  readonly epsilon: Rational;
  readonly gradient: Rational;
  readonly floor: DistanceFloor | null;
  readonly place: Place;
  readonly worsening: number;
};

/** What was decided. */
export type Chosen = { readonly directive: Directive; readonly reason: string; readonly blocked: Blocked };

/** One line; figures in ppm. */
export function writeRationale(
  policy: GgsPolicy,
  measured: Measured,
  { directive, reason }: Chosen,
  round: number,
  cell: number,
): string {
  const { counted, cost, epsilon, gradient, floor, place, worsening } = measured;
  const held = floor === null ? '' : `, held above by ${floor}`;
  return [
    `round ${round}`,
    `omega ${toPpm(cost)} ${place.spent ? 'reaches' : 'is below'} theta ${policy.theta}`,
    `D ${toPpm(counted.distance)} (${counted.unmet.length} of ${counted.total} unmet) is ` +
      `${place.far && floor === null ? 'above' : 'within'} delta ${policy.delta}${held}`,
    `${policy.gradient_basis} gradient ${toPpm(gradient)} at epsilon ${toPpm(epsilon)}: ` +
      `${place.band}, ${worsening} worsening in a row`,
    `P ${toPpm(counted.implausibility)} is ${place.logical ? 'above' : 'within'} rho ${policy.rho}`,
    `cell ${cell}: ${directive} (${reason})`,
  ].join('; ');
}

/** What a directive forbids, each list sorted and without doubles. */
export type Blocked = {
  /** Names; for this directive only (dec-G16). */
  readonly tools: readonly string[];
  /** Classes whose tools are all forbidden: `break_symmetry` wants another class of tool. */
  readonly classes: readonly string[];
  /** Every input that failed for the environment's sake so far (law-G11). */
  readonly targets: readonly GgsTarget[];
  /** Those of them that this round added. */
  readonly added: readonly GgsTarget[];
};

/** Tools of failing sub-tasks of this round and all before it. */
export function failingTools(input: GgsInput): readonly GgsTool[] {
  return merge(input.history.failing_tools, input.failing_tools, byTool);
}

/**
 * What a directive forbids. `change_approach`: the tools of this round's failing sub-tasks. `break_symmetry`:
 * those of all rounds, and every tool of their classes (dec-G15). `change_path` and `refine` forbid no tool
 * and add this round's failing inputs. Inputs once forbidden stay so under every action; the ends forbid
 * nothing.
 */
export function blockedBy(directive: Directive, input: GgsInput, mode: GgsPolicy['blocking_mode']): Blocked {
  const targets = input.history.blocked_targets;
  switch (directive) {
    case 'accept':
    case 'success':
    case 'abandon':
      return { tools: [], classes: [], targets: [], added: [] };
    case 'change_approach':
      return { tools: spared(listNames(input.failing_tools), input, mode), classes: [], targets, added: [] };
    case 'break_symmetry': {
      const failing = failingTools(input);
      const classes = distinct(failing.flatMap((tool) => (tool.class === null ? [] : [tool.class]))).filter(
        (name) => mode === 'literal' || !SPARED.includes(name),
      );
      const alike = input.tools.filter((tool) => tool.class !== null && classes.includes(tool.class));
      return { tools: spared(listNames([...failing, ...alike]), input, mode), classes, targets, added: [] };
    }
    case 'change_path':
    case 'refine': {
      const known = new Set(targets.map(makeKey));
      const added = merge(
        [],
        input.failing_targets.filter((target) => !known.has(makeKey(target))),
        byTarget,
      );
      return { tools: [], classes: [], targets: merge(targets, added, byTarget), added };
    }
    default:
      return absurd(directive);
  }
}

/** Classes without which nothing can be done: they are never blocked whole (calls/C7). */
const SPARED: readonly string[] = ['read', 'write'];

/** Names without the first tool of a spared class all of whose tools are among them. */
function spared(
  names: readonly string[],
  { tools }: GgsInput,
  mode: GgsPolicy['blocking_mode'],
): readonly string[] {
  if (mode === 'literal') return names;
  const last = SPARED.flatMap((name) => {
    const alike = tools.filter((tool) => tool.class === name);
    return alike.every(({ tool }) => names.includes(tool)) ? alike.slice(0, 1) : [];
  });
  return names.filter((name) => !last.some(({ tool }) => tool === name));
}

/** True where a directive that forbids tools leaves none of those there are (dec-G16). */
export function leavesNoTool(blocked: Blocked, tools: readonly GgsTool[]): boolean {
  if (blocked.tools.length === 0 || tools.length === 0) return false;
  const names = new Set(blocked.tools);
  return tools.every(({ tool }) => names.has(tool));
}

function makeKey({ tool, target }: GgsTarget): string {
  return `${tool.length}:${tool}${target}`;
}

function listNames(tools: readonly GgsTool[]): readonly string[] {
  return distinct(tools.map(({ tool }) => tool));
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted(compareText);
}

function byTarget(a: GgsTarget, b: GgsTarget): number {
  return compareText(a.tool, b.tool) || compareText(a.target, b.target);
}

function byTool(a: GgsTool, b: GgsTool): number {
  return compareText(a.tool, b.tool) || compareText(a.class ?? '', b.class ?? '');
}

/** Both lists in order, none twice; the first list itself where the second adds nothing. */
function merge<T>(kept: readonly T[], more: readonly T[], order: (a: T, b: T) => number): readonly T[] {
  if (more.length === 0) return kept;
  const all = [...kept, ...more].toSorted(order);
  return all.filter((item, index) => {
    const before = all[index - 1];
    return before === undefined || order(before, item) !== 0;
  });
}
