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
import {
  closed,
  flag,
  free,
  freeObject,
  integer,
  list,
  nullable,
  oneOf,
  text,
  tuple,
  type TypeOf,
} from '@assay/kernel/shape';
import { TOTAL_MAX } from '../plan/limits.js';
import type { AskKind } from './asks.js';
import { CONSTRAINT, NAME, TAG, WORDS } from './constraint.js';
import { BOUND, KNOWN, RESOLVER, type Bound, type Resolver } from './resolver.js';

/** Kinds of leaves. Source: 000 §2.A "Leaf classification". */
export const LEAF_KINDS = ['atomic', 'off_the_shelf', 'contracted', 'constraint_exhausted'] as const;

const MANY = 4_096;
const atMost = (most: number) => (items: readonly Json[]) => items.length <= most;
const node = text((value) => value.length <= 1_024);
const ids = list(NAME, atMost(MANY));
const constraints = list(CONSTRAINT, atMost(256));
const questions = list(WORDS, atMost(64));
const amount = integer(0, TOTAL_MAX);
/** Pairs of two shapes. */
function pairs<A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly (readonly [A, B])[]> {
  return list(tuple(first, second), atMost(MANY));
}

const ARTIFACT = closed({ format: TAG, summary: WORDS, content: free });
/** What was made. `content`: any JSON; large bytes as blob tokens. */
export type Artifact = TypeOf<typeof ARTIFACT>;

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

const MADE: Shape<Made> = closed({
  artifact: ARTIFACT,
  leaf_kind: oneOf(LEAF_KINDS),
  leaf_reason: WORDS,
  manifest: nullable(RESOLVER),
  checks: pairs(NAME, integer(0, 255)),
  figures: pairs(NAME, amount),
});
const SPLIT: Shape<Split> = closed({
  tasks: list(freeObject, atMost(2_000)),
  carries: pairs(NAME, ids),
  needs: pairs(NAME, TAG),
  measures: pairs(NAME, NAME),
  couples: list(closed({ constraint: NAME, tasks: list(NAME, atMost(2)), values: free }), atMost(64)),
  questions,
});
const MADE_OR_SPLIT: Shape<Made | Split> = (value) =>
  (isObject(value) && Object.hasOwn(value, 'tasks') ? SPLIT : MADE)(value);

/** Shape of a {@link Check}. */
export const CHECK = closed({
  constraint: NAME,
  passed: flag,
  sigma_ppm: integer(0, 1_000_000),
  detail: WORDS,
  repair: nullable(WORDS),
});
/** What was found of one constraint. Source: 000 §0 "Verification result". */
export type Check = TypeOf<typeof CHECK>;

/** Shape of how far estimates were off, null where that is not known. */
export const OFF = nullable(closed({ n: integer(1), median_ppm: integer(0) }));
const SETTLED = closed({
  fingerprint: text((value) => /^[0-9a-f]{64}$/.test(value)),
  capability: TAG,
  status: oneOf(['requested', 'delivered', 'declined']),
  resolver: nullable(RESOLVER),
});

/** A person's decision. Source: 000 §5 `escalate_to_hire`. */
export type Hired =
  | { readonly kind: 'increase_budget'; readonly grants: Bound }
  | { readonly kind: 'decline'; readonly why: string }
  | { readonly kind: 'resolver'; readonly resolver: Resolver };
const HIRES: { readonly [kind in Hired['kind']]: Shape<Hired> } = {
  increase_budget: closed({ kind: oneOf(['increase_budget']), grants: BOUND }),
  decline: closed({ kind: oneOf(['decline']), why: WORDS }),
  resolver: closed({ kind: oneOf(['resolver']), resolver: RESOLVER }),
};
const HIRED: Shape<Hired> = (value) => {
  const kind = isObject(value) ? value['kind'] : undefined;
  const shape = Object.entries(HIRES).find(([name]) => name === kind)?.[1];
  return shape === undefined ? '/kind' : shape(value);
};

/** What fits an answer, by the kind of its request. */
const SHAPES = {
  /** Constraints and open questions; `drop`: ids that a person takes back to settle a conflict. */
  extract: closed({ constraints, drop: ids, questions }),
  /** Which candidates apply, and new constraints. */
  identify: closed({ apply: ids, constraints }),
  select: closed({ selected: ids }),
  /** Resolvers in sequence. */
  route: closed({ steps: list(NAME, ({ length }) => length > 0 && length <= 16) }),
  resolve: MADE_OR_SPLIT,
  /** What somebody found of each constraint. The verdict is derived; a stated one is compared (dec-K45). */
  verify: closed({
    verdict: nullable(oneOf(['SAT', 'UNSAT'])),
    checks: list(CHECK, atMost(256)),
  }),
  /** Other approaches, as a plan file writes them, and figures that were missing. */
  survey: closed({
    approaches: list(closed({ task: NAME, approach: freeObject }), atMost(MANY)),
    figures: list(closed({ constraint: NAME, task: NAME, approach: NAME, value: free }), atMost(MANY)),
    values: list(
      closed({ constraint: NAME, approaches: list(NAME, atMost(2)), value: amount }),
      atMost(MANY),
    ),
  }),
  /** Places of repairs, the preferred one first. */
  rank: closed({ order: list(integer(0, 5), atMost(6)) }),
  /** A choice by names and rounded weights. Source: dec-K78. */
  choose: closed({ choice: pairs(NAME, NAME), weights: pairs(WORDS, amount), unit: amount }),
  /** What to do differently. */
  feedback: closed({ advice: WORDS }),
  /** What is missing, and what making it would cost. */
  gap: closed({ capability: TAG, title: WORDS, constraints, estimate: BOUND, rationale: WORDS }),
  /** Contradictions between outputs, each with what would rule it out. */
  consistency: closed({
    conflicts: list(closed({ nodes: list(node, atMost(200)), constraints, detail: WORDS }), atMost(64)),
  }),
  assemble: closed({ artifact: ARTIFACT }),
  /** What a library says of goals like this one. `off`: by how much their costs were off (dec-K81). */
  library: closed({
    resolvers: list(KNOWN, atMost(1_024)),
    capabilities: list(SETTLED, atMost(1_024)),
    aliases: pairs(TAG, TAG),
    history: WORDS,
    off: OFF,
  }),
  /** What came of a capability request. */
  capability: SETTLED,
  hire: HIRED,
  clock: closed({ t_us: integer(0) }),
} satisfies { readonly [kind in AskKind]: Shape };

/** An answer of one kind. */
export type AnswerOf<K extends AskKind> = TypeOf<(typeof SHAPES)[K]>;
/** An answer by the kind of its request. */
export type Input = { readonly [K in AskKind]: { readonly t: K; readonly value: AnswerOf<K> } }[AskKind];
/** An answer to `verify`. */
export type Verified = AnswerOf<'verify'>;
/** An answer to `survey`. */
export type Surveyed = AnswerOf<'survey'>;
/** An answer to `choose`. */
export type Chosen = AnswerOf<'choose'>;
/** An answer to `gap`. */
export type Gap = AnswerOf<'gap'>;
/** An answer to `consistency`. */
export type Consistent = AnswerOf<'consistency'>;
/** An answer to `capability`. */
export type Settled = AnswerOf<'capability'>;
/** An answer to `library`. */
export type Reading = AnswerOf<'library'>;

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
