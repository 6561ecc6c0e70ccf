/**
 * What a planner's run has for a library, row by row. Source: 000 §2.B, §2.C; dec-K30, dec-K33, dec-K81.
 *
 * @module
 */
import { closed, digest, integer, list, nullable, oneOf, tuple, type TypeOf } from '@assay/kernel/shape';
import { NAME, TAG, tagged, WORDS } from './constraint.js';
import { FINGERPRINT, RESOLVER } from './resolver.js';

const KINDS: readonly string[] = ['logic', 'semantic'];
/** The kinds and domains of constraints. */
export const SIGNATURE = list(tuple(oneOf(KINDS), TAG), ({ length }) => length <= 256);
/** Fields of a {@link GoalKind}, each by its shape. */
export const GOAL_KIND_FIELDS = { summary: WORDS, signature: SIGNATURE };
const GOAL_KIND = closed(GOAL_KIND_FIELDS);
/**
 * What goals are compared by: words, and the kinds and domains of the constraints that the goal was given,
 * money and time left out.
 */
export type GoalKind = TypeOf<typeof GOAL_KIND>;

/** Relations that a row states; all others follow from the rows. Source: 000 §2.C. */
export const RELATIONS = ['built_by', 'composed_of', 'replaced_by'] as const;

/**
 * What a capability request comes to. `withdrawn`: nobody answered it, or with money: it may be put again.
 * Source: dec-K28, dec-K31.
 */
export const REQUEST_STATUSES = ['requested', 'delivered', 'declined', 'withdrawn'] as const;

const amount = integer(0);
const ROWS = {
  resolver: closed({ t: oneOf(['resolver']), resolver: RESOLVER }),
  attempt: closed({
    t: oneOf(['attempt']),
    goal: GOAL_KIND,
    node: WORDS,
    index: integer(1),
    capability: TAG,
    constraints: list(digest, ({ length }) => length <= 256),
    resolver: WORDS,
    verdict: oneOf(['SAT', 'UNSAT']),
    sigma_ppm: integer(0, 1_000_000),
    failure_mode: nullable(WORDS),
  }),
  produced: closed({ t: oneOf(['produced']), resolver: WORDS, output: digest }),
  edge: closed({ t: oneOf(['edge']), from: NAME, relation: oneOf(RELATIONS), to: WORDS }),
  capability: closed({
    t: oneOf(['capability']),
    fingerprint: FINGERPRINT,
    capability: TAG,
    status: oneOf(REQUEST_STATUSES),
    resolver: nullable(NAME),
  }),
  estimate: closed({
    t: oneOf(['estimate']),
    goal: GOAL_KIND,
    resolver: WORDS,
    unit: WORDS,
    estimated: amount,
    actual: amount,
  }),
  alias: closed({ t: oneOf(['alias']), tag: TAG, is: TAG }),
};

export const LIBRARY_ROW = tagged('t', ROWS);
/**
 * One row. `resolver`: it is in the registry; `attempt`: one try at a goal, with the hashes of its constraints;
 * `estimate`: what a task of a goal was to cost and did; `alias`: another name of a tag, which a person says.
 */
export type LibraryRow = TypeOf<typeof LIBRARY_ROW>;
