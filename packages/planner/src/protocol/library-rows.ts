/**
 * What a planner's run has for a library, row by row. Source: 000 §2.B, §2.C; dec-K30, dec-K33, dec-K81.
 *
 * @module
 */
import { isObject, type Digest, type Shape } from '@assay/kernel';
import { closed, digest, integer, list, nullable, oneOf, tuple } from '@assay/kernel/shape';
import { NAME, TAG, WORDS } from './constraint.js';
import { RESOLVER, type Resolver } from './resolver.js';

/**
 * What goals are compared by: words, and the kinds and domains of the constraints that the goal was given,
 * money and time left out.
 */
export type GoalKind = {
  readonly summary: string;
  readonly signature: readonly (readonly [type: string, domain: string])[];
};

/** Relations that a row states; all others follow from the rows. Source: 000 §2.C. */
export const RELATIONS = ['built_by', 'composed_of', 'replaced_by'] as const;

/**
 * What a capability request comes to. `withdrawn`: nobody answered it, or with money: it may be put again.
 * Source: dec-K28, dec-K31.
 */
export const REQUEST_STATUSES = ['requested', 'delivered', 'declined', 'withdrawn'] as const;

/**
 * One row. `resolver`: it is in the registry; `attempt`: one try at a goal, with the hashes of its constraints;
 * `estimate`: what a task of a goal was to cost and did; `alias`: another name of a tag, which a person says.
 */
export type LibraryRow =
  | { readonly t: 'resolver'; readonly resolver: Resolver }
  | {
      readonly t: 'attempt';
      readonly goal: GoalKind;
      readonly node: string;
      readonly index: number;
      readonly capability: string;
      readonly constraints: readonly Digest[];
      readonly resolver: string;
      readonly verdict: 'SAT' | 'UNSAT';
      readonly sigma_ppm: number;
      readonly failure_mode: string | null;
    }
  | { readonly t: 'produced'; readonly resolver: string; readonly output: Digest }
  | {
      readonly t: 'edge';
      readonly from: string;
      readonly relation: (typeof RELATIONS)[number];
      readonly to: string;
    }
  | {
      readonly t: 'capability';
      readonly fingerprint: string;
      readonly capability: string;
      readonly status: (typeof REQUEST_STATUSES)[number];
      readonly resolver: string | null;
    }
  | {
      readonly t: 'estimate';
      readonly goal: GoalKind;
      readonly resolver: string;
      readonly unit: string;
      readonly estimated: number;
      readonly actual: number;
    }
  | { readonly t: 'alias'; readonly tag: string; readonly is: string };

const KIND = oneOf(['logic', 'semantic']);
/** The kinds and domains of constraints. */
export const SIGNATURE: Shape<GoalKind['signature']> = list(tuple(KIND, TAG), ({ length }) => length <= 256);
/** Shape of a {@link GoalKind}. */
export const GOAL_KIND: Shape<GoalKind> = closed({
  summary: WORDS,
  signature: SIGNATURE,
});
const amount = integer(0);
const ROWS: Readonly<Record<LibraryRow['t'], Shape>> = {
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
    fingerprint: digest,
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

/** Shape of a {@link LibraryRow}. */
export const LIBRARY_ROW: Shape<LibraryRow> = (value) => {
  const t = isObject(value) ? value['t'] : undefined;
  const shape = Object.entries(ROWS).find(([name]) => name === t)?.[1];
  return shape === undefined ? '/t' : shape(value);
};
