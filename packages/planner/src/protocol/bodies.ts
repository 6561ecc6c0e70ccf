/**
 * What is asked: the body of each kind of request, in the order a goal meets them. It holds local keys only,
 * nothing of the run, its budget or its clock, so that recorded answers match across runs; a person's
 * question about money names what is missing. What a planner's run has for a library, row by row. Source:
 * 000 §1; dec-K18; dec-K71; dec-K72; dec-K75; dec-K85; 000 §2.B; §2.C; dec-K30; dec-K33; dec-K81.
 */
import {
  closed,
  flag,
  free,
  integer,
  list,
  nullable,
  oneOf,
  text,
  tuple,
  type TypeOf,
  digest,
} from '@assay/kernel/shape';
import { CONSTRAINT, NAME, TAG, tagged, WORDS } from './constraint.js';
import { BOUND, TRACK, FINGERPRINT, RESOLVER } from './resolver.js';

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
    /** A row of the plan; null for how long it took. */
    row: nullable(NAME),
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

const any = text();
const texts = list(any);
const count = integer(0);
const ESTIMATE = tuple(count, count, count);
const APPROACH = nullable(closed({ id: any, method: nullable(any) }));
const choices = list(tuple(any, any));
/** A constraint as resolvers and judges see it. */
const shown = list(CONSTRAINT);

const FAILED = list(closed({ constraint: any, detail: any }));
const FEEDBACK = closed({
  attempt: count,
  resolver: any,
  failed: FAILED,
  advice: nullable(any),
});
/** Why an output was not good enough: what the next try is told. */
export type Feedback = TypeOf<typeof FEEDBACK>;

/** The shape of each body. The machine writes them; whoever reads one has its type. */
export const BODIES = {
  /** What time is it? */
  clock: closed({ before: any }),
  /**
   * What does the library know of goals like this? Asked at the start, and before something is built: then
   * `gap` is what is missing, and only what provides `capability` is wanted.
   */
  library: closed({ ...GOAL_KIND_FIELDS, capability: nullable(any), gap: free }),
  /** Step 1: which constraints does the goal state or imply? `conflicts`: pairs that a person must settle. */
  extract: closed({ goal: any, modality: any, constraints: shown, suggestions: texts, conflicts: choices }),
  /** Step 2: which of these apply here, and which others? */
  identify: closed({ node: any, goal: any, candidates: shown, inherited: texts }),
  /** Step 3: which are needed? `core` is kept in any case. */
  select: closed({ node: any, goal: any, core: texts, candidates: shown }),
  /** Step 4: which of these resolvers, in which order? */
  route: closed({
    node: any,
    goal: any,
    capability: any,
    candidates: list(closed({ id: any, label: any, capabilities: texts, record: TRACK })),
    history: any,
  }),
  /** Step 5: do it, or say which tasks it consists of. `rows`: what an approach must state amounts for. */
  resolve: closed({
    node: any,
    goal: any,
    kind: oneOf(['goal', 'build']),
    resolver: any,
    step: count,
    steps: count,
    approach: APPROACH,
    constraints: shown,
    rows: shown,
    inherited: texts,
    inputs: texts,
    checks: texts,
    feedback: list(FEEDBACK),
    may_split: flag,
    limits: closed({ tasks: count, alternatives: count }),
    history: any,
  }),
  /** Which other ways are there to do these tasks? `missing`: figures that nobody has stated. */
  survey: closed({
    node: any,
    goal: any,
    tasks: list(closed({ id: any, title: any, kind: any, why: texts, approach: free })),
    violated: shown,
    missing: list(closed({ constraint: any, approaches: texts })),
    limits: closed({ alternatives: count }),
  }),
  /** Which of these equal repairs first? Each is tasks with approaches. */
  rank: closed({ node: any, repairs: list(choices) }),
  /** A better choice than this, please: by names and rounded weights. Source: dec-K78. */
  choose: closed({ node: any, plan: free, best: choices, unfinished: any }),
  /** Step 6: do these hold of this output? `logic` is asked of tools, `semantic` of judges. */
  verify: closed({
    node: any,
    goal: any,
    judge: oneOf(['logic', 'semantic']),
    constraints: shown,
    output: any,
    summary: any,
    tasks: list(closed({ id: any, title: any, approach: any })),
  }),
  /** Step 9: what is to be done differently? */
  feedback: closed({ node: any, goal: any, failed: FAILED, tried: list(FEEDBACK) }),
  /** Step 10: what is missing to do this? */
  gap: closed({ node: any, goal: any, capability: any, tried: list(FEEDBACK) }),
  /** What became of a request that another run has made? */
  capability: closed({ fingerprint: any, capability: any }),
  /** Step 11: a person decides: more money, no, a command that does it, or that they do it. */
  hire: closed({
    node: any,
    goal: any,
    reason: oneOf(['over_budget', 'no_resolver', 'build_failed']),
    capability: any,
    constraints: shown,
    tried: list(FEEDBACK),
    short: nullable(BOUND),
  }),
  /** A person does this: what did it come to? `rows`, `minutes`: what it was to; null, none where no plan says it. */
  done: closed({
    node: any,
    task: any,
    goal: any,
    approach: APPROACH,
    rows: list(closed({ id: any, unit: any, estimate: ESTIMATE })),
    minutes: nullable(ESTIMATE),
    tried: list(FEEDBACK),
  }),
  /** Step 12: do these outputs contradict each other? */
  consistency: closed({
    outputs: list(closed({ node: any, title: any, constraints: texts, output: any, text: any })),
  }),
  /** Step 13: put these together. */
  assemble: closed({ goal: any, parts: list(closed({ node: any, title: any, output: any })) }),
};

/** Kinds of request. */
export type AskKind = keyof typeof BODIES;
/** The body of each kind. */
export type Bodies = { readonly [K in AskKind]: TypeOf<(typeof BODIES)[K]> };
/** Any body. */
export type Body = Bodies[AskKind];
