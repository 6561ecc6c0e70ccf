/**
 * The policy of a run: the contract's six fields, the slots, and how readings are scored.
 * Source: 001 §2.3; intent "Genesis", I10, I11.
 */
import { field, isArray, isObject, type Json, type JsonObject } from '../json.js';
import { isProposer, PROPOSER } from '../ledger/names.js';
import { closed, integer, list, oneOf, refined, text, type Shape } from '../ledger/shape.js';
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
 * The policy used if none is given. `confidence` is a proposer's word about itself and weighs nothing by
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

const weight = integer(0, WEIGHT_MAX);
const WEIGHTS: Shape<Weights> = closed({
  coverage: weight,
  grounding: weight,
  disclosure: weight,
  pin: weight,
  agreement: weight,
  specificity: weight,
  order: weight,
  confidence: weight,
});

/** The fields of a policy. That enough slots are named for `min_proposals` is a rule across two of them. */
export const POLICY: { readonly [field in keyof Policy]: Shape<Policy[field]> } = {
  max_interpretations: integer(1),
  max_nodes: integer(1),
  max_depth: integer(1),
  contradiction_budget: integer(0),
  max_steps: integer(1),
  deterministic_tiebreak: oneOf(['lexicographic']),
  proposers: list(
    text(isProposer, { pattern: PROPOSER }),
    (names) => names.length >= 1 && names.length <= PROPOSERS_MAX && new Set(names).size === names.length,
    { min: 1, max: PROPOSERS_MAX },
  ),
  min_proposals: integer(1),
  min_score: integer(0, PPM),
  min_margin: integer(0, PPM),
  weights: refined(WEIGHTS, (weights) =>
    CRITERIA.every((criterion) => weights[criterion] === 0) ? '' : null,
  ),
};

/**
 * Reads a policy. Total. Error `bad_policy` with {field, rule}: the first bad field in the order of
 * {@link Policy}, a missing one among them; field `policy` where the value is no object or holds an
 * unknown key. Rules: `object`, `unknown_key`, `integer_from_N`, `integer_N_to_M`, `lexicographic`,
 * `names_1_to_16`, `weights`, `all_zero`. Source: 001 §2.3.
 */
export function parsePolicy(value: Json): Result<Rejection, Policy> {
  if (!isObject(value)) return bad('policy', 'object');
  for (const [name, of] of Object.entries<Shape>(POLICY)) {
    const given = field(value, name) ?? null;
    const shape = name === 'min_proposals' ? integer(1, countSlots(value)) : of;
    if (shape(given) !== null) return bad(name, renderRule(name, shape, given));
  }
  if (Object.keys(value).length !== Object.keys(POLICY).length) return bad('policy', 'unknown_key');
  return ok(value as unknown as Policy);
}

function countSlots({ proposers = null }: JsonObject): number {
  return isArray(proposers) ? proposers.length : PROPOSERS_MAX;
}

/** The name of the rule that a field breaks. */
function renderRule(name: string, { form }: Shape, given: Json): string {
  if (form?.is === 'integer')
    return form.max === Number.MAX_SAFE_INTEGER
      ? `integer_from_${form.min}`
      : `integer_${form.min}_to_${form.max}`;
  if (name === 'proposers') return `names_1_to_${PROPOSERS_MAX}`;
  return name === 'weights' ? (WEIGHTS(given) === null ? 'all_zero' : 'weights') : 'lexicographic';
}

/**
 * A policy with the fields it leaves out, weights among them, as {@link defaultPolicy} has them: the contract's six
 * fields are enough. What is no object stays as it is, for the machine to refuse. Source: 001 §2.3.
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
