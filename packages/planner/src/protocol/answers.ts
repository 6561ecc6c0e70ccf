/**
 * What answers mean. Shapes are closed; what depends on the state is judged where it is decided. Source: 000
 * §1; dec-K18, dec-K71.
 *
 * @module
 */
import {
  err,
  isObject,
  ok,
  parseShape,
  type Json,
  type JsonObject,
  type Rejection,
  type Request,
  type Result,
  type Shape,
} from '@assay/kernel';
import { closed, flag, free, integer, list, nullable, oneOf, text, tuple } from '@assay/kernel/shape';
import { TOTAL_MAX } from '../plan/limits.js';
import type { AskKind } from './asks.js';
import { CONSTRAINT, NAME, TAG, WORDS, type ConstraintDraft } from './constraint.js';
import { BOUND, KNOWN, RESOLVER, type Bound, type Known, type Resolver } from './resolver.js';

/** Constraints and open questions; `drop`: ids that a person takes back to settle a conflict. */
export type Extracted = {
  readonly constraints: readonly ConstraintDraft[];
  readonly drop: readonly string[];
  readonly questions: readonly string[];
};
/** Which candidates apply, and new constraints. */
export type Identified = {
  readonly apply: readonly string[];
  readonly constraints: readonly ConstraintDraft[];
};
/** Resolvers in sequence. */
export type Routed = { readonly steps: readonly string[] };
/** Kinds of leaves. Source: 000 §2.A "Leaf classification". */
export const LEAF_KINDS = ['atomic', 'off_the_shelf', 'contracted', 'constraint_exhausted'] as const;
/** What was made. `content`: any JSON; large bytes as blob tokens. */
export type Artifact = { readonly format: string; readonly summary: string; readonly content: Json };
/**
 * An output. `checks`: exit codes of declared checks, `figures`: measured values, both by constraint and only
 * believed of tools; `manifest`: of a build, the tool that it made.
 */
export type Made = {
  readonly artifact: Artifact;
  readonly leaf_kind: (typeof LEAF_KINDS)[number];
  readonly leaf_reason: string;
  readonly manifest: Resolver | null;
  readonly checks: readonly (readonly [constraint: string, exit: number])[];
  readonly figures: readonly (readonly [constraint: string, value: number])[];
};
/**
 * A decomposition: tasks as a plan file writes them; which task carries which constraints and needs which
 * capability; which constraint is measured on which task, or on which pair of them.
 */
