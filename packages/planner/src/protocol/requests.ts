/**
 * What is asked and what is answered: one row for each kind of request. A body holds local keys only, nothing of the
 * run, its budget or its clock, so that recorded answers match across runs; a person's question about money names
 * what is missing. Shapes of answers are closed; what depends on the state, and what follows, is in the rows of
 * `decide`. Source: 000 §1; dec-K18, dec-K71, dec-K72, dec-K75, dec-K85.
 *
 * @module
 */
import {
  err,
  ok,
  parseShape,
  type Json,
  type Rejection,
  type Request,
  type Result,
  type Shape,
  type Source,
} from '@assay/kernel';
import {
  closed,
  free,
  freeObject,
  integer,
  list,
  nullable,
  oneOf,
  text,
  type TypeOf,
} from '@assay/kernel/shape';
import {
  amount,
  ARTIFACT,
  atMost,
  CHECK,
  HIRED,
  ids,
  MADE_OR_SPLIT,
  MANY,
  OFF,
  pairs,
  questions,
  SETTLED,
} from './answers.js';
import { CONSTRAINT, NAME, TAG, WORDS, type ConstraintDraft } from './constraint.js';
import type { GoalKind } from './library-rows.js';
import { BOUND, KNOWN, type Bound, type Track } from './resolver.js';

/** Why an output was not good enough: what the next try is told. */
export type Feedback = {
  readonly attempt: number;
  readonly resolver: string;
  readonly failed: readonly { readonly constraint: string; readonly detail: string }[];
  readonly advice: string | null;
};
/** A constraint as resolvers and judges see it. */
export type Shown = ConstraintDraft;

/** The body of each kind of request, in the order a goal meets them. */
export type Bodies = {
  /** What time is it? */
  readonly clock: { readonly before: string };
  /**
   * What does the library know of goals like this? Asked at the start, and before something is built: then
   * `gap` is what is missing, and only what provides `capability` is wanted.
   */
  readonly library: GoalKind & { readonly capability: string | null; readonly gap: Json };
  /** Step 1: which constraints does the goal state or imply? `conflicts`: pairs that a person must settle. */
  readonly extract: {
    readonly goal: string;
    readonly modality: string;
    readonly constraints: readonly Shown[];
    readonly suggestions: readonly string[];
    readonly conflicts: readonly (readonly [string, string])[];
  };
  /** Step 2: which of these apply here, and which others? */
  readonly identify: {
    readonly node: string;
    readonly goal: string;
    readonly candidates: readonly Shown[];
    readonly inherited: readonly string[];
  };
  /** Step 3: which are needed? `core` is kept in any case. */
  readonly select: {
    readonly node: string;
    readonly goal: string;
    readonly core: readonly string[];
    readonly candidates: readonly Shown[];
  };
  /** Step 4: which of these resolvers, in which order? */
  readonly route: {
    readonly node: string;
    readonly goal: string;
    readonly capability: string;
    readonly candidates: readonly {
      readonly id: string;
      readonly label: string;
      readonly capabilities: readonly string[];
      readonly record: Track;
    }[];
    readonly history: string;
  };
  /** Step 5: do it, or say which tasks it consists of. `rows`: what an approach must state amounts for. */
  readonly resolve: {
    readonly node: string;
    readonly goal: string;
    readonly kind: 'goal' | 'build';
    readonly resolver: string;
    readonly step: number;
    readonly steps: number;
    readonly approach: { readonly id: string; readonly method: string | null } | null;
    readonly constraints: readonly Shown[];
    readonly rows: readonly Shown[];
    readonly inherited: readonly string[];
    readonly inputs: readonly string[];
    readonly checks: readonly string[];
    readonly feedback: readonly Feedback[];
    readonly may_split: boolean;
    readonly limits: { readonly tasks: number; readonly alternatives: number };
    readonly history: string;
  };
  /** Which other ways are there to do these tasks? `missing`: figures that nobody has stated. */
  readonly survey: {
    readonly node: string;
    readonly goal: string;
    readonly tasks: readonly {
      readonly id: string;
      readonly title: string;
      readonly kind: string;
      readonly why: readonly string[];
      readonly approach: Json;
    }[];
    readonly violated: readonly Shown[];
    readonly missing: readonly { readonly constraint: string; readonly approaches: readonly string[] }[];
    readonly limits: { readonly alternatives: number };
  };
  /** Which of these equal repairs first? */
  readonly rank: {
    readonly node: string;
    readonly repairs: readonly (readonly (readonly [task: string, approach: string])[])[];
  };
  /** A better choice than this, please. Source: dec-K78. */
  readonly choose: {
    readonly node: string;
    readonly plan: Json;
    readonly best: readonly (readonly [task: string, approach: string])[];
    readonly unfinished: string;
  };
  /** Step 6: do these hold of this output? `logic` is asked of tools, `semantic` of judges. */
  readonly verify: {
    readonly node: string;
    readonly goal: string;
    readonly judge: 'logic' | 'semantic';
    readonly constraints: readonly Shown[];
    readonly output: string;
    readonly summary: string;
    readonly tasks: readonly { readonly id: string; readonly title: string; readonly approach: string }[];
  };
  /** Step 9: what is to be done differently? */
  readonly feedback: {
    readonly node: string;
    readonly goal: string;
    readonly failed: Feedback['failed'];
    readonly tried: readonly Feedback[];
  };
  /** Step 10: what is missing to do this? */
  readonly gap: {
    readonly node: string;
    readonly goal: string;
    readonly capability: string;
    readonly tried: readonly Feedback[];
  };
  /** What became of a request that another run has made? */
  readonly capability: { readonly fingerprint: string; readonly capability: string };
  /** Step 11: a person decides: more money, no, or a tool. */
  readonly hire: {
    readonly node: string;
    readonly goal: string;
    readonly reason: 'over_budget' | 'no_resolver' | 'build_failed';
    readonly capability: string;
    readonly constraints: readonly Shown[];
    readonly tried: readonly Feedback[];
    readonly short: Bound | null;
  };
  /** Step 12: do these outputs contradict each other? */
  readonly consistency: {
    readonly outputs: readonly {
      readonly node: string;
      readonly title: string;
      readonly constraints: readonly string[];
      readonly output: string;
      readonly text: string;
    }[];
  };
  /** Step 13: put these together. */
  readonly assemble: {
    readonly goal: string;
    readonly parts: readonly { readonly node: string; readonly title: string; readonly output: string }[];
  };
};

