/**
 * Answers that many read: outputs and decompositions, what was found of a constraint, what a person decides. Source:
 * 000 §0, §1, §2.A, §5.
 */
import { isObject, type Json, type Shape } from '@assay/kernel';
import {
  closed,
  flag,
  free,
  freeObject,
  integer,
  list,
  nullable,
  oneOf,
  open,
  tuple,
  type TypeOf,
} from '@assay/kernel/shape';
import { TOTAL_MAX } from '../plan/plan.js';
import { NAME, TAG, tagged, WORDS } from './constraint.js';
import { BOUND, COMMAND, FINGERPRINT, RESOLVER } from './resolver.js';

/** Most names in an answer. */
export const MANY = 4_096;
/** A list of so many items at most. */
export const atMost = (most: number) => (items: readonly Json[]) => items.length <= most;
/** Names. */
export const ids = list(NAME, atMost(MANY));
/** Open questions. */
export const questions = list(WORDS, atMost(64));
/** An amount. */
export const amount = integer(0, TOTAL_MAX);
/** Pairs of two shapes. */
export function pairs<A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly (readonly [A, B])[]> {
  return list(tuple(first, second), atMost(MANY));
}

/** What was made. `content`: any JSON; large bytes as blob tokens. */
export const ARTIFACT = closed({ format: TAG, summary: WORDS, content: free });
const MADE = closed({
  artifact: ARTIFACT,
  /** Source: 000 §2.A "Leaf classification". */
  leaf_kind: oneOf(['atomic', 'off_the_shelf', 'contracted', 'constraint_exhausted']),
  leaf_reason: WORDS,
  manifest: nullable(RESOLVER),
  checks: pairs(NAME, integer(0, 255)),
  figures: pairs(NAME, amount),
});
/**
 * An output. `checks`: exit codes of declared checks, `figures`: measured values, both by constraint and only
 * believed of tools; `manifest`: of a build, the tool that it made.
 */
export type Made = TypeOf<typeof MADE>;

const SPLIT = open(
  {
    tasks: list(freeObject, atMost(2_000)),
    carries: pairs(NAME, ids),
    needs: pairs(NAME, TAG),
    measures: pairs(NAME, NAME),
    couples: list(closed({ constraint: NAME, tasks: list(NAME, atMost(2)), values: free }), atMost(64)),
    questions,
  },
  { start: WORDS, hours_per_day: integer(1, 24), renewable: freeObject },
);
/**
 * A decomposition: tasks as a plan file writes them; which task carries which constraints and needs which
 * capability; which constraint is measured on which task, or on which pair of them; the days and the shared
 * capacities of a plan file.
 */
export type Split = TypeOf<typeof SPLIT>;

/** Shape of an output or a decomposition. */
export const MADE_OR_SPLIT: Shape<Made | Split> = (value) =>
  (isObject(value) && Object.hasOwn(value, 'tasks') ? SPLIT : MADE)(value);

export const CHECK = closed({
  constraint: NAME,
  passed: flag,
  sigma_ppm: integer(0, 1_000_000),
  detail: WORDS,
  repair: nullable(WORDS),
});
/** What was found of one constraint. Source: 000 §0 "Verification result". */
export type Check = TypeOf<typeof CHECK>;

/**
 * Shape of how far estimates were off, by row; null for how long tasks took. `median_ppm`: of actual by estimate, `n`
 * of them.
 */
export const OFF = list(closed({ row: nullable(NAME), n: integer(1), median_ppm: integer(0) }), atMost(64));
/** Shape of what came of a capability request. */
export const SETTLED = closed({
  fingerprint: FINGERPRINT,
  capability: TAG,
  status: oneOf(['requested', 'delivered', 'declined']),
  resolver: nullable(RESOLVER),
});

/** Shape of a person's decision. */
export const HIRED = tagged('kind', {
  increase_budget: closed({ kind: oneOf(['increase_budget']), grants: BOUND }),
  decline: closed({ kind: oneOf(['decline']), why: WORDS }),
  /** Run as declared checks are; its words are recorded. Source: dec-K82. */
  command: closed({ kind: oneOf(['command']), name: NAME, command: COMMAND }),
  /** The person does it, and is asked what it came to. */
  person: closed({ kind: oneOf(['person']) }),
});
/** A person's decision. Source: 000 §5 `escalate_to_hire`. */
export type Hired = TypeOf<typeof HIRED>;

/** True for a decomposition. */
export function isSplit(value: Made | Split): value is Split {
  return 'tasks' in value;
}
