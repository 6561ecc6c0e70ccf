/**
 * The policy of a run: the contract's six fields, the slots, and how readings are scored.
 * Source: 001 §2.3; intent "Genesis", I10, I11.
 *
 * @module
 */
import { field, isArray, isObject, type Json } from '../json.js';
import { isProposer } from '../ledger/names.js';
import type { Rejection } from '../machine/types.js';
import { err, ok, type Result } from '../result.js';

/** The criteria a reading is scored by, in the order they are shown. Source: intent I10. */
export const CRITERIA = [
  'coverage',
  'grounding',
  'disclosure',
  'pin',
  'agreement',
  'specificity',
  'order',
  'confidence',
] as const;
/** One of {@link CRITERIA}. */
export type Criterion = (typeof CRITERIA)[number];

/** Weights by criterion, integers from 0; they need not add up to anything, and not all may be 0. */
export type Weights = { readonly [criterion in Criterion]: number };

/** Limits and weights of a run. Scores and margins are parts per million. */
export type Policy = {
  /** Readings asked for from each slot, and readings kept after scoring (K); at least 1. */
  readonly max_interpretations: number;
  /** Nodes of the context graph; at least 1. */
  readonly max_nodes: number;
  /** `refines` edges below the winner; at least 1. */
  readonly max_depth: number;
  /** Unresolved derived contradictions allowed in the committed reading; at least 0. */
  readonly contradiction_budget: number;
  /** Accepted answers; at least 1. */
  readonly max_steps: number;
  readonly deterministic_tiebreak: 'lexicographic';
  /** Slot names, 1 to 16, none twice, each fit to be a proposer's name. */
  readonly proposers: readonly string[];
  /** Slots that must answer with at least one reading; from 1 to the number of slots. */
  readonly min_proposals: number;
  /** 0 to 1,000,000. */
  readonly min_score: number;
  /** 0 to 1,000,000. */
  readonly min_margin: number;
  readonly weights: Weights;
};

/** Most slots of a run. */
export const PROPOSERS_MAX = 16;
/** A whole, in parts per million. */
export const PPM = 1_000_000;
/** Greatest weight of a criterion. */
export const WEIGHT_MAX = 1_000_000;

/**
 * The policy used where none is given. `confidence` is a proposer's word about itself and weighs nothing by
 * default.
 */
export const defaultPolicy: Policy = Object.freeze({
  max_interpretations: 8,
  max_nodes: 2_000,
  max_depth: 4,
  contradiction_budget: 0,
  max_steps: 16,
  deterministic_tiebreak: 'lexicographic',
  proposers: Object.freeze(['rules']),
  min_proposals: 1,
  min_score: 500_000,
  min_margin: 0,
  weights: Object.freeze({
    coverage: 250_000,
    grounding: 150_000,
    disclosure: 200_000,
    pin: 150_000,
    agreement: 100_000,
    specificity: 100_000,
    order: 50_000,
    confidence: 0,
  }),
});

/** A rule of one field: null where the value fits, else the name of what is broken. */
type Rule = (value: Json, policy: { readonly [key: string]: Json }) => string | null;

const FIELDS: readonly (readonly [name: keyof Policy, rule: Rule])[] = [
  ['max_interpretations', atLeast(1)],
  ['max_nodes', atLeast(1)],
  ['max_depth', atLeast(1)],
  ['contradiction_budget', atLeast(0)],
  ['max_steps', atLeast(1)],
  ['deterministic_tiebreak', (value) => (value === 'lexicographic' ? null : 'lexicographic')],
  ['proposers', slotsRule],
  [
    'min_proposals',
    (value, policy) =>
      within(1, isArray(policy['proposers']) ? policy['proposers'].length : PROPOSERS_MAX)(value, policy),
  ],
  ['min_score', within(0, PPM)],
  ['min_margin', within(0, PPM)],
  ['weights', weightsRule],
];

/**
 * Reads a policy. Total. Error `bad_policy` with {field, rule}: the first bad field in the order of
 * {@link Policy}, a missing one among them; field `policy` where the value is no object or holds an
 * unknown key. Rules: `object`, `unknown_key`, `integer_from_N`, `integer_N_to_M`, `lexicographic`,
 * `names_1_to_16`, `weights`, `all_zero`. Source: 001 §2.3.
 */
export function parsePolicy(value: Json): Result<Rejection, Policy> {
  if (!isObject(value)) return bad('policy', 'object');
  for (const [name, rule] of FIELDS) {
    const broken = rule(field(value, name) ?? null, value);
    if (broken !== null) return bad(name, broken);
  }
  if (Object.keys(value).length !== FIELDS.length) return bad('policy', 'unknown_key');
  return ok(value as unknown as Policy);
}

/**
 * A policy with the fields it leaves out, weights among them, as {@link defaultPolicy} has them: the contract's six
 * fields are enough. What is no object stays as it is, for {@link parsePolicy} to refuse. Source: 001 §2.3.
 */
export function completePolicy(given: Json): Json {
  if (!isObject(given)) return given;
  const weights = field(given, 'weights');
  const filled = isObject(weights) ? { ...defaultPolicy.weights, ...weights } : defaultPolicy.weights;
  return {
    ...defaultPolicy,
    ...given,
    ...(weights === undefined || isObject(weights) ? { weights: filled } : {}),
  };
}

function bad(name: string, rule: string): Result<Rejection, never> {
  return err({ code: 'bad_policy', detail: { field: name, rule } });
}

function atLeast(min: number): Rule {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min ? null : `integer_from_${min}`;
}

function within(min: number, max: number): Rule {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? null
      : `integer_${min}_to_${max}`;
}

function slotsRule(value: Json): string | null {
  const rule = `names_1_to_${PROPOSERS_MAX}`;
  if (!isArray(value) || value.length < 1 || value.length > PROPOSERS_MAX) return rule;
  return value.every((name) => typeof name === 'string' && isProposer(name)) &&
    new Set(value).size === value.length
    ? null
    : rule;
}

function weightsRule(value: Json, policy: { readonly [key: string]: Json }): string | null {
  if (!isObject(value) || Object.keys(value).length !== CRITERIA.length) return 'weights';
  const isWeight = within(0, WEIGHT_MAX);
  if (!CRITERIA.every((criterion) => isWeight(field(value, criterion) ?? null, policy) === null))
    return 'weights';
  return CRITERIA.every((criterion) => value[criterion] === 0) ? 'all_zero' : null;
}