export type Split = {
  readonly tasks: readonly JsonObject[];
  readonly carries: readonly (readonly [task: string, constraints: readonly string[]])[];
  readonly needs: readonly (readonly [task: string, capability: string])[];
  readonly measures: readonly (readonly [constraint: string, task: string])[];
  readonly couples: readonly {
    readonly constraint: string;
    readonly tasks: readonly string[];
    readonly values: Json;
  }[];
  readonly questions: readonly string[];
};
/** What was found of one constraint. Source: 000 §0 "Verification result". */
export type Check = {
  readonly constraint: string;
  readonly passed: boolean;
  readonly sigma_ppm: number;
  readonly detail: string;
  readonly repair: string | null;
};
/** What somebody found of each constraint. The verdict is derived; a stated one is compared (dec-K45). */
export type Verified = {
  readonly verdict: 'SAT' | 'UNSAT' | null;
  readonly checks: readonly Check[];
};
/** Other approaches, as a plan file writes them, and figures that were missing. */
export type Surveyed = {
  readonly approaches: readonly { readonly task: string; readonly approach: JsonObject }[];
  readonly figures: readonly {
    readonly constraint: string;
    readonly task: string;
    readonly approach: string;
    readonly value: Json;
  }[];
  readonly values: readonly {
    readonly constraint: string;
    readonly approaches: readonly string[];
    readonly value: number;
  }[];
};
/** Places of repairs, the preferred one first. */
export type Ranked = { readonly order: readonly number[] };
/** A choice by names and rounded weights. Source: dec-K78. */
export type Chosen = {
  readonly choice: readonly (readonly [task: string, approach: string])[];
  readonly weights: readonly (readonly [row: string, weight: number])[];
  readonly unit: number;
};
/** What to do differently. */
export type Advised = { readonly advice: string };
/** What is missing, and what making it would cost. */
export type Gap = {
  readonly capability: string;
  readonly title: string;
  readonly constraints: readonly ConstraintDraft[];
  readonly estimate: Bound;
  readonly rationale: string;
};
/** Contradictions between outputs, each with what would rule it out. */
export type Consistent = {
  readonly conflicts: readonly {
    readonly nodes: readonly string[];
    readonly constraints: readonly ConstraintDraft[];
    readonly detail: string;
  }[];
};
/** What came of a capability request. */
export type Settled = {
  readonly fingerprint: string;
  readonly capability: string;
  readonly status: 'requested' | 'delivered' | 'declined';
  readonly resolver: Resolver | null;
};
/** What a library says of goals like this one. `off`: by how much their costs were off (dec-K81). */
export type Reading = {
  readonly resolvers: readonly Known[];
  readonly capabilities: readonly Settled[];
  readonly aliases: readonly (readonly [tag: string, is: string])[];
  readonly history: string;
  readonly off: { readonly n: number; readonly median_ppm: number } | null;
};
/** A person's decision. Source: 000 §5 `escalate_to_hire`. */
export type Hired =
  | { readonly kind: 'increase_budget'; readonly grants: Bound }
  | { readonly kind: 'decline'; readonly why: string }
  | { readonly kind: 'resolver'; readonly resolver: Resolver };

/** An answer by the kind of its request. */
export type Input =
  | { readonly t: 'extract'; readonly value: Extracted }
  | { readonly t: 'identify'; readonly value: Identified }
  | { readonly t: 'select'; readonly value: { readonly selected: readonly string[] } }
  | { readonly t: 'route'; readonly value: Routed }
  | { readonly t: 'resolve'; readonly value: Made | Split }
  | { readonly t: 'verify'; readonly value: Verified }
  | { readonly t: 'survey'; readonly value: Surveyed }
  | { readonly t: 'rank'; readonly value: Ranked }
  | { readonly t: 'choose'; readonly value: Chosen }
  | { readonly t: 'feedback'; readonly value: Advised }
  | { readonly t: 'gap'; readonly value: Gap }
  | { readonly t: 'consistency'; readonly value: Consistent }
  | { readonly t: 'assemble'; readonly value: { readonly artifact: Artifact } }
  | { readonly t: 'library'; readonly value: Reading }
  | { readonly t: 'capability'; readonly value: Settled }
  | { readonly t: 'hire'; readonly value: Hired }
  | { readonly t: 'clock'; readonly value: { readonly t_us: number } };

const MANY = 4_096;
const atMost = (most: number) => (items: readonly Json[]) => items.length <= most;
const node = text((value) => value.length <= 1_024);
const ids = list(NAME, atMost(MANY));
const constraints = list(CONSTRAINT, atMost(256));
const questions = list(WORDS, atMost(64));
const amount = integer(0, TOTAL_MAX);
const object: Shape<JsonObject> = (value) => (isObject(value) ? null : '');
/** Pairs of two shapes. */
function pairs<A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly (readonly [A, B])[]> {
  return list(tuple(first, second), atMost(MANY));
}
/** Shape of an {@link Artifact}. */
const ARTIFACT = closed({ format: TAG, summary: WORDS, content: free });
/** Shape of a {@link Check}. */
export const CHECK: Shape<Check> = closed({
  constraint: NAME,
  passed: flag,
  sigma_ppm: integer(0, 1_000_000),
  detail: WORDS,
  repair: nullable(WORDS),
});
const MADE = closed({
  artifact: ARTIFACT,
  leaf_kind: oneOf(LEAF_KINDS),
  leaf_reason: WORDS,
  manifest: nullable(RESOLVER),
  checks: pairs(NAME, integer(0, 255)),
  figures: pairs(NAME, amount),
});
const SPLIT = closed({
  tasks: list(object, atMost(2_000)),
  carries: pairs(NAME, ids),
  needs: pairs(NAME, TAG),
  measures: pairs(NAME, NAME),
  couples: list(closed({ constraint: NAME, tasks: list(NAME, atMost(2)), values: free }), atMost(64)),
  questions,
});
/** Shape of how far estimates were off, null where that is not known. */
export const OFF: Shape<Reading['off']> = nullable(closed({ n: integer(1), median_ppm: integer(0) }));
const SETTLED = closed({
  fingerprint: text((value) => /^[0-9a-f]{64}$/.test(value)),
  capability: TAG,
  status: oneOf(['requested', 'delivered', 'declined']),
  resolver: nullable(RESOLVER),
});
const HIRED: Readonly<Record<Hired['kind'], Shape>> = {
  increase_budget: closed({ kind: oneOf(['increase_budget']), grants: BOUND }),
  decline: closed({ kind: oneOf(['decline']), why: WORDS }),
  resolver: closed({ kind: oneOf(['resolver']), resolver: RESOLVER }),
};