/** Kinds of request. */
export type AskKind = keyof Bodies;
/** Any body. */
export type Body = Bodies[AskKind];

/**
 * A kind of request: who may answer it with a value, the capability that somebody is routed to by, null for nobody,
 * and what an answer is.
 */
type Row = {
  readonly accepts: readonly Source[];
  readonly capability: string | null;
  readonly answer: Shape;
};
const node = text((value) => value.length <= 1_024);
const constraints = list(CONSTRAINT, atMost(256));
const JUDGES: readonly Source[] = ['live_model', 'recorded_model', 'rule', 'human', 'synthetic'];

/** Every kind of request, in the order a goal meets them. */
export const REQUESTS = {
  clock: { accepts: ['clock', 'synthetic'], capability: null, answer: closed({ t_us: integer(0) }) },
  /** What a library says of goals like this one. `off`: by how much their costs were off (dec-K81). */
  library: {
    accepts: ['run', 'synthetic'],
    capability: null,
    answer: closed({
      resolvers: list(KNOWN, atMost(1_024)),
      capabilities: list(SETTLED, atMost(1_024)),
      aliases: pairs(TAG, TAG),
      history: WORDS,
      off: OFF,
    }),
  },
  /** Constraints and open questions; `drop`: ids that a person takes back to settle a conflict. */
  extract: {
    accepts: JUDGES,
    capability: 'synthesize_goal',
    answer: closed({ constraints, drop: ids, questions }),
  },
  /** Which candidates apply, and new constraints. */
  identify: {
    accepts: JUDGES,
    capability: 'identify_constraints',
    answer: closed({ apply: ids, constraints }),
  },
  select: { accepts: JUDGES, capability: 'select_constraints', answer: closed({ selected: ids }) },
  /** Resolvers in sequence. */
  route: {
    accepts: JUDGES,
    capability: 'select_resolver',
    answer: closed({ steps: list(NAME, ({ length }) => length > 0 && length <= 16) }),
  },
  resolve: { accepts: ['tool', 'run', ...JUDGES], capability: null, answer: MADE_OR_SPLIT },
  /** Other approaches, as a plan file writes them, and figures that were missing. */
  survey: {
    accepts: JUDGES,
    capability: 'reason',
    answer: closed({
      approaches: list(closed({ task: NAME, approach: freeObject }), atMost(MANY)),
      figures: list(closed({ constraint: NAME, task: NAME, approach: NAME, value: free }), atMost(MANY)),
      values: list(
        closed({ constraint: NAME, approaches: list(NAME, atMost(2)), value: amount }),
        atMost(MANY),
      ),
    }),
  },
  /** Places of repairs, the preferred one first. */
  rank: { accepts: JUDGES, capability: 'reason', answer: closed({ order: list(integer(0, 5), atMost(6)) }) },
  /** A choice by names and rounded weights. Source: dec-K78. */
  choose: {
    accepts: ['tool', 'synthetic'],
    capability: null,
    answer: closed({ choice: pairs(NAME, NAME), weights: pairs(WORDS, amount), unit: amount }),
  },
  /** What somebody found of each constraint. The verdict is derived; a stated one is compared (dec-K45). */
  verify: {
    accepts: ['tool', ...JUDGES],
    capability: 'verify_semantic',
    answer: closed({
      verdict: nullable(oneOf(['SAT', 'UNSAT'])),
      checks: list(CHECK, atMost(256)),
    }),
  },
  /** What to do differently. */
  feedback: { accepts: JUDGES, capability: 'generate_feedback', answer: closed({ advice: WORDS }) },
  /** What is missing, and what making it would cost. */
  gap: {
    accepts: JUDGES,
    capability: 'reason',
    answer: closed({ capability: TAG, title: WORDS, constraints, estimate: BOUND, rationale: WORDS }),
  },
  /** What came of a capability request. */
  capability: { accepts: ['run', 'synthetic'], capability: null, answer: SETTLED },
  hire: { accepts: ['human'], capability: null, answer: HIRED },
  /** Contradictions between outputs, each with what would rule it out. */
  consistency: {
    accepts: JUDGES,
    capability: 'check_global_consistency',
    answer: closed({
      conflicts: list(closed({ nodes: list(node, atMost(200)), constraints, detail: WORDS }), atMost(64)),
    }),
  },
  assemble: {
    accepts: ['tool', ...JUDGES],
    capability: 'assemble_artifact',
    answer: closed({ artifact: ARTIFACT }),
  },
} satisfies { readonly [kind in AskKind]: Row };

/** Kinds of request. */
export const ASK_KINDS = Object.keys(REQUESTS) as readonly AskKind[];
/** Kinds that wait for others and count no slot of `parallel`. */
export const PATIENT: readonly AskKind[] = ['hire', 'capability'];

/** An answer by the kind of its request. */
export type Answers = { readonly [K in AskKind]: TypeOf<(typeof REQUESTS)[K]['answer']> };
/** An answer that was read. */
export type Input = { readonly [K in AskKind]: { readonly t: K; readonly value: Answers[K] } }[AskKind];

/** Reads an answer by the kind of its request. Rejection: `bad_<kind>` with {path}. Total. */
export function parseAnswer(value: Json, { kind }: Pick<Request, 'kind'>): Result<Rejection, Input> {
  if (!isAskKind(kind)) return err({ code: 'bad_answer', detail: { path: '', kind } });
  const shaped = parseShape<never>(REQUESTS[kind].answer, value);
  return shaped._tag === 'Right'
    ? ok({ t: kind, value: shaped.right })
    : err({ code: `bad_${kind}`, detail: { path: shaped.left.path } });
}

function isAskKind(kind: string): kind is AskKind {
  return Object.hasOwn(REQUESTS, kind);
}
