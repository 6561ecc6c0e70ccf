/**
 * Who is asked and what is answered: one row for each kind of request. What is asked is in `bodies`; what follows, and
 * what depends on the state, in the rows of `decide`. Shapes are closed. Source: 000 §1; dec-K18, dec-K71, dec-K72,
 * dec-K75, dec-K85.
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
import type { AskKind } from './bodies.js';
import { CONSTRAINT, NAME, TAG, WORDS } from './constraint.js';
import { BOUND, KNOWN } from './resolver.js';

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
  /** What a library says of goals like this one. `off`: by how much estimates were off (dec-K81). */
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
  /** What a task came to, by row in its unit and in minutes; what is left out is as it was estimated. */
  done: {
    accepts: ['human'],
    capability: null,
    answer: closed({ amounts: pairs(NAME, amount), minutes: nullable(amount), note: WORDS }),
  },
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
export const PATIENT: readonly AskKind[] = ['hire', 'capability', 'done'];

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