const SHAPES: Readonly<Record<AskKind, Shape>> = {
  extract: closed({ constraints, drop: ids, questions }),
  identify: closed({ apply: ids, constraints }),
  select: closed({ selected: ids }),
  route: closed({ steps: list(NAME, ({ length }) => length > 0 && length <= 16) }),
  resolve: (value) => (isObject(value) && Object.hasOwn(value, 'tasks') ? SPLIT(value) : MADE(value)),
  verify: closed({
    verdict: nullable(oneOf(['SAT', 'UNSAT'])),
    checks: list(CHECK, atMost(256)),
  }),
  survey: closed({
    approaches: list(closed({ task: NAME, approach: object }), atMost(MANY)),
    figures: list(closed({ constraint: NAME, task: NAME, approach: NAME, value: free }), atMost(MANY)),
    values: list(
      closed({ constraint: NAME, approaches: list(NAME, atMost(2)), value: amount }),
      atMost(MANY),
    ),
  }),
  rank: closed({ order: list(integer(0, 5), atMost(6)) }),
  choose: closed({ choice: pairs(NAME, NAME), weights: pairs(WORDS, amount), unit: amount }),
  feedback: closed({ advice: WORDS }),
  gap: closed({ capability: TAG, title: WORDS, constraints, estimate: BOUND, rationale: WORDS }),
  consistency: closed({
    conflicts: list(closed({ nodes: list(node, atMost(200)), constraints, detail: WORDS }), atMost(64)),
  }),
  assemble: closed({ artifact: ARTIFACT }),
  library: closed({
    resolvers: list(KNOWN, atMost(1_024)),
    capabilities: list(SETTLED, atMost(1_024)),
    aliases: pairs(TAG, TAG),
    history: WORDS,
    off: OFF,
  }),
  capability: SETTLED,
  hire: (value) => {
    const kind = isObject(value) ? value['kind'] : undefined;
    const shape = Object.entries(HIRED).find(([name]) => name === kind)?.[1];
    return shape === undefined ? '/kind' : shape(value);
  },
  clock: closed({ t_us: integer(0) }),
};

/** Reads an answer by the kind of its request. Rejection: `bad_<kind>` with {path}. Total. */
export function parseAnswer(value: Json, { kind }: Pick<Request, 'kind'>): Result<Rejection, Input> {
  const shape = Object.entries(SHAPES).find(([name]) => name === kind)?.[1];
  if (shape === undefined) return err({ code: 'bad_answer', detail: { path: '', kind } });
  const shaped = parseShape<Json>(shape, value);
  if (shaped._tag === 'Left') return err({ code: `bad_${kind}`, detail: { path: shaped.left.path } });
  const input: Json = { t: kind, value };
  return ok(input as unknown as Input);
}

/** True for a decomposition. */
export function isSplit(value: Made | Split): value is Split {
  return 'tasks' in value;
}
